//! One execution of a prepared statement: its values, read where routing needs them and passed on
//! as they came.

use std::collections::BTreeMap;

use eval::Value;
use kernel::error::StatementError;
use kernel::keys::Keys;
use protocol::binary::{self, BinaryValue};
use protocol::capability::Capabilities;
use protocol::column_type::{ColumnType, ValueType};
use protocol::command::Command;
use protocol::field::{Cursor, write_lenenc_bytes};

/// `flags` bit: the parameter count is written in the packet.
const PARAMETER_COUNT_AVAILABLE: u8 = 8;

/// Cursor bits of `flags`.
const CURSOR_TYPES: u8 = 7;

/// Flag of a parameter's type.
const UNSIGNED: u8 = 0x80;

fn too_many() -> StatementError {
    StatementError::new(
        1390,
        "HY000",
        "Prepared statement contains too many placeholders: generated keys need one each",
    )
}

/// What a COM_STMT_EXECUTE says.
///
/// # Source
/// `page_protocol_com_stmt_execute`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Execution {
    /// Cursor types.
    pub(crate) flags: u8,
    /// Number of parameters.
    pub(crate) param_count: u16,
    /// NULL bits, one a parameter.
    pub(crate) nulls: Vec<u8>,
    /// Two bytes a parameter.
    pub(crate) types: Vec<u8>,
    /// The values that are not NULL and were not sent ahead, one after the other.
    pub(crate) values: Vec<u8>,
    /// Values sent ahead, by parameter.
    pub(crate) long_data: BTreeMap<u16, Vec<u8>>,
}

impl Execution {
    /// Reads the packet's body (behind the command byte). `known_types` are those of an earlier
    /// execution, which a client need not repeat.
    pub(crate) fn decode(
        body: &[u8],
        param_count: u16,
        known_types: &[u8],
        long_data: BTreeMap<u16, Vec<u8>>,
        capabilities: Capabilities,
    ) -> Result<Self, StatementError> {
        Self::read(body, param_count, known_types, long_data, capabilities).ok_or_else(|| {
            StatementError::new(1210, "HY000", "Incorrect arguments to mysqld_stmt_execute")
        })
    }

    fn read(
        body: &[u8],
        param_count: u16,
        known_types: &[u8],
        long_data: BTreeMap<u16, Vec<u8>>,
        capabilities: Capabilities,
    ) -> Option<Self> {
        let mut cursor = Cursor::new(body);
        cursor.skip(4).ok()?;
        let flags = cursor.read_u8().ok()?;
        cursor.skip(4).ok()?;
        let mut execution =
            Self { flags: flags & CURSOR_TYPES, param_count, long_data, ..Self::default() };
        let has_attributes = capabilities.contains(Capabilities::QUERY_ATTRIBUTES);
        let has_count = has_attributes && flags & PARAMETER_COUNT_AVAILABLE != 0;
        if param_count == 0 && !has_count {
            return Some(execution);
        }
        // Attributes follow the parameters; they end here, as storage units do not get them.
        let sent =
            if has_count { cursor.read_lenenc_int().ok()? as usize } else { param_count.into() };
        if sent < usize::from(param_count) {
            return None;
        }
        if sent == 0 {
            return Some(execution);
        }
        let nulls = cursor.read_bytes(sent.div_ceil(8)).ok()?;
        execution.nulls = nulls[..usize::from(param_count).div_ceil(8)].to_vec();
        if cursor.read_u8().ok()? == 1 {
            for index in 0..sent {
                let value_type: [u8; 2] = cursor.read_array().ok()?;
                if has_attributes {
                    cursor.read_lenenc_bytes().ok()?;
                }
                if index < usize::from(param_count) {
                    execution.types.extend_from_slice(&value_type);
                }
            }
        } else {
            execution.types.extend_from_slice(known_types);
        }
        if execution.types.len() != usize::from(param_count) * 2 {
            return None;
        }
        execution.values = execution.own_values(cursor.read_rest())?.to_vec();
        Some(execution)
    }

