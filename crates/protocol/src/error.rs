//! Why bytes could not be read as a packet.

/// Why bytes could not be read as a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DecodeError {
    /// The packet ends before a field does.
    #[error("packet ends early: {needed} bytes needed, {available} left")]
    Truncated {
        /// Bytes that the field takes.
        needed: usize,
        /// Bytes that were left.
        available: usize,
    },
    /// A field holds what it may not hold.
    #[error("malformed packet: {0}")]
    Malformed(&'static str),
    /// The peer speaks the protocol that MySQL had before 4.1.
    #[error("client speaks the protocol of MySQL 4.0; use a client of MySQL 4.1 or later")]
    OldProtocol,
    /// A logical packet is larger than `max_allowed_packet`.
    #[error("packet of more than {limit} bytes; raise max_allowed_packet or send less at once")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The frames of one packet do not count up.
    #[error("packets out of order: expected sequence id {expected}, got {got}")]
    OutOfOrder {
        /// The next sequence id.
        expected: u8,
        /// The one that came.
        got: u8,
    },
}

impl DecodeError {
    /// MySQL's error number and SQLSTATE for this failure.
    pub fn code_and_sqlstate(&self) -> (u16, [u8; 5]) {
        use crate::error_code as code;
        match self {
            Self::Truncated { .. } | Self::Malformed(_) => (code::ER_MALFORMED_PACKET, *b"HY000"),
            Self::OldProtocol => (code::ER_NOT_SUPPORTED_AUTH_MODE, *b"08004"),
            Self::TooLarge { .. } => (code::ER_NET_PACKET_TOO_LARGE, *b"08S01"),
            Self::OutOfOrder { .. } => (code::ER_NET_PACKETS_OUT_OF_ORDER, *b"08S01"),
        }
    }
}
