//! Server status flags, as OK and EOF packets carry them.

use crate::bit_flags::bit_flags;

/// A set of server status flags.
///
/// # Source
/// `SERVER_STATUS_flags_enum` of the MySQL server documentation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct StatusFlags(pub u16);

bit_flags!(StatusFlags, u16);

impl StatusFlags {
    /// A transaction is open.
    pub const IN_TRANS: Self = Self(1);
    /// Every statement commits itself.
    pub const AUTOCOMMIT: Self = Self(1 << 1);
    /// Another result of the same response follows.
    pub const MORE_RESULTS_EXISTS: Self = Self(1 << 3);
    /// No good index was used.
    pub const NO_GOOD_INDEX_USED: Self = Self(1 << 4);
    /// No index was used.
    pub const NO_INDEX_USED: Self = Self(1 << 5);
    /// The execution opened a cursor; rows come by COM_STMT_FETCH.
    pub const CURSOR_EXISTS: Self = Self(1 << 6);
    /// The cursor has no further rows.
    pub const LAST_ROW_SENT: Self = Self(1 << 7);
    /// A database was dropped.
    pub const DB_DROPPED: Self = Self(1 << 8);
    /// `sql_mode` has NO_BACKSLASH_ESCAPES.
    pub const NO_BACKSLASH_ESCAPES: Self = Self(1 << 9);
    /// The metadata of a prepared statement changed since it was prepared.
    pub const METADATA_CHANGED: Self = Self(1 << 10);
    /// The query ran longer than `long_query_time`.
    pub const QUERY_WAS_SLOW: Self = Self(1 << 11);
    /// This result holds the OUT parameters of a procedure.
    pub const PS_OUT_PARAMS: Self = Self(1 << 12);
    /// The open transaction is READ ONLY.
    pub const IN_TRANS_READONLY: Self = Self(1 << 13);
    /// The OK packet carries session state changes.
    pub const SESSION_STATE_CHANGED: Self = Self(1 << 14);
    /// MariaDB: `sql_mode` has ANSI_QUOTES.
    pub const ANSI_QUOTES: Self = Self(1 << 15);
}