    /// The values of the parameters, without those of attributes behind them.
    fn own_values<'a>(&self, values: &'a [u8]) -> Option<&'a [u8]> {
        let mut cursor = Cursor::new(values);
        for index in 0..self.param_count {
            if self.is_inline(index) {
                binary::skip_value(&mut cursor, self.value_type(index).column_type).ok()?;
            }
        }
        Some(&values[..cursor.position()])
    }

    /// True when the parameter's value stands among the values.
    fn is_inline(&self, index: u16) -> bool {
        !binary::is_null(&self.nulls, index.into()) && !self.long_data.contains_key(&index)
    }

    fn value_type(&self, index: u16) -> ValueType {
        let at = usize::from(index) * 2;
        ValueType::from_bytes([self.types[at], self.types[at + 1]])
    }

    /// All values, for routing.
    pub(crate) fn decode_values(&self) -> Result<Vec<Value<'_>>, StatementError> {
        let malformed =
            |_| StatementError::new(1210, "HY000", "Incorrect arguments to mysqld_stmt_execute");
        let mut cursor = Cursor::new(&self.values);
        let mut values = Vec::with_capacity(self.param_count.into());
        for index in 0..self.param_count {
            values.push(if let Some(data) = self.long_data.get(&index) {
                Value::Bytes(data.as_slice().into())
            } else if self.is_inline(index) {
                let value_type = self.value_type(index);
                let value = binary::read_value(&mut cursor, value_type).map_err(malformed)?;
                routing_value(value, value_type)
            } else {
                Value::Null
            });
        }
        Ok(values)
    }

    /// Writes the packet's payload for a statement of a server.
    pub(crate) fn encode(&self, out: &mut Vec<u8>, statement: u32, with_types: bool) {
        out.push(Command::StmtExecute as u8);
        out.extend_from_slice(&statement.to_le_bytes());
        out.push(self.flags);
        out.extend_from_slice(&1u32.to_le_bytes());
        if self.param_count == 0 {
            return;
        }
        out.extend_from_slice(&self.nulls);
        out.push(u8::from(with_types));
        if with_types {
            out.extend_from_slice(&self.types);
        }
        out.extend_from_slice(&self.values);
    }

    /// The execution with a parameter more for each key column and row, behind the client's: the
    /// generated value, or NULL.
    pub(crate) fn with_keys(&self, keys: &Keys) -> Result<Self, StatementError> {
        let mut all = self.clone();
        for key in keys.columns.iter().flatten() {
            let at = usize::from(all.param_count);
            all.param_count = all.param_count.checked_add(1).ok_or_else(too_many)?;
            all.nulls.resize(usize::from(all.param_count).div_ceil(8), 0);
            let is_unsigned = matches!(key, Some(Value::UInt(_)));
            let column_type = match key {
                Some(Value::Int(_) | Value::UInt(_)) => ColumnType::LONGLONG,
                _ => ColumnType::VAR_STRING,
            };
            let type_flags = if is_unsigned { UNSIGNED } else { 0 };
            all.types.extend_from_slice(&[column_type.0, type_flags]);
            match key {
                Some(Value::Int(value)) => all.values.extend_from_slice(&value.to_le_bytes()),
                Some(Value::UInt(value)) => all.values.extend_from_slice(&value.to_le_bytes()),
                Some(Value::Bytes(text)) => write_lenenc_bytes(&mut all.values, text),
                _ => all.nulls[at / 8] |= 1 << (at % 8),
            }
        }
        Ok(all)
    }

    /// The execution of a statement that has only these of the parameters, in this order.
    pub(crate) fn keep(&self, kept: &[u16]) -> Result<Self, StatementError> {
        let malformed =
            |_| StatementError::new(1210, "HY000", "Incorrect arguments to mysqld_stmt_execute");
        let mut spans = Vec::with_capacity(self.param_count.into());
        let mut cursor = Cursor::new(&self.values);
        for index in 0..self.param_count {
            let start = cursor.position();
            if self.is_inline(index) {
                let column_type = self.value_type(index).column_type;
                binary::skip_value(&mut cursor, column_type).map_err(malformed)?;
            }
            spans.push(start..cursor.position());
        }
        let mut part = Self {
            flags: self.flags,
            param_count: kept.len() as u16,
            nulls: vec![0; kept.len().div_ceil(8)],
            ..Self::default()
        };
        for (position, index) in kept.iter().enumerate() {
            let at = usize::from(*index);
            part.types.extend_from_slice(&self.types[at * 2..at * 2 + 2]);
            part.values.extend_from_slice(&self.values[spans[at].clone()]);
            if binary::is_null(&self.nulls, at) {
                part.nulls[position / 8] |= 1 << (position % 8);
            }
            if let Some(data) = self.long_data.get(index) {
                part.long_data.insert(position as u16, data.clone());
            }
        }
        Ok(part)
    }
}

