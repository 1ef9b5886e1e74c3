//! MySQL's statement digest: the statement's tokens with its values replaced by `?`.
//!
//! The text is that of MySQL's DIGEST_TEXT. MySQL hashes its internal token numbers, which differ
//! from version to version; here the hash is that of the text.

mod hint;
mod reader;
#[cfg(test)]
mod tests;
mod token_list;
mod words;

use sha2::{Digest as _, Sha256};

use crate::{ServerVersion, SqlMode};

/// How many bytes of tokens a digest may have, MySQL's default of `max_digest_length`. A key word
/// counts 2, a name 4 and its length. What lies behind is left out, so that long statements with
/// the same beginning have one digest.
pub const MAX_DIGEST_LENGTH: usize = 1024;

/// The digest of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digest {
    /// As in DIGEST_TEXT.
    pub text: String,
    /// SHA-256 of the text.
    pub sha256: [u8; 32],
}

impl Digest {
    /// The hash as in DIGEST: 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        self.sha256.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The digest of a statement that parses; of one that does not, of what can be read of it.
///
/// # Source
/// MySQL 9.7: `STATEMENT_DIGEST_TEXT()` of the statements in `digest/samples.txt`.
pub fn digest(text: &[u8], mode: SqlMode, version: ServerVersion) -> Digest {
    let text = reader::read(text, mode, version).into_text();
    let sha256 = Sha256::digest(text.as_bytes()).into();
    Digest { text, sha256 }
}
