//! How the sort keys of a collation compare.

use eval::collation::{CollationOrder, order_of};

/// With what the shorter of two sort keys (`WEIGHT_STRING`) of the collation is padded: the weight
/// of a space, or nothing. `None` for collations of which that is not known.
pub(crate) fn padding(collation: &str) -> Option<&'static [u8]> {
    match order_of(collation) {
        CollationOrder::SortKey { pad } => Some(pad),
        CollationOrder::Bytes { pad_space: false } => Some(b""),
        // The sort keys hold the codes of the characters: three bytes each in utf8mb4.
        CollationOrder::Bytes { pad_space: true } => {
            let charset = collation.split('_').next().unwrap_or_default();
            Some(match charset.to_ascii_lowercase().as_str() {
                "utf8mb4" => b"\x00\x00\x20",
                "utf8" | "utf8mb3" => b"\x00\x20",
                _ => b" ",
            })
        }
        CollationOrder::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::padding;

    #[test]
    fn weights_of_a_space() {
        for (collation, pad) in [
            ("utf8mb4_general_ci", Some(&[0, 0x20][..])),
            ("utf8mb3_general_ci", Some(&[0, 0x20])),
            ("utf8mb4_bin", Some(&[0, 0, 0x20])),
            ("utf8_bin", Some(&[0, 0x20])),
            ("utf8mb4_unicode_ci", Some(&[0x02, 0x09])),
            ("utf8mb4_unicode_520_ci", Some(&[0x02, 0x0A])),
            ("utf8mb4_0900_ai_ci", Some(&[])),
            ("utf8mb4_0900_bin", Some(&[])),
            ("utf8mb4_general_nopad_ci", Some(&[])),
            ("utf8mb4_nopad_bin", Some(&[])),
            ("latin1_swedish_ci", Some(&[0x20])),
            ("ascii_bin", Some(&[0x20])),
            ("utf8mb4_uca1400_as_cs", None),
            ("no_such", None),
        ] {
            assert_eq!(padding(collation), pad, "{collation}");
        }
    }
}
