//! Binary values and rows, byte by byte.

use proptest::prelude::*;

use super::*;

fn datetime(fields: [u32; 7]) -> BinaryValue<'static> {
    let [year, month, day, hour, minute, second, micros] = fields;
    BinaryValue::DateTime {
        year: year as u16,
        month: month as u8,
        day: day as u8,
        hour: hour as u8,
        minute: minute as u8,
        second: second as u8,
        micros,
    }
}

fn time(is_negative: bool, fields: [u32; 5]) -> BinaryValue<'static> {
    let [days, hours, minutes, seconds, micros] = fields;
    BinaryValue::Time {
        is_negative,
        days,
        hours: hours as u8,
        minutes: minutes as u8,
        seconds: seconds as u8,
        micros,
    }
}

/// The values of the manual and the borders of each type.
fn cases() -> Vec<(ValueType, &'static [u8], BinaryValue<'static>)> {
    use BinaryValue::{Bytes, Double, Float, Int, UInt};
    let signed = ValueType::signed;
    let unsigned = ValueType::unsigned;
    vec![
        (signed(ColumnType::TINY), b"\xff", Int(-1)),
        (unsigned(ColumnType::TINY), b"\xff", UInt(255)),
        (signed(ColumnType::SHORT), b"\x00\x80", Int(-32768)),
        (unsigned(ColumnType::SHORT), b"\x01\x00", UInt(1)),
        (unsigned(ColumnType::YEAR), b"\xea\x07", UInt(2026)),
        (signed(ColumnType::LONG), b"\x01\x00\x00\x00", Int(1)),
        (unsigned(ColumnType::LONG), b"\xff\xff\xff\xff", UInt(0xFFFF_FFFF)),
        (signed(ColumnType::INT24), b"\xff\xff\xff\xff", Int(-1)),
        (signed(ColumnType::LONGLONG), b"\x01\x00\x00\x00\x00\x00\x00\x00", Int(1)),
        (unsigned(ColumnType::LONGLONG), &[0xFF; 8], UInt(u64::MAX)),
        (signed(ColumnType::LONGLONG), b"\0\0\0\0\0\0\0\x80", Int(i64::MIN)),
        (signed(ColumnType::FLOAT), b"\x33\x33\x23\x41", Float(10.2)),
        (signed(ColumnType::DOUBLE), b"\x66\x66\x66\x66\x66\x66\x24\x40", Double(10.2)),
        (signed(ColumnType::DATE), b"\x04\xda\x07\x0a\x11", datetime([2010, 10, 17, 0, 0, 0, 0])),
        (
            signed(ColumnType::DATETIME),
            b"\x0b\xda\x07\x0a\x11\x13\x1b\x1e\x01\x00\x00\x00",
            datetime([2010, 10, 17, 19, 27, 30, 1]),
        ),
        (
            signed(ColumnType::TIMESTAMP),
            b"\x07\xda\x07\x0a\x11\x13\x1b\x1e",
            datetime([2010, 10, 17, 19, 27, 30, 0]),
        ),
        (signed(ColumnType::DATETIME), b"\x00", datetime([0; 7])),
        (
            signed(ColumnType::TIME),
            b"\x0c\x01\x78\x00\x00\x00\x13\x1b\x1e\x01\x00\x00\x00",
            time(true, [120, 19, 27, 30, 1]),
        ),
        (
            signed(ColumnType::TIME),
            b"\x08\x01\x78\x00\x00\x00\x13\x1b\x1e",
            time(true, [120, 19, 27, 30, 0]),
        ),
        (signed(ColumnType::TIME), b"\x00", time(false, [0; 5])),
        (signed(ColumnType::STRING), b"\x03foo", Bytes(b"foo")),
        (signed(ColumnType::NEWDECIMAL), b"\x0412.3", Bytes(b"12.3")),
        (signed(ColumnType::BLOB), b"\x00", Bytes(b"")),
    ]
}

