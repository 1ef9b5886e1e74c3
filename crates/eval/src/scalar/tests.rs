//! Scalars: order, types and how they print.

use super::*;

#[test]
fn integers_of_both_signs_compare_as_numbers() {
    let ordered = [
        "-9223372036854775808",
        "-1",
        "0",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
    ];
    let values =
        ordered.map(|text| Scalar::from_text(ScalarKind::Integer, text.as_bytes()).unwrap());
    assert!(values.is_sorted_by(|a, b| a < b));
    for text in ["", "-", "18446744073709551616", "-9223372036854775809", "1.0", "+1"] {
        assert_eq!(Scalar::from_text(ScalarKind::Integer, text.as_bytes()), None, "{text}");
    }
}

/// Each row: kind, unsigned, binary value, the same value as text.
#[test]
fn binary_values_equal_their_text() {
    let cases: [(ScalarKind, bool, &[u8], &str); 12] = [
        (ScalarKind::Integer, false, &[0xff], "-1"),
        (ScalarKind::Integer, true, &[0xff], "255"),
        (ScalarKind::Integer, false, &[0, 0x80], "-32768"),
        (ScalarKind::Integer, true, &[0xd0, 0x07], "2000"),
        (ScalarKind::Integer, true, &[0xff; 4], "4294967295"),
        (ScalarKind::Integer, false, &[0xff; 8], "-1"),
        (ScalarKind::Integer, true, &[0xff; 8], "18446744073709551615"),
        (ScalarKind::Decimal, false, b"-1.50", "-1.5"),
        (ScalarKind::Float, false, &1.5f32.to_le_bytes(), "1.5"),
        (ScalarKind::Double, false, &1e-16f64.to_le_bytes(), "1e-16"),
        (ScalarKind::DateTime, false, &[0xe8, 7, 5, 6], "2024-05-06"),
        (ScalarKind::Time, false, &[1, 0, 0, 0, 0, 1, 0, 0], "-01:00:00"),
    ];
    for (kind, is_unsigned, binary, text) in cases {
        let from_binary = Scalar::from_binary(kind, is_unsigned, binary);
        assert!(from_binary.is_some(), "{text}");
        assert_eq!(from_binary, Scalar::from_text(kind, text.as_bytes()), "{text}");
    }
    assert_eq!(Scalar::from_binary(ScalarKind::Integer, false, &[1, 2, 3]), None);
    assert_eq!(Scalar::from_binary(ScalarKind::Double, false, &[1, 2, 3]), None);
}

#[test]
fn doubles_know_no_negative_zero() {
    let zero = |text: &[u8]| Scalar::from_text(ScalarKind::Double, text);
    assert_eq!(zero(b"-0"), zero(b"0"));
    assert!(zero(b"-0").is_some());
    assert_eq!(zero(b"inf"), None);
}

#[test]
fn padding_decides_only_behind_the_shorter_string() {
    type Case = (&'static [u8], &'static [u8], &'static [u8], Ordering);
    let cases: [Case; 10] = [
        (b"a", b"a", b"", Ordering::Equal),
        (b"a", b"a ", b"", Ordering::Less),
        (b"a", b"a ", b" ", Ordering::Equal),
        (b"a", b"a\t", b" ", Ordering::Greater),
        (b"a", b"ab", b" ", Ordering::Less),
        (b"a  \x01", b"a", b" ", Ordering::Less),
        (b"", b"", b" ", Ordering::Equal),
        (b"\x00A", b"\x00A\x00 ", b"\x00 ", Ordering::Equal),
        (b"\x00A", b"\x00A\x00\x09", b"\x00 ", Ordering::Greater),
        (b"b", b"a   ", b" ", Ordering::Greater),
    ];
    for (left, right, pad, expected) in cases {
        assert_eq!(compare_padded(left, right, pad), expected, "{left:?} {right:?}");
        assert_eq!(compare_padded(right, left, pad), expected.reverse(), "{left:?} {right:?}");
    }
}

#[test]
fn character_strings_need_more_than_their_type() {
    let column = |type_code, flags, charset| ColumnType::new(type_code, flags, charset, 10, 0);
    assert_eq!(ScalarKind::of(&column(type_code::VAR_STRING, 0, 45)), None);
    assert_eq!(ScalarKind::of(&column(type_code::VAR_STRING, 0, 63)), Some(ScalarKind::Bytes));
    assert_eq!(ScalarKind::of(&column(type_code::STRING, 0x100, 63)), None);
    assert_eq!(ScalarKind::of(&column(type_code::JSON, 0, 63)), None);
    assert_eq!(ScalarKind::of(&column(type_code::YEAR, 0x20, 63)), Some(ScalarKind::Integer));
}
