//! One file a packet. `decode` takes a whole payload without its frame header, `encode` appends
//! one; framing is [`crate::frame`]'s.

pub mod auth_more_data;
pub mod auth_switch;
pub mod column_count;
pub mod column_definition;
pub mod eof;
pub mod err;
pub mod handshake_response;
pub mod handshake_v10;
pub mod local_infile;
pub mod ok;
pub mod ssl_request;
pub mod stmt_prepare_ok;

pub use auth_more_data::AuthMoreData;
pub use auth_switch::AuthSwitchRequest;
pub use column_count::ColumnCount;
pub use column_definition::ColumnDefinition41;
pub use eof::EofPacket;
pub use err::ErrPacket;
pub use handshake_response::{ClientHandshake, HandshakeResponse41};
pub use handshake_v10::HandshakeV10;
pub use local_infile::LocalInfileRequest;
pub use ok::{OkHeader, OkPacket};
pub use ssl_request::SslRequest;
pub use stmt_prepare_ok::ComStmtPrepareOk;
