//! What a packet is, told from its first bytes, and which one may follow.

use super::phase::Phase;
use super::{PacketRole, ResponseWalker, WalkState};
use crate::field::{Cursor, LENENC_NULL};
use crate::frame::{HEADER_LEN, Header};
use crate::packet::eof::{EOF_HEADER, EOF_MAX_LEN};
use crate::packet::err::{ERR_HEADER, PROGRESS_CODE};
use crate::{Capabilities, DecodeError};

impl ResponseWalker {
    /// Passes over the rows from `at` on that lie whole in `bytes`, up to the first packet that may
    /// be something else. Returns where that begins. Rows are most of a large response, hence a
    /// loop of their own.
    pub(super) fn pass_whole_rows(&mut self, bytes: &[u8], mut at: usize) -> usize {
        let mut rows = 0;
        while let Some(&[a, b, c, seq, first]) = bytes[at..].first_chunk() {
            let header = Header::read(&[a, b, c, seq]);
            let end = at + HEADER_LEN + header.len as usize;
            if first >= EOF_HEADER || header.len == 0 || header.is_continued() || end > bytes.len()
            {
                break;
            }
            self.seq = seq;
            rows += 1;
            at = end;
        }
        self.summary.rows += rows;
        at
    }

    /// Notes the packet that begins with `header`; `first` are its first payload bytes.
    #[inline]
    pub(super) fn begin_packet(&mut self, header: Header, first: &[u8]) -> Result<(), DecodeError> {
        self.seq = header.seq;
        self.is_continued = header.is_continued();
        let Some(&byte) = first.first() else {
            return Err(DecodeError::Malformed("empty packet in a response"));
        };
        if self.phase == Phase::Rows && byte < EOF_HEADER {
            self.keeps = false;
            self.role = PacketRole::Row;
            self.summary.rows += 1;
            return Ok(());
        }
        if byte == ERR_HEADER {
            return self.begin_error(header, first);
        }
        self.begin_in_phase(header, byte, first)
    }

    fn begin_in_phase(
        &mut self,
        header: Header,
        byte: u8,
        first: &[u8],
    ) -> Result<(), DecodeError> {
        match self.phase {
            Phase::ResultHead => self.begin_result(header, byte, first),
            Phase::AfterInfile => match byte {
                0x00 => self.begin_kept(header, PacketRole::Ok),
                _ => Err(DecodeError::Malformed("neither OK nor ERR after a local file")),
            },
            Phase::ColumnDefinitions
            | Phase::ParamDefinitions
            | Phase::PreparedColumnDefinitions => self.pass_definition(),
            Phase::ColumnsEof | Phase::ParamsEof | Phase::PreparedColumnsEof => {
                if !is_eof(header, byte) {
                    return Err(DecodeError::Malformed("definitions without EOF"));
                }
                self.begin_kept(header, PacketRole::MetadataEof)
            }
            Phase::Rows if self.ends_rows(header, byte) => {
                self.begin_kept(header, PacketRole::EndOfRows)
            }
            Phase::Rows => {
                self.summary.rows += 1;
                self.pass(PacketRole::Row)
            }
            Phase::FieldList if self.ends_rows(header, byte) => {
                self.begin_kept(header, PacketRole::EndOfRows)
            }
            Phase::FieldList => {
                self.summary.columns += 1;
                self.pass(PacketRole::ColumnDefinition)
            }
            Phase::PrepareHead if byte == 0x00 => self.begin_kept(header, PacketRole::PrepareOk),
            Phase::PrepareHead => Err(DecodeError::Malformed("answer to prepare without its 0x00")),
            Phase::Simple if byte == 0x00 || byte == EOF_HEADER => {
                self.begin_kept(header, PacketRole::Ok)
            }
            Phase::Simple => Err(DecodeError::Malformed("neither OK, EOF nor ERR")),
            Phase::Statistics => self.begin_kept(header, PacketRole::Statistics),
            Phase::Done => Err(DecodeError::Malformed("packet after the end of a response")),
        }
    }

    pub(super) fn deprecates_eof(&self) -> bool {
        self.capabilities.contains(Capabilities::DEPRECATE_EOF)
    }

