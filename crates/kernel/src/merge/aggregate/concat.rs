//! GROUP_CONCAT of partial results.

use eval::Scalar;

use super::super::number::read_number;
use super::super::row::write_string;
use super::super::sources::Head;
use super::RowShape;
use crate::error::StatementError;

/// The longest character, which a server leaves out whole where it does not fit.
const CHARACTER_BYTES: u64 = 4;

/// The texts of a group so far.
#[derive(Debug)]
pub(super) struct Concatenation {
    separator: Vec<u8>,
    length_column: usize,
    max_length_column: usize,
    text: Option<Vec<u8>>,
    /// Bytes in the character set of the server, which need not be that of the rows.
    length: u64,
}

impl Concatenation {
    pub(super) fn new(separator: &[u8], length_column: usize, max_length_column: usize) -> Self {
        let separator = separator.to_vec();
        Self { separator, length_column, max_length_column, text: None, length: 0 }
    }

    pub(super) fn reset(&mut self) {
        self.text = None;
        self.length = 0;
    }

    /// # Errors
    /// One server would cut the text (1260).
    pub(super) fn add(
        &mut self,
        column: usize,
        head: Head<'_>,
        shape: RowShape<'_>,
    ) -> Result<(), StatementError> {
        let Some(value) = head.cells[column].value(head.row) else { return Ok(()) };
        let number = |column: usize| {
            let number =
                read_number(&shape.columns[column], shape.format, &head.cells[column], head.row)?;
            Ok(match number {
                Some(Scalar::Int(number)) => u64::try_from(number).unwrap_or(0),
                Some(Scalar::UInt(number)) => number,
                _ => 0,
            })
        };
        self.length = self.length.saturating_add(number(self.length_column)?);
        match &mut self.text {
            None => self.text = Some(value.to_vec()),
            Some(text) => {
                self.length = self.length.saturating_add(self.separator.len() as u64);
                if self.length.saturating_add(CHARACTER_BYTES) > number(self.max_length_column)? {
                    return Err(StatementError::new(
                        1260,
                        "HY000",
                        "The result of GROUP_CONCAT() over several storage units is longer than \
                         group_concat_max_len and would be cut; raise it",
                    ));
                }
                text.extend_from_slice(&self.separator);
                text.extend_from_slice(value);
            }
        }
        Ok(())
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) -> bool {
        if let Some(text) = &self.text {
            write_string(text, out);
        }
        self.text.is_some()
    }
}
