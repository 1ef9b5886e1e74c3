//! COM_STMT_PREPARE_OK: the head of the answer to COM_STMT_PREPARE.

use crate::field::{Cursor, write_u16, write_u32};
use crate::{Capabilities, DecodeError};

/// The head of the answer to COM_STMT_PREPARE; definitions of parameters, then of columns follow.
///
/// # Source
/// `page_protocol_com_stmt_prepare`, section "COM_STMT_PREPARE_OK".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ComStmtPrepareOk {
    /// Id of the statement on this connection.
    pub statement_id: u32,
    /// Columns of the result; 0 for none.
    pub columns: u16,
    /// Parameters.
    pub params: u16,
    /// Warnings of the preparation.
    pub warnings: u16,
    /// Whether definitions follow; false only under OPTIONAL_RESULTSET_METADATA.
    pub has_metadata: bool,
}

impl ComStmtPrepareOk {
    /// Where the four bytes of the statement id stand in the payload.
    pub const STATEMENT_ID_OFFSET: usize = 1;

    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends early.
    pub fn decode(payload: &[u8], capabilities: Capabilities) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != 0 {
            return Err(DecodeError::Malformed("answer to prepare without its 0x00"));
        }
        let statement_id = cursor.read_u32()?;
        let columns = cursor.read_u16()?;
        let params = cursor.read_u16()?;
        // Servers before 5.0.3 end here.
        let warnings = if cursor.is_empty() {
            0
        } else {
            cursor.skip(1)?;
            cursor.read_u16()?
        };
        let has_flag = capabilities.contains(Capabilities::OPTIONAL_RESULTSET_METADATA);
        let has_metadata = !has_flag || cursor.is_empty() || cursor.read_u8()? != 0;
        Ok(Self { statement_id, columns, params, warnings, has_metadata })
    }

    /// Appends the packet.
    pub fn encode(&self, out: &mut Vec<u8>, capabilities: Capabilities) {
        out.push(0);
        write_u32(out, self.statement_id);
        write_u16(out, self.columns);
        write_u16(out, self.params);
        out.push(0);
        write_u16(out, self.warnings);
        if capabilities.contains(Capabilities::OPTIONAL_RESULTSET_METADATA) {
            out.push(self.has_metadata.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packet_of_the_manual() {
        let bytes = [0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0];
        let packet = ComStmtPrepareOk::decode(&bytes, Capabilities::NONE).unwrap();
        assert_eq!((packet.statement_id, packet.columns, packet.params), (1, 1, 2));
        let mut out = Vec::new();
        packet.encode(&mut out, Capabilities::NONE);
        assert_eq!(out, bytes);
        for cut in (0..9).chain(10..12) {
            assert!(ComStmtPrepareOk::decode(&bytes[..cut], Capabilities::NONE).is_err());
        }
        assert!(ComStmtPrepareOk::decode(&[1; 12], Capabilities::NONE).is_err());
    }

    #[test]
    fn metadata_flag() {
        let caps = Capabilities::OPTIONAL_RESULTSET_METADATA;
        for has_metadata in [false, true] {
            let packet = ComStmtPrepareOk {
                statement_id: 7,
                columns: 3,
                params: 0,
                warnings: 9,
                has_metadata,
            };
            let mut out = Vec::new();
            packet.encode(&mut out, caps);
            assert_eq!(ComStmtPrepareOk::decode(&out, caps), Ok(packet));
        }
    }
}
