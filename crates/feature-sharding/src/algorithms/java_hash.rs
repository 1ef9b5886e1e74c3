//! Java's `hashCode`, by which the reference places values.
//!
//! Source: the Java SE documentation of `hashCode` of Integer, Long, BigInteger, BigDecimal,
//! Boolean and String.

/// `Long.hashCode`: the two halves combined.
pub(super) fn of_long(value: i64) -> i32 {
    (value ^ ((value as u64) >> 32) as i64) as i32
}

/// `Integer.hashCode` is the number itself; a number that needs more bits is a Long, and one that
/// needs more than 64 a BigInteger.
pub(super) fn of_integer(value: i128, is_long: bool) -> i32 {
    match (i32::try_from(value), i64::try_from(value)) {
        (Ok(value), _) if !is_long => value,
        (_, Ok(value)) => of_long(value),
        _ => of_big_integer(value),
    }
}

/// `BigInteger.hashCode`: 31-fold sum over the 32-bit words of the magnitude, times the sign.
pub(super) fn of_big_integer(value: i128) -> i32 {
    let magnitude = value.unsigned_abs();
    let mut hash = 0_i32;
    let mut has_started = false;
    for word in (0..4).rev().map(|index| (magnitude >> (32 * index)) as u32) {
        has_started |= word != 0;
        if has_started {
            hash = hash.wrapping_mul(31).wrapping_add(word as i32);
        }
    }
    if value < 0 { hash.wrapping_neg() } else { hash }
}

/// `BigDecimal.hashCode`: 31 times that of the unscaled value, plus the scale. For an unscaled
/// value that fits 64 bits the words of its magnitude are combined in the same way.
pub(super) fn of_big_decimal(unscaled: i128, scale: u32) -> i32 {
    of_big_integer(unscaled).wrapping_mul(31).wrapping_add(scale as i32)
}

/// `Boolean.hashCode`.
pub(super) fn of_boolean(value: bool) -> i32 {
    if value { 1231 } else { 1237 }
}

/// `String.hashCode` over UTF-16 units. Bytes that are not UTF-8 (binary columns) count as one
/// unit each.
pub(super) fn of_text(text: &[u8]) -> i32 {
    let step = |hash: i32, unit: i32| hash.wrapping_mul(31).wrapping_add(unit);
    if text.is_ascii() {
        return text.iter().fold(0, |hash, byte| step(hash, i32::from(*byte)));
    }
    match std::str::from_utf8(text) {
        Ok(text) => text.encode_utf16().fold(0, |hash, unit| step(hash, i32::from(unit))),
        Err(_) => text.iter().fold(0, |hash, byte| step(hash, i32::from(*byte))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values printed by Java for the same expressions.
    #[test]
    fn hashes_are_those_of_java() {
        for (value, is_long, hash) in [
            (0, false, 0),
            (5, true, 5),
            (-1, false, -1),
            (-1, true, 0),
            (-2, true, 1),
            (i128::from(i32::MIN), false, i32::MIN),
            (i128::from(i32::MIN), true, i32::MAX),
            (1 << 31, false, i32::MIN),
            (1 << 32, true, 1),
            (i128::from(i64::MAX), true, i32::MIN),
            (i128::from(i64::MIN), true, i32::MIN),
            // new BigInteger("18446744073709551615").hashCode(): -1 * 31 + -1
            (i128::from(u64::MAX), true, -32),
            // new BigInteger("9223372036854775808").hashCode(): 31 * Integer.MIN_VALUE
            (1 << 63, true, i32::MIN),
        ] {
            assert_eq!(of_integer(value, is_long), hash, "{value} {is_long}");
        }
        for (text, hash) in [
            ("", 0),
            ("a", 97),
            ("abc", 96_354),
            ("hello", 99_162_322),
            ("polygenelubricants", i32::MIN),
            ("é", 233),
            ("😀", 1_772_899),
        ] {
            assert_eq!(of_text(text.as_bytes()), hash, "{text}");
        }
        assert_eq!(of_text(&[0xff, 0x01]), 255 * 31 + 1);
        // new BigDecimal("1.50").hashCode(): 31 * 150 + 2
        assert_eq!(of_big_decimal(150, 2), 4652);
        assert_eq!(of_big_decimal(-15, 1), -464);
    }
}
