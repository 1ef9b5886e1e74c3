//! A byte stream to a client or a server: plain TCP or TLS.
//!
//! One polled interface, so that a session can wait for either side in one place and read into a
//! buffer that belongs to the worker, not to the connection. Another runtime needs only another
//! variant.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// An open stream.
#[derive(Debug)]
pub enum Stream {
    /// TCP.
    Plain(TcpStream),
    /// TLS where we are the server.
    TlsServer(Box<tokio_rustls::server::TlsStream<TcpStream>>),
    /// TLS where we are the client.
    TlsClient(Box<tokio_rustls::client::TlsStream<TcpStream>>),
}

impl Stream {
    /// Reads what is there into `buf`; `Ok(0)` is the end of the stream.
    ///
    /// # Errors
    /// Those of the socket or of TLS.
    pub fn poll_read(&mut self, cx: &mut Context<'_>, buf: &mut [u8]) -> Poll<io::Result<usize>> {
        let mut buf = ReadBuf::new(buf);
        let read = match self {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, &mut buf),
            Self::TlsServer(stream) => Pin::new(stream.as_mut()).poll_read(cx, &mut buf),
            Self::TlsClient(stream) => Pin::new(stream.as_mut()).poll_read(cx, &mut buf),
        };
        read.map_ok(|()| buf.filled().len())
    }

    /// Writes some of `bytes`.
    ///
    /// # Errors
    /// Those of the socket or of TLS.
    pub fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::TlsServer(stream) => Pin::new(stream.as_mut()).poll_write(cx, bytes),
            Self::TlsClient(stream) => Pin::new(stream.as_mut()).poll_write(cx, bytes),
        }
    }

    /// Gets buffered bytes onto the wire. TCP has none; TLS may.
    ///
    /// # Errors
    /// Those of the socket or of TLS.
    pub fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Self::Plain(_) => Poll::Ready(Ok(())),
            Self::TlsServer(stream) => Pin::new(stream.as_mut()).poll_flush(cx),
            Self::TlsClient(stream) => Pin::new(stream.as_mut()).poll_flush(cx),
        }
    }

    /// True when nothing unexpected has arrived on a stream that should be silent. Costs no system
    /// call unless the kernel has reported something.
    pub fn is_quiet(&mut self) -> bool {
        match self {
            Self::Plain(stream) => {
                let mut byte = [0];
                matches!(stream.try_read(&mut byte), Err(e) if e.kind() == io::ErrorKind::WouldBlock)
            }
            // TLS may deliver session tickets at any time, which a read takes in; what it gives
            // besides is the end of the stream, or bytes nobody asked for.
            Self::TlsServer(_) | Self::TlsClient(_) => {
                let mut cx = Context::from_waker(std::task::Waker::noop());
                self.poll_read(&mut cx, &mut [0]).is_pending()
            }
        }
    }

    /// True for an encrypted stream.
    pub fn is_tls(&self) -> bool {
        !matches!(self, Self::Plain(_))
    }

    /// Reads what is there into `buf`.
    ///
    /// # Errors
    /// Those of the socket or of TLS.
    pub async fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        std::future::poll_fn(|cx| self.poll_read(cx, buf)).await
    }

    /// Writes all of `bytes` and flushes.
    ///
    /// # Errors
    /// Those of the socket or of TLS; `WriteZero` when the peer takes nothing.
    pub async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut written = 0;
        std::future::poll_fn(|cx| self.poll_write_from(cx, bytes, &mut written)).await
    }

    /// Writes `bytes` from `*written` on, then flushes.
    ///
    /// # Errors
    /// As [`Stream::write_all`].
    pub fn poll_write_from(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
        written: &mut usize,
    ) -> Poll<io::Result<()>> {
        while *written < bytes.len() {
            match self.poll_write(cx, &bytes[*written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(n)) => *written += n,
                Poll::Ready(Err(e)) => return Poll::Ready(Err(e)),
                Poll::Pending => return Poll::Pending,
            }
        }
        self.poll_flush(cx)
    }
}

/// Sets what every socket of ours needs: no delay for small packets, and keep-alive so that a
/// half-open peer is noticed.
///
/// # Errors
/// Those of `setsockopt`.
pub fn tune(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let keepalive = socket2::TcpKeepalive::new()
        .with_time(std::time::Duration::from_secs(60))
        .with_interval(std::time::Duration::from_secs(10))
        .with_retries(3);
    socket2::SockRef::from(stream).set_tcp_keepalive(&keepalive)
}
