//! Which order a collation gives, as far as bytes or sort keys tell.

/// How values of a collation compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollationOrder {
    /// By their own bytes, in the column's character set or in `utf8mb4`; with `pad_space` the
    /// shorter one is padded with spaces.
    Bytes {
        /// PAD SPACE.
        pad_space: bool,
    },
    /// By `WEIGHT_STRING(x)`; the shorter key is padded with `pad`.
    SortKey {
        /// The weight of a space; empty where the shorter key comes first.
        pad: &'static [u8],
    },
    /// Neither tells.
    Unknown,
}

const UNPADDED_KEY: CollationOrder = CollationOrder::SortKey { pad: b"" };
/// The weight of a space in collations that weigh a character by its code.
const CODE_WEIGHT: &[u8] = b"\x00\x20";
/// The weight of a space in the Unicode collation algorithm, versions 4.0.0 and 14.0.0.
const UCA_WEIGHT: &[u8] = b"\x02\x09";
/// The weight of a space in the Unicode collation algorithm, version 5.2.0.
const UCA_520_WEIGHT: &[u8] = b"\x02\x0a";

/// Character sets of one byte a character, and of two or three in East Asia.
const LEGACY_CHARSETS: &[&str] = &[
    "armscii8", "ascii", "big5", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866",
    "cp932", "dec8", "eucjpms", "euckr", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8",
    "keybcs2", "koi8r", "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman",
    "sjis", "swe7", "tis620", "ujis",
];

/// Languages with rules of their own for the Unicode collation algorithm 4.0.0.
const UCA_LANGUAGES: &[&str] = &[
    "croatian",
    "croatian_mysql561",
    "czech",
    "danish",
    "esperanto",
    "estonian",
    "german2",
    "hungarian",
    "icelandic",
    "latvian",
    "lithuanian",
    "persian",
    "polish",
    "roman",
    "romanian",
    "sinhala",
    "slovak",
    "slovenian",
    "spanish",
    "spanish2",
    "swedish",
    "turkish",
    "unicode",
    "vietnamese",
];

/// The order of a collation, by its name in any case.
///
/// # Source
/// Pairs of strings compared by MariaDB 10.11 and MySQL 9.7 themselves, see `verified.txt` beside
/// this file.
pub fn order_of(collation: &str) -> CollationOrder {
    let name = collation.to_ascii_lowercase();
    if name == "binary" {
        return CollationOrder::Bytes { pad_space: false };
    }
    let Some((charset, rules)) = name.split_once('_') else { return CollationOrder::Unknown };
    match charset {
        "utf8" | "utf8mb3" | "utf8mb4" | "ucs2" | "utf16" | "utf16le" | "utf32" => {
            unicode_order(charset, rules)
        }
        "gb18030" => match rules {
            "bin" => CollationOrder::SortKey { pad: b" " },
            "unicode_520_ci" => CollationOrder::SortKey { pad: UCA_520_WEIGHT },
            _ => CollationOrder::Unknown,
        },
        _ if LEGACY_CHARSETS.contains(&charset) => legacy_order(charset, rules),
        _ => CollationOrder::Unknown,
    }
}

fn legacy_order(charset: &str, rules: &str) -> CollationOrder {
    match (charset, rules) {
        ("ascii", "bin") => CollationOrder::Bytes { pad_space: true },
        ("ascii", "nopad_bin") => CollationOrder::Bytes { pad_space: false },
        ("big5", "chinese_ci" | "chinese_nopad_ci")
        | ("cp1250", "czech_cs")
        | ("tis620", "thai_ci" | "thai_nopad_ci") => CollationOrder::Unknown,
        ("latin2", "czech_cs") => UNPADDED_KEY,
        (_, rules) if rules.contains("nopad") => UNPADDED_KEY,
        ("latin7", "general_ci" | "general_cs") => CollationOrder::SortKey { pad: b"\x30" },
        ("latin7", "estonian_cs") => CollationOrder::SortKey { pad: b"\x2c" },
        _ => CollationOrder::SortKey { pad: b" " },
    }
}

fn unicode_order(charset: &str, rules: &str) -> CollationOrder {
    if rules == "bin" || rules == "nopad_bin" {
        let pad_space = rules == "bin";
        return match charset {
            "utf8" | "utf8mb3" | "utf8mb4" => CollationOrder::Bytes { pad_space },
            _ if !pad_space => UNPADDED_KEY,
            "ucs2" => CollationOrder::SortKey { pad: CODE_WEIGHT },
            _ => CollationOrder::SortKey { pad: b"\x00\x00\x20" },
        };
    }
    if rules == "0900_bin" {
        return CollationOrder::Bytes { pad_space: false };
    }
    if rules.contains("0900_") {
        return UNPADDED_KEY;
    }
    if rules.starts_with("uca1400_") {
        // A key of several levels cannot be padded behind its end, and those of `ai_cs` do not
        // give the server's order.
        return match (rules.contains("_nopad_"), rules.ends_with("_ai_ci")) {
            (true, _) if !rules.ends_with("_ai_cs") => UNPADDED_KEY,
            (false, true) => CollationOrder::SortKey { pad: UCA_WEIGHT },
            _ => CollationOrder::Unknown,
        };
    }
    match rules {
        "general_nopad_ci" | "unicode_nopad_ci" | "unicode_520_nopad_ci" => UNPADDED_KEY,
        "general_ci" | "general_mysql500_ci" | "tolower_ci" => {
            CollationOrder::SortKey { pad: CODE_WEIGHT }
        }
        "unicode_520_ci" | "myanmar_ci" => CollationOrder::SortKey { pad: UCA_520_WEIGHT },
        _ => match rules.strip_suffix("_ci") {
            Some(language) if UCA_LANGUAGES.contains(&language) => {
                CollationOrder::SortKey { pad: UCA_WEIGHT }
            }
            _ => CollationOrder::Unknown,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(order: CollationOrder) -> String {
        match order {
            CollationOrder::Bytes { pad_space: false } => "bytes".to_owned(),
            CollationOrder::Bytes { pad_space: true } => "bytes padded".to_owned(),
            CollationOrder::SortKey { pad: b"" } => "key".to_owned(),
            CollationOrder::SortKey { pad } => {
                let digits: String = pad.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("key padded {digits}")
            }
            CollationOrder::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn orders_are_those_that_were_verified() {
        let lines = include_str!("collation/verified.txt").lines();
        let mut verified = 0;
        for line in lines.filter(|line| !line.starts_with('#')) {
            let (collation, order) = line.split_once(": ").unwrap();
            assert_eq!(described(order_of(collation)), order, "{collation}");
            verified += 1;
        }
        assert!(verified > 600, "{verified} collations");
    }

    #[test]
    fn names_have_no_case_and_old_spellings() {
        assert_eq!(order_of("BINARY"), CollationOrder::Bytes { pad_space: false });
        assert_eq!(order_of("utf8_general_ci"), order_of("UTF8MB3_GENERAL_CI"));
        for unknown in ["", "utf8mb4", "utf8mb4_klingon_ci", "latin9_bin", "utf8mb4_thai_520_w2"] {
            assert_eq!(order_of(unknown), CollationOrder::Unknown, "{unknown}");
        }
    }
}
