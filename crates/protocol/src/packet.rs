//! One file a packet. `decode` takes a whole payload without its frame header, `encode` appends
//! one; framing is [`crate::frame`]'s.

pub mod eof;
pub mod err;
pub mod handshake_response;
pub mod handshake_v10;
pub mod ok;
pub mod ssl_request;

pub use eof::EofPacket;
pub use err::ErrPacket;
pub use handshake_response::{ClientHandshake, HandshakeResponse41};
pub use handshake_v10::HandshakeV10;
pub use ok::{OkHeader, OkPacket};
pub use ssl_request::SslRequest;
