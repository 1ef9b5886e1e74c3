//! Capability flags: what client and server agree on in the handshake.

use crate::bit_flags::bit_flags;

/// A set of capability flags: MySQL's in bits 0 to 31, MariaDB's extended ones in bits 32 to 63.
///
/// # Source
/// `page_group__group__cs__capabilities__flags` of the MySQL server documentation; for the upper
/// half "Connecting", section "Capabilities", of the MariaDB knowledge base.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Capabilities(pub u64);

bit_flags!(Capabilities, u64);

impl Capabilities {
    /// New password hashing. MariaDB calls the bit `CLIENT_MYSQL` and leaves it unset in its
    /// greeting, which announces that the upper half is present.
    pub const LONG_PASSWORD: Self = Self(1);
    /// Affected rows count the rows found instead of the rows changed.
    pub const FOUND_ROWS: Self = Self(1 << 1);
    /// Column flags are two bytes wide.
    pub const LONG_FLAG: Self = Self(1 << 2);
    /// The handshake response names a database.
    pub const CONNECT_WITH_DB: Self = Self(1 << 3);
    /// `database.table.column` is not allowed.
    pub const NO_SCHEMA: Self = Self(1 << 4);
    /// Packets are compressed with zlib.
    pub const COMPRESS: Self = Self(1 << 5);
    /// Set by ODBC clients; without effect.
    pub const ODBC: Self = Self(1 << 6);
    /// The client can answer a request for a local file.
    pub const LOCAL_FILES: Self = Self(1 << 7);
    /// A space is allowed between a function name and its parenthesis.
    pub const IGNORE_SPACE: Self = Self(1 << 8);
    /// The 4.1 protocol; everything older is refused.
    pub const PROTOCOL_41: Self = Self(1 << 9);
    /// `wait_timeout` starts as `interactive_timeout`.
    pub const INTERACTIVE: Self = Self(1 << 10);
    /// The connection switches to TLS after the short request.
    pub const SSL: Self = Self(1 << 11);
    /// Set by clients; without effect.
    pub const IGNORE_SIGPIPE: Self = Self(1 << 12);
    /// OK and EOF packets carry status flags.
    pub const TRANSACTIONS: Self = Self(1 << 13);
    /// Old name of `PROTOCOL_41`; without effect.
    pub const RESERVED: Self = Self(1 << 14);
    /// The authentication response is length-prefixed.
    pub const SECURE_CONNECTION: Self = Self(1 << 15);
    /// One COM_QUERY may hold several statements.
    pub const MULTI_STATEMENTS: Self = Self(1 << 16);
    /// A text response may hold several results.
    pub const MULTI_RESULTS: Self = Self(1 << 17);
    /// A binary response may hold several results.
    pub const PS_MULTI_RESULTS: Self = Self(1 << 18);
    /// Authentication plugins are named in the handshake.
    pub const PLUGIN_AUTH: Self = Self(1 << 19);
    /// The handshake response ends with connection attributes.
    pub const CONNECT_ATTRS: Self = Self(1 << 20);
    /// The authentication response is longer than 255 bytes if need be.
    pub const PLUGIN_AUTH_LENENC_CLIENT_DATA: Self = Self(1 << 21);
    /// The client copes with an expired password.
    pub const CAN_HANDLE_EXPIRED_PASSWORDS: Self = Self(1 << 22);
    /// OK packets carry session state changes.
    pub const SESSION_TRACK: Self = Self(1 << 23);
    /// Result sets end with an OK packet instead of EOF packets.
    pub const DEPRECATE_EOF: Self = Self(1 << 24);
    /// The server may leave out result set metadata.
    pub const OPTIONAL_RESULTSET_METADATA: Self = Self(1 << 25);
    /// Packets are compressed with zstd.
    pub const ZSTD_COMPRESSION: Self = Self(1 << 26);
    /// COM_QUERY and COM_STMT_EXECUTE carry query attributes.
    pub const QUERY_ATTRIBUTES: Self = Self(1 << 27);
    /// More than one factor of authentication.
    pub const MULTI_FACTOR_AUTHENTICATION: Self = Self(1 << 28);
    /// Reserved for an extension of the capability flags.
    pub const CAPABILITY_EXTENSION: Self = Self(1 << 29);
    /// The client verifies the server's certificate; never on the wire.
    pub const SSL_VERIFY_SERVER_CERT: Self = Self(1 << 30);
    /// The client remembers its options after a failure; never on the wire.
    pub const REMEMBER_OPTIONS: Self = Self(1 << 31);

    /// MariaDB: the server may send progress reports (ERR packets with code 0xFFFF).
    pub const MARIADB_PROGRESS: Self = Self(1 << 32);
    /// MariaDB: COM_MULTI, withdrawn.
    pub const MARIADB_COM_MULTI: Self = Self(1 << 33);
    /// MariaDB: COM_STMT_BULK_EXECUTE.
    pub const MARIADB_STMT_BULK: Self = Self(1 << 34);
    /// MariaDB: column definitions carry extended type information.
    pub const MARIADB_EXTENDED_METADATA: Self = Self(1 << 35);
    /// MariaDB: metadata of a prepared statement is not repeated when it did not change.
    pub const MARIADB_CACHE_METADATA: Self = Self(1 << 36);
    /// MariaDB: a bulk execution answers with one result a row.
    pub const MARIADB_BULK_UNIT_RESULTS: Self = Self(1 << 37);

    /// All of MariaDB's extended flags.
    pub const MARIADB_EXTENDED: Self = Self(0xFFFF_FFFF_0000_0000);

    /// The half that MySQL knows.
    pub const fn lower(self) -> u32 {
        self.0 as u32
    }

    /// MariaDB's half.
    pub const fn extended(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// Puts both halves together.
    pub const fn from_halves(lower: u32, extended: u32) -> Self {
        Self(lower as u64 | (extended as u64) << 32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_operations() {
        let mut flags = Capabilities::SSL | Capabilities::MARIADB_CACHE_METADATA;
        assert_eq!(flags.bits(), 0x10_0000_0800);
        assert_eq!((flags.lower(), flags.extended()), (0x800, 0x10));
        assert_eq!(Capabilities::from_halves(0x800, 0x10), flags);
        flags.remove(Capabilities::SSL);
        flags.insert(Capabilities::FOUND_ROWS);
        assert!(flags.contains(Capabilities::FOUND_ROWS));
        assert!(!flags.contains(Capabilities::FOUND_ROWS | Capabilities::SSL));
        assert!(flags.intersects(Capabilities::FOUND_ROWS | Capabilities::SSL));
        assert_eq!(flags.without(Capabilities::MARIADB_EXTENDED), Capabilities::FOUND_ROWS);
    }
}
