//! LOAD DATA LOCAL: the client's file passes through to the storage unit. The proxy itself never
//! opens a file.

use protocol::frame::{HEADER_LEN, Header};
use storage::connection::Connection;

use crate::execute::Failure;
use crate::receive::read_some;
use crate::session::Session;

/// Passes the client's packets on until the empty one that ends the file.
pub(crate) async fn pump(
    session: &mut Session,
    connection: &mut Connection,
) -> Result<(), Failure> {
    let mut left_of_packet = 0;
    loop {
        let ends_at = end_of_file(&session.unread, &mut left_of_packet);
        let taken = ends_at.unwrap_or_else(|| whole_headers(&session.unread, left_of_packet));
        if let Some(end) = ends_at {
            // What answers the file follows its last packet.
            session.out.seq = session.unread[end - 1].wrapping_add(1);
        }
        if taken > 0 {
            let written = connection.stream.write_all(&session.unread[..taken]).await;
            written.map_err(|e| storage::command::lost(connection, &e.to_string()))?;
            session.unread.drain(..taken);
        }
        if ends_at.is_some() {
            return Ok(());
        }
        read_some(session).await.map_err(|_| Failure::Session)?;
    }
}

/// The position behind the empty packet, if it is there. `left` is how much of the packet at the
/// front is still to come; it is brought up to date for the bytes up to the last whole header.
fn end_of_file(bytes: &[u8], left: &mut usize) -> Option<usize> {
    let mut at = (*left).min(bytes.len());
    *left -= at;
    if *left > 0 {
        return None;
    }
    while let Some(header) = bytes[at..].first_chunk::<HEADER_LEN>() {
        let header = Header::read(header);
        at += HEADER_LEN;
        if header.len == 0 {
            return Some(at);
        }
        let there = (bytes.len() - at).min(header.len as usize);
        at += there;
        *left = header.len as usize - there;
        if *left > 0 {
            return None;
        }
    }
    None
}

/// How many bytes can be passed on: all but an incomplete header.
fn whole_headers(bytes: &[u8], left: usize) -> usize {
    if left > 0 {
        return bytes.len();
    }
    let mut at = 0;
    let mut end = 0;
    while let Some(header) = bytes.get(at..).and_then(|rest| rest.first_chunk::<HEADER_LEN>()) {
        at += HEADER_LEN + Header::read(header).len as usize;
        end = at;
    }
    end.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_packet_ends_the_file_wherever_reads_break() {
        let file = [3, 0, 0, 2, b'a', b'b', b'c', 1, 0, 0, 3, b'd', 0, 0, 0, 4];
        let mut left = 0;
        assert_eq!(end_of_file(&file, &mut left), Some(file.len()));
        for cut in 0..file.len() {
            let mut left = 0;
            assert_eq!(end_of_file(&file[..cut], &mut left), None, "cut at {cut}");
        }
    }
}
