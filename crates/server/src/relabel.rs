//! Logical names in result metadata: where a storage unit names its own database and actual table,
//! the client reads the logical ones.

use kernel::plan::Relabel;
use protocol::capability::Capabilities;
use protocol::field::write_lenenc_bytes;
use protocol::frame::{HEADER_LEN, Header, begin_packet, end_packet, write_packet};
use protocol::packet::column_count::ColumnCount;

/// Appends a column definition with logical names. A definition begins with six texts: catalog,
/// database, table, table of origin, name, name of origin; what stands behind the fourth is copied as
/// it is.
pub(crate) fn write_definition(
    out: &mut Vec<u8>,
    seq: &mut u8,
    payload: &[u8],
    relabel: Option<&Relabel>,
) {
    let Some((relabel, texts)) = relabel.zip(leading_texts(payload)) else {
        return write_packet(out, seq, payload);
    };
    let [_, database, table, org_table] = texts.map(|text| text.of(payload));
    let database = if org_table.is_empty() { database } else { relabel.database.as_bytes() };
    let new_table = logical_name(relabel, table).unwrap_or(table);
    let new_org_table = match org_table == table {
        true => new_table,
        false => logical_name(relabel, org_table).unwrap_or(org_table),
    };
    let start = begin_packet(out);
    out.extend_from_slice(&payload[..texts[0].end]);
    for text in [database, new_table, new_org_table] {
        write_lenenc_bytes(out, text);
    }
    out.extend_from_slice(&payload[texts[3].end..]);
    end_packet(out, start, seq);
}

/// Where a text of a definition lies in it, without its length.
#[derive(Debug, Clone, Copy, Default)]
struct TextSpan {
    start: usize,
    end: usize,
}

impl TextSpan {
    fn of(self, payload: &[u8]) -> &[u8] {
        payload.get(self.start..self.end).unwrap_or_default()
    }
}

/// The first four texts of a definition; `None` where it is cut off.
fn leading_texts(payload: &[u8]) -> Option<[TextSpan; 4]> {
    let (mut texts, mut at) = ([TextSpan::default(); 4], 0);
    for text in &mut texts {
        // Names have at most 64 characters, 256 bytes: a length of one byte, or of three.
        let (len, start) = match *payload.get(at)? {
            len @ 0..=0xfa => (usize::from(len), at + 1),
            0xfc => {
                let len = payload.get(at + 1..at + 3)?.first_chunk::<2>()?;
                (usize::from(u16::from_le_bytes(*len)), at + 3)
            }
            _ => return None,
        };
        at = start + len;
        payload.get(start..at)?;
        *text = TextSpan { start, end: at };
    }
    Some(texts)
}

/// The logical table an actual one belongs to.
fn logical_name<'r>(relabel: &'r Relabel, actual: &[u8]) -> Option<&'r [u8]> {
    relabel.tables.iter().find_map(|(nodes, logical)| {
        let is_node = nodes.iter().any(|node| node.actual_table.as_bytes() == actual);
        is_node.then_some(logical.as_bytes())
    })
}

/// The head of a relayed answer: its column definitions get logical names, and everything behind
/// them passes untouched.
pub(crate) struct Head<'a> {
    /// `None` once the head is through, or when there is nothing to change.
    relabel: Option<&'a Relabel>,
    capabilities: Capabilities,
    /// What was read of it so far.
    bytes: Vec<u8>,
}

impl<'a> Head<'a> {
    /// Before the first byte of an answer.
    pub(crate) fn new(relabel: Option<&'a Relabel>, capabilities: Capabilities) -> Self {
        Self { relabel, capabilities, bytes: Vec::new() }
    }

    /// True when bytes pass as they are.
    pub(crate) fn is_through(&self) -> bool {
        self.relabel.is_none()
    }

    /// Takes bytes of the answer and appends to `out` what may be sent by now.
    pub(crate) fn pass(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.bytes.is_empty() && self.rewrite(bytes, out) {
            return;
        }
        self.bytes.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.bytes);
        if !self.rewrite(&held, out) {
            self.bytes = held;
        }
    }

    /// Rewrites the head if `bytes` hold all of it; false when more is needed.
    fn rewrite(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> bool {
        let Some((count_payload, _, mut at)) = packet(bytes, 0) else { return false };
        let is_result_set = !matches!(count_payload.first(), None | Some(0x00 | 0xfb | 0xff));
        let count = ColumnCount::decode(count_payload, self.capabilities);
        let definitions = match count {
            Ok(ColumnCount { count, has_metadata: true }) if is_result_set => count,
            _ => 0,
        };
        let start = out.len();
        out.extend_from_slice(&bytes[..at]);
        for _ in 0..definitions {
            let Some((payload, mut seq, end)) = packet(bytes, at) else {
                out.truncate(start);
                return false;
            };
            write_definition(out, &mut seq, payload, self.relabel);
            at = end;
        }
        out.extend_from_slice(&bytes[at..]);
        self.relabel = None;
        true
    }
}

/// The packet at `at`: payload, sequence id, and where the next one begins.
fn packet(bytes: &[u8], at: usize) -> Option<(&[u8], u8, usize)> {
    let header = Header::read(bytes.get(at..)?.first_chunk::<HEADER_LEN>()?);
    let start = at + HEADER_LEN;
    let end = start + header.len as usize;
    Some((bytes.get(start..end)?, header.seq, end))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use kernel::model::{DataNode, UnitId};
    use protocol::frame::write_with;
    use protocol::packet::column_definition::ColumnDefinition41;

    use super::*;

    const PLAIN: Capabilities = Capabilities::NONE;

    fn relabel() -> Relabel {
        let node =
            DataNode { unit: UnitId(1), unit_name: "ds_0".into(), actual_table: "t_3".into() };
        Relabel { database: "shop".into(), tables: vec![(Arc::from([node]), "t".into())] }
    }

    fn definition<'a>(database: &'a [u8], table: &'a [u8]) -> ColumnDefinition41<'a> {
        ColumnDefinition41 {
            database,
            table,
            org_table: table,
            ..crate::answer::own_column("c", true)
        }
    }

    fn answer(database: &[u8], table: &[u8]) -> Vec<u8> {
        let (mut out, mut seq) = (Vec::new(), 1);
        write_packet(&mut out, &mut seq, &[1]);
        write_with(&mut out, &mut seq, |out| definition(database, table).encode(out, PLAIN));
        write_packet(&mut out, &mut seq, b"\x01row");
        out
    }

    #[test]
    fn names_become_logical_wherever_reads_break() {
        let (actual, logical) = (answer(b"sbtest", b"t_3"), answer(b"shop", b"t"));
        let relabel = relabel();
        for cut in 0..=actual.len() {
            let mut head = Head::new(Some(&relabel), PLAIN);
            let mut out = Vec::new();
            head.pass(&actual[..cut], &mut out);
            if head.is_through() {
                out.extend_from_slice(&actual[cut..]);
            } else {
                head.pass(&actual[cut..], &mut out);
            }
            assert_eq!(out, logical, "cut at {cut}");
        }
    }

    #[test]
    fn an_answer_without_definitions_passes_at_once() {
        let relabel = relabel();
        let mut head = Head::new(Some(&relabel), PLAIN);
        let (ok, mut out) = (b"\x07\0\0\x01\0\x01\0\x02\0\0\0", Vec::new());
        head.pass(ok, &mut out);
        assert!(head.is_through());
        assert_eq!(out, ok);
    }
}