/// A parameter as routing sees it.
pub(super) fn routing_value(value: BinaryValue<'_>, value_type: ValueType) -> Value<'_> {
    match value {
        BinaryValue::Null => Value::Null,
        BinaryValue::Int(value) => Value::Int(value),
        BinaryValue::UInt(value) => i64::try_from(value).map_or(Value::UInt(value), Value::Int),
        BinaryValue::Float(value) => Value::Double(value.into()),
        BinaryValue::Double(value) => Value::Double(value),
        BinaryValue::Bytes(bytes) => match value_type.column_type {
            ColumnType::DECIMAL | ColumnType::NEWDECIMAL => std::str::from_utf8(bytes)
                .map_or(Value::Bytes(bytes.into()), |text| Value::Decimal(text.into())),
            _ => Value::Bytes(bytes.into()),
        },
        BinaryValue::DateTime { year, month, day, hour, minute, second, micros } => {
            let mut text = format!("{year:04}-{month:02}-{day:02}");
            if value_type.column_type != ColumnType::DATE {
                text.push_str(&format!(" {hour:02}:{minute:02}:{second:02}"));
                if micros > 0 {
                    text.push_str(&format!(".{micros:06}"));
                }
            }
            Value::Bytes(text.into_bytes().into())
        }
        BinaryValue::Time { is_negative, days, hours, minutes, seconds, micros } => {
            let sign = if is_negative { "-" } else { "" };
            let hours = days * 24 + u32::from(hours);
            let mut text = format!("{sign}{hours:02}:{minutes:02}:{seconds:02}");
            if micros > 0 {
                text.push_str(&format!(".{micros:06}"));
            }
            Value::Bytes(text.into_bytes().into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(bound: bool) -> Vec<u8> {
        let mut body = vec![7, 0, 0, 0, 0, 1, 0, 0, 0, 0b10, u8::from(bound)];
        if bound {
            body.extend_from_slice(&[8, 0, 253, 0, 3, 0]);
        }
        body.extend_from_slice(&(-5i64).to_le_bytes());
        body.extend_from_slice(&9i32.to_le_bytes());
        body
    }

    fn decode(body: &[u8], known: &[u8]) -> Execution {
        Execution::decode(body, 3, known, BTreeMap::new(), Capabilities::NONE).unwrap()
    }

    #[test]
    fn types_of_an_earlier_execution_are_remembered() {
        let first = decode(&packet(true), &[]);
        assert_eq!(first.decode_values().unwrap(), [Value::Int(-5), Value::Null, Value::Int(9)]);
        let second = decode(&packet(false), &first.types);
        assert_eq!(second.decode_values().unwrap(), first.decode_values().unwrap());
        assert!(
            Execution::decode(&packet(false), 3, &[], BTreeMap::new(), Capabilities::NONE).is_err()
        );
    }

    #[test]
    fn an_execution_is_written_as_it_was_read() {
        let mut out = Vec::new();
        decode(&packet(true), &[]).encode(&mut out, 7, true);
        assert_eq!(out[1..], packet(true));
    }

    #[test]
    fn a_part_keeps_its_parameters() {
        let part = decode(&packet(true), &[]).keep(&[2, 1]).unwrap();
        assert_eq!(part.decode_values().unwrap(), [Value::Int(9), Value::Null]);
    }

    #[test]
    fn truncated_packets_are_errors() {
        let whole = packet(true);
        for cut in 0..whole.len() {
            let cut = &whole[..cut];
            let read = Execution::decode(cut, 3, &[], BTreeMap::new(), Capabilities::NONE);
            assert!(read.is_err(), "{}", cut.len());
        }
    }
}
