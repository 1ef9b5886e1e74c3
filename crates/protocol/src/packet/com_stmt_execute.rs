//! COM_STMT_EXECUTE: runs a prepared statement.

use super::{ParameterBlock, read_command};
use crate::binary::{BinaryValue, write_value};
use crate::column_type::ValueType;
use crate::field::{Cursor, write_u32};
use crate::{Capabilities, Command, DecodeError};

/// Runs a prepared statement.
///
/// # Source
/// `page_protocol_com_stmt_execute`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComStmtExecute {
    /// Id of the statement on this connection.
    pub statement_id: u32,
    /// See the constants.
    pub flags: u8,
    /// Always 1.
    pub iterations: u32,
    /// Parameters; None without any.
    pub params: Option<ParameterBlock>,
}

impl ComStmtExecute {
    /// Flag: open a read-only cursor instead of sending the rows.
    pub const CURSOR_TYPE_READ_ONLY: u8 = 1;
    /// Flag: open a cursor for update; servers open a read-only one.
    pub const CURSOR_TYPE_FOR_UPDATE: u8 = 2;
    /// Flag: open a scrollable cursor; not implemented by servers.
    pub const CURSOR_TYPE_SCROLLABLE: u8 = 4;
    /// Flag: the number of parameters is sent even for a statement without any.
    pub const PARAMETER_COUNT_AVAILABLE: u8 = 8;
    /// All flags that ask for a cursor.
    pub const CURSOR_FLAGS: u8 = 7;

    /// Where the four bytes of the statement id stand in the payload.
    pub const STATEMENT_ID_OFFSET: usize = 1;

    /// The statement id alone; the number of parameters, which the rest depends on, follows from
    /// it.
    ///
    /// # Errors
    /// [`DecodeError`] if the packet is none or ends early.
    pub fn decode_statement_id(payload: &[u8]) -> Result<u32, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::StmtExecute)?;
        cursor.read_u32()
    }

    /// Reads the packet for a statement of `params` parameters.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends before its values.
    pub fn decode(
        payload: &[u8],
        params: u16,
        capabilities: Capabilities,
    ) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        read_command(&mut cursor, Command::StmtExecute)?;
        let mut packet = Self {
            statement_id: cursor.read_u32()?,
            flags: cursor.read_u8()?,
            iterations: cursor.read_u32()?,
            params: None,
        };
        let mut count = usize::from(params);
        let may_count = packet.flags & Self::PARAMETER_COUNT_AVAILABLE != 0 || count > 0;
        if may_count && capabilities.contains(Capabilities::QUERY_ATTRIBUTES) {
            count = usize::try_from(cursor.read_lenenc_int()?).unwrap_or(usize::MAX);
            if count < usize::from(params) {
                return Err(DecodeError::Malformed("fewer parameters than the statement has"));
            }
        }
        if count > 0 {
            packet.params = Some(ParameterBlock::read(&mut cursor, count, capabilities)?);
        }
        Ok(packet)
    }

    /// Appends `payload`, the packet that was read, with `types` (two bytes each, and names as the
    /// packet's connection has them) put in where the client relied on an earlier execution.
    pub fn encode_with_types(&self, out: &mut Vec<u8>, payload: &[u8], types: &[u8]) {
        match &self.params {
            Some(block) if !block.has_types => {
                let (head, values) = payload.split_at(block.bound_offset.min(payload.len()));
                out.extend_from_slice(head);
                out.push(1);
                out.extend_from_slice(types);
                out.extend_from_slice(values.get(1..).unwrap_or_default());
            }
            _ => out.extend_from_slice(payload),
        }
    }

    /// Appends an execution without query attributes, for a connection with `capabilities`.
    ///
    /// # Errors
    /// [`DecodeError::Malformed`] if a value does not travel as its type.
    pub fn encode(
        out: &mut Vec<u8>,
        statement_id: u32,
        flags: u8,
        params: &[(ValueType, BinaryValue<'_>)],
        capabilities: Capabilities,
    ) -> Result<(), DecodeError> {
        out.push(Command::StmtExecute as u8);
        write_u32(out, statement_id);
        out.push(flags & !Self::PARAMETER_COUNT_AVAILABLE);
        write_u32(out, 1);
        if params.is_empty() {
            return Ok(());
        }
        let has_names = capabilities.contains(Capabilities::QUERY_ATTRIBUTES);
        if has_names {
            crate::field::write_lenenc_int(out, params.len() as u64);
        }
        let bitmap = out.len();
        out.resize(bitmap + params.len().div_ceil(8), 0);
        out.push(1);
        for (value_type, _) in params {
            out.extend_from_slice(&value_type.to_bytes());
            if has_names {
                out.push(0);
            }
        }
        for (index, (value_type, value)) in params.iter().enumerate() {
            if *value == BinaryValue::Null {
                out[bitmap + index / 8] |= 1 << (index % 8);
            } else {
                write_value(out, value_type.column_type, value)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
