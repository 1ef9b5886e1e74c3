//! Users: verifiers of passwords, and which account a client's name and address select.

use std::net::IpAddr;

use kernel::config::UserConfig;
use rand::RngExt;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::pattern::matches_like;

/// A user whose clear password is turned into verifiers at once.
pub fn user_with_password(
    name: &str,
    host: &str,
    password: &str,
    databases: Option<Vec<String>>,
) -> UserConfig {
    UserConfig {
        name: name.to_owned(),
        host: host.to_owned(),
        native_verifier: native_verifier(password.as_bytes()),
        sha2_verifier: sha2_verifier(password.as_bytes()),
        databases,
    }
}

/// SHA1(SHA1(password)); empty for an empty password.
///
/// # Source
/// MySQL internals, "Native Authentication".
pub fn native_verifier(password: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    Sha1::digest(Sha1::digest(password)).to_vec()
}

/// SHA256(SHA256(password)); empty for an empty password.
///
/// # Source
/// MySQL internals, "Caching_sha2_password information".
pub fn sha2_verifier(password: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    Sha256::digest(Sha256::digest(password)).to_vec()
}

/// A password of 24 letters and digits (142 bits) that are hard to take for one another.
pub fn random_password() -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    let mut random = rand::rng();
    (0..24).map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())])).collect()
}

/// Finds the account for a client: among those of this name whose host pattern matches the address,
/// the one with the most specific host. Names are compared exactly.
///
/// Loopback addresses are also `localhost`. Other host names are not resolved: an account for
/// `db1.example.com` matches no client.
///
/// # Source
/// MySQL manual, "Access Control, Stage 1: Connection Verification".
pub fn find_user<'u>(users: &'u [UserConfig], name: &str, peer: IpAddr) -> Option<&'u UserConfig> {
    let peer = peer.to_canonical();
    users
        .iter()
        .filter(|user| user.name == name && host_matches(&user.host, peer))
        .min_by_key(|user| host_rank(&user.host))
}

/// True when a client at `peer` is covered by the host pattern.
fn host_matches(pattern: &str, peer: IpAddr) -> bool {
    if pattern.is_empty() {
        return true;
    }
    if let Some((network, mask)) = pattern.split_once('/') {
        return in_network(network, mask, peer);
    }
    matches_like(pattern, &peer.to_string())
        || (peer.is_loopback() && matches_like(pattern, "localhost"))
}

/// `198.51.100.0/255.255.255.0` or `198.51.100.0/24`; false when either part cannot be read.
fn in_network(network: &str, mask: &str, peer: IpAddr) -> bool {
    let (Ok(network), peer) = (network.parse::<IpAddr>(), peer) else {
        return false;
    };
    match (network, peer) {
        (IpAddr::V4(network), IpAddr::V4(peer)) => {
            let mask = match mask.parse::<std::net::Ipv4Addr>() {
                Ok(mask) => u32::from(mask),
                Err(_) => match mask.parse::<u32>() {
                    Ok(bits @ 1..=32) => u32::MAX << (32 - bits),
                    Ok(0) => 0,
                    _ => return false,
                },
            };
            u32::from(peer) & mask == u32::from(network)
        }
        (IpAddr::V6(network), IpAddr::V6(peer)) => {
            let mask = match mask.parse::<u32>() {
                Ok(bits @ 1..=128) => u128::MAX << (128 - bits),
                Ok(0) => 0,
                _ => return false,
            };
            u128::from(peer) & mask == u128::from(network)
        }
        _ => false,
    }
}

/// Lower is more specific: literal hosts, then networks (the smaller first), then patterns by how
/// far they go before their first wildcard, and the empty host at the end.
fn host_rank(host: &str) -> (u8, usize) {
    if host.is_empty() {
        return (3, 0);
    }
    if let Some((_, mask)) = host.split_once('/') {
        return (1, usize::MAX - mask_bits(mask));
    }
    match host.find(['%', '_']) {
        None => (0, 0),
        Some(at) => (2, usize::MAX - at),
    }
}

fn mask_bits(mask: &str) -> usize {
    mask.parse::<std::net::Ipv4Addr>()
        .map_or_else(|_| mask.parse().unwrap_or(0), |mask| u32::from(mask).count_ones() as usize)
}

/// Splits `name@host`; without a host, or with an empty one, it is `%`. The last `@` separates, so
/// that a name may contain one.
pub fn split_account(account: &str) -> (&str, &str) {
    match account.rsplit_once('@') {
        Some((name, "")) => (name, "%"),
        Some((name, host)) => (name, host),
        None => (account, "%"),
    }
}

#[cfg(test)]
mod tests;
