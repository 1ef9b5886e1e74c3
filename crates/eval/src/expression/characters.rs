//! Strings as sequences of characters, or of bytes where they are byte strings.

use super::error::EvalError;
use super::types::Type;

/// What counts as one character of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A byte.
    Byte,
    /// A character of UTF-8.
    Character,
}

impl Unit {
    /// That of strings of this type.
    pub(crate) fn of(ty: &Type) -> Self {
        match ty.collation.as_ref().is_some_and(|collation| collation.is_binary()) {
            true => Self::Byte,
            false => Self::Character,
        }
    }

    fn checked(self, text: &[u8]) -> Result<&str, EvalError> {
        std::str::from_utf8(text)
            .map_err(|_| EvalError::unsupported("a string that is not in its character set"))
    }

    /// How many there are.
    pub(crate) fn count(self, text: &[u8]) -> Result<usize, EvalError> {
        match self {
            Self::Byte => Ok(text.len()),
            Self::Character => Ok(self.checked(text)?.chars().count()),
        }
    }

    /// Where the character of this number begins, counted from 0; the end of the string where there
    /// are fewer.
    pub(crate) fn offset(self, text: &[u8], number: usize) -> Result<usize, EvalError> {
        Ok(match self {
            Self::Byte => number.min(text.len()),
            Self::Character => self
                .checked(text)?
                .char_indices()
                .nth(number)
                .map_or(text.len(), |(offset, _)| offset),
        })
    }

    /// The string backwards.
    pub(crate) fn reversed(self, text: &[u8]) -> Result<Vec<u8>, EvalError> {
        Ok(match self {
            Self::Byte => text.iter().rev().copied().collect(),
            Self::Character => self.checked(text)?.chars().rev().collect::<String>().into_bytes(),
        })
    }
}
