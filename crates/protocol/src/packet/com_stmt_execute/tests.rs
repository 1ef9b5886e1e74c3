//! Executions of prepared statements, byte by byte.

use proptest::prelude::*;

use super::*;
use crate::column_type::ColumnType;

const STRING: ValueType = ValueType::signed(ColumnType::VAR_STRING);
const LONGLONG: ValueType = ValueType::signed(ColumnType::LONGLONG);

/// The example of the manual: one string parameter, "foo".
const MANUAL: &[u8] = b"\x17\x01\0\0\0\x00\x01\0\0\0\x00\x01\x0f\x00\x03foo";

fn values<'a>(
    packet: &ComStmtExecute,
    payload: &'a [u8],
    types: &[ValueType],
    long: &[usize],
) -> Vec<(usize, BinaryValue<'a>)> {
    let block = packet.params.as_ref().unwrap();
    block.values(payload, types, |index| long.contains(&index)).map(Result::unwrap).collect()
}

#[test]
fn packet_of_the_manual() {
    let packet = ComStmtExecute::decode(MANUAL, 1, Capabilities::NONE).unwrap();
    assert_eq!((packet.statement_id, packet.flags, packet.iterations), (1, 0, 1));
    let block = packet.params.clone().unwrap();
    assert_eq!((block.null_bitmap.clone(), block.bound_offset), (10..11, 11));
    assert_eq!((block.types.clone(), block.values.clone()), (12..14, 14..18));
    let types: Vec<_> = block.types(MANUAL).map(|item| item.unwrap().0).collect();
    assert_eq!(types, [ValueType::signed(ColumnType::VARCHAR)]);
    assert_eq!(values(&packet, MANUAL, &types, &[]), [(0, BinaryValue::Bytes(b"foo"))]);
    assert_eq!(ComStmtExecute::decode_statement_id(MANUAL), Ok(1));
    for cut in 0..14 {
        assert!(ComStmtExecute::decode(&MANUAL[..cut], 1, Capabilities::NONE).is_err());
    }
    let cut = &MANUAL[..16];
    let short = ComStmtExecute::decode(cut, 1, Capabilities::NONE).unwrap().params.unwrap();
    assert!(short.values(cut, &types, |_| false).next().unwrap().is_err());
}

#[test]
fn without_parameters() {
    let bytes = b"\x17\x07\0\0\0\x01\x01\0\0\0";
    let packet = ComStmtExecute::decode(bytes, 0, Capabilities::NONE).unwrap();
    assert_eq!((packet.flags & ComStmtExecute::CURSOR_FLAGS, packet.params), (1, None));
    let mut out = Vec::new();
    ComStmtExecute::encode(&mut out, 7, 1, &[], Capabilities::QUERY_ATTRIBUTES).unwrap();
    assert_eq!(out, bytes);
}

#[test]
fn types_of_an_earlier_execution() {
    // Two BIGINT parameters, the second NULL; types are not sent again.
    let bytes = b"\x17\x01\0\0\0\x00\x01\0\0\0\x02\x00\x05\0\0\0\0\0\0\0";
    let packet = ComStmtExecute::decode(bytes, 2, Capabilities::NONE).unwrap();
    let block = packet.params.clone().unwrap();
    assert!(!block.has_types && block.types(bytes).next().is_none());
    let expected = [(0, BinaryValue::Int(5)), (1, BinaryValue::Null)];
    assert_eq!(values(&packet, bytes, &[LONGLONG, LONGLONG], &[]), expected);
    assert!(block.values(bytes, &[LONGLONG], |_| false).next().unwrap().is_err());

    let mut with_types = Vec::new();
    packet.encode_with_types(&mut with_types, bytes, &[8, 0, 8, 0]);
    let again = ComStmtExecute::decode(&with_types, 2, Capabilities::NONE).unwrap();
    assert!(again.params.as_ref().unwrap().has_types);
    assert_eq!(values(&again, &with_types, &[LONGLONG, LONGLONG], &[]), expected);
    let mut unchanged = Vec::new();
    again.encode_with_types(&mut unchanged, &with_types, &[9, 9, 9, 9]);
    assert_eq!(unchanged, with_types);
}

#[test]
fn parameters_sent_ahead_are_not_in_the_packet() {
    let bytes = b"\x17\x01\0\0\0\x00\x01\0\0\0\x00\x01\xfd\0\xfd\0\xfd\0\x01a\x01c";
    let packet = ComStmtExecute::decode(bytes, 3, Capabilities::NONE).unwrap();
    assert_eq!(
        values(&packet, bytes, &[STRING; 3], &[1]),
        [(0, BinaryValue::Bytes(b"a")), (2, BinaryValue::Bytes(b"c"))]
    );
}

#[test]
fn query_attributes() {
    let caps = Capabilities::QUERY_ATTRIBUTES;
    // One parameter and one attribute "a".
    let bytes =
        b"\x17\x01\0\0\0\x08\x01\0\0\0\x02\x00\x01\x08\0\0\xfd\0\x01a\x05\0\0\0\0\0\0\0\x01x";
    let packet = ComStmtExecute::decode(bytes, 1, caps).unwrap();
    let block = packet.params.clone().unwrap();
    let types: Vec<_> = block.types(bytes).map(Result::unwrap).collect();
    assert_eq!(types, [(LONGLONG, &b""[..]), (STRING, &b"a"[..])]);
    assert_eq!(
        values(&packet, bytes, &[LONGLONG, STRING], &[]),
        [(0, BinaryValue::Int(5)), (1, BinaryValue::Bytes(b"x"))]
    );
    // A statement without parameters tells their number only if the flag says so.
    let none = b"\x17\x01\0\0\0\x08\x01\0\0\0\x00";
    assert_eq!(ComStmtExecute::decode(none, 0, caps).unwrap().params, None);
    let unflagged = b"\x17\x01\0\0\0\x00\x01\0\0\0";
    assert_eq!(ComStmtExecute::decode(unflagged, 0, caps).unwrap().params, None);
    assert!(ComStmtExecute::decode(none, 1, caps).is_err());
}

#[test]
fn round_trip() {
    let params = [
        (LONGLONG, BinaryValue::Int(-7)),
        (STRING, BinaryValue::Null),
        (ValueType::signed(ColumnType::DOUBLE), BinaryValue::Double(1.5)),
    ];
    let types: Vec<_> = params.iter().map(|param| param.0).collect();
    for caps in [Capabilities::NONE, Capabilities::QUERY_ATTRIBUTES] {
        let mut out = Vec::new();
        ComStmtExecute::encode(&mut out, 9, 0, &params, caps).unwrap();
        let packet = ComStmtExecute::decode(&out, 3, caps).unwrap();
        let read = values(&packet, &out, &types, &[]);
        assert!(read.iter().map(|value| &value.1).eq(params.iter().map(|param| &param.1)));
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(
        mut bytes in proptest::collection::vec(any::<u8>(), 1..64),
        params: u16,
        caps: u64,
    ) {
        bytes[0] = 0x17;
        for params in [params, params % 5] {
            if let Ok(packet) = ComStmtExecute::decode(&bytes, params, Capabilities(caps))
                && let Some(block) = packet.params
            {
                let types: Vec<_> =
                    block.types(&bytes).filter_map(Result::ok).map(|item| item.0).collect();
                let _ = block.values(&bytes, &types, |index| index % 3 == 0).count();
            }
        }
    }
}
