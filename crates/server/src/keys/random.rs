//! Keys that are random text.

use rand::RngExt;

/// 32 hexadecimal digits.
pub(super) fn uuid() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// 21 letters of 64.
pub(super) fn nano_id() -> String {
    const LETTERS: &[u8; 64] = b"_-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut rng = rand::rng();
    (0..21).map(|_| char::from(LETTERS[rng.random_range(0..LETTERS.len())])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_shape_and_differ() {
        assert_ne!(uuid(), uuid());
        assert!(uuid().len() == 32 && uuid().bytes().all(|b| b.is_ascii_hexdigit()));
        assert_ne!(nano_id(), nano_id());
        let is_letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        assert!(nano_id().len() == 21 && nano_id().bytes().all(is_letter));
    }
}
