//! Doubles as MySQL prints them.

use std::io::Write as _;

use crate::column_type::NOT_FIXED_DECIMALS;

/// A number with more digits than this before the point, all of which follow the point of its
/// scientific form, is printed with an exponent; so is one with as many zeros behind the point.
const MAX_PLAIN_DIGITS: i32 = 15;

/// Appends a double of a column with this number of decimals, as a text row has it.
///
/// Without fixed decimals these are the fewest digits that read back as the same number, with an
/// exponent where that is shorter for whole numbers from 10¹⁵, and below 10⁻¹⁵ (`1e15`,
/// `1.5e-16`). With fixed decimals, they are those digits, filled up with zeros, or the number
/// rounded where they are too many.
///
/// # Source
/// Compared with MariaDB 10.11 and MySQL 9.7 over 20,000 random numbers in each form.
pub fn write_double(value: f64, decimals: u8, out: &mut Vec<u8>) {
    if value == 0.0 && decimals >= NOT_FIXED_DECIMALS {
        out.extend_from_slice(if value.is_sign_negative() { b"-0" } else { b"0" });
        return;
    }
    let Some(shortest) = Digits::shortest(value.abs()) else {
        // Infinities and NaN: no result holds one.
        return out.extend_from_slice(b"0");
    };
    if value.is_sign_negative() {
        out.push(b'-');
    }
    let digits_behind_point = shortest.digits.len() as i32 - shortest.point;
    if decimals < NOT_FIXED_DECIMALS {
        let decimals = usize::from(decimals);
        if digits_behind_point > decimals as i32 {
            write!(out, "{:.decimals$}", value.abs()).expect("a Vec takes all writes");
        } else {
            shortest.write_plain(decimals, out);
        }
        return;
    }
    let is_long = shortest.point > MAX_PLAIN_DIGITS && digits_behind_point <= 0;
    if is_long || shortest.point <= -MAX_PLAIN_DIGITS {
        shortest.write_scientific(out);
    } else {
        shortest.write_plain(0, out);
    }
}

/// The significant digits of a number, as ASCII, and how many of them stand before the point (below
/// zero: zeros behind it).
struct Digits {
    digits: Vec<u8>,
    point: i32,
}

impl Digits {
    /// The fewest digits that read back as `value`; of two equally near ones the even one, as the
    /// servers choose.
    fn shortest(value: f64) -> Option<Self> {
        let scientific = format!("{value:e}");
        let (mantissa, exponent) = scientific.split_once('e')?;
        let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
        let exponent: i32 = exponent.parse().ok()?;
        if let Some(even) = even_neighbour(value, &digits, exponent) {
            digits = even;
        }
        Some(Self { digits, point: exponent + 1 })
    }

    fn write_scientific(&self, out: &mut Vec<u8>) {
        out.push(self.digits[0]);
        if self.digits.len() > 1 {
            out.push(b'.');
            out.extend_from_slice(&self.digits[1..]);
        }
        write!(out, "e{}", self.point - 1).expect("a Vec takes all writes");
    }

    /// Without exponent, with at least so many digits behind the point.
    fn write_plain(&self, decimals: usize, out: &mut Vec<u8>) {
        let whole = usize::try_from(self.point).unwrap_or(0);
        let (before, behind) = self.digits.split_at(whole.min(self.digits.len()));
        out.extend_from_slice(before);
        out.resize(out.len() + whole - before.len(), b'0');
        if whole == 0 {
            out.push(b'0');
        }
        let zeros = if behind.is_empty() { 0 } else { self.point.min(0).unsigned_abs() as usize };
        let end = out.len() + 1 + decimals.max(zeros + behind.len());
        if end > out.len() + 1 {
            out.push(b'.');
            out.resize(out.len() + zeros, b'0');
            out.extend_from_slice(behind);
            out.resize(end, b'0');
        }
    }
}

/// Where `value` lies exactly between its shortest digits, which are odd, and the even ones below
/// them: the latter.
fn even_neighbour(value: f64, digits: &[u8], exponent: i32) -> Option<Vec<u8>> {
    let last = *digits.last()?;
    if last.is_multiple_of(2) {
        return None;
    }
    // A double that ends with the digit 5 there has no others behind it within its precision.
    let longer = format!("{value:.0$e}", digits.len() + 30);
    let exact = longer.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit);
    let is_tie = exact
        .skip(digits.len())
        .enumerate()
        .all(|(position, digit)| digit == if position == 0 { b'5' } else { b'0' });
    let mut even = digits.to_vec();
    *even.last_mut()? = last - 1;
    let text = format!("{}e{}", String::from_utf8_lossy(&even), exponent + 1 - even.len() as i32);
    (is_tie && text.parse() == Ok(value)).then_some(even)
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
            (1_934_685_636_633_880.2, "1934685636633880.2"),
            (70_678_754_183_833.63, "70678754183833.62"),
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
        assert_eq!(printed(0.0, 2), "0.00");
        assert_eq!(printed(7.0, 0), "7");
        assert_eq!(printed(0.05, 3), "0.050");
        assert_eq!(printed(-0.000_001, 3), "-0.000");
        assert_eq!(printed(254_516_015_318_051.22, 5), "254516015318051.22000");
    }
}
