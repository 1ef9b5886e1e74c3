//! The keys by which rows compare, decoded once a row.

use std::cmp::Ordering;
use std::sync::OnceLock;

use eval::{ColumnType, Scalar, ScalarKind, compare_padded};
use smallvec::SmallVec;

use super::row::{Cell, RowFormat, malformed_row};
use super::{ColumnPosition, Comparison, SortKey, padding};
use crate::error::StatementError;

/// How many bytes of a string a server compares when it sorts (`max_sort_length`).
const MAX_SORT_LENGTH: u32 = 1024;

/// A [`SortKey`] of a result whose columns are known.
#[derive(Debug, Clone)]
pub(crate) struct KeySpec {
    pub(crate) column: usize,
    kind: ScalarKind,
    is_unsigned: bool,
    pad: SmallVec<[u8; 8]>,
    /// The column that names the collation whose padding is not known before the first row.
    collation: Option<(usize, OnceLock<&'static [u8]>)>,
    pub(crate) is_descending: bool,
}

impl PartialEq for KeySpec {
    /// Whether both put rows in the same order.
    fn eq(&self, other: &Self) -> bool {
        self.column == other.column && self.is_descending == other.is_descending
    }
}

/// One key of a row. Strings stay in the row.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyPart {
    Null,
    Scalar(Scalar),
    Bytes { start: u32, end: u32 },
}

impl KeyPart {
    /// The key of a row whose first `offset` bytes were cut off.
    pub(crate) fn moved_by(self, offset: u32) -> Self {
        match self {
            Self::Bytes { start, end } => Self::Bytes { start: start - offset, end: end - offset },
            other => other,
        }
    }
}

/// The keys of one row.
pub(crate) type Keys = SmallVec<[KeyPart; 2]>;

/// The index of a column among `columns`, the last `hidden` of which are hidden.
pub(crate) fn resolve_position(
    position: ColumnPosition,
    columns: &[ColumnType],
    hidden: usize,
) -> Result<usize, StatementError> {
    let index = match position {
        ColumnPosition::Visible(index) => index,
        ColumnPosition::Hidden(index) => (columns.len() - hidden).saturating_add(index),
    };
    if index < columns.len() {
        return Ok(index);
    }
    Err(StatementError::new(
        1105,
        "HY000",
        format!("The storage units sent {} columns where more were planned", columns.len()),
    ))
}

impl KeySpec {
    pub(crate) fn resolve(
        key: &SortKey,
        columns: &[ColumnType],
        hidden: usize,
    ) -> Result<Self, StatementError> {
        let mut column = resolve_position(key.column, columns, hidden)?;
        let mut pad = SmallVec::new();
        let mut collation = None;
        let kind = match &key.compare {
            Comparison::SortKey { pad: known } => {
                pad.extend_from_slice(known);
                ScalarKind::Bytes
            }
            Comparison::ByValue { weights, collation: name }
                if columns[column].is_character_string() =>
            {
                column = resolve_position(*weights, columns, hidden)?;
                collation = Some((resolve_position(*name, columns, hidden)?, OnceLock::new()));
                ScalarKind::Bytes
            }
            Comparison::ByType | Comparison::ByValue { .. } => kind_of(column, columns)?,
        };
        let is_unsigned = columns[column].is_unsigned;
        let is_descending = key.is_descending;
        Ok(Self { column, kind, is_unsigned, pad, collation, is_descending })
    }

    /// One past the last column that is looked at.
    pub(crate) fn columns_end(&self) -> usize {
        self.column.max(self.collation.as_ref().map_or(0, |(column, _)| *column)) + 1
    }

    /// Whether the keys may be longer than what a server compares when it sorts, so that it may not
    /// send equal ones one after the other.
    pub(crate) fn is_long(&self, columns: &[ColumnType]) -> bool {
        self.collation.is_some() && columns[self.column].length > MAX_SORT_LENGTH
    }

