//! Responses walked in one piece, in all pieces, and packet by packet.

use proptest::prelude::*;

use super::*;
use crate::frame::{write_packet, write_with};
use crate::packet::{EofPacket, ErrPacket, OkHeader, OkPacket};

const OLD: Capabilities = Capabilities::PROTOCOL_41;
const NEW: Capabilities = Capabilities(Capabilities::PROTOCOL_41.0 | Capabilities::DEPRECATE_EOF.0);

/// A response under construction.
#[derive(Default)]
struct Response {
    bytes: Vec<u8>,
    seq: u8,
}

impl Response {
    fn begin() -> Self {
        Self { bytes: Vec::new(), seq: 1 }
    }

    fn raw(mut self, payload: &[u8]) -> Self {
        write_packet(&mut self.bytes, &mut self.seq, payload);
        self
    }

    fn rows(self, rows: &[&[u8]]) -> Self {
        rows.iter().fold(self, |response, row| response.raw(row))
    }

    fn definitions(self, count: usize) -> Self {
        (0..count).fold(self, |response, _| response.raw(DEFINITION))
    }

    fn eof(mut self, status: StatusFlags, warnings: u16) -> Self {
        write_with(&mut self.bytes, &mut self.seq, |out| {
            EofPacket { warnings, status }.encode(out);
        });
        self
    }

    fn ok(self, header: OkHeader, packet: OkPacket<'_>) -> Self {
        self.ok_for(header, packet, OLD)
    }

    fn ok_for(mut self, header: OkHeader, packet: OkPacket<'_>, caps: Capabilities) -> Self {
        write_with(&mut self.bytes, &mut self.seq, |out| packet.encode(out, header, caps));
        self
    }

    fn err(mut self, code: u16, message: &str) -> Self {
        write_with(&mut self.bytes, &mut self.seq, |out| {
            ErrPacket::new(code, message).encode(out, OLD);
        });
        self
    }
}

/// The definition of `SELECT 1`'s column, as MySQL sends it.
const DEFINITION: &[u8] =
    b"\x03def\x00\x00\x00\x011\x00\x0c\x3f\x00\x01\x00\x00\x00\x08\x81\x00\x00\x00\x00";

fn with_status(status: StatusFlags) -> OkPacket<'static> {
    OkPacket { status, ..OkPacket::default() }
}

/// Walks `bytes` in one piece and checks that every split and the whole-packet way agree.
fn walk(kind: ResponseKind, caps: Capabilities, bytes: &[u8]) -> ResponseSummary {
    let mut walker = ResponseWalker::new(kind, caps);
    let mut more = bytes.to_vec();
    more.extend_from_slice(b"next");
    let whole = walker.feed(&more).unwrap();
    assert_eq!(whole, Walked { consumed: bytes.len(), state: WalkState::Done });
    assert!(walker.is_done());
    let last = walker.last_packet(&more).map(<[u8]>::to_vec);
    for cut in 0..=bytes.len() {
        let mut pieces = ResponseWalker::new(kind, caps);
        let first = pieces.feed(&bytes[..cut]).unwrap();
        assert_eq!(first.consumed, cut);
        let tail = &more[cut..];
        let walked = pieces.feed(tail).unwrap();
        assert_eq!(walked.state, WalkState::Done, "cut at {cut}");
        assert_eq!(walked.consumed, bytes.len() - cut);
        assert_eq!(pieces.summary(), walker.summary(), "cut at {cut}");
        if cut < bytes.len() {
            assert_eq!(first.state, WalkState::More);
        }
        // A prepared statement ends with definitions, so its head may lie in an earlier slice.
        if cut < bytes.len() && kind != ResponseKind::StmtPrepare {
            assert_eq!(pieces.last_packet(tail).map(<[u8]>::to_vec), last, "cut at {cut}");
        }
        assert_eq!(pieces.session_state(), walker.session_state());
        assert_eq!(pieces.last_seq(), walker.last_seq());
    }
    let mut bytewise = ResponseWalker::new(kind, caps);
    for (at, byte) in bytes.iter().enumerate() {
        let state = bytewise.feed(std::slice::from_ref(byte)).unwrap().state;
        assert_eq!(state == WalkState::Done, at + 1 == bytes.len());
    }
    assert_eq!(bytewise.summary(), walker.summary());
    roles(kind, caps, bytes);
    *walker.summary()
}