    /// A row may begin with 0xFE too: its first value is then 16 MiB or longer.
    fn ends_rows(&self, header: Header, byte: u8) -> bool {
        if self.deprecates_eof() {
            byte == EOF_HEADER && !header.is_continued()
        } else {
            is_eof(header, byte)
        }
    }

    fn pass(&mut self, role: PacketRole) -> Result<(), DecodeError> {
        self.role = role;
        self.keeps = false;
        Ok(())
    }

    /// Begins a packet whose content counts once it is complete.
    fn begin_kept(&mut self, header: Header, role: PacketRole) -> Result<(), DecodeError> {
        if header.is_continued() {
            return Err(DecodeError::Malformed("a packet of 16 MiB that is no row"));
        }
        self.role = role;
        self.keeps = true;
        self.after_packet = WalkState::More;
        self.kept.clear();
        Ok(())
    }

    fn begin_error(&mut self, header: Header, first: &[u8]) -> Result<(), DecodeError> {
        let is_progress = self.capabilities.contains(Capabilities::MARIADB_PROGRESS)
            && first.get(1..3) == Some(&PROGRESS_CODE.to_le_bytes());
        self.begin_kept(header, if is_progress { PacketRole::Progress } else { PacketRole::Err })
    }

    fn begin_result(&mut self, header: Header, byte: u8, first: &[u8]) -> Result<(), DecodeError> {
        match byte {
            0x00 => return self.begin_kept(header, PacketRole::Ok),
            LENENC_NULL => return self.begin_kept(header, PacketRole::LocalInfile),
            _ => {}
        }
        let mut cursor = Cursor::new(first);
        let columns = cursor.read_lenenc_int()?;
        if columns == 0 {
            return Err(DecodeError::Malformed("result set without columns"));
        }
        let may_lack_metadata =
            Capabilities::MARIADB_CACHE_METADATA | Capabilities::OPTIONAL_RESULTSET_METADATA;
        let has_metadata =
            !self.capabilities.intersects(may_lack_metadata) || cursor.peek() != Some(0);
        self.summary.columns = columns;
        self.summary.has_metadata = has_metadata;
        self.summary.results += 1;
        self.definitions_left = if has_metadata { columns } else { 0 };
        self.phase = if has_metadata { Phase::ColumnDefinitions } else { self.after_columns() };
        self.pass(PacketRole::ColumnCount)
    }

    fn after_columns(&self) -> Phase {
        if self.deprecates_eof() { Phase::Rows } else { Phase::ColumnsEof }
    }

    fn pass_definition(&mut self) -> Result<(), DecodeError> {
        self.role = match self.phase {
            Phase::ParamDefinitions => PacketRole::ParamDefinition,
            _ => PacketRole::ColumnDefinition,
        };
        self.keeps = false;
        self.definitions_left -= 1;
        if self.definitions_left > 0 {
            return Ok(());
        }
        self.phase = match self.phase {
            Phase::ColumnDefinitions => self.after_columns(),
            Phase::ParamDefinitions if !self.deprecates_eof() => Phase::ParamsEof,
            Phase::ParamDefinitions => self.begin_prepared_columns(),
            _ if !self.deprecates_eof() => Phase::PreparedColumnsEof,
            _ => self.finish_after_packet(),
        };
        Ok(())
    }

    /// The definitions of a prepared statement's columns come next, if it has any.
    pub(super) fn begin_prepared_columns(&mut self) -> Phase {
        self.definitions_left = self.summary.columns;
        match self.definitions_left {
            0 => self.finish_after_packet(),
            _ if self.summary.has_metadata => Phase::PreparedColumnDefinitions,
            _ if !self.deprecates_eof() => Phase::PreparedColumnsEof,
            _ => self.finish_after_packet(),
        }
    }

    pub(super) fn finish_after_packet(&mut self) -> Phase {
        self.after_packet = WalkState::Done;
        Phase::Done
    }

    /// Takes over the part of the current packet that the slice holds, if the packet counts.
    pub(super) fn keep(&mut self, part: &[u8]) {
        if self.keeps {
            self.kept.extend_from_slice(part);
        }
    }
}

/// Whether the packet is an EOF packet.
fn is_eof(header: Header, byte: u8) -> bool {
    byte == EOF_HEADER && (header.len as usize) < EOF_MAX_LEN
}
