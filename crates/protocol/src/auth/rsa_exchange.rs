//! The password under the server's RSA key: caching_sha2_password's full authentication where the
//! connection is not encrypted.
//!
//! # Source
//! `page_caching_sha2_authentication_exchanges`; padding is OAEP with SHA-1.

use rsa::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding,
};
use rsa::rand_core::TryCryptoRng;
use rsa::{PrivateKey, PublicKey};
use sha1::Sha1;

use super::Nonce;

/// The RSA key failed to do what was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("RSA: {0}")]
pub struct RsaError(&'static str);

/// The server's RSA key.
pub struct RsaKey {
    private: PrivateKey,
    public_pem: String,
}

impl RsaKey {
    /// Makes a key of `bits` bits; 2048 is MySQL's size. Takes up to seconds.
    ///
    /// # Errors
    /// [`RsaError`] if the random source fails or `bits` is too small.
    pub fn generate<R: TryCryptoRng + ?Sized>(rng: &mut R, bits: usize) -> Result<Self, RsaError> {
        let private = PrivateKey::new(rng, bits).map_err(|_| RsaError("key was not made"))?;
        Self::from_private(private)
    }

    /// Reads a private key in PEM (PKCS #8).
    ///
    /// # Errors
    /// [`RsaError`] if it is none.
    pub fn from_pem(pem: &str) -> Result<Self, RsaError> {
        let private = PrivateKey::from_pkcs8_pem(pem)
            .map_err(|_| RsaError("not a private key in PKCS #8 PEM"))?;
        Self::from_private(private)
    }

    fn from_private(private: PrivateKey) -> Result<Self, RsaError> {
        let public_pem = private
            .to_public_key()
            .to_public_key_pem(LineEnding::LF)
            .map_err(|_| RsaError("public key cannot be written"))?;
        Ok(Self { private, public_pem })
    }

    /// The private key in PEM (PKCS #8), to store it.
    ///
    /// # Errors
    /// [`RsaError`] if it cannot be written.
    pub fn to_pem(&self) -> Result<String, RsaError> {
        let pem = self
            .private
            .to_pkcs8_pem(LineEnding::LF)
            .map_err(|_| RsaError("private key cannot be written"))?;
        Ok(pem.to_string())
    }

    /// The public key as the server sends it.
    pub fn public_pem(&self) -> &str {
        &self.public_pem
    }

    /// Takes the password out of what a client sent.
    ///
    /// # Errors
    /// [`RsaError`] if it was not encrypted with this key.
    pub fn decrypt_password(&self, sent: &[u8], nonce: &Nonce) -> Result<Vec<u8>, RsaError> {
        let mut password = self
            .private
            .oaep_decrypt::<Sha1>(sent)
            .map_err(|_| RsaError("not encrypted with the server's key"))?;
        xor(&mut password, nonce);
        strip_nul(&mut password);
        Ok(password)
    }
}

impl std::fmt::Debug for RsaKey {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("RsaKey(..)")
    }
}

/// Hides `password` for the server whose public key is `public_pem`.
///
/// # Errors
/// [`RsaError`] if the key is none or too small for the password.
pub fn encrypt_password(
    password: &[u8],
    nonce: &Nonce,
    public_pem: &[u8],
) -> Result<Vec<u8>, RsaError> {
    let pem = std::str::from_utf8(public_pem).map_err(|_| RsaError("public key is not PEM"))?;
    let key = PublicKey::from_public_key_pem(pem.trim())
        .map_err(|_| RsaError("the server's public key cannot be read"))?;
    let mut clear = password.to_vec();
    clear.push(0);
    xor(&mut clear, nonce);
    key.oaep_encrypt::<Sha1>(&clear).map_err(|_| RsaError("password too long for the server's key"))
}

/// Takes away the NUL that ends a password on the wire.
pub(super) fn strip_nul(password: &mut Vec<u8>) {
    if password.last() == Some(&0) {
        password.pop();
    }
}

fn xor(bytes: &mut [u8], nonce: &Nonce) {
    for (byte, mask) in bytes.iter_mut().zip(nonce.iter().cycle()) {
        *byte ^= mask;
    }
}