/// The roles of all packets, read whole.
fn roles(kind: ResponseKind, caps: Capabilities, bytes: &[u8]) -> Vec<PacketRole> {
    let mut walker = ResponseWalker::new(kind, caps);
    let mut rest = bytes;
    let mut roles = Vec::new();
    loop {
        match walker.next_packet(rest).unwrap() {
            NextPacket::Packet(view) => {
                roles.push(view.role);
                for cut in 0..view.frames.end.min(200) {
                    let fresh = ResponseWalker::new(kind, caps).next_packet(&rest[..cut]);
                    assert!(matches!(fresh, Ok(NextPacket::Incomplete { .. })));
                }
                rest = &rest[view.frames.end..];
            }
            NextPacket::Done => break,
            NextPacket::Incomplete { needed } => panic!("{needed} bytes missing"),
        }
    }
    assert!(rest.is_empty());
    roles
}

#[test]
fn ok_and_err() {
    let packet = OkPacket {
        affected_rows: 70_000,
        last_insert_id: u64::MAX,
        status: StatusFlags::AUTOCOMMIT | StatusFlags::IN_TRANS,
        warnings: 3,
        info: b"Records: 3  Duplicates: 0  Warnings: 0",
        session_state: &[],
    };
    for kind in [ResponseKind::Query, ResponseKind::StmtExecute, ResponseKind::Simple] {
        let bytes = Response::begin().ok(OkHeader::Ok, packet).bytes;
        let summary = walk(kind, NEW, &bytes);
        assert_eq!(summary.affected_rows, 70_000);
        assert_eq!(summary.last_insert_id, u64::MAX);
        assert_eq!((summary.status, summary.warnings), (packet.status, 3));
        assert_eq!((summary.results, summary.rows, summary.columns), (1, 0, 0));
    }
    for kind in [
        ResponseKind::Query,
        ResponseKind::StmtExecute,
        ResponseKind::StmtPrepare,
        ResponseKind::StmtFetch,
        ResponseKind::FieldList,
        ResponseKind::Simple,
        ResponseKind::Statistics,
    ] {
        let bytes = Response::begin().err(1146, "Table 'a.b' doesn't exist").bytes;
        let summary = walk(kind, OLD, &bytes);
        assert_eq!(summary.error, Some(ErrorSummary { code: 1146, sqlstate: *b"42S02" }));
        assert!(summary.is_err());
    }
}

#[test]
fn result_sets_of_both_endings() {
    let rows: [&[u8]; 3] = [b"\x011", b"\xfb", b"\xfc\x2c\x01"];
    let old = Response::begin()
        .raw(b"\x01")
        .definitions(1)
        .eof(StatusFlags::AUTOCOMMIT, 0)
        .rows(&rows)
        .eof(StatusFlags::AUTOCOMMIT, 2)
        .bytes;
    let new = Response::begin()
        .raw(b"\x01")
        .definitions(1)
        .rows(&rows)
        .ok(OkHeader::EndOfRows, OkPacket { warnings: 2, ..with_status(StatusFlags::AUTOCOMMIT) })
        .bytes;
    for kind in [ResponseKind::Query, ResponseKind::StmtExecute] {
        let summary = walk(kind, OLD, &old);
        assert_eq!((summary.rows, summary.columns, summary.warnings), (3, 1, 2));
        assert_eq!((summary.status, summary.has_metadata), (StatusFlags::AUTOCOMMIT, true));
        assert_eq!(walk(kind, NEW, &new), summary);
    }
    use PacketRole::{ColumnCount, ColumnDefinition, EndOfRows, MetadataEof, Row};
    assert_eq!(
        roles(ResponseKind::Query, OLD, &old),
        [ColumnCount, ColumnDefinition, MetadataEof, Row, Row, Row, EndOfRows]
    );
    assert_eq!(
        roles(ResponseKind::Query, NEW, &new),
        [ColumnCount, ColumnDefinition, Row, Row, Row, EndOfRows]
    );
}

#[test]
fn several_results() {
    let more = StatusFlags::AUTOCOMMIT | StatusFlags::MORE_RESULTS_EXISTS;
    let bytes = Response::begin()
        .ok(OkHeader::Ok, with_status(more))
        .raw(b"\x02")
        .definitions(2)
        .rows(&[b"\x011\x012"])
        .ok(OkHeader::EndOfRows, with_status(more))
        .raw(b"\x01")
        .definitions(1)
        .ok(OkHeader::EndOfRows, with_status(more))
        .ok(OkHeader::Ok, OkPacket { affected_rows: 7, ..OkPacket::default() })
        .bytes;
    let summary = walk(ResponseKind::Query, NEW, &bytes);
    assert_eq!((summary.results, summary.rows, summary.affected_rows), (4, 1, 7));
    let failing = Response::begin()
        .ok(OkHeader::Ok, with_status(more))
        .raw(b"\x01")
        .definitions(1)
        .rows(&[b"\x011"])
        .err(1317, "Query execution was interrupted")
        .bytes;
    let summary = walk(ResponseKind::Query, NEW, &failing);
    assert_eq!((summary.rows, summary.error.map(|error| error.code)), (1, Some(1317)));
}

