//! ColumnDefinition41: name and type of a result column or parameter.

use crate::column_type::{ColumnFlags, ColumnType, ValueType};
use crate::field::{Cursor, LENENC_NULL, write_lenenc_bytes, write_u16, write_u32};
use crate::{Capabilities, DecodeError};

/// Length of the part of fixed length, which stands before it.
const FIXED_LEN: u64 = 0x0C;

/// Name and type of a result column or parameter.
///
/// # Source
/// `page_protocol_com_query_response_text_resultset_column_definition`; the extended metadata:
/// "Result Set Packets", section "Column Definition Packet", of the MariaDB knowledge base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColumnDefinition41<'a> {
    /// Always `def`.
    pub catalog: &'a [u8],
    /// Database.
    pub database: &'a [u8],
    /// Alias of the table.
    pub table: &'a [u8],
    /// Name of the table.
    pub org_table: &'a [u8],
    /// Alias of the column.
    pub name: &'a [u8],
    /// Name of the column.
    pub org_name: &'a [u8],
    /// MariaDB's extended type information (e.g. `json`, `uuid`), as entries of a kind byte and a
    /// length-prefixed text; only under MARIADB_EXTENDED_METADATA.
    pub extended: &'a [u8],
    /// Collation id.
    pub collation: u16,
    /// Widest value, in bytes of the result's character set.
    pub column_length: u32,
    /// Type.
    pub column_type: ColumnType,
    /// Properties.
    pub flags: ColumnFlags,
    /// Digits after the point; 31 for none fixed.
    pub decimals: u8,
    /// The column's default, in answers to COM_FIELD_LIST: None for other answers, Some(None) for
    /// NULL.
    pub default: Option<Option<&'a [u8]>>,
}

impl<'a> ColumnDefinition41<'a> {
    /// Reads the packet.
    ///
    /// # Errors
    /// [`DecodeError`] if it ends early.
    pub fn decode(payload: &'a [u8], capabilities: Capabilities) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        let catalog = cursor.read_lenenc_bytes()?;
        let database = cursor.read_lenenc_bytes()?;
        let table = cursor.read_lenenc_bytes()?;
        let org_table = cursor.read_lenenc_bytes()?;
        let name = cursor.read_lenenc_bytes()?;
        let org_name = cursor.read_lenenc_bytes()?;
        let extended = if capabilities.contains(Capabilities::MARIADB_EXTENDED_METADATA) {
            cursor.read_lenenc_bytes()?
        } else {
            &[]
        };
        if cursor.read_lenenc_int()? != FIXED_LEN {
            return Err(DecodeError::Malformed("column definition of another length"));
        }
        let collation = cursor.read_u16()?;
        let column_length = cursor.read_u32()?;
        let column_type = ColumnType(cursor.read_u8()?);
        let flags = ColumnFlags(cursor.read_u16()?);
        let decimals = cursor.read_u8()?;
        cursor.skip(2)?;
        let default =
            if cursor.is_empty() { None } else { Some(cursor.read_lenenc_bytes_or_null()?) };
        Ok(Self {
            catalog,
            database,
            table,
            org_table,
            name,
            org_name,
            extended,
            collation,
            column_length,
            column_type,
            flags,
            decimals,
            default,
        })
    }

    /// Appends the packet. Extended type information goes only to a client that wants it.
    pub fn encode(&self, out: &mut Vec<u8>, capabilities: Capabilities) {
        for text in
            [self.catalog, self.database, self.table, self.org_table, self.name, self.org_name]
        {
            write_lenenc_bytes(out, text);
        }
        if capabilities.contains(Capabilities::MARIADB_EXTENDED_METADATA) {
            write_lenenc_bytes(out, self.extended);
        }
        out.push(FIXED_LEN as u8);
        write_u16(out, self.collation);
        write_u32(out, self.column_length);
        out.push(self.column_type.0);
        write_u16(out, self.flags.bits());
        out.push(self.decimals);
        out.extend_from_slice(&[0; 2]);
        match self.default {
            None => {}
            Some(None) => out.push(LENENC_NULL),
            Some(Some(text)) => write_lenenc_bytes(out, text),
        }
    }

    /// How the column's values look in binary rows.
    pub const fn value_type(&self) -> ValueType {
        ValueType {
            column_type: self.column_type,
            is_unsigned: self.flags.contains(ColumnFlags::UNSIGNED),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BYTES: &[u8] = b"\x03def\x04test\x01a\x02t1\x02n1\x02id\x0c\x3f\x00\x0b\x00\x00\x00\
        \x03\x23\x42\x00\x00\x00";

    fn definition() -> ColumnDefinition41<'static> {
        ColumnDefinition41 {
            catalog: b"def",
            database: b"test",
            table: b"a",
            org_table: b"t1",
            name: b"n1",
            org_name: b"id",
            extended: b"",
            collation: 63,
            column_length: 11,
            column_type: ColumnType::LONG,
            flags: ColumnFlags(0x4223),
            decimals: 0,
            default: None,
        }
    }

    #[test]
    fn bytes() {
        let decoded = ColumnDefinition41::decode(BYTES, Capabilities::NONE).unwrap();
        assert_eq!(decoded, definition());
        assert_eq!(decoded.value_type(), ValueType::unsigned(ColumnType::LONG));
        let mut out = Vec::new();
        decoded.encode(&mut out, Capabilities::NONE);
        assert_eq!(out, BYTES);
        for cut in 0..BYTES.len() {
            assert!(ColumnDefinition41::decode(&BYTES[..cut], Capabilities::NONE).is_err());
        }
    }

    #[test]
    fn extended_metadata_and_defaults() {
        let caps = Capabilities::MARIADB_EXTENDED_METADATA;
        for default in [None, Some(None), Some(Some(&b"7"[..]))] {
            let column = ColumnDefinition41 { extended: b"\x01\x04json", default, ..definition() };
            let mut out = Vec::new();
            column.encode(&mut out, caps);
            assert_eq!(ColumnDefinition41::decode(&out, caps), Ok(column));
            out.clear();
            column.encode(&mut out, Capabilities::NONE);
            let plain = ColumnDefinition41::decode(&out, Capabilities::NONE).unwrap();
            assert_eq!(plain.extended, b"");
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..64),
            caps: u64,
        ) {
            let _ = ColumnDefinition41::decode(&bytes, Capabilities(caps));
        }
    }
}
