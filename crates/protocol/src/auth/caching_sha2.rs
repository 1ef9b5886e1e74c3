//! caching_sha2_password: answers a nonce with SHA-256 hashes, or sends the password over a
//! channel that hides it.
//!
//! # Source
//! `page_caching_sha2_authentication_exchanges`.

use sha2::{Digest, Sha256};

use super::{Nonce, constant_time};

/// Bytes of an answer.
pub const RESPONSE_LEN: usize = 32;

/// AuthMoreData: the answer was right, OK follows.
pub const FAST_AUTH_SUCCESS: u8 = 0x03;

/// AuthMoreData: the server wants the password itself.
pub const PERFORM_FULL_AUTHENTICATION: u8 = 0x04;

/// The client asks for the server's RSA key.
pub const REQUEST_PUBLIC_KEY: u8 = 0x02;

/// What the server stores: SHA256(SHA256(password)).
pub fn verifier(password: &[u8]) -> [u8; 32] {
    Sha256::digest(Sha256::digest(password)).into()
}

/// The client's answer: SHA256(password) XOR SHA256(SHA256(SHA256(password)), nonce); empty for an
/// empty password.
pub fn scramble(password: &[u8], nonce: &Nonce) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let mut answer: [u8; 32] = Sha256::digest(password).into();
    xor(&mut answer, &mask(&verifier(password), nonce));
    answer.to_vec()
}

/// Whether `response` answers `nonce` for the password that `stored` came from.
pub fn check(response: &[u8], nonce: &Nonce, stored: &[u8; 32]) -> bool {
    if response.is_empty() || response == [0] {
        return constant_time::equals(stored, &verifier(b""));
    }
    let Ok(mut hash) = <[u8; RESPONSE_LEN]>::try_from(response) else { return false };
    xor(&mut hash, &mask(stored, nonce));
    let again: [u8; 32] = Sha256::digest(hash).into();
    constant_time::equals(&again, stored)
}

fn mask(stored: &[u8; 32], nonce: &Nonce) -> [u8; 32] {
    Sha256::new().chain_update(stored).chain_update(nonce).finalize().into()
}

fn xor(bytes: &mut [u8; 32], mask: &[u8; 32]) {
    for (byte, mask) in bytes.iter_mut().zip(mask) {
        *byte ^= mask;
    }
}
