//! Execute and send in one: the answer of a storage unit passes to the client untouched.
//!
//! Bytes go from the backend's socket into the worker's scratch buffer, packet headers are walked to
//! find the end of the answer, and the same bytes go out. A client that does not read stops the
//! reading from the unit.

use std::task::{Context, Poll};

use protocol::response::{ResponseWalker, WalkState};
use storage::connection::Connection;
use storage::stream::Stream;

use crate::registry::{Request, SessionHandle};
use crate::relabel::Head;
use crate::worker::Worker;

/// How a relay ended.
#[derive(Debug)]
pub(crate) enum Relayed {
    /// The answer is complete.
    Done,
    /// The server asks for the client's file.
    LocalInfile,
    /// The session was asked to stop its statement; the answer goes on.
    Interrupted,
}

/// Why a relay failed.
#[derive(Debug)]
pub(crate) enum RelayError {
    /// The client is gone.
    Client,
    /// The storage unit is gone.
    Backend(String),
    /// The storage unit sent something else than an answer.
    Protocol(String),
}

/// Both ends of a relay.
pub(crate) struct Relay<'a, 'h> {
    /// Whose scratch buffer is used.
    pub(crate) worker: &'a Worker,
    /// Who can ask to stop.
    pub(crate) handle: &'a SessionHandle,
    /// Where the answer goes.
    pub(crate) client: &'a mut Stream,
    /// Where it comes from.
    pub(crate) backend: &'a mut Stream,
    /// Finds its end.
    pub(crate) walker: &'a mut ResponseWalker,
    /// Bytes the client's socket did not take at once.
    pub(crate) pending: Vec<u8>,
    /// How many of them are written.
    pub(crate) written: usize,
    /// True once a byte of the answer was passed on.
    pub(crate) has_sent: bool,
    /// A stop was asked for and is being seen to: do not report it again.
    pub(crate) is_stopping: bool,
    /// Gives column definitions their logical names.
    head: &'a mut Head<'h>,
    /// Bytes of the answer that were read along with the one before it.
    unread: Vec<u8>,
    /// The payload of the error that the answer ended with.
    pub(crate) error: Option<Box<[u8]>>,
    /// How the answer ended; reported once all of it is written.
    ended: Option<Relayed>,
}

impl<'a, 'h> Relay<'a, 'h> {
    /// Before the first byte of the answer.
    pub(crate) fn new(
        worker: &'a Worker,
        handle: &'a SessionHandle,
        client: &'a mut Stream,
        connection: &'a mut Connection,
        walker: &'a mut ResponseWalker,
        head: &'a mut Head<'h>,
    ) -> Self {
        let Connection { stream: backend, unread, .. } = connection;
        Self {
            worker,
            handle,
            client,
            backend,
            walker,
            pending: Vec::new(),
            written: 0,
            has_sent: false,
            is_stopping: false,
            head,
            unread: std::mem::take(unread),
            error: None,
            ended: None,
        }
    }

    /// Passes the answer on until it ends or something has to be done.
    pub(crate) async fn run(&mut self) -> Result<Relayed, RelayError> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<Relayed, RelayError>> {
        loop {
            if self.written < self.pending.len() || self.ended.is_some() {
                match self.client.poll_write_from(cx, &self.pending, &mut self.written) {
                    Poll::Ready(Ok(())) => self.pending.clear(),
                    Poll::Ready(Err(_)) => return Poll::Ready(Err(RelayError::Client)),
                    // A client that reads nothing cannot be told that it has to go.
                    Poll::Pending if self.handle.request() == Request::Close => {
                        return Poll::Ready(Err(RelayError::Client));
                    }
                    Poll::Pending => return Poll::Pending,
                }
                self.written = 0;
            }
            if let Some(ended) = self.ended.take() {
                return Poll::Ready(Ok(ended));
            }
            if self.must_stop() {
                return Poll::Ready(Ok(Relayed::Interrupted));
            }
            self.ended = std::task::ready!(self.poll_pass(cx))?;
        }
    }

    /// Writes what the client takes; the rest waits in `pending`.
    fn send(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Result<(), RelayError> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.has_sent = true;
        let sent = match self.client.poll_write(cx, bytes) {
            Poll::Ready(Ok(sent)) => sent,
            Poll::Ready(Err(_)) => return Err(RelayError::Client),
            Poll::Pending => 0,
        };
        self.pending.extend_from_slice(&bytes[sent..]);
        Ok(())
    }

    fn must_stop(&mut self) -> bool {
        if self.is_stopping {
            return false;
        }
        self.is_stopping = matches!(self.handle.request(), Request::StopStatement | Request::Close);
        self.is_stopping
    }

    /// Reads once from the backend and writes what the client takes.
    fn poll_pass(&mut self, cx: &mut Context<'_>) -> Poll<Result<Option<Relayed>, RelayError>> {
        let mut scratch = self.worker.scratch.borrow_mut();
        if !self.unread.is_empty() {
            let unread = std::mem::take(&mut self.unread);
            return self.pass(cx, &unread);
        }
        let read = match self.backend.poll_read(cx, &mut scratch[..]) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Ok(0)) => return Poll::Ready(Err(RelayError::Backend("closed".into()))),
            Poll::Ready(Ok(read)) => read,
            Poll::Ready(Err(e)) => return Poll::Ready(Err(RelayError::Backend(e.to_string()))),
        };
        self.pass(cx, &scratch[..read])
    }

    /// Finds out what the bytes are and writes as many of them as the client takes.
    fn pass(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<Option<Relayed>, RelayError>> {
        let read = bytes.len();
        let walked = match self.walker.feed(bytes) {
            Ok(walked) if walked.consumed == read => walked,
            Ok(_) => return Poll::Ready(Err(RelayError::Protocol("more than an answer".into()))),
            Err(e) => return Poll::Ready(Err(RelayError::Protocol(e.to_string()))),
        };
        if walked.state == WalkState::Done && self.walker.summary().is_err() {
            self.error = self.walker.last_packet(bytes).map(Box::from);
        }
        if self.head.is_through() {
            self.send(cx, bytes)?;
        } else {
            let mut rewritten = self.worker.rewritten.borrow_mut();
            rewritten.clear();
            self.head.pass(bytes, &mut rewritten);
            self.send(cx, &rewritten)?;
        }
        Poll::Ready(Ok(match walked.state {
            WalkState::More => None,
            WalkState::Done => Some(Relayed::Done),
            WalkState::LocalInfile => Some(Relayed::LocalInfile),
        }))
    }
}
