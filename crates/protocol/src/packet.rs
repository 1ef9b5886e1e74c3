//! One file a packet. `decode` takes a whole payload without its frame header, `encode` appends
//! one; framing is [`crate::frame`]'s.

pub mod auth_more_data;
pub mod auth_switch;
pub mod column_count;
pub mod column_definition;
pub mod com_change_user;
pub mod com_field_list;
pub mod com_init_db;
pub mod com_process_kill;
pub mod com_query;
pub mod com_set_option;
pub mod com_stmt_execute;
pub mod com_stmt_fetch;
pub mod com_stmt_id;
pub mod com_stmt_send_long_data;
pub mod eof;
pub mod err;
pub mod handshake_response;
pub mod handshake_v10;
pub mod local_infile;
pub mod ok;
pub mod parameter_block;
pub mod session_state;
pub mod ssl_request;
pub mod stmt_prepare_ok;

pub use auth_more_data::AuthMoreData;
pub use auth_switch::AuthSwitchRequest;
pub use column_count::ColumnCount;
pub use column_definition::ColumnDefinition41;
pub use com_change_user::ComChangeUser;
pub use com_field_list::ComFieldList;
pub use com_init_db::ComInitDb;
pub use com_process_kill::ComProcessKill;
pub use com_query::ComQuery;
pub use com_set_option::ComSetOption;
pub use com_stmt_execute::ComStmtExecute;
pub use com_stmt_fetch::ComStmtFetch;
pub use com_stmt_id::ComStmtId;
pub use com_stmt_send_long_data::ComStmtSendLongData;
pub use eof::EofPacket;
pub use err::ErrPacket;
pub use handshake_response::{ClientHandshake, HandshakeResponse41};
pub use handshake_v10::HandshakeV10;
pub use local_infile::LocalInfileRequest;
pub use ok::{OkHeader, OkPacket};
pub use parameter_block::ParameterBlock;
pub use session_state::SessionStateChange;
pub use ssl_request::SslRequest;
pub use stmt_prepare_ok::ComStmtPrepareOk;

use crate::field::Cursor;
use crate::{Command, DecodeError};

/// Takes the command byte, which must be that of `command`.
fn read_command(cursor: &mut Cursor<'_>, command: Command) -> Result<(), DecodeError> {
    if cursor.read_u8()? == command as u8 {
        return Ok(());
    }
    Err(DecodeError::Malformed("packet of another command"))
}