#[test]
fn out_parameters() {
    let announced =
        StatusFlags::AUTOCOMMIT | StatusFlags::PS_OUT_PARAMS | StatusFlags::MORE_RESULTS_EXISTS;
    let bytes = Response::begin()
        .raw(b"\x01")
        .definitions(1)
        .eof(announced, 0)
        .rows(&[b"\x00\x00\x05\x00\x00\x00"])
        .eof(StatusFlags::AUTOCOMMIT, 0)
        .ok(OkHeader::Ok, with_status(StatusFlags::AUTOCOMMIT))
        .bytes;
    let summary = walk(ResponseKind::StmtExecute, OLD, &bytes);
    assert_eq!((summary.results, summary.rows), (2, 1));
    assert_eq!(summary.status, StatusFlags::AUTOCOMMIT);
}

#[test]
fn metadata_left_out() {
    for flag in [Capabilities::MARIADB_CACHE_METADATA, Capabilities::OPTIONAL_RESULTSET_METADATA] {
        let without = Response::begin()
            .raw(b"\x02\x00")
            .rows(&[b"\x00\x00\x01\x02"])
            .ok(OkHeader::EndOfRows, OkPacket::default())
            .bytes;
        let summary = walk(ResponseKind::StmtExecute, NEW | flag, &without);
        assert_eq!((summary.rows, summary.columns, summary.has_metadata), (1, 2, false));
        let with = Response::begin()
            .raw(b"\x02\x01")
            .definitions(2)
            .ok(OkHeader::EndOfRows, OkPacket::default())
            .bytes;
        assert!(walk(ResponseKind::StmtExecute, NEW | flag, &with).has_metadata);
        let old = Response::begin()
            .raw(b"\x02\x00")
            .eof(StatusFlags::NONE, 0)
            .rows(&[b"\x00\x00\x01\x02"])
            .eof(StatusFlags::NONE, 0)
            .bytes;
        assert_eq!(walk(ResponseKind::StmtExecute, OLD | flag, &old).rows, 1);
    }
}

#[test]
fn cursors() {
    let open = StatusFlags::AUTOCOMMIT | StatusFlags::CURSOR_EXISTS;
    let old = Response::begin().raw(b"\x01").definitions(1).eof(open, 0).bytes;
    assert_eq!(walk(ResponseKind::StmtExecute, OLD, &old).status, open);
    let new = Response::begin()
        .raw(b"\x01")
        .definitions(1)
        .ok(OkHeader::EndOfRows, with_status(open))
        .bytes;
    assert_eq!(walk(ResponseKind::StmtExecute, NEW, &new).status, open);
    let last = open | StatusFlags::LAST_ROW_SENT;
    let fetched = Response::begin().rows(&[b"\x00\x00\x01", b"\x00\x00\x02"]).eof(last, 0).bytes;
    let summary = walk(ResponseKind::StmtFetch, OLD, &fetched);
    assert_eq!((summary.rows, summary.status), (2, last));
}

#[test]
fn prepared_statements() {
    // Statement 7 with two parameters and one column; then without one or both.
    let cases: [(u8, u8); 4] = [(1, 2), (1, 0), (0, 2), (0, 0)];
    for (columns, params) in cases {
        let head = [0, 7, 0, 0, 0, columns, 0, params, 0, 0, 1, 0];
        let mut old = Response::begin().raw(&head);
        let mut new = Response::begin().raw(&head);
        for count in [params, columns] {
            if count > 0 {
                old = old.definitions(count.into()).eof(StatusFlags::NONE, 0);
                new = new.definitions(count.into());
            }
        }
        let summary = walk(ResponseKind::StmtPrepare, OLD, &old.bytes);
        assert_eq!(walk(ResponseKind::StmtPrepare, NEW, &new.bytes), summary);
        assert_eq!((summary.statement_id, summary.warnings), (7, 1));
        assert_eq!((summary.columns, summary.params), (columns.into(), params.into()));
    }
    let optional = Capabilities::OPTIONAL_RESULTSET_METADATA;
    let without = Response::begin().raw(&[0, 7, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0]);
    assert!(!walk(ResponseKind::StmtPrepare, NEW | optional, &without.bytes).has_metadata);
    // MySQL 9.7 sends the EOF packets all the same.
    let old = without.eof(StatusFlags::NONE, 0).eof(StatusFlags::NONE, 0);
    assert!(!walk(ResponseKind::StmtPrepare, OLD | optional, &old.bytes).has_metadata);
}

