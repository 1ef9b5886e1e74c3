//! Rows as shared bytes plus offsets: where the columns of text and binary rows begin and end.

use std::ops::Range;

use eval::{ColumnType, type_code};

use crate::error::StatementError;

/// The two encodings of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// Answers to COM_QUERY: every value as a length-encoded string.
    Text,
    /// Answers to COM_STMT_EXECUTE: a NULL bitmap and values by type.
    Binary,
}

/// Some rows of one stream, in the order they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowBatch {
    /// One block for all rows; what lies between them is not looked at.
    pub bytes: Vec<u8>,
    /// Where the payload of each row packet stands in `bytes`.
    pub rows: Vec<Range<u32>>,
}

impl RowBatch {
    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
    }

    /// Appends a row payload.
    pub fn push_row(&mut self, payload: &[u8]) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(payload);
        self.rows.push(start..self.bytes.len() as u32);
    }
}

/// Where a column's value stands in its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Cell {
    /// Of the encoded value, length prefix included.
    pub(crate) start: u32,
    /// Of the value itself.
    pub(crate) value_start: u32,
    pub(crate) end: u32,
    pub(crate) is_null: bool,
}

impl Cell {
    /// The encoded value, length prefix included.
    pub(crate) fn encoded<'r>(&self, row: &'r [u8]) -> &'r [u8] {
        &row[self.start as usize..self.end as usize]
    }

    /// The value itself; `None` for NULL.
    pub(crate) fn value<'r>(&self, row: &'r [u8]) -> Option<&'r [u8]> {
        (!self.is_null).then(|| &row[self.value_start as usize..self.end as usize])
    }
}

/// The first byte of a NULL in a text row.
pub(crate) const TEXT_NULL: u8 = 0xfb;
/// Bits of a binary row's NULL bitmap before that of the first column.
const BITMAP_OFFSET: usize = 2;

/// Bytes of the NULL bitmap of a binary row.
pub(crate) fn bitmap_len(columns: usize) -> usize {
    (columns + BITMAP_OFFSET).div_ceil(8)
}

/// The byte of a binary row that holds a column's NULL bit, and the bit.
pub(crate) fn null_bit(column: usize) -> (usize, u8) {
    let bit = column + BITMAP_OFFSET;
    (1 + bit / 8, 1 << (bit % 8))
}

/// Finds the first `wanted` columns of a row.
///
/// # Errors
/// The row is shorter than its columns, or not of this format.
///
/// # Source
/// MySQL internals, "Text Resultset Row" and "Binary Protocol Resultset Row":
/// <https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html>
pub(crate) fn locate(
    row: &[u8],
    format: RowFormat,
    columns: &[ColumnType],
    wanted: usize,
    cells: &mut Vec<Cell>,
) -> Result<(), StatementError> {
    cells.clear();
    let located = match format {
        RowFormat::Text => locate_text(row, wanted, cells),
        RowFormat::Binary => locate_binary(row, columns, wanted, cells),
    };
    located.ok_or_else(malformed_row)
}

/// A storage unit sent a row that is none.
pub(crate) fn malformed_row() -> StatementError {
    StatementError::new(
        1835,
        "HY000",
        "Malformed communication packet: a storage unit sent a row that does not fit its columns",
    )
}

fn locate_text(row: &[u8], wanted: usize, cells: &mut Vec<Cell>) -> Option<()> {
    let mut at = 0;
    for _ in 0..wanted {
        let start = at;
        if *row.get(at)? == TEXT_NULL {
            at += 1;
            let (start, end) = (start as u32, at as u32);
            cells.push(Cell { start, value_start: end, end, is_null: true });
            continue;
        }
        let (value_start, len) = read_length(row, at)?;
        at = end_of(row, value_start, len)?;
        let (start, value_start, end) = (start as u32, value_start as u32, at as u32);
        cells.push(Cell { start, value_start, end, is_null: false });
    }
    Some(())
}

fn locate_binary(
    row: &[u8],
    columns: &[ColumnType],
    wanted: usize,
    cells: &mut Vec<Cell>,
) -> Option<()> {
    if *row.first()? != 0 {
        return None;
    }
    let mut at = end_of(row, 1, bitmap_len(columns.len()) as u64)?;
    for (position, column) in columns.iter().enumerate().take(wanted) {
        let start = at;
        let (byte, bit) = null_bit(position);
        let is_null = row[byte] & bit != 0;
        let mut value_start = at;
        if !is_null {
            let len;
            (value_start, len) = match fixed_len(column.type_code) {
                Some(len) => (at, len),
                None => read_length(row, at)?,
            };
            at = end_of(row, value_start, len)?;
        }
        let (start, value_start, end) = (start as u32, value_start as u32, at as u32);
        cells.push(Cell { start, value_start, end, is_null });
    }
    Some(())
}

/// Bytes of a binary value without length prefix.
fn fixed_len(code: u8) -> Option<u64> {
    match code {
        type_code::TINY => Some(1),
        type_code::SHORT | type_code::YEAR => Some(2),
        type_code::LONG | type_code::INT24 | type_code::FLOAT => Some(4),
        type_code::LONGLONG | type_code::DOUBLE => Some(8),
        type_code::NULL => Some(0),
        // Temporal values have one length byte, which reads as a length-encoded integer too.
        _ => None,
    }
}

/// Whether a value of a binary row is a string with its length in front.
pub(crate) fn is_length_prefixed(code: u8) -> bool {
    ColumnType::new(code, 0, 0, 0, 0).is_length_prefixed()
}

/// The string of a value with its length in front.
pub(crate) fn read_string(encoded: &[u8]) -> &[u8] {
    read_length(encoded, 0).and_then(|(start, _)| encoded.get(start..)).unwrap_or_default()
}

/// A length-encoded integer at `at`: the position behind it and its value.
fn read_length(row: &[u8], at: usize) -> Option<(usize, u64)> {
    let first = *row.get(at)?;
    let width = match first {
        0..=0xfa => return Some((at + 1, u64::from(first))),
        0xfc => 2,
        0xfd => 3,
        0xfe => 8,
        _ => return None,
    };
    let mut bytes = [0; 8];
    bytes[..width].copy_from_slice(row.get(at + 1..at + 1 + width)?);
    Some((at + 1 + width, u64::from_le_bytes(bytes)))
}

/// Where `len` bytes from `start` end, if the row has them.
fn end_of(row: &[u8], start: usize, len: u64) -> Option<usize> {
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    (end <= row.len()).then_some(end)
}

/// Appends a length-encoded string.
pub(crate) fn write_string(value: &[u8], out: &mut Vec<u8>) {
    let len = value.len() as u64;
    let bytes = len.to_le_bytes();
    match len {
        0..=0xfa => out.push(bytes[0]),
        0xfb..=0xffff => {
            out.push(0xfc);
            out.extend_from_slice(&bytes[..2]);
        }
        0x1_0000..=0xff_ffff => {
            out.push(0xfd);
            out.extend_from_slice(&bytes[..3]);
        }
        _ => {
            out.push(0xfe);
            out.extend_from_slice(&bytes);
        }
    }
    out.extend_from_slice(value);
}

#[cfg(test)]
mod tests;
