//! The rows of a query, kept until all are read, and their values as literals.

use std::ops::Range;

use eval::ColumnType;
use kernel::error::StatementError;
use kernel::gather::CopiedValue;
use protocol::column_type::ColumnType as Code;
use protocol::text::TextRow;

use crate::gather::put_literal;

/// How a column's values are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// As a copy's values are.
    Plain(CopiedValue),
    /// As hexadecimal, which is a number where one is wanted.
    Bits,
}

/// Rows of the text protocol.
#[derive(Debug)]
pub(crate) struct Rows {
    table: String,
    kinds: Vec<Kind>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    limit_bytes: usize,
}

impl Rows {
    /// Before the first row; `table` is where they will go.
    pub(super) fn new(table: &str, limit_bytes: usize) -> Self {
        let (kinds, bytes, ends) = (Vec::new(), Vec::new(), Vec::new());
        Self { table: table.to_owned(), kinds, bytes, ends, limit_bytes }
    }

    /// What the columns are.
    ///
    /// # Errors
    /// Values of one of them would not be the same after they were text.
    pub(crate) fn begin(&mut self, types: &[ColumnType]) -> Result<(), StatementError> {
        self.kinds = types.iter().map(|of| self.kind(of)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn kind(&self, of: &ColumnType) -> Result<Kind, StatementError> {
        let plain = match Code(of.type_code) {
            Code::FLOAT => return Err(self.inexact("FLOAT", "CAST it AS DOUBLE")),
            Code::GEOMETRY => return Err(self.inexact("GEOMETRY", "insert its ST_AsBinary()")),
            Code::VECTOR => return Err(self.inexact("VECTOR", "insert it as text")),
            Code::BIT => return Ok(Kind::Bits),
            Code::DOUBLE => CopiedValue::Double,
            Code::DECIMAL
            | Code::NEWDECIMAL
            | Code::TINY
            | Code::SHORT
            | Code::INT24
            | Code::LONG
            | Code::LONGLONG
            | Code::YEAR => CopiedValue::Number,
            Code::DATE | Code::TIME | Code::DATETIME | Code::TIMESTAMP | Code::JSON => {
                CopiedValue::Text
            }
            _ if of.is_binary_charset => CopiedValue::Bytes,
            _ => CopiedValue::Text,
        };
        Ok(Kind::Plain(plain))
    }

    fn inexact(&self, what: &str, advice: &str) -> StatementError {
        StatementError::unsupported(format!(
            "This change of table '{}' reads several nodes before it writes, and values of type {what} \
             cannot be moved exactly: {advice}",
            self.table
        ))
    }

    /// Adds a row of the text protocol.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn push(&mut self, payload: &[u8]) -> Result<(), StatementError> {
        if self.bytes.len() + payload.len() > self.limit_bytes {
            return Err(StatementError::new(
                1038,
                "HY001",
                format!(
                    "This change of table '{}' reads several nodes before it writes, and they take more \
                     than {} bytes: change fewer at a time, or raise limits.sortMemoryBytes in \
                     anabranch.yaml",
                    self.table, self.limit_bytes
                ),
            ));
        }
        self.bytes.extend_from_slice(payload);
        self.ends.push(self.bytes.len());
        Ok(())
    }

    /// The query has warned: in an INSERT of one server that may be an error.
    ///
    /// # Errors
    /// It has.
    pub(crate) fn check_warnings(&self, warnings: u64) -> Result<(), StatementError> {
        if warnings == 0 {
            return Ok(());
        }
        Err(StatementError::unsupported(format!(
            "This change of table '{}' reads several nodes before it writes, and its query has warnings, \
             which can be errors in a change: run the query alone and mend what SHOW WARNINGS tells",
            self.table
        )))
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.kinds.len()
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Writes rows from this one on, at least one, up to about `most_bytes`; gives those written.
    ///
    /// # Errors
    /// A value cannot be a literal.
    pub(super) fn put(
        &self,
        from: usize,
        most_bytes: usize,
        out: &mut Vec<u8>,
    ) -> Result<Range<usize>, StatementError> {
        let (first, mut at) = (out.len(), from);
        while at < self.ends.len() && (at == from || out.len() - first < most_bytes) {
            if at > from {
                out.push(b',');
            }
            let start = if at == 0 { 0 } else { self.ends[at - 1] };
            self.put_row(&self.bytes[start..self.ends[at]], out)?;
            at += 1;
        }
        Ok(from..at)
    }

    fn put_row(&self, payload: &[u8], out: &mut Vec<u8>) -> Result<(), StatementError> {
        out.push(b'(');
        for (index, (value, kind)) in TextRow::new(payload).values().zip(&self.kinds).enumerate() {
            if index > 0 {
                out.push(b',');
            }
            let value = value.map_err(|_| self.inexact("that is unknown", "CAST it"))?;
            let is_written = match (kind, value) {
                (Kind::Plain(kind), value) => put_literal(out, value, *kind),
                (Kind::Bits, None) => put_literal(out, None, CopiedValue::Bytes),
                (Kind::Bits, Some(bits)) => {
                    out.extend_from_slice(b"x'");
                    out.extend(bits.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()));
                    out.push(b'\'');
                    true
                }
            };
            if !is_written {
                return Err(self.inexact("text that is not UTF-8", "CONVERT it USING utf8mb4"));
            }
        }
        out.push(b')');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(code: Code, collation: u16) -> ColumnType {
        ColumnType::new(code.0, 0, collation, 0, 0)
    }

    #[test]
    fn rows_become_literals_in_batches() {
        let mut rows = Rows::new("t", 100);
        let types = [typed(Code::LONG, 63), typed(Code::VAR_STRING, 45), typed(Code::BIT, 63)];
        rows.begin(&types).unwrap();
        rows.push(b"\x011\x04it's\x01\x05").unwrap();
        rows.push(b"\x02-2\xfb\xfb").unwrap();
        let mut out = Vec::new();
        assert_eq!(rows.put(0, 1, &mut out).unwrap(), 0..1);
        assert_eq!(out, br"(1,'it\'s',x'05')");
        out.clear();
        assert_eq!(rows.put(1, 1, &mut out).unwrap(), 1..2);
        assert_eq!(out, b"(-2,NULL,NULL)");
        out.clear();
        assert_eq!(rows.put(0, 1000, &mut out).unwrap(), 0..2);
        assert_eq!(out, br"(1,'it\'s',x'05'),(-2,NULL,NULL)");
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        let mut rows = Rows::new("t", 3);
        assert_eq!(rows.begin(&[typed(Code::FLOAT, 63)]).unwrap_err().code, 30001);
        assert_eq!(rows.push(b"\x03abc").unwrap_err().code, 1038);
        assert!(rows.check_warnings(0).is_ok());
        assert_eq!(rows.check_warnings(1).unwrap_err().code, 30001);
    }
}
