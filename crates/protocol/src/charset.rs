//! Character sets and collations: what a collation id means.

use std::sync::LazyLock;

/// `id, collation, character set, bytes a character at most, whose default` a line, sorted by id.
///
/// # Source
/// `information_schema.COLLATIONS` of MySQL 9.7 and, for the ids that MySQL does not have,
/// `COLLATION_CHARACTER_SET_APPLICABILITY` of MariaDB 10.11 (its uca1400 collations without those
/// of single languages). Where one id has two names, MySQL's stands.
const TABLE: &str = include_str!("charset/collations.tsv");

/// A collation and the character set it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Collation {
    /// The id that travels; the handshake has room for its lower byte only.
    pub id: u16,
    /// Its name.
    pub name: &'static str,
    /// Name of its character set.
    pub charset: &'static str,
    /// Bytes that a character takes at most.
    pub max_len: u8,
    /// Whether it is the default of its character set on MySQL 8 and later.
    pub is_mysql_default: bool,
    /// Whether it is the default of its character set on MariaDB before 11.6.
    pub is_mariadb_default: bool,
}

/// Id of `binary`, which byte strings and numbers have in results.
pub const BINARY: u16 = 63;

/// Id of `utf8mb4_general_ci`.
pub const UTF8MB4_GENERAL_CI: u16 = 45;

/// Id of `utf8mb4_0900_ai_ci`, MySQL's default since 8.0.
pub const UTF8MB4_0900_AI_CI: u16 = 255;

static COLLATIONS: LazyLock<Vec<Collation>> =
    LazyLock::new(|| TABLE.lines().filter_map(read_line).collect());

fn read_line(line: &'static str) -> Option<Collation> {
    let mut fields = line.split('\t');
    let id = fields.next()?.parse().ok()?;
    let (name, charset) = (fields.next()?, fields.next()?);
    let max_len = fields.next()?.parse().ok()?;
    let defaults = fields.next()?;
    Some(Collation {
        id,
        name,
        charset,
        max_len,
        is_mysql_default: defaults.contains('m'),
        is_mariadb_default: defaults.contains('a'),
    })
}

/// All collations, by id.
pub fn all() -> &'static [Collation] {
    &COLLATIONS
}

/// The collation of that id.
pub fn find_by_id(id: u16) -> Option<&'static Collation> {
    let index = COLLATIONS.binary_search_by_key(&id, |collation| collation.id).ok()?;
    COLLATIONS.get(index)
}

/// The collation of that name, in any case; `utf8_…` means `utf8mb3_…`.
pub fn find_by_name(name: &str) -> Option<&'static Collation> {
    COLLATIONS.iter().find(|collation| is_named(collation.name, name))
}

/// The default collation of a character set on MySQL 8 and later; `utf8` means `utf8mb3`.
pub fn find_default(charset: &str) -> Option<&'static Collation> {
    COLLATIONS
        .iter()
        .find(|collation| collation.is_mysql_default && is_named(collation.charset, charset))
}

/// The default collation of a character set on MariaDB before 11.6; `utf8` means `utf8mb3`.
pub fn find_mariadb_default(charset: &str) -> Option<&'static Collation> {
    COLLATIONS
        .iter()
        .find(|collation| collation.is_mariadb_default && is_named(collation.charset, charset))
}

/// Whether `given` is `name`, which has `utf8mb3` where `given` may have `utf8`.
fn is_named(name: &str, given: &str) -> bool {
    if name.eq_ignore_ascii_case(given) {
        return true;
    }
    let Some(rest) = name.strip_prefix("utf8mb3") else { return false };
    given.len() == 4 + rest.len()
        && given.is_char_boundary(4)
        && given[..4].eq_ignore_ascii_case("utf8")
        && given[4..].eq_ignore_ascii_case(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole_and_sorted() {
        assert_eq!(all().len(), TABLE.lines().count());
        assert!(all().windows(2).all(|pair| pair[0].id < pair[1].id));
        assert!(all().iter().all(|collation| (1..=4).contains(&collation.max_len)));
    }

    #[test]
    fn the_usual_ones() {
        let cases = [
            (8, "latin1_swedish_ci", "latin1", 1),
            (11, "ascii_general_ci", "ascii", 1),
            (1, "big5_chinese_ci", "big5", 2),
            (28, "gbk_chinese_ci", "gbk", 2),
            (33, "utf8mb3_general_ci", "utf8mb3", 3),
            (35, "ucs2_general_ci", "ucs2", 2),
            (UTF8MB4_GENERAL_CI, "utf8mb4_general_ci", "utf8mb4", 4),
            (46, "utf8mb4_bin", "utf8mb4", 4),
            (51, "cp1251_general_ci", "cp1251", 1),
            (54, "utf16_general_ci", "utf16", 4),
            (60, "utf32_general_ci", "utf32", 4),
            (BINARY, "binary", "binary", 1),
            (248, "gb18030_chinese_ci", "gb18030", 4),
            (UTF8MB4_0900_AI_CI, "utf8mb4_0900_ai_ci", "utf8mb4", 4),
            (2304, "utf8mb4_uca1400_ai_ci", "utf8mb4", 4),
        ];
        for (id, name, charset, max_len) in cases {
            let collation = find_by_id(id).unwrap();
            assert_eq!((collation.name, collation.charset), (name, charset));
            assert_eq!(collation.max_len, max_len);
            assert_eq!(find_by_name(&name.to_uppercase()), Some(collation));
        }
        assert_eq!(find_by_id(0), None);
        assert_eq!(find_by_name("utf9"), None);
    }

    #[test]
    fn defaults() {
        let id = |collation: Option<&Collation>| collation.map(|collation| collation.id);
        assert_eq!(id(find_default("utf8mb4")), Some(255));
        assert_eq!(id(find_mariadb_default("UTF8MB4")), Some(45));
        for find in [find_default, find_mariadb_default] {
            assert_eq!(id(find("utf8")), Some(33));
            assert_eq!(id(find("latin1")), Some(8));
            assert_eq!(id(find("nothing")), None);
            assert_eq!(id(find("")), None);
        }
        assert_eq!(id(find_by_name("utf8_bin")), Some(83));
        assert_eq!(id(find_by_name("utf8mb3_bin")), Some(83));
    }
}