#[test]
fn values() {
    for (value_type, bytes, value) in cases() {
        let mut cursor = Cursor::new(bytes);
        assert_eq!(read_value(&mut cursor, value_type), Ok(value));
        assert!(cursor.is_empty());
        let mut out = Vec::new();
        write_value(&mut out, value_type.column_type, &value).unwrap();
        assert_eq!(out, bytes);
        let mut skipped = Cursor::new(bytes);
        skip_value(&mut skipped, value_type.column_type).unwrap();
        assert!(skipped.is_empty());
        for cut in 0..bytes.len() {
            let short = &bytes[..cut];
            assert!(read_value(&mut Cursor::new(short), value_type).is_err());
            assert!(skip_value(&mut Cursor::new(short), value_type.column_type).is_err());
        }
    }
}

#[test]
fn what_does_not_fit_its_type() {
    let mut out = Vec::new();
    for (column_type, value) in [
        (ColumnType::LONG, BinaryValue::Bytes(b"1")),
        (ColumnType::FLOAT, BinaryValue::Int(1)),
        (ColumnType::FLOAT, BinaryValue::Double(1.0)),
        (ColumnType::DATE, BinaryValue::Int(1)),
        (ColumnType::STRING, BinaryValue::Int(1)),
        (ColumnType::INVALID, BinaryValue::Int(1)),
    ] {
        assert!(write_value(&mut out, column_type, &value).is_err());
    }
    assert!(out.is_empty());
    for bytes in [&b"\x05\0\0\0\0\0"[..], b"\x0d"] {
        assert!(read_value(&mut Cursor::new(bytes), ValueType::signed(ColumnType::DATE)).is_err());
        assert!(read_value(&mut Cursor::new(bytes), ValueType::signed(ColumnType::TIME)).is_err());
    }
}

#[test]
fn row_of_the_manual() {
    // One LONG column of value 1, and the same as NULL.
    let bytes = b"\x00\x00\x01\x00\x00\x00";
    let types = [ValueType::signed(ColumnType::LONG)];
    let row = BinaryRow::decode(bytes, 1).unwrap();
    assert_eq!(row.values(&types).collect::<Vec<_>>(), [Ok(BinaryValue::Int(1))]);
    let row = BinaryRow::decode(b"\x00\x04", 1).unwrap();
    assert_eq!(row.values(&types).collect::<Vec<_>>(), [Ok(BinaryValue::Null)]);
    assert!(BinaryRow::decode(b"\x00", 1).is_err());
    assert!(BinaryRow::decode(b"\x01\x00", 1).is_err());
    let short = BinaryRow::decode(&bytes[..5], 1).unwrap();
    assert!(short.values(&types).next().unwrap().is_err());
    assert!(short.find_offsets(&types, &mut Vec::new()).is_err());
}

#[test]
fn rows_of_many_columns() {
    let mut cases = cases();
    cases.push((ValueType::signed(ColumnType::LONG), b"", BinaryValue::Null));
    cases.rotate_right(7);
    let types: Vec<ValueType> = cases.iter().map(|case| case.0).collect();
    let mut out = vec![0xAA];
    let mut writer = BinaryRowWriter::begin(&mut out, cases.len());
    for (value_type, _, value) in &cases {
        writer.write(value_type.column_type, value).unwrap();
    }
    assert!(writer.write(ColumnType::TINY, &BinaryValue::Int(1)).is_err());
    let payload = &out[1..];
    let row = BinaryRow::decode(payload, cases.len()).unwrap();
    let values: Vec<_> = row.values(&types).map(Result::unwrap).collect();
    assert!(values.iter().eq(cases.iter().map(|case| &case.2)));

    let mut offsets = Vec::new();
    row.find_offsets(&types, &mut offsets).unwrap();
    let mut again = Vec::new();
    let mut writer = BinaryRowWriter::begin(&mut again, cases.len());
    for (offset, case) in offsets.iter().zip(&cases) {
        let raw = offset.clone().map(|range| &payload[range]);
        assert_eq!(raw.unwrap_or_default(), case.1);
        writer.write_raw(raw).unwrap();
    }
    assert_eq!(again, payload);
}

proptest! {
    #[test]
    fn random_bytes_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..64),
        types in proptest::collection::vec(any::<[u8; 2]>(), 0..12),
    ) {
        let types: Vec<_> = types.into_iter().map(ValueType::from_bytes).collect();
        if let Ok(row) = BinaryRow::decode(&bytes, types.len()) {
            let _ = row.values(&types).count();
            let _ = row.find_offsets(&types, &mut Vec::new());
        }
    }
}
