//! The first bytes of a packet, kept when a slice ends within them.

use crate::frame::{HEADER_LEN, Header};

/// Payload bytes that say what a packet is and, for OK, all that the summary wants: 1 header,
/// 9 affected rows, 9 last insert id, 2 status, 2 warnings.
pub(super) const FIRST_BYTES_LEN: usize = 24;

/// A frame header and the first payload bytes, as far as they have come.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct FirstBytes {
    bytes: [u8; HEADER_LEN + FIRST_BYTES_LEN],
    len: usize,
}

impl FirstBytes {
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) const fn clear(&mut self) {
        self.len = 0;
    }

    /// Takes what fits of `bytes`; returns how many.
    pub(super) fn fill(&mut self, bytes: &[u8]) -> usize {
        self.fill_to(bytes, self.bytes.len())
    }

    /// Takes what the header lacks.
    pub(super) fn fill_header(&mut self, bytes: &[u8]) -> usize {
        self.fill_to(bytes, HEADER_LEN)
    }

    /// Takes what the first payload bytes lack.
    pub(super) fn fill_payload(&mut self, bytes: &[u8], header: Header) -> usize {
        self.fill_to(bytes, HEADER_LEN + Self::wanted(header))
    }

    fn wanted(header: Header) -> usize {
        (header.len as usize).min(FIRST_BYTES_LEN)
    }

    fn fill_to(&mut self, bytes: &[u8], len: usize) -> usize {
        let taken = len.saturating_sub(self.len).min(bytes.len());
        self.bytes[self.len..self.len + taken].copy_from_slice(&bytes[..taken]);
        self.len += taken;
        taken
    }

    /// The header, once it is complete.
    pub(super) fn header(&self) -> Option<Header> {
        self.bytes[..self.len].first_chunk().map(Header::read)
    }

    /// The first payload bytes, once all that exist have come.
    pub(super) fn payload(&self, header: Header) -> Option<&[u8]> {
        self.bytes[..self.len].get(HEADER_LEN..HEADER_LEN + Self::wanted(header))
    }
}
