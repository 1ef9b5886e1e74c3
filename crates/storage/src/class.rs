//! Capability classes: connections of one class answer with the same bytes.

use protocol::capability::Capabilities;

/// The capabilities that change the bytes a server sends or what a statement does. A client that
/// negotiated a class is served from connections of that class, so that responses pass untouched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Class(Capabilities);

impl Class {
    /// Every capability that makes a class.
    pub const MASK: Capabilities = Capabilities(
        Capabilities::DEPRECATE_EOF.0
            | Capabilities::FOUND_ROWS.0
            | Capabilities::SESSION_TRACK.0
            | Capabilities::IGNORE_SPACE.0
            | Capabilities::MARIADB_CACHE_METADATA.0,
    );

    /// The class of a client with these capabilities.
    pub fn of(capabilities: Capabilities) -> Self {
        Self(Capabilities(capabilities.0 & Self::MASK.0))
    }

    /// Its capabilities.
    pub fn capabilities(self) -> Capabilities {
        self.0
    }

    /// The class for statements of our own, whose answers only we read.
    pub fn own() -> Self {
        Self(Capabilities(0))
    }
}
