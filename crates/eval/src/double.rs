//! Doubles as MySQL prints them.

use std::io::Write as _;

use crate::column_type::NOT_FIXED_DECIMALS;

/// Digits before the point up to which a double is printed without exponent, and, but for one, the
/// zeros behind it.
const MAX_PLAIN_DIGITS: i32 = 15;

/// Appends a double of a column with this number of decimals, as a text row has it: with fixed
/// decimals, or the fewest digits that read back as the same number, from 10¹⁵ and below 10⁻¹⁵
/// with an exponent (`1e15`, `1.5e-16`).
///
/// # Source
/// Compared with MariaDB 10.11 over random and boundary values.
pub fn write_double(value: f64, decimals: u8, out: &mut Vec<u8>) {
    if decimals < NOT_FIXED_DECIMALS {
        write!(out, "{value:.0$}", usize::from(decimals)).expect("a Vec takes all writes");
        return;
    }
    if value == 0.0 {
        out.extend_from_slice(if value.is_sign_negative() { b"-0" } else { b"0" });
        return;
    }
    let scientific = format!("{:e}", value.abs());
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        // Infinities and NaN: no result holds one.
        return out.extend_from_slice(b"0");
    };
    let digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    // Digits before the point.
    let point = exponent.parse::<i32>().expect("`{:e}` prints a whole exponent") + 1;
    if value < 0.0 {
        out.push(b'-');
    }
    if point > MAX_PLAIN_DIGITS || point <= -MAX_PLAIN_DIGITS {
        write!(out, "{mantissa}e{exponent}").expect("a Vec takes all writes");
    } else if point <= 0 {
        out.extend_from_slice(b"0.");
        out.resize(out.len() + point.unsigned_abs() as usize, b'0');
        out.extend_from_slice(&digits);
    } else {
        let whole = point.unsigned_abs() as usize;
        out.extend_from_slice(&digits[..whole.min(digits.len())]);
        out.resize(out.len() + whole.saturating_sub(digits.len()), b'0');
        if digits.len() > whole {
            out.push(b'.');
            out.extend_from_slice(&digits[whole..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(value: f64, decimals: u8) -> String {
        let mut out = Vec::new();
        write_double(value, decimals, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// The texts are MariaDB 10.11's answers to `SELECT value`.
    #[test]
    fn doubles_print_as_mariadb_prints_them() {
        let cases = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e14, "100000000000000"),
            (123_456_789_012_345.6, "123456789012345.6"),
            (1e15, "1e15"),
            (1.25e20, "1.25e20"),
            (1e-15, "0.000000000000001"),
            (1.5e-15, "0.0000000000000015"),
            (1e-16, "1e-16"),
            (f64::MAX, "1.7976931348623157e308"),
            (5e-324, "5e-324"),
        ];
        for (value, text) in cases {
            assert_eq!(printed(value, 31), text);
        }
    }

    #[test]
    fn fixed_decimals_are_kept() {
        assert_eq!(printed(1.5, 2), "1.50");
        assert_eq!(printed(0.125, 2), "0.12");
        assert_eq!(printed(1e20, 1), "100000000000000000000.0");
    }
}
