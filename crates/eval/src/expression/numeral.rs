//! Numbers at the beginning of strings.

use crate::Decimal;

/// A number that was read, and whether the string was nothing but the number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Read<T> {
    pub(crate) value: T,
    /// False gives warning 1292, of white space behind the number in MariaDB alone.
    pub(crate) is_whole: bool,
}

impl<T> Read<T> {
    pub(crate) fn exact(value: T) -> Self {
        Self { value, is_whole: true }
    }
}

/// White space that may stand around a number.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// The longest number at the beginning, behind white space, and what follows it.
fn split(text: &[u8]) -> (&[u8], &[u8]) {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let text = &text[start..];
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let count = |from: usize| {
        text.get(from..).unwrap_or(&[]).iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = count(sign);
    let mut end = sign + whole;
    let mut has_digits = whole > 0;
    if text.get(end) == Some(&b'.') {
        let fraction = count(end + 1);
        has_digits |= fraction > 0;
        if has_digits {
            end += 1 + fraction;
        }
    }
    if !has_digits {
        return (&[], text);
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(end + 1), Some(b'-' | b'+')));
        let exponent = count(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    text.split_at(end)
}

/// The double a string stands for; 0 where it begins with none.
pub(crate) fn double(text: &[u8]) -> Read<f64> {
    let (number, rest) = split(text);
    let value = std::str::from_utf8(number).ok().and_then(|number| number.parse::<f64>().ok());
    let is_whole = value.is_some_and(f64::is_finite) && rest.is_empty();
    Read { value: value.unwrap_or(0.0).clamp(f64::MIN, f64::MAX), is_whole }
}

/// The decimal a string stands for; `None` where it has too many digits.
pub(crate) fn decimal(text: &[u8]) -> Option<Read<Decimal>> {
    let (number, rest) = split(text);
    if number.is_empty() {
        return Some(Read { value: Decimal::ZERO, is_whole: false });
    }
    let value = Decimal::parse_scientific(number)?;
    Some(Read { value, is_whole: rest.is_empty() })
}

/// The whole number a string begins with: its sign and digits, nothing behind a point.
pub(crate) fn integer(text: &[u8]) -> Option<Read<i128>> {
    let start = text.iter().take_while(|&&byte| is_space(byte)).count();
    let text = &text[start..];
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let digits = text[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Some(Read { value: 0, is_whole: false });
    }
    let (number, rest) = text.split_at(sign + digits);
    let value = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some(Read { value, is_whole: rest.is_empty() })
}
