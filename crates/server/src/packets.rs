//! Whole packets of one answer, read as they are asked for.

use std::task::Poll;

use kernel::merge::RowBatch;
use protocol::error::DecodeError;
use protocol::frame::HEADER_LEN;
use protocol::response::{NextPacket, PacketRole, PacketView, ResponseWalker};
use storage::connection::Connection;

use crate::execute::Failure;
use crate::registry::Request;
use crate::session::Session;

/// The unread part of one answer: at most a packet and what one read brings behind it.
pub(crate) struct PacketSource {
    /// Knows what each packet is.
    pub(crate) walker: ResponseWalker,
    buffer: Vec<u8>,
    start: usize,
    joined: Vec<u8>,
    /// A packet that was looked at and not given yet.
    seen: Option<PacketView>,
    /// The server was told to stop what it answers to: each connection of a statement is told.
    is_stopped: bool,
}

impl PacketSource {
    /// Before the first byte of an answer.
    pub(crate) fn new(walker: ResponseWalker) -> Self {
        let (buffer, joined) = (Vec::new(), Vec::new());
        Self { walker, buffer, start: 0, joined, seen: None, is_stopped: false }
    }

    /// The next packet; `None` after the last. [`PacketSource::drop_packet`] comes before the next
    /// call.
    pub(crate) async fn next(
        &mut self,
        session: &mut Session,
        connection: &mut Connection,
    ) -> Result<Option<PacketView>, Failure> {
        if let Some(packet) = self.seen.take() {
            return Ok(Some(packet));
        }
        loop {
            match self.walker.next_packet(&self.buffer[self.start..]) {
                Ok(NextPacket::Packet(view)) => return Ok(Some(view)),
                Ok(NextPacket::Done) => {
                    // What was read beyond it belongs to the next answer on the connection.
                    self.buffer.drain(..self.start);
                    self.start = 0;
                    if !self.buffer.is_empty() {
                        connection.unread = std::mem::take(&mut self.buffer);
                    }
                    return Ok(None);
                }
                Ok(NextPacket::Incomplete { .. }) => self.fill(session, connection).await?,
                Err(error) => {
                    return Err(storage::command::broken(connection, &error.to_string()).into());
                }
            }
        }
    }

    /// The packet's payload, joined if it came in several frames.
    pub(crate) fn payload(&mut self, packet: &PacketView) -> &[u8] {
        if !packet.is_split {
            let frames = packet.frames.start + self.start..packet.frames.end + self.start;
            return &self.buffer[frames.start + HEADER_LEN..frames.end];
        }
        packet.payload(&self.buffer[self.start..], &mut self.joined)
    }

    /// Moves a row, and the rows behind it that are here already, into an empty batch with the memory
    /// they stand in; that of the batch is used for what is left.
    ///
    /// # Errors
    /// What follows is no packet of this answer.
    pub(crate) fn take_rows(
        &mut self,
        first: &PacketView,
        batch: &mut RowBatch,
    ) -> Result<(), DecodeError> {
        if first.is_split {
            batch.push_row(self.payload(first));
            self.drop_packet(first);
            return Ok(());
        }
        let mut row = first.frames.clone();
        loop {
            let payload = self.start + row.start + HEADER_LEN..self.start + row.end;
            batch.rows.push(payload.start as u32..payload.end as u32);
            self.start += row.end;
            match self.walker.next_packet(&self.buffer[self.start..])? {
                NextPacket::Packet(packet)
                    if packet.role == PacketRole::Row && !packet.is_split =>
                {
                    row = packet.frames;
                }
                NextPacket::Packet(packet) => {
                    self.seen = Some(packet);
                    break;
                }
                NextPacket::Incomplete { .. } | NextPacket::Done => break,
            }
        }
        batch.bytes.clear();
        batch.bytes.extend_from_slice(&self.buffer[self.start..]);
        std::mem::swap(&mut batch.bytes, &mut self.buffer);
        self.start = 0;
        Ok(())
    }

    /// The packet is done with.
    pub(crate) fn drop_packet(&mut self, packet: &PacketView) {
        self.start += packet.frames.end;
        if self.start == self.buffer.len() {
            self.buffer.clear();
            self.start = 0;
            self.buffer.shrink_to(256 * 1024);
        }
    }

    async fn fill(
        &mut self,
        session: &mut Session,
        connection: &mut Connection,
    ) -> Result<(), Failure> {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        if !connection.unread.is_empty() {
            self.buffer.append(&mut connection.unread);
            return Ok(());
        }
        loop {
            let handle = std::sync::Arc::clone(session.entered.handle());
            let worker = std::rc::Rc::clone(&session.worker);
            let is_stopped = self.is_stopped;
            let buffer = &mut self.buffer;
            let read = std::future::poll_fn(|cx| {
                let asked = matches!(handle.request(), Request::StopStatement | Request::Close);
                if asked && !is_stopped {
                    return Poll::Ready(Ok(None));
                }
                let mut scratch = worker.scratch.borrow_mut();
                let read = std::task::ready!(connection.stream.poll_read(cx, &mut scratch[..]))?;
                buffer.extend_from_slice(&scratch[..read]);
                Poll::Ready(Ok::<_, std::io::Error>(Some(read)))
            })
            .await;
            match read {
                Ok(Some(0)) => {
                    return Err(storage::command::lost(connection, "closed by the server").into());
                }
                Ok(Some(_)) => return Ok(()),
                Ok(None) => {
                    self.is_stopped = true;
                    crate::kill::stop_statement(session, connection);
                    if handle.request() == Request::Close {
                        return Err(Failure::Session);
                    }
                }
                Err(error) => {
                    return Err(storage::command::lost(connection, &error.to_string()).into());
                }
            }
        }
    }
}
