//! Basic data types, byte by byte.

use proptest::prelude::*;

use super::*;

#[test]
fn length_encoded_integers() {
    let cases: [(u64, &[u8]); 8] = [
        (0, &[0x00]),
        (0xFA, &[0xFA]),
        (0xFB, &[0xFC, 0xFB, 0x00]),
        (0xFFFF, &[0xFC, 0xFF, 0xFF]),
        (0x1_0000, &[0xFD, 0x00, 0x00, 0x01]),
        (0xFF_FFFF, &[0xFD, 0xFF, 0xFF, 0xFF]),
        (0x100_0000, &[0xFE, 0, 0, 0, 1, 0, 0, 0, 0]),
        (u64::MAX, &[0xFE, 255, 255, 255, 255, 255, 255, 255, 255]),
    ];
    for (value, bytes) in cases {
        let mut out = Vec::new();
        write_lenenc_int(&mut out, value);
        assert_eq!(out, bytes);
        assert_eq!(lenenc_int_len(value), bytes.len());
        let mut cursor = Cursor::new(bytes);
        assert_eq!(cursor.read_lenenc_int(), Ok(value));
        assert!(cursor.is_empty());
        for cut in 0..bytes.len() {
            assert!(matches!(
                Cursor::new(&bytes[..cut]).read_lenenc_int(),
                Err(DecodeError::Truncated { .. })
            ));
        }
    }
    assert_eq!(Cursor::new(&[0xFB]).read_lenenc_int_or_null(), Ok(None));
    assert!(Cursor::new(&[0xFB]).read_lenenc_int().is_err());
    assert!(Cursor::new(&[0xFF]).read_lenenc_int_or_null().is_err());
}

#[test]
fn strings() {
    let mut cursor = Cursor::new(b"\x03abcde\0f\0rest");
    assert_eq!(cursor.read_lenenc_bytes(), Ok(&b"abc"[..]));
    assert_eq!(cursor.read_null_terminated(), Ok(&b"de"[..]));
    assert_eq!(cursor.read_null_terminated_or_rest(), b"f");
    assert_eq!(cursor.peek(), Some(b'r'));
    assert_eq!(cursor.position(), 9);
    assert!(cursor.read_null_terminated().is_err());
    assert_eq!(cursor.read_null_terminated_or_rest(), b"rest");
    assert_eq!(cursor.read_u8(), Err(DecodeError::Truncated { needed: 1, available: 0 }));
}

#[test]
fn a_length_beyond_memory_is_truncated() {
    let bytes = [0xFE, 255, 255, 255, 255, 255, 255, 255, 255, 1, 2];
    assert_eq!(
        Cursor::new(&bytes).read_lenenc_bytes(),
        Err(DecodeError::Truncated { needed: usize::MAX, available: 2 })
    );
}

#[test]
fn a_nul_inside_ends_the_string() {
    let mut out = Vec::new();
    write_null_terminated(&mut out, b"ab\0cd");
    assert_eq!(out, b"ab\0");
}

proptest! {
    #[test]
    fn integers_round_trip(a: u16, b in 0_u32..0x100_0000, c: u32, d: u64, e: u64) {
        let mut out = Vec::new();
        write_u16(&mut out, a);
        write_u24(&mut out, b);
        write_u32(&mut out, c);
        write_u64(&mut out, d);
        write_lenenc_int(&mut out, e);
        let mut cursor = Cursor::new(&out);
        prop_assert_eq!(cursor.read_u16(), Ok(a));
        prop_assert_eq!(cursor.read_u24(), Ok(b));
        prop_assert_eq!(cursor.read_u32(), Ok(c));
        prop_assert_eq!(cursor.read_u64(), Ok(d));
        prop_assert_eq!(cursor.read_lenenc_int(), Ok(e));
        prop_assert!(cursor.is_empty());
    }
}
