//! Temporal values of binary rows as text, and back.

use eval::{ColumnType, type_code};

/// The text of a binary temporal value, its length byte included, with the fractional digits of its
/// column.
///
/// # Source
/// <https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html>,
/// "Binary Protocol Value".
pub(crate) fn text_of_binary(column: &ColumnType, encoded: &[u8]) -> Option<Vec<u8>> {
    let (&len, value) = encoded.split_first()?;
    if value.len() != usize::from(len) {
        return None;
    }
    let byte = |at: usize| value.get(at).copied().unwrap_or(0);
    let long = |at: usize| u32::from_le_bytes([byte(at), byte(at + 1), byte(at + 2), byte(at + 3)]);
    let fraction = |micros: u32| match column.decimals {
        digits @ 1..=6 => format!(
            ".{:0width$}",
            micros / 10u32.pow(6 - u32::from(digits)),
            width = usize::from(digits)
        ),
        _ => String::new(),
    };
    let date =
        || format!("{:04}-{:02}-{:02}", u16::from_le_bytes([byte(0), byte(1)]), byte(2), byte(3));
    let text = match column.type_code {
        type_code::DATE | type_code::NEWDATE => date(),
        type_code::DATETIME | type_code::TIMESTAMP => {
            format!("{} {:02}:{:02}:{:02}{}", date(), byte(4), byte(5), byte(6), fraction(long(7)))
        }
        type_code::TIME => {
            let sign = if byte(0) == 1 { "-" } else { "" };
            let hours = u64::from(long(1)) * 24 + u64::from(byte(5));
            format!("{sign}{hours:02}:{:02}:{:02}{}", byte(6), byte(7), fraction(long(8)))
        }
        _ => return None,
    };
    Some(text.into_bytes())
}

/// The binary form of a temporal value that is written as servers write it.
pub(crate) fn binary_of_text(code: u8, text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    match code {
        type_code::DATE | type_code::NEWDATE => binary_date(text, None),
        type_code::DATETIME | type_code::TIMESTAMP => {
            let (date, time) = text.split_once(' ')?;
            binary_date(date, Some(time))
        }
        type_code::TIME => binary_time(text),
        _ => None,
    }
}

fn binary_date(date: &str, time: Option<&str>) -> Option<Vec<u8>> {
    let mut parts = date.split('-');
    let year: u16 = parts.next()?.parse().ok()?;
    let (month, day): (u8, u8) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let mut out = year.to_le_bytes().to_vec();
    out.extend([month, day]);
    if let Some(time) = time {
        let (hours, minutes, seconds, micros) = clock(time)?;
        if (hours, minutes, seconds, micros) != (0, 0, 0, 0) {
            out.extend([u8::try_from(hours).ok()?, minutes, seconds]);
        }
        if micros != 0 {
            out.extend(micros.to_le_bytes());
        }
    }
    if out.iter().all(|&byte| byte == 0) {
        out.clear();
    }
    out.insert(0, out.len() as u8);
    Some(out)
}

fn binary_time(text: &str) -> Option<Vec<u8>> {
    let (is_negative, text) = match text.strip_prefix('-') {
        Some(text) => (1, text),
        None => (0, text),
    };
    let (hours, minutes, seconds, micros) = clock(text)?;
    let mut out = vec![is_negative];
    out.extend((hours / 24).to_le_bytes());
    out.extend([(hours % 24) as u8, minutes, seconds]);
    if micros != 0 {
        out.extend(micros.to_le_bytes());
    }
    if (hours, minutes, seconds, micros) == (0, 0, 0, 0) {
        out.clear();
    }
    out.insert(0, out.len() as u8);
    Some(out)
}

/// Hours, minutes, seconds, microseconds.
fn clock(text: &str) -> Option<(u32, u8, u8, u32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = whole.split(':');
    let hours = parts.next()?.parse().ok()?;
    let (minutes, seconds) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let micros = if fraction.is_empty() { 0 } else { format!("{fraction:0<6}").parse().ok()? };
    Some((hours, minutes, seconds, micros))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for (code, decimals, text, binary) in [
            (type_code::DATE, 0, "2024-02-29", &b"\x04\xe8\x07\x02\x1d"[..]),
            (type_code::DATE, 0, "0000-00-00", b"\x00"),
            (type_code::DATETIME, 0, "2024-02-29 00:00:00", b"\x04\xe8\x07\x02\x1d"),
            (type_code::DATETIME, 0, "2024-02-29 01:02:03", b"\x07\xe8\x07\x02\x1d\x01\x02\x03"),
            (
                type_code::DATETIME,
                3,
                "2024-02-29 01:02:03.500",
                b"\x0b\xe8\x07\x02\x1d\x01\x02\x03\x20\xa1\x07\x00",
            ),
            (type_code::TIME, 0, "-26:00:01", b"\x08\x01\x01\x00\x00\x00\x02\x00\x01"),
            (type_code::TIME, 0, "00:00:00", b"\x00"),
            (
                type_code::TIME,
                6,
                "00:00:00.000001",
                b"\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00",
            ),
        ] {
            let column = ColumnType::new(code, 0, 63, 0, decimals);
            assert_eq!(text_of_binary(&column, binary).unwrap(), text.as_bytes(), "{text}");
            assert_eq!(binary_of_text(code, text.as_bytes()).unwrap(), binary, "{text}");
        }
        assert_eq!(binary_of_text(type_code::DATE, b"x"), None);
        assert_eq!(text_of_binary(&ColumnType::new(type_code::DATE, 0, 63, 0, 0), b"\x04"), None);
    }
}
