//! What a complete OK, EOF, ERR or other head packet changes.

use super::phase::Phase;
use super::{ErrorSummary, PacketRole, ResponseKind, ResponseWalker, WalkState};
use crate::field::Cursor;
use crate::packet::{EofPacket, ErrPacket, OkPacket};
use crate::{Capabilities, DecodeError, StatusFlags};

/// The shortest OK packet: head, two one-byte integers, status, warnings.
const OK_MIN_LEN: usize = 7;

impl ResponseWalker {
    /// Draws the consequences of a complete packet that is neither row nor definition.
    pub(super) fn end_kept_packet(&mut self, payload: &[u8]) -> Result<(), DecodeError> {
        match self.role {
            PacketRole::Err => self.end_with_error(payload),
            PacketRole::Ok => {
                self.summary.results += 1;
                self.summary.has_metadata = false;
                self.read_status(payload)?;
                self.end_result();
                Ok(())
            }
            PacketRole::EndOfRows => {
                self.read_status(payload)?;
                self.summary.status |= std::mem::take(&mut self.out_params);
                self.end_result();
                Ok(())
            }
            PacketRole::MetadataEof => self.end_metadata(payload),
            PacketRole::LocalInfile => {
                self.phase = Phase::AfterInfile;
                self.after_packet = WalkState::LocalInfile;
                Ok(())
            }
            PacketRole::PrepareOk => self.end_prepare_head(payload),
            PacketRole::Statistics => {
                self.phase = self.finish_after_packet();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn end_with_error(&mut self, payload: &[u8]) -> Result<(), DecodeError> {
        let packet = ErrPacket::decode(payload)?;
        let sqlstate = packet.sqlstate.unwrap_or(*b"HY000");
        self.summary.error = Some(ErrorSummary { code: packet.code, sqlstate });
        self.summary.status = StatusFlags::NONE;
        self.phase = self.finish_after_packet();
        Ok(())
    }

    /// Reads an OK packet of either head, or an EOF packet.
    fn read_status(&mut self, payload: &[u8]) -> Result<(), DecodeError> {
        let is_eof =
            EofPacket::is_eof(payload) && (!self.deprecates_eof() || payload.len() < OK_MIN_LEN);
        if is_eof {
            let packet = EofPacket::decode(payload)?;
            self.summary.status = packet.status;
            self.summary.warnings = packet.warnings;
            return Ok(());
        }
        // Nearly every OK packet is this one; it is worth not to decode it field by field.
        if let &[_, affected @ ..0xFB, id @ ..0xFB, status, more_status, warnings, more_warnings] =
            payload
        {
            self.summary.status = StatusFlags(u16::from_le_bytes([status, more_status]));
            self.summary.warnings = u16::from_le_bytes([warnings, more_warnings]);
            self.summary.affected_rows = affected.into();
            self.summary.last_insert_id = id.into();
            return Ok(());
        }
        let packet = OkPacket::decode(payload, self.capabilities)?;
        self.summary.status = packet.status;
        self.summary.warnings = packet.warnings;
        self.summary.affected_rows = packet.affected_rows;
        self.summary.last_insert_id = packet.last_insert_id;
        self.session_state.extend_from_slice(packet.session_state);
        Ok(())
    }

    /// Another result follows, or the response is complete.
    fn end_result(&mut self) {
        let has_more = matches!(self.kind, ResponseKind::Query | ResponseKind::StmtExecute)
            && self.summary.status.contains(StatusFlags::MORE_RESULTS_EXISTS);
        self.phase = if has_more { Phase::ResultHead } else { self.finish_after_packet() };
    }

    fn end_metadata(&mut self, payload: &[u8]) -> Result<(), DecodeError> {
        match self.phase {
            Phase::ParamsEof => self.phase = self.begin_prepared_columns(),
            Phase::PreparedColumnsEof => self.phase = self.finish_after_packet(),
            _ => {
                let packet = EofPacket::decode(payload)?;
                self.phase = Phase::Rows;
                self.out_params = out_params_flags(packet.status);
                let opened_cursor = self.kind == ResponseKind::StmtExecute
                    && packet.status.contains(StatusFlags::CURSOR_EXISTS);
                if opened_cursor {
                    self.read_status(payload)?;
                    self.end_result();
                }
            }
        }
        Ok(())
    }

    fn end_prepare_head(&mut self, payload: &[u8]) -> Result<(), DecodeError> {
        let mut cursor = Cursor::new(payload);
        cursor.skip(1)?;
        self.summary.statement_id = cursor.read_u32()?;
        let columns = cursor.read_u16()?;
        self.summary.params = cursor.read_u16()?;
        if cursor.remaining() >= 3 {
            cursor.skip(1)?;
            self.summary.warnings = cursor.read_u16()?;
        }
        let lacks_metadata = self.capabilities.contains(Capabilities::OPTIONAL_RESULTSET_METADATA)
            && cursor.peek() == Some(0);
        self.summary.has_metadata = !lacks_metadata;
        self.summary.columns = columns.into();
        self.summary.results = 1;
        self.definitions_left = self.summary.params.into();
        self.phase = match self.definitions_left {
            0 => self.begin_prepared_columns(),
            _ if !lacks_metadata => Phase::ParamDefinitions,
            // The EOF comes even where the definitions before it are left out.
            _ if !self.deprecates_eof() => Phase::ParamsEof,
            _ => self.begin_prepared_columns(),
        };
        Ok(())
    }
}

/// MySQL announces a result set of OUT parameters, and the OK packet after it, in the EOF after its
/// definitions only; the flags are gone from the EOF after its row.
fn out_params_flags(status: StatusFlags) -> StatusFlags {
    if status.contains(StatusFlags::PS_OUT_PARAMS) {
        status.intersect(StatusFlags::PS_OUT_PARAMS | StatusFlags::MORE_RESULTS_EXISTS)
    } else {
        StatusFlags::NONE
    }
}
