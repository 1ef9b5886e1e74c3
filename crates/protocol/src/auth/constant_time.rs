//! Comparison that takes as long for a near miss as for a far one.

/// Whether both slices hold the same bytes. The time taken depends on their lengths only.
pub fn equals(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let difference = left.iter().zip(right).fold(0_u8, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_means_every_byte() {
        assert!(equals(b"", b""));
        assert!(equals(b"abc", b"abc"));
        for other in [&b"abd"[..], b"bbc", b"ab", b"abcd", b""] {
            assert!(!equals(b"abc", other));
        }
    }
}
