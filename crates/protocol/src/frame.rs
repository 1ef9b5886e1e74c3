//! Frames: the four-byte headers that cut a connection's byte stream into packets.
//!
//! A packet of 16 MiB - 1 bytes or more travels as several frames; the last one is shorter than
//! the maximum, empty if need be.
//!
//! # Source
//! `page_protocol_basic_packets` of the MySQL server documentation.

use crate::DecodeError;

/// Bytes of a frame header: three of length, one of sequence id.
pub const HEADER_LEN: usize = 4;

/// The longest payload of one frame; a frame of this length is continued by the next one.
pub const MAX_PAYLOAD: usize = 0xFF_FFFF;

/// A frame header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// Payload bytes of this frame.
    pub len: u32,
    /// Sequence id; starts at 0 with each command and counts in both directions.
    pub seq: u8,
}

impl Header {
    /// Reads a header; every four bytes are one.
    pub const fn read(bytes: &[u8; HEADER_LEN]) -> Self {
        Self { len: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]), seq: bytes[3] }
    }

    /// The bytes of this header.
    pub const fn to_bytes(self) -> [u8; HEADER_LEN] {
        let [a, b, c, _] = self.len.to_le_bytes();
        [a, b, c, self.seq]
    }

    /// Whether the packet goes on in the next frame.
    pub const fn is_continued(self) -> bool {
        self.len as usize == MAX_PAYLOAD
    }
}

/// What [`PacketReader::next`] found.
#[derive(PartialEq, Eq, Debug)]
pub enum Step<'b> {
    /// A whole packet.
    Packet {
        /// The payload, joined if it came in several frames.
        payload: &'b [u8],
        /// Sequence id of the last frame; an answer begins with the next one.
        seq: u8,
        /// Bytes of the buffer that are done with.
        consumed: usize,
    },
    /// The packet is not complete.
    More {
        /// Bytes of the buffer that were taken over and may be dropped.
        consumed: usize,
        /// Bytes to read, at least, before the next call is worth it.
        needed: usize,
    },
}

/// Puts frames together to packets, from a buffer that grows.
///
/// A packet of one frame is borrowed from the buffer. Frames of a longer one are taken over as
/// they come, so that the buffer need not hold the whole packet.
#[derive(Debug)]
pub struct PacketReader {
    max_packet: usize,
    joined: Vec<u8>,
    /// Sequence id that the next frame of a packet in several frames must have.
    joining: Option<u8>,
}

impl PacketReader {
    /// Accepts packets of up to `max_packet` bytes (`max_allowed_packet`).
    pub const fn new(max_packet: usize) -> Self {
        Self { max_packet, joined: Vec::new(), joining: None }
    }

    /// Changes the limit, for the packets from now on.
    pub const fn set_max_packet(&mut self, max_packet: usize) {
        self.max_packet = max_packet;
    }

    /// Whether a packet of several frames is half read.
    pub const fn is_joining(&self) -> bool {
        self.joining.is_some()
    }

    /// Takes the next packet from the front of `buf`.
    ///
    /// # Errors
    /// [`DecodeError::TooLarge`] (error 1153) as soon as a header shows it, and
    /// [`DecodeError::OutOfOrder`] within a packet of several frames. The connection must be
    /// closed then.
    #[allow(clippy::should_implement_trait, reason = "not an iterator: it borrows the buffer")]
    pub fn next<'b>(&'b mut self, buf: &'b [u8]) -> Result<Step<'b>, DecodeError> {
        let Some(bytes) = buf.first_chunk::<HEADER_LEN>() else {
            return Ok(Step::More { consumed: 0, needed: HEADER_LEN - buf.len() });
        };
        let header = Header::read(bytes);
        let len = header.len as usize;
        let had = if self.joining.is_some() {
            self.joined.len()
        } else {
            if !self.joined.is_empty() {
                self.joined = Vec::new();
            }
            0
        };
        if had + len > self.max_packet {
            return Err(DecodeError::TooLarge { limit: self.max_packet });
        }
        let Some(payload) = buf[HEADER_LEN..].get(..len) else {
            return Ok(Step::More { consumed: 0, needed: HEADER_LEN + len - buf.len() });
        };
        let consumed = HEADER_LEN + len;
        if let Some(expected) = self.joining
            && expected != header.seq
        {
            return Err(DecodeError::OutOfOrder { expected, got: header.seq });
        }
        if header.is_continued() {
            self.joined.extend_from_slice(payload);
            self.joining = Some(header.seq.wrapping_add(1));
            return Ok(Step::More { consumed, needed: HEADER_LEN });
        }
        if self.joining.take().is_some() {
            self.joined.extend_from_slice(payload);
            return Ok(Step::Packet { payload: &self.joined, seq: header.seq, consumed });
        }
        Ok(Step::Packet { payload, seq: header.seq, consumed })
    }
}

/// Appends `payload` as a packet, in as many frames as it takes, and counts `seq` up.
pub fn write_packet(out: &mut Vec<u8>, seq: &mut u8, payload: &[u8]) {
    let mut rest = payload;
    loop {
        let (now, later) = rest.split_at(rest.len().min(MAX_PAYLOAD));
        write_header(out, seq, now.len());
        out.extend_from_slice(now);
        if now.len() < MAX_PAYLOAD {
            return;
        }
        rest = later;
    }
}

fn write_header(out: &mut Vec<u8>, seq: &mut u8, len: usize) {
    out.extend_from_slice(&Header { len: len as u32, seq: *seq }.to_bytes());
    *seq = seq.wrapping_add(1);
}

/// Leaves room for a header; the payload is then appended in place. Returns the start, which
/// [`end_packet`] wants.
pub fn begin_packet(out: &mut Vec<u8>) -> usize {
    let start = out.len();
    out.extend_from_slice(&[0; HEADER_LEN]);
    start
}

/// Writes the header of the packet that began at `start` and counts `seq` up. A payload of
/// 16 MiB - 1 bytes or more is cut into frames, at the price of one copy.
pub fn end_packet(out: &mut Vec<u8>, start: usize, seq: &mut u8) {
    let Some(len) = out.len().checked_sub(start + HEADER_LEN) else { return };
    if len >= MAX_PAYLOAD {
        let payload = out.split_off(start + HEADER_LEN);
        out.truncate(start);
        return write_packet(out, seq, &payload);
    }
    let header = Header { len: len as u32, seq: *seq }.to_bytes();
    out[start..start + HEADER_LEN].copy_from_slice(&header);
    *seq = seq.wrapping_add(1);
}

/// Appends one packet whose payload `encode` appends.
pub fn write_with(out: &mut Vec<u8>, seq: &mut u8, encode: impl FnOnce(&mut Vec<u8>)) {
    let start = begin_packet(out);
    encode(out);
    end_packet(out, start, seq);
}

#[cfg(test)]
mod tests;
