//! The parameters of COM_STMT_EXECUTE and the query attributes of COM_QUERY: a NULL bitmap, types
//! if they are new, and values.

use std::ops::Range;

use crate::binary::{BinaryValue, is_null, read_value, skip_value};
use crate::column_type::ValueType;
use crate::field::Cursor;
use crate::{Capabilities, DecodeError};

/// Where the parts of a parameter block lie in its packet. All offsets count from the command
/// byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterBlock {
    /// Parameters, with the query attributes that follow them.
    pub count: usize,
    /// One bit a parameter.
    pub null_bitmap: Range<usize>,
    /// The byte that says whether types follow.
    pub bound_offset: usize,
    /// Whether types follow; if not, those of the last execution hold.
    pub has_types: bool,
    /// The types, each followed by its name where `has_names`.
    pub types: Range<usize>,
    /// Whether names stand with the types.
    pub has_names: bool,
    /// The values that are not NULL and were not sent ahead.
    pub values: Range<usize>,
}

impl ParameterBlock {
    /// Reads up to the values, which are taken to go on to the end of the packet.
    pub(super) fn read(
        cursor: &mut Cursor<'_>,
        count: usize,
        capabilities: Capabilities,
    ) -> Result<Self, DecodeError> {
        let has_names = capabilities.contains(Capabilities::QUERY_ATTRIBUTES);
        let bitmap_start = cursor.position();
        cursor.skip(count.div_ceil(8))?;
        let bound_offset = cursor.position();
        let has_types = cursor.read_u8()? != 0;
        let types_start = cursor.position();
        if has_types && has_names {
            for _ in 0..count {
                cursor.skip(2)?;
                cursor.read_lenenc_bytes()?;
            }
        } else if has_types {
            cursor.skip(count.saturating_mul(2))?;
        }
        let values_start = cursor.position();
        Ok(Self {
            count,
            null_bitmap: bitmap_start..bound_offset,
            bound_offset,
            has_types,
            types: types_start..values_start,
            has_names,
            values: values_start..values_start + cursor.remaining(),
        })
    }

    /// Passes over the values of a block that is followed by something; sets where they end.
    pub(super) fn skip_values(
        &mut self,
        payload: &[u8],
        cursor: &mut Cursor<'_>,
    ) -> Result<(), DecodeError> {
        for (index, item) in self.types(payload).enumerate() {
            let (value_type, _) = item?;
            if !self.is_null(payload, index) {
                skip_value(cursor, value_type.column_type)?;
            }
        }
        self.values.end = cursor.position();
        Ok(())
    }

    /// Whether parameter `index` is NULL. `payload` is the packet that was read.
    pub fn is_null(&self, payload: &[u8], index: usize) -> bool {
        is_null(payload.get(self.null_bitmap.clone()).unwrap_or_default(), index)
    }

    /// Type and name of each parameter; nothing if the packet holds no types.
    pub fn types<'a>(
        &self,
        payload: &'a [u8],
    ) -> impl Iterator<Item = Result<(ValueType, &'a [u8]), DecodeError>> + use<'a> {
        let mut cursor = Cursor::new(payload.get(self.types.clone()).unwrap_or_default());
        let has_names = self.has_names;
        (0..if self.has_types { self.count } else { 0 }).map(move |_| {
            let value_type = ValueType::from_bytes(cursor.read_array()?);
            let name = if has_names { cursor.read_lenenc_bytes()? } else { &[] };
            Ok((value_type, name))
        })
    }

    /// Index and value of each parameter that was not sent ahead by COM_STMT_SEND_LONG_DATA
    /// (`is_long`), NULL included. `types` are the packet's own, or those kept from the last
    /// execution. Ends after the first error.
    pub fn values<'a, 't, F>(
        &self,
        payload: &'a [u8],
        types: &'t [ValueType],
        is_long: F,
    ) -> impl Iterator<Item = Result<(usize, BinaryValue<'a>), DecodeError>> + use<'a, 't, F>
    where
        F: Fn(usize) -> bool,
    {
        let nulls = payload.get(self.null_bitmap.clone()).unwrap_or_default();
        let mut cursor = Cursor::new(payload.get(self.values.clone()).unwrap_or_default());
        let mut left = types.iter().take(self.count).enumerate();
        let mut has_failed = types.len() < self.count;
        let mut reports_missing = has_failed;
        std::iter::from_fn(move || {
            if std::mem::take(&mut reports_missing) {
                return Some(Err(DecodeError::Malformed("parameter whose type was never sent")));
            }
            loop {
                let (index, &value_type) = left.next().filter(|_| !has_failed)?;
                if is_null(nulls, index) {
                    return Some(Ok((index, BinaryValue::Null)));
                }
                if is_long(index) {
                    continue;
                }
                let value = read_value(&mut cursor, value_type);
                has_failed = value.is_err();
                return Some(value.map(|value| (index, value)));
            }
        })
    }
}
