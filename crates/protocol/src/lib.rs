//! MySQL packets in both directions: bytes in, bytes out; no sockets and no async.
//!
//! `frame` cuts a byte stream into packets, `packet` holds one file a packet, `response` finds
//! the end of a response without decoding it, `auth` runs both sides of an authentication.

mod bit_flags;

pub mod auth;
pub mod binary;
pub mod capability;
pub mod charset;
pub mod column_type;
pub mod command;
pub mod error;
pub mod error_code;
pub mod field;
pub mod frame;
pub mod packet;
pub mod response;
pub mod status;
pub mod text;

pub use capability::Capabilities;
pub use column_type::{ColumnFlags, ColumnType, ValueType};
pub use command::Command;
pub use error::DecodeError;
pub use status::StatusFlags;
