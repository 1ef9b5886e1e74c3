//! Names of character sets that may introduce a literal, e.g. `_utf8mb4'x'`.

/// True for the name of a character set, without its underscore, in any case.
///
/// # Source
/// MySQL 8.4 manual, "Supported Character Sets and Collations"; MariaDB has the same.
pub(super) fn is_charset(name: &[u8]) -> bool {
    CHARSETS.iter().any(|charset| name.eq_ignore_ascii_case(charset.as_bytes()))
}

const CHARSETS: [&str; 43] = [
    "armscii8", "ascii", "big5", "binary", "cp1250", "cp1251", "cp1256", "cp1257", "cp850",
    "cp852", "cp866", "cp932", "dec8", "eucjpms", "euckr", "gb18030", "gb2312", "gbk", "geostd8",
    "greek", "hebrew", "hp8", "keybcs2", "koi8r", "koi8u", "latin1", "latin2", "latin5", "latin7",
    "macce", "macroman", "sjis", "swe7", "tis620", "ucs2", "ujis", "utf16", "utf16le", "utf32",
    "utf8", "utf8mb3", "utf8mb4", "filename",
];
