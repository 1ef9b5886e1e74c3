//! The basic data types that packets are made of: fixed integers, length-encoded integers and
//! the four kinds of strings.

use crate::DecodeError;

/// First byte of a NULL in a text row, and of a LOCAL INFILE request.
pub const LENENC_NULL: u8 = 0xFB;

/// Reads fields one after the other; every read checks its bounds.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Starts at the first byte.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Offset of the next byte.
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Bytes left.
    pub const fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Whether nothing is left.
    pub const fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    /// The next byte, without taking it.
    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Takes `count` bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer are left; nothing is taken then.
    pub fn read_bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let rest = &self.bytes[self.at..];
        match rest.get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(DecodeError::Truncated { needed: count, available: rest.len() }),
        }
    }

    /// Takes `N` bytes as an array.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer are left; nothing is taken then.
    pub fn read_array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let rest = &self.bytes[self.at..];
        match rest.first_chunk::<N>() {
            Some(taken) => {
                self.at += N;
                Ok(*taken)
            }
            None => Err(DecodeError::Truncated { needed: N, available: rest.len() }),
        }
    }

    /// Passes over `count` bytes.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer are left.
    pub fn skip(&mut self, count: usize) -> Result<(), DecodeError> {
        self.read_bytes(count).map(|_| ())
    }

    /// Takes an `int<1>`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] at the end.
    pub fn read_u8(&mut self) -> Result<u8, DecodeError> {
        self.read_array::<1>().map(|[byte]| byte)
    }

    /// Takes an `int<2>`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer bytes are left.
    pub fn read_u16(&mut self) -> Result<u16, DecodeError> {
        self.read_array().map(u16::from_le_bytes)
    }

    /// Takes an `int<3>`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer bytes are left.
    pub fn read_u24(&mut self) -> Result<u32, DecodeError> {
        self.read_array::<3>().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }

    /// Takes an `int<4>`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer bytes are left.
    pub fn read_u32(&mut self) -> Result<u32, DecodeError> {
        self.read_array().map(u32::from_le_bytes)
    }

    /// Takes an `int<8>`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if fewer bytes are left.
    pub fn read_u64(&mut self) -> Result<u64, DecodeError> {
        self.read_array().map(u64::from_le_bytes)
    }

    /// Takes an `int<lenenc>`; None for the NULL byte of text rows.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if it ends early, [`DecodeError::Malformed`] for 0xFF.
    ///
    /// # Source
    /// `page_protocol_basic_dt_integers`.
    pub fn read_lenenc_int_or_null(&mut self) -> Result<Option<u64>, DecodeError> {
        match self.read_u8()? {
            LENENC_NULL => Ok(None),
            0xFC => self.read_u16().map(|value| Some(value.into())),
            0xFD => self.read_u24().map(|value| Some(value.into())),
            0xFE => self.read_u64().map(Some),
            0xFF => Err(DecodeError::Malformed("length begins with 0xFF")),
            small => Ok(Some(small.into())),
        }
    }

    /// Takes an `int<lenenc>`.
    ///
    /// # Errors
    /// [`DecodeError::Truncated`] if it ends early, [`DecodeError::Malformed`] for 0xFB and 0xFF.
    pub fn read_lenenc_int(&mut self) -> Result<u64, DecodeError> {
        self.read_lenenc_int_or_null()?
            .ok_or(DecodeError::Malformed("NULL where a length must stand"))
    }

    /// Takes a `string<lenenc>`; None for the NULL byte of text rows.
    ///
    /// # Errors
    /// As [`Cursor::read_lenenc_int_or_null`]; [`DecodeError::Truncated`] if the string ends early.
    pub fn read_lenenc_bytes_or_null(&mut self) -> Result<Option<&'a [u8]>, DecodeError> {
        match self.read_lenenc_int_or_null()? {
            None => Ok(None),
            Some(length) => self.read_counted(length).map(Some),
        }
    }

    /// Takes a `string<lenenc>`.
    ///
    /// # Errors
    /// As [`Cursor::read_lenenc_int`]; [`DecodeError::Truncated`] if the string ends early.
    pub fn read_lenenc_bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.read_lenenc_int()?;
        self.read_counted(length)
    }

    fn read_counted(&mut self, length: u64) -> Result<&'a [u8], DecodeError> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.read_bytes(length)
    }

    /// Takes a `string<NUL>` and its NUL.
    ///
    /// # Errors
    /// [`DecodeError::Malformed`] if there is no NUL.
    pub fn read_null_terminated(&mut self) -> Result<&'a [u8], DecodeError> {
        let rest = &self.bytes[self.at..];
        let length = rest
            .iter()
            .position(|&byte| byte == 0)
            .ok_or(DecodeError::Malformed("string without its closing NUL"))?;
        self.at += length + 1;
        Ok(&rest[..length])
    }

    /// Takes a `string<NUL>` that may lack its NUL at the end of the packet.
    pub fn read_null_terminated_or_rest(&mut self) -> &'a [u8] {
        match self.read_null_terminated() {
            Ok(taken) => taken,
            Err(_) => self.read_rest(),
        }
    }

    /// Takes all that is left.
    pub fn read_rest(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        self.at = self.bytes.len();
        rest
    }
}

/// Appends an `int<2>`.
pub fn write_u16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends the lower three bytes of `value` as an `int<3>`.
pub fn write_u24(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes()[..3]);
}

/// Appends an `int<4>`.
pub fn write_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends an `int<8>`.
pub fn write_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends an `int<lenenc>`.
pub fn write_lenenc_int(out: &mut Vec<u8>, value: u64) {
    match value {
        0..=0xFA => out.push(value as u8),
        0xFB..=0xFFFF => {
            out.push(0xFC);
            write_u16(out, value as u16);
        }
        0x1_0000..=0xFF_FFFF => {
            out.push(0xFD);
            write_u24(out, value as u32);
        }
        _ => {
            out.push(0xFE);
            write_u64(out, value);
        }
    }
}

/// Bytes that `value` takes as an `int<lenenc>`.
pub const fn lenenc_int_len(value: u64) -> usize {
    match value {
        0..=0xFA => 1,
        0xFB..=0xFFFF => 3,
        0x1_0000..=0xFF_FFFF => 4,
        _ => 9,
    }
}

/// Appends a `string<lenenc>`.
pub fn write_lenenc_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    write_lenenc_int(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends a `string<NUL>`; what follows a NUL inside `bytes` is left out, since it would be read
/// as the next field.
pub fn write_null_terminated(out: &mut Vec<u8>, bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    out.extend_from_slice(&bytes[..end]);
    out.push(0);
}

#[cfg(test)]
mod tests;
