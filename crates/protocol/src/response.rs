//! Finds the end of the response to one command by walking frame headers, without copying or
//! decoding rows.
//!
//! [`ResponseWalker::feed`] is for bytes that are relayed as they come, in pieces of any size;
//! [`ResponseWalker::next_packet`] gives whole packets with their role, for a caller that reads
//! or rewrites some of them. Both share one state and may take turns at packet borders.

mod begin;
mod end;
mod first_bytes;
mod packet_view;
mod phase;
mod summary;

use crate::frame::{HEADER_LEN, Header, MAX_PAYLOAD};
use crate::{Capabilities, DecodeError, StatusFlags};

use first_bytes::{FIRST_BYTES_LEN, FirstBytes};
pub use packet_view::{NextPacket, PacketRole, PacketView, ResponseKind, WalkState, Walked};
use phase::Phase;
pub use summary::{ErrorSummary, ResponseSummary};

/// Walks the packets of one response.
#[derive(Debug)]
pub struct ResponseWalker {
    kind: ResponseKind,
    phase: Phase,
    capabilities: Capabilities,
    /// Definitions still to come in the current phase.
    definitions_left: u64,
    /// Payload bytes of the current frame still to come.
    frame_left: usize,
    /// The current frame is full, so that the next one continues its packet.
    is_continued: bool,
    /// The current packet is kept: it came in pieces and says how a result ended.
    keeps: bool,
    /// What to report once the current packet is complete.
    after_packet: WalkState,
    role: PacketRole,
    seq: u8,
    /// Flags of a result set of OUT parameters, to carry over to its end.
    out_params: StatusFlags,
    first_bytes: FirstBytes,
    /// Where the last packet that was not a row or definition lies in the slice fed last.
    last_range: Option<(usize, usize)>,
    kept: Vec<u8>,
    summary: ResponseSummary,
    session_state: Vec<u8>,
}

impl ResponseWalker {
    /// Begins before the first byte of a response, with the capabilities negotiated on the
    /// connection that it comes from.
    pub fn new(kind: ResponseKind, capabilities: Capabilities) -> Self {
        Self {
            kind,
            phase: Phase::first_of(kind),
            capabilities,
            definitions_left: 0,
            frame_left: 0,
            is_continued: false,
            keeps: false,
            after_packet: WalkState::More,
            role: PacketRole::Ok,
            seq: 0,
            out_params: StatusFlags::NONE,
            first_bytes: FirstBytes::default(),
            last_range: None,
            kept: Vec::new(),
            summary: ResponseSummary::default(),
            session_state: Vec::new(),
        }
    }

    /// Begins again with another response; keeps its memory.
    pub fn restart(&mut self, kind: ResponseKind, capabilities: Capabilities) {
        self.kind = kind;
        self.phase = Phase::first_of(kind);
        self.capabilities = capabilities;
        self.definitions_left = 0;
        self.frame_left = 0;
        self.is_continued = false;
        self.keeps = false;
        self.after_packet = WalkState::More;
        self.out_params = StatusFlags::NONE;
        self.first_bytes.clear();
        self.last_range = None;
        self.kept.clear();
        self.summary = ResponseSummary::default();
        self.session_state.clear();
    }

    /// What the response said; complete once it is `Done`.
    pub const fn summary(&self) -> &ResponseSummary {
        &self.summary
    }

    /// Whether the response is complete.
    pub fn is_done(&self) -> bool {
        self.phase == Phase::Done && self.is_at_border()
    }

    /// Whether no packet is half read.
    pub fn is_at_border(&self) -> bool {
        self.frame_left == 0 && !self.is_continued && self.first_bytes.is_empty()
    }

    /// Sequence id of the last frame whose header was read; what the client sends next (its file)
    /// or a packet that is added to the response has the following one.
    pub const fn last_seq(&self) -> u8 {
        self.seq
    }

    /// Session state changes of all OK packets so far, as entries one after the other.
    pub fn session_state(&self) -> &[u8] {
        &self.session_state
    }

    /// Payload of the last packet that is neither row nor definition: the OK, EOF or ERR at the
    /// end, or the file request. `fed` is the slice given to the last [`ResponseWalker::feed`].
    pub fn last_packet<'a>(&'a self, fed: &'a [u8]) -> Option<&'a [u8]> {
        match self.last_range {
            Some((start, end)) => fed.get(start..end),
            None if self.kept.is_empty() => None,
            None => Some(&self.kept),
        }
    }

