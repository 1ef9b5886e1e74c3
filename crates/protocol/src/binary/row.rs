//! Rows of the binary protocol.
//!
//! # Source
//! `page_protocol_binary_resultset`, section "Binary Protocol Resultset Row".

use std::ops::Range;

use super::{BinaryValue, is_null, read_value, skip_value, write_value};
use crate::DecodeError;
use crate::column_type::{ColumnType, ValueType};
use crate::field::Cursor;

/// The first two bits of a row's NULL bitmap stand for no column.
const BITMAP_OFFSET: usize = 2;

const fn bitmap_len(columns: usize) -> usize {
    (columns + BITMAP_OFFSET).div_ceil(8)
}

/// A row, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct BinaryRow<'a> {
    payload: &'a [u8],
    columns: usize,
}

impl<'a> BinaryRow<'a> {
    /// Looks at a row of `columns` columns.
    ///
    /// # Errors
    /// [`DecodeError`] if it is none or ends before its values.
    pub fn decode(payload: &'a [u8], columns: usize) -> Result<Self, DecodeError> {
        let mut cursor = Cursor::new(payload);
        if cursor.read_u8()? != 0 {
            return Err(DecodeError::Malformed("binary row without its 0x00"));
        }
        cursor.skip(bitmap_len(columns))?;
        Ok(Self { payload, columns })
    }

    fn values_offset(&self) -> usize {
        1 + bitmap_len(self.columns)
    }

    /// Whether column `index` is NULL.
    pub fn is_null(&self, index: usize) -> bool {
        is_null(&self.payload[1..self.values_offset()], index + BITMAP_OFFSET)
    }

    /// The values in order, with one type a column. Ends after the first error.
    pub fn values<'t>(
        &self,
        types: &'t [ValueType],
    ) -> impl Iterator<Item = Result<BinaryValue<'a>, DecodeError>> + use<'a, 't> {
        let row = *self;
        let mut cursor = Cursor::new(&row.payload[row.values_offset()..]);
        let mut types = types.iter().take(row.columns).enumerate();
        let mut has_failed = false;
        std::iter::from_fn(move || {
            let (index, &value_type) = types.next().filter(|_| !has_failed)?;
            if row.is_null(index) {
                return Some(Ok(BinaryValue::Null));
            }
            let value = read_value(&mut cursor, value_type);
            has_failed = value.is_err();
            Some(value)
        })
    }

    /// Where each value lies in the payload, without reading it: its bytes with their length
    /// prefix, None for NULL. Clears `offsets` first.
    ///
    /// # Errors
    /// [`DecodeError`] if a value ends early or its type is unknown.
    pub fn find_offsets(
        &self,
        types: &[ValueType],
        offsets: &mut Vec<Option<Range<usize>>>,
    ) -> Result<(), DecodeError> {
        offsets.clear();
        let start = self.values_offset();
        let mut cursor = Cursor::new(&self.payload[start..]);
        for (index, value_type) in types.iter().take(self.columns).enumerate() {
            if self.is_null(index) {
                offsets.push(None);
                continue;
            }
            let from = start + cursor.position();
            skip_value(&mut cursor, value_type.column_type)?;
            offsets.push(Some(from..start + cursor.position()));
        }
        Ok(())
    }
}

/// Appends a row, value by value.
#[derive(Debug)]
pub struct BinaryRowWriter<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
    columns: usize,
    index: usize,
}

impl<'o> BinaryRowWriter<'o> {
    /// Begins a row of `columns` columns.
    pub fn begin(out: &'o mut Vec<u8>, columns: usize) -> Self {
        let start = out.len();
        out.resize(start + 1 + bitmap_len(columns), 0);
        Self { out, start, columns, index: 0 }
    }

    /// Appends the next value.
    ///
    /// # Errors
    /// [`DecodeError::Malformed`] if the value does not travel as that type, or for one column too
    /// many. Nothing is appended then.
    pub fn write(
        &mut self,
        column_type: ColumnType,
        value: &BinaryValue<'_>,
    ) -> Result<(), DecodeError> {
        self.check_room()?;
        if *value == BinaryValue::Null {
            self.mark_null();
        } else {
            write_value(self.out, column_type, value)?;
        }
        self.index += 1;
        Ok(())
    }

    /// Appends the next value as bytes that already travel as its type, e.g. found by
    /// [`BinaryRow::find_offsets`]; None for NULL.
    ///
    /// # Errors
    /// [`DecodeError::Malformed`] for one column too many.
    pub fn write_raw(&mut self, value: Option<&[u8]>) -> Result<(), DecodeError> {
        self.check_room()?;
        match value {
            Some(bytes) => self.out.extend_from_slice(bytes),
            None => self.mark_null(),
        }
        self.index += 1;
        Ok(())
    }

    fn check_room(&self) -> Result<(), DecodeError> {
        if self.index < self.columns {
            return Ok(());
        }
        Err(DecodeError::Malformed("more values than columns"))
    }

    fn mark_null(&mut self) {
        let bit = self.index + BITMAP_OFFSET;
        self.out[self.start + 1 + bit / 8] |= 1 << (bit % 8);
    }
}