#[test]
fn field_list_statistics_and_simple_eof() {
    let list = Response::begin().definitions(3).eof(StatusFlags::AUTOCOMMIT, 0).bytes;
    assert_eq!(walk(ResponseKind::FieldList, OLD, &list).columns, 3);
    let text = Response::begin().raw(b"Uptime: 7  Threads: 1").bytes;
    walk(ResponseKind::Statistics, OLD, &text);
    let eof = Response::begin().eof(StatusFlags::AUTOCOMMIT, 1).bytes;
    for caps in [OLD, NEW] {
        assert_eq!(walk(ResponseKind::Simple, caps, &eof).warnings, 1);
    }
}

#[test]
fn local_files() {
    let request = Response::begin().raw(b"\xfb/etc/hosts").bytes;
    let mut answer = Response { bytes: Vec::new(), seq: 4 };
    answer = answer.ok(OkHeader::Ok, OkPacket { affected_rows: 9, ..OkPacket::default() });
    for cut in 0..request.len() {
        let mut walker = ResponseWalker::new(ResponseKind::Query, NEW);
        walker.feed(&request[..cut]).unwrap();
        let tail = &request[cut..];
        let walked = walker.feed(tail).unwrap();
        assert_eq!(walked, Walked { consumed: tail.len(), state: WalkState::LocalInfile });
        assert_eq!(walker.last_packet(tail), Some(&b"\xfb/etc/hosts"[..]));
        assert_eq!(walker.last_seq(), 1);
        let walked = walker.feed(&answer.bytes).unwrap();
        assert_eq!(walked.state, WalkState::Done);
        assert_eq!(walker.summary().affected_rows, 9);
        assert_eq!(walker.last_seq(), 4);
    }
}

#[test]
fn session_state_of_all_results() {
    let caps = NEW | Capabilities::SESSION_TRACK;
    let more = StatusFlags::MORE_RESULTS_EXISTS;
    let bytes = Response::begin()
        .ok_for(
            OkHeader::Ok,
            OkPacket { session_state: b"\x01\x02\x01a", ..with_status(more) },
            caps,
        )
        .ok_for(
            OkHeader::Ok,
            OkPacket { session_state: b"\x01\x02\x01b", ..OkPacket::default() },
            caps,
        )
        .bytes;
    walk(ResponseKind::Query, caps, &bytes);
    let mut walker = ResponseWalker::new(ResponseKind::Query, caps);
    walker.feed(&bytes).unwrap();
    assert_eq!(walker.session_state(), b"\x01\x02\x01a\x01\x02\x01b");
    walker.restart(ResponseKind::Simple, caps);
    assert!(!walker.is_done() && walker.session_state().is_empty());
}

#[test]
fn progress_reports_end_nothing() {
    let caps = NEW | Capabilities::MARIADB_PROGRESS;
    let bytes = Response::begin()
        .raw(b"\xff\xff\xff\x01\x02\x03\x00\x00\x00\x05stage")
        .ok(OkHeader::Ok, OkPacket { affected_rows: 5, ..OkPacket::default() })
        .bytes;
    assert_eq!(walk(ResponseKind::Query, caps, &bytes).affected_rows, 5);
}

