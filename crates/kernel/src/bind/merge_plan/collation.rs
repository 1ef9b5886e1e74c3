//! How the sort keys of a collation compare.

/// With what the shorter of two sort keys of the collation is padded: the weight of a space, or
/// nothing. `None` for collations of which that is not known.
///
/// # Source
/// `WEIGHT_STRING` of MariaDB 10.11 and MySQL 9; MySQL 8.4 manual, "Unicode Character Sets" for the
/// collations without padding. Sort keys of several levels compare byte by byte only where a
/// separator stands between the levels, as in the 0900 collations.
pub(super) fn padding(collation: &str) -> Option<Vec<u8>> {
    let collation = collation.to_ascii_lowercase();
    let (charset, name) = collation.split_once('_')?;
    if name.contains("0900") {
        return Some(Vec::new());
    }
    let weight: &[u8] = match charset {
        "utf8mb4" | "utf8mb3" | "utf8" => unicode_space(charset, name)?,
        "latin1" | "ascii" => b" ",
        _ => return None,
    };
    Some(if name.contains("nopad") { Vec::new() } else { weight.to_vec() })
}

/// The weight of a space in a Unicode collation.
fn unicode_space(charset: &str, name: &str) -> Option<&'static [u8]> {
    let name = name.replace("_nopad", "").replace("nopad_", "");
    match name.as_str() {
        "bin" if charset == "utf8mb4" => Some(&[0, 0, 0x20]),
        "bin" | "general_ci" | "general_mysql500_ci" => Some(&[0, 0x20]),
        "unicode_520_ci" => Some(&[0x02, 0x0A]),
        "uca1400_ai_ci" => Some(&[0x02, 0x09]),
        "unicode_ci" | "icelandic_ci" | "latvian_ci" | "romanian_ci" | "slovenian_ci"
        | "polish_ci" | "estonian_ci" | "spanish_ci" | "swedish_ci" | "turkish_ci" | "czech_ci"
        | "danish_ci" | "lithuanian_ci" | "slovak_ci" | "spanish2_ci" | "roman_ci"
        | "persian_ci" | "esperanto_ci" | "hungarian_ci" | "sinhala_ci" | "german2_ci"
        | "croatian_ci" | "vietnamese_ci" => Some(&[0x02, 0x09]),
        _ => None,
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
            ("utf8mb4_uca1400_as_cs", None),
            ("gbk_chinese_ci", None),
        ] {
            assert_eq!(padding(collation).as_deref(), pad, "{collation}");
        }
    }
}
