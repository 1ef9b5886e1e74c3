//! mysql_native_password: answers a nonce with SHA-1 hashes.
//!
//! # Source
//! `page_protocol_connection_phase_authentication_methods_native_password_authentication`.

use sha1::{Digest, Sha1};

use super::{Nonce, constant_time};

/// Bytes of an answer.
pub const RESPONSE_LEN: usize = 20;

/// What the server stores: SHA1(SHA1(password)).
pub fn verifier(password: &[u8]) -> [u8; 20] {
    Sha1::digest(Sha1::digest(password)).into()
}

/// The client's answer: SHA1(password) XOR SHA1(nonce, SHA1(SHA1(password))); empty for an empty
/// password.
pub fn scramble(password: &[u8], nonce: &Nonce) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let mut answer: [u8; 20] = Sha1::digest(password).into();
    xor(&mut answer, &mask(&verifier(password), nonce));
    answer.to_vec()
}

/// Whether `response` answers `nonce` for the password that `stored` came from.
pub fn check(response: &[u8], nonce: &Nonce, stored: &[u8; 20]) -> bool {
    if response.is_empty() {
        return constant_time::equals(stored, &verifier(b""));
    }
    let Ok(mut hash) = <[u8; RESPONSE_LEN]>::try_from(response) else { return false };
    xor(&mut hash, &mask(stored, nonce));
    let again: [u8; 20] = Sha1::digest(hash).into();
    constant_time::equals(&again, stored)
}

fn mask(stored: &[u8; 20], nonce: &Nonce) -> [u8; 20] {
    Sha1::new().chain_update(nonce).chain_update(stored).finalize().into()
}

fn xor(bytes: &mut [u8; 20], mask: &[u8; 20]) {
    for (byte, mask) in bytes.iter_mut().zip(mask) {
        *byte ^= mask;
    }
}
