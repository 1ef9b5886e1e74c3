//! Rows of the text protocol: every value as length-prefixed text, 0xFB for NULL.
//!
//! # Source
//! `page_protocol_com_query_response_text_resultset_row`.

use std::ops::Range;

use crate::DecodeError;
use crate::field::{Cursor, LENENC_NULL, write_lenenc_bytes};

/// A row, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct TextRow<'a> {
    payload: &'a [u8],
}

impl<'a> TextRow<'a> {
    /// Looks at a row.
    pub const fn new(payload: &'a [u8]) -> Self {
        Self { payload }
    }

    /// The values in order; None for NULL. Ends after the first error.
    pub fn values(&self) -> impl Iterator<Item = Result<Option<&'a [u8]>, DecodeError>> + use<'a> {
        let mut cursor = Cursor::new(self.payload);
        std::iter::from_fn(move || {
            if cursor.is_empty() {
                return None;
            }
            let value = cursor.read_lenenc_bytes_or_null();
            if value.is_err() {
                cursor.read_rest();
            }
            Some(value)
        })
    }

    /// Where each value's text lies in the payload, without its length; None for NULL. Clears
    /// `offsets` first.
    ///
    /// # Errors
    /// [`DecodeError`] if a value ends early, or there are not `columns` of them.
    pub fn find_offsets(
        &self,
        columns: usize,
        offsets: &mut Vec<Option<Range<usize>>>,
    ) -> Result<(), DecodeError> {
        offsets.clear();
        let mut cursor = Cursor::new(self.payload);
        for _ in 0..columns {
            let value = cursor.read_lenenc_bytes_or_null()?;
            let end = cursor.position();
            offsets.push(value.map(|text| end - text.len()..end));
        }
        if cursor.is_empty() {
            return Ok(());
        }
        Err(DecodeError::Malformed("row with more values than columns"))
    }
}

/// Appends one value of a row; None for NULL.
pub fn write_value(out: &mut Vec<u8>, value: Option<&[u8]>) {
    match value {
        None => out.push(LENENC_NULL),
        Some(text) => write_lenenc_bytes(out, text),
    }
}

/// Appends a row.
pub fn write_row<'v>(out: &mut Vec<u8>, values: impl IntoIterator<Item = Option<&'v [u8]>>) {
    for value in values {
        write_value(out, value);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_and_offsets() {
        let payload = b"\x011\xfb\x00\x03abc";
        let row = TextRow::new(payload);
        let values: Vec<_> = row.values().map(Result::unwrap).collect();
        assert_eq!(values, [Some(&b"1"[..]), None, Some(b""), Some(b"abc")]);
        let mut offsets = Vec::new();
        row.find_offsets(4, &mut offsets).unwrap();
        assert_eq!(offsets, [Some(1..2), None, Some(4..4), Some(5..8)]);
        let mut out = Vec::new();
        write_row(&mut out, values);
        assert_eq!(out, payload);
        assert!(row.find_offsets(3, &mut offsets).is_err());
        assert!(row.find_offsets(5, &mut offsets).is_err());
        let short = TextRow::new(&payload[..6]);
        assert!(short.find_offsets(4, &mut offsets).is_err());
        let read: Vec<_> = short.values().collect();
        assert!(read.len() == 4 && read[3].is_err());
    }

    proptest! {
        #[test]
        fn round_trip(
            values in proptest::collection::vec(
                proptest::option::of(proptest::collection::vec(any::<u8>(), 0..300)), 0..9),
        ) {
            let mut out = Vec::new();
            write_row(&mut out, values.iter().map(Option::as_deref));
            let read: Result<Vec<_>, _> = TextRow::new(&out).values().collect();
            prop_assert!(read.unwrap().into_iter().eq(values.iter().map(Option::as_deref)));
        }

        #[test]
        fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let row = TextRow::new(&bytes);
            let _ = row.values().count();
            let _ = row.find_offsets(3, &mut Vec::new());
        }
    }
}
