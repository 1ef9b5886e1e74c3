//! The client's file, as it comes in packets up to an empty one.

use kernel::load::LineReader;
use protocol::frame::{HEADER_LEN, Header};

use crate::execute::Failure;
use crate::receive::read_some;
use crate::session::Session;

/// How far it has been read.
#[derive(Debug, Default)]
pub(super) struct ClientFile {
    /// Bytes of the packet at hand that are still to come.
    left: usize,
    is_at_end: bool,
}

impl ClientFile {
    /// Reads more of the file into `reader`; false at its end.
    pub(super) async fn read(
        &mut self,
        session: &mut Session,
        reader: &mut LineReader,
    ) -> Result<bool, Failure> {
        self.next(session, |bytes| reader.feed(bytes)).await
    }

    /// Reads to the end without looking.
    pub(super) async fn skip(&mut self, session: &mut Session) -> Result<(), Failure> {
        while self.next(session, |_| {}).await? {}
        Ok(())
    }

    async fn next(
        &mut self,
        session: &mut Session,
        mut take: impl FnMut(&[u8]),
    ) -> Result<bool, Failure> {
        while !self.is_at_end {
            let there = session.unread.len().min(self.left);
            if there > 0 {
                take(&session.unread[..there]);
                session.unread.drain(..there);
                self.left -= there;
                return Ok(true);
            }
            match session.unread.first_chunk::<HEADER_LEN>().map(Header::read) {
                Some(header) if self.left == 0 => {
                    session.unread.drain(..HEADER_LEN);
                    // What answers the file follows its last packet.
                    session.out.seq = header.seq.wrapping_add(1);
                    self.left = header.len as usize;
                    self.is_at_end = header.len == 0;
                }
                _ => read_some(session).await.map_err(|_| Failure::Session)?,
            }
        }
        Ok(false)
    }
}
