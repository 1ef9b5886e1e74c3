//! Where the columns of a row are, in both protocols.

use super::*;

fn column(code: u8) -> ColumnType {
    ColumnType::new(code, 0, 63, 0, 0)
}

#[test]
fn text_columns_are_located() {
    let mut cells = Vec::new();
    let row = b"\x02ab\xfb\x00\xfc\x03\x00xyz";
    locate(row, RowFormat::Text, &[], 4, &mut cells).unwrap();
    let values: Vec<_> = cells.iter().map(|cell| cell.value(row)).collect();
    assert_eq!(values, [Some(&b"ab"[..]), None, Some(b""), Some(b"xyz")]);
    assert_eq!(cells[3].encoded(row), b"\xfc\x03\x00xyz");
    assert_eq!(cells[1].encoded(row), b"\xfb");
}

#[test]
fn binary_columns_are_located() {
    use type_code::{DATETIME, DOUBLE, LONG, LONGLONG, SHORT, TINY, VAR_STRING};
    let columns = [TINY, SHORT, LONG, LONGLONG, DOUBLE, DATETIME, VAR_STRING].map(column);
    let mut cells = Vec::new();
    // SHORT (position 1) and DOUBLE (position 4) are NULL: bits 3 and 6.
    let row = b"\x00\x48\x00\x7f\x01\0\0\0\x02\0\0\0\0\0\0\0\x04\xe8\x07\x05\x06\x02hi";
    locate(row, RowFormat::Binary, &columns, 7, &mut cells).unwrap();
    let values: Vec<_> = cells.iter().map(|cell| cell.value(row)).collect();
    assert_eq!(
        values,
        [
            Some(&b"\x7f"[..]),
            None,
            Some(b"\x01\0\0\0"),
            Some(b"\x02\0\0\0\0\0\0\0"),
            None,
            Some(b"\xe8\x07\x05\x06"),
            Some(b"hi"),
        ]
    );
    assert_eq!(cells[6].encoded(row), b"\x02hi");
}

/// Every proper prefix of a row is refused, and nothing panics.
#[test]
fn truncated_rows_are_refused() {
    let mut cells = Vec::new();
    let text = b"\x02ab\xfc\x03\x00xyz";
    for len in 0..text.len() {
        assert!(locate(&text[..len], RowFormat::Text, &[], 2, &mut cells).is_err(), "{len}");
    }
    let columns = [type_code::LONG, type_code::VAR_STRING].map(column);
    let binary = b"\x00\x00\x01\0\0\0\x02hi";
    for len in 0..binary.len() {
        let row = &binary[..len];
        assert!(locate(row, RowFormat::Binary, &columns, 2, &mut cells).is_err(), "{len}");
    }
    assert!(locate(b"\x01\x00", RowFormat::Binary, &[], 0, &mut cells).is_err());
    let huge = b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff";
    assert!(locate(huge, RowFormat::Text, &[], 1, &mut cells).is_err());
    assert!(locate(b"\xff", RowFormat::Text, &[], 1, &mut cells).is_err());
}

#[test]
fn strings_are_written_as_they_are_read() {
    for len in [0, 250, 251, 65_535, 65_536, 1 << 24] {
        let value = vec![b'x'; len];
        let (mut row, mut cells) = (Vec::new(), Vec::new());
        write_string(&value, &mut row);
        locate(&row, RowFormat::Text, &[], 1, &mut cells).unwrap();
        assert_eq!(cells[0].value(&row), Some(&value[..]));
        assert_eq!(cells[0].end as usize, row.len());
    }
}
