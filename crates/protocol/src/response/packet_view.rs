//! What the walker is told and what it finds: kinds of responses, roles of packets, progress.

use crate::frame::{HEADER_LEN, MAX_PAYLOAD};

/// Which command the response answers; it decides what its first packet may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResponseKind {
    /// COM_QUERY, COM_PROCESS_INFO.
    Query,
    /// COM_STMT_EXECUTE, COM_STMT_BULK_EXECUTE.
    StmtExecute,
    /// COM_STMT_PREPARE.
    StmtPrepare,
    /// COM_STMT_FETCH.
    StmtFetch,
    /// COM_FIELD_LIST.
    FieldList,
    /// One OK, ERR or EOF packet: COM_PING, COM_INIT_DB, COM_STMT_RESET, COM_SET_OPTION,
    /// COM_RESET_CONNECTION, COM_PROCESS_KILL and the like.
    Simple,
    /// COM_STATISTICS: one packet of text, or ERR.
    Statistics,
}

/// What a packet is, within its response.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PacketRole {
    /// The number of columns, which begins a result set.
    ColumnCount,
    /// The definition of a result column.
    ColumnDefinition,
    /// The definition of a statement parameter.
    ParamDefinition,
    /// EOF after definitions, where DEPRECATE_EOF was not negotiated.
    MetadataEof,
    /// A row, text or binary.
    Row,
    /// EOF or OK after the rows of a result set, or after the definitions of COM_FIELD_LIST.
    EndOfRows,
    /// OK or EOF as the answer to a statement without rows.
    Ok,
    /// A failure; it ends the response.
    Err,
    /// The server wants a file of the client.
    LocalInfile,
    /// The head of the answer to COM_STMT_PREPARE.
    PrepareOk,
    /// MariaDB's progress report.
    Progress,
    /// The text of COM_STATISTICS.
    Statistics,
}

/// How far a response has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WalkState {
    /// The response goes on.
    More,
    /// The response is complete; bytes beyond `consumed` are not part of it.
    Done,
    /// The server waits for the client's file; feed what it answers after that to the same walker.
    LocalInfile,
}

/// What [`super::ResponseWalker::feed`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walked {
    /// Bytes that belong to the response, from the start of the slice; all of them unless `Done`
    /// or `LocalInfile`.
    pub consumed: usize,
    /// How far the response has come.
    pub state: WalkState,
}

/// A whole packet in a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PacketView {
    /// What it is.
    pub role: PacketRole,
    /// Its bytes with all frame headers, from the start of the buffer given.
    pub frames: std::ops::Range<usize>,
    /// Sequence id of its last frame.
    pub seq: u8,
    /// Whether it came in several frames.
    pub is_split: bool,
}

impl PacketView {
    /// The payload within `bytes`, the buffer that was given; joined in `scratch` if it came in
    /// several frames.
    pub fn payload<'a>(&self, bytes: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
        let frames = bytes.get(self.frames.clone()).unwrap_or_default();
        if !self.is_split {
            return frames.get(HEADER_LEN..).unwrap_or_default();
        }
        scratch.clear();
        for frame in frames.chunks(HEADER_LEN + MAX_PAYLOAD) {
            scratch.extend_from_slice(frame.get(HEADER_LEN..).unwrap_or_default());
        }
        scratch
    }
}

/// What [`super::ResponseWalker::next_packet`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NextPacket {
    /// A whole packet.
    Packet(PacketView),
    /// The buffer holds no whole packet; this many bytes more are needed, at least.
    Incomplete {
        /// Bytes to read before the next call is worth it.
        needed: usize,
    },
    /// The response is complete.
    Done,
}