    /// Walks over `bytes`, which follow those of the last call.
    ///
    /// # Errors
    /// [`DecodeError`] when this is no response to the command; the connection it comes from has
    /// to be closed, and nothing of this slice is known to be sound.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Walked, DecodeError> {
        self.last_range = None;
        let mut at = 0;
        if !self.is_at_border() {
            match self.finish_begun(bytes)? {
                (consumed, Some(state)) => return Ok(Walked { consumed, state }),
                (consumed, None) => at = consumed,
            }
        }
        if self.phase == Phase::Done {
            return Ok(Walked { consumed: at, state: WalkState::Done });
        }
        loop {
            if self.phase == Phase::Rows {
                at = self.pass_whole_rows(bytes, at);
            }
            let Some(header) = bytes[at..].first_chunk::<HEADER_LEN>() else { break };
            let header = Header::read(header);
            let start = at + HEADER_LEN;
            let len = header.len as usize;
            let wanted = len.min(FIRST_BYTES_LEN);
            let Some(first) = bytes[start..].get(..wanted) else { break };
            self.begin_packet(header, first)?;
            let Some(payload) = bytes[start..].get(..len) else {
                self.keep(&bytes[start..]);
                self.frame_left = start + len - bytes.len();
                return Ok(Walked { consumed: bytes.len(), state: WalkState::More });
            };
            at = start + len;
            if self.is_continued {
                match self.finish_begun(&bytes[at..])? {
                    (more, Some(state)) => return Ok(Walked { consumed: at + more, state }),
                    (more, None) => at += more,
                }
                continue;
            }
            if self.keeps {
                self.last_range = Some((start, at));
                self.end_kept_packet(payload)?;
            }
            if self.after_packet != WalkState::More {
                return Ok(Walked { consumed: at, state: self.after_packet });
            }
        }
        self.first_bytes.fill(&bytes[at..]);
        Ok(Walked { consumed: bytes.len(), state: WalkState::More })
    }

    /// Goes on with a packet that an earlier slice began. Returns the bytes taken, and a state if
    /// there is nothing more to do with this slice.
    fn finish_begun(&mut self, bytes: &[u8]) -> Result<(usize, Option<WalkState>), DecodeError> {
        let mut at = 0;
        loop {
            if self.frame_left > 0 {
                let taken = self.frame_left.min(bytes.len() - at);
                self.keep(&bytes[at..at + taken]);
                at += taken;
                self.frame_left -= taken;
                if self.frame_left > 0 {
                    return Ok((at, Some(WalkState::More)));
                }
            } else if self.is_continued || !self.first_bytes.is_empty() {
                at += self.first_bytes.fill_header(&bytes[at..]);
                let Some(header) = self.first_bytes.header() else {
                    return Ok((at, Some(WalkState::More)));
                };
                if self.is_continued {
                    self.seq = header.seq;
                    self.is_continued = header.is_continued();
                    self.frame_left = header.len as usize;
                } else {
                    at += self.first_bytes.fill_payload(&bytes[at..], header);
                    let first_bytes = self.first_bytes;
                    let Some(first) = first_bytes.payload(header) else {
                        return Ok((at, Some(WalkState::More)));
                    };
                    self.begin_packet(header, first)?;
                    self.keep(first);
                    self.frame_left = header.len as usize - first.len();
                }
                self.first_bytes.clear();
            }
            if self.frame_left == 0 && !self.is_continued {
                break;
            }
        }
        if self.keeps {
            let kept = std::mem::take(&mut self.kept);
            let ended = self.end_kept_packet(&kept);
            self.kept = kept;
            ended?;
        }
        let state = self.after_packet;
        Ok((at, (state != WalkState::More).then_some(state)))
    }

    /// Takes the next whole packet from the front of `bytes`, which begin where the packet before
    /// ended. The caller drops `frames.end` bytes before the next call.
    ///
    /// # Errors
    /// [`DecodeError`] when this is no response to the command.
    pub fn next_packet(&mut self, bytes: &[u8]) -> Result<NextPacket, DecodeError> {
        if !self.is_at_border() {
            return Err(DecodeError::Malformed("packet taken whole after a part of it was walked"));
        }
        if self.phase == Phase::Done {
            return Ok(NextPacket::Done);
        }
        let mut at = 0;
        let mut header;
        loop {
            let rest = &bytes[at..];
            let Some(head) = rest.first_chunk::<HEADER_LEN>() else {
                return Ok(NextPacket::Incomplete { needed: HEADER_LEN - rest.len() });
            };
            header = Header::read(head);
            let frame = HEADER_LEN + header.len as usize;
            if rest.len() < frame {
                return Ok(NextPacket::Incomplete { needed: frame - rest.len() });
            }
            at += frame;
            if !header.is_continued() {
                break;
            }
        }
        let is_split = at > HEADER_LEN + MAX_PAYLOAD;
        let payload = if is_split {
            &bytes[HEADER_LEN..HEADER_LEN + MAX_PAYLOAD]
        } else {
            &bytes[HEADER_LEN..at]
        };
        let first_frame = Header { len: payload.len() as u32, seq: header.seq };
        self.begin_packet(first_frame, &payload[..payload.len().min(FIRST_BYTES_LEN)])?;
        self.is_continued = false;
        if self.keeps {
            self.last_range = Some((HEADER_LEN, at));
            self.end_kept_packet(payload)?;
        }
        Ok(NextPacket::Packet(PacketView {
            role: self.role,
            frames: 0..at,
            seq: header.seq,
            is_split,
        }))
    }
}

#[cfg(test)]
mod tests;