    /// Learns the collation from the first row that has a value.
    fn learn_collation(&self, row: &[u8], cells: &[Cell]) -> Result<(), StatementError> {
        let Some((column, pad)) = &self.collation else { return Ok(()) };
        if pad.get().is_some() {
            return Ok(());
        }
        let name = cells[*column].value(row).unwrap_or_default();
        let name = String::from_utf8_lossy(name);
        let known = padding(&name).ok_or_else(|| {
            StatementError::unsupported(format!(
                "Ordering or grouping by text of collation {name} is not supported over several \
                 storage units"
            ))
        })?;
        pad.get_or_init(|| known);
        Ok(())
    }

    fn pad(&self) -> &[u8] {
        match &self.collation {
            Some((_, pad)) => pad.get().copied().unwrap_or_default(),
            None => &self.pad,
        }
    }

    /// # Errors
    /// The value is not of the column's type.
    pub(crate) fn decode(
        &self,
        row: &[u8],
        cells: &[Cell],
        format: RowFormat,
    ) -> Result<KeyPart, StatementError> {
        let cell = &cells[self.column];
        let Some(value) = cell.value(row) else { return Ok(KeyPart::Null) };
        if self.kind == ScalarKind::Bytes {
            self.learn_collation(row, cells)?;
            return Ok(KeyPart::Bytes { start: cell.value_start, end: cell.end });
        }
        let scalar = match format {
            RowFormat::Text => Scalar::from_text(self.kind, value),
            RowFormat::Binary => Scalar::from_binary(self.kind, self.is_unsigned, value),
        };
        scalar.map(KeyPart::Scalar).ok_or_else(malformed_row)
    }

    /// Compares two keys, each with the row that its string stands in.
    pub(crate) fn compare(
        &self,
        (left, left_row): (&KeyPart, &[u8]),
        (right, right_row): (&KeyPart, &[u8]),
    ) -> Ordering {
        let order = match (left, right) {
            (
                &KeyPart::Bytes { start, end },
                &KeyPart::Bytes { start: other_start, end: other_end },
            ) => compare_padded(
                &left_row[start as usize..end as usize],
                &right_row[other_start as usize..other_end as usize],
                self.pad(),
            ),
            (KeyPart::Scalar(left), KeyPart::Scalar(right)) => left.cmp(right),
            (KeyPart::Null, KeyPart::Null) => Ordering::Equal,
            // NULL comes before all values; the keys of one column are otherwise of one kind.
            (KeyPart::Null, _) => Ordering::Less,
            (_, KeyPart::Null) => Ordering::Greater,
            (KeyPart::Scalar(_), KeyPart::Bytes { .. }) => Ordering::Less,
            (KeyPart::Bytes { .. }, KeyPart::Scalar(_)) => Ordering::Greater,
        };
        if self.is_descending { order.reverse() } else { order }
    }
}

/// How the values of a column compare whose type says so.
fn kind_of(column: usize, columns: &[ColumnType]) -> Result<ScalarKind, StatementError> {
    ScalarKind::of(&columns[column]).ok_or_else(|| {
        StatementError::unsupported(format!(
            "Ordering or grouping by column {} is not supported over several storage units: its \
             type does not say how its values compare",
            column + 1
        ))
    })
}

/// Resolves all keys.
pub(crate) fn resolve_keys(
    keys: &[SortKey],
    columns: &[ColumnType],
    hidden: usize,
) -> Result<Vec<KeySpec>, StatementError> {
    keys.iter().map(|key| KeySpec::resolve(key, columns, hidden)).collect()
}

/// Decodes all keys of a row into `keys`.
///
/// # Errors
/// A value is not of its column's type.
pub(crate) fn decode_keys(
    specs: &[KeySpec],
    row: &[u8],
    cells: &[Cell],
    format: RowFormat,
    keys: &mut Keys,
) -> Result<(), StatementError> {
    keys.clear();
    for spec in specs {
        keys.push(spec.decode(row, cells, format)?);
    }
    Ok(())
}

/// Compares two rows by their keys.
pub(crate) fn compare_keys(
    specs: &[KeySpec],
    left: (&[KeyPart], &[u8]),
    right: (&[KeyPart], &[u8]),
) -> Ordering {
    for ((spec, left_key), right_key) in specs.iter().zip(left.0).zip(right.0) {
        let order = spec.compare((left_key, left.1), (right_key, right.1));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}