#[test]
fn rows_of_16_mib_are_rows_whatever_they_begin_with() {
    for len in [MAX_PAYLOAD, MAX_PAYLOAD + 5, 2 * MAX_PAYLOAD] {
        let mut row = vec![0x61; len];
        row[0] = 0xFE;
        for (caps, ends_with_ok) in [(OLD, false), (NEW, true)] {
            let mut response = Response::begin().raw(b"\x01").definitions(1);
            if !ends_with_ok {
                response = response.eof(StatusFlags::NONE, 0);
            }
            let before = response.bytes.len();
            response = response.raw(&row).raw(b"\x01z");
            response = if ends_with_ok {
                response.ok(OkHeader::EndOfRows, OkPacket::default())
            } else {
                response.eof(StatusFlags::NONE, 0)
            };
            let bytes = &response.bytes;
            let frame = HEADER_LEN + MAX_PAYLOAD;
            for cut in [before, before + 2, before + 9, before + frame, before + frame + 2] {
                let mut walker = ResponseWalker::new(ResponseKind::Query, caps);
                assert_eq!(walker.feed(&bytes[..cut]).unwrap().consumed, cut);
                assert_eq!(walker.feed(&bytes[cut..]).unwrap().state, WalkState::Done);
                assert_eq!(walker.summary().rows, 2);
            }
            assert_eq!(
                roles(ResponseKind::Query, caps, bytes)
                    .iter()
                    .filter(|&&role| role == PacketRole::Row)
                    .count(),
                2
            );
        }
        let bytes = Response::begin().raw(b"\x01").definitions(1).raw(&row).bytes;
        let mut walker = ResponseWalker::new(ResponseKind::Query, NEW);
        let mut at = 0;
        let mut scratch = Vec::new();
        while let NextPacket::Packet(view) = walker.next_packet(&bytes[at..]).unwrap() {
            if view.role == PacketRole::Row {
                assert!(view.is_split && view.payload(&bytes[at..], &mut scratch) == row);
            }
            at += view.frames.end;
        }
        assert_eq!(at, bytes.len());
    }
}

#[test]
fn what_is_no_response_is_refused() {
    let cases: [(ResponseKind, &[u8]); 7] = [
        (ResponseKind::Query, &[0, 0, 0, 1]),
        (ResponseKind::Query, &[3, 0, 0, 1, 0xFC, 0, 0]),
        (ResponseKind::Query, &[1, 0, 0, 1, 0x00]),
        (ResponseKind::Query, &[2, 0, 0, 1, 0xFF, 1]),
        (ResponseKind::Simple, &[1, 0, 0, 1, 5]),
        (ResponseKind::StmtPrepare, &[5, 0, 0, 1, 0, 1, 2, 3, 4]),
        (ResponseKind::StmtPrepare, &[1, 0, 0, 1, 9]),
    ];
    for (kind, bytes) in cases {
        assert!(ResponseWalker::new(kind, OLD).feed(bytes).is_err(), "{bytes:?}");
        assert!(ResponseWalker::new(kind, OLD).next_packet(bytes).is_err(), "{bytes:?}");
    }
    let unended = Response::begin().raw(b"\x01").definitions(2).bytes;
    assert!(ResponseWalker::new(ResponseKind::Query, OLD).feed(&unended).is_err());
}

fn any_kind() -> impl Strategy<Value = ResponseKind> {
    prop_oneof![
        Just(ResponseKind::Query),
        Just(ResponseKind::StmtExecute),
        Just(ResponseKind::StmtPrepare),
        Just(ResponseKind::StmtFetch),
        Just(ResponseKind::FieldList),
        Just(ResponseKind::Simple),
        Just(ResponseKind::Statistics),
    ]
}

proptest! {
    #[test]
    fn random_bytes_never_panic(
        kind in any_kind(),
        caps: u64,
        pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..6),
    ) {
        let mut walker = ResponseWalker::new(kind, Capabilities(caps));
        for piece in &pieces {
            let _ = walker.feed(piece);
        }
    }

    #[test]
    fn random_packets_walk_alike_in_all_pieces(
        kind in any_kind(),
        caps: u64,
        packets in proptest::collection::vec(proptest::collection::vec(
            prop_oneof![Just(0_u8), Just(1), Just(0xFB), Just(0xFE), Just(0xFF), any::<u8>()], 1..12), 1..6),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..5),
    ) {
        let bytes = packets.iter().fold(Response::begin(), |all, packet| all.raw(packet)).bytes;
        let mut whole = ResponseWalker::new(kind, Capabilities(caps));
        let expected = whole.feed(&bytes);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        cuts.push(bytes.len());
        cuts.sort_unstable();
        let mut pieces = ResponseWalker::new(kind, Capabilities(caps));
        let mut at = 0;
        let mut got = Ok(Walked { consumed: 0, state: WalkState::More });
        for cut in cuts {
            match pieces.feed(&bytes[at..cut]) {
                Err(error) => { got = Err(error); break; }
                Ok(walked) => {
                    at += walked.consumed;
                    got = Ok(Walked { consumed: at, state: walked.state });
                    if walked.state != WalkState::More { break; }
                }
            }
        }
        prop_assert_eq!(got, expected);
        if expected.is_ok() {
            prop_assert_eq!(pieces.summary(), whole.summary());
        }
    }
}
