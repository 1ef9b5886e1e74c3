//! Temporal values, packed into one number that orders as they do.

/// Packs a DATE, DATETIME or TIMESTAMP text: `2024-05-06[ 07:08:09[.123456]]`.
pub(crate) fn pack_date_time_text(text: &[u8]) -> Option<i64> {
    let (date, time) = match text.iter().position(|&byte| byte == b' ' || byte == b'T') {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let mut parts = date.split(|&byte| byte == b'-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let micros = time.map_or(Some(0), clock_micros)?;
    Some(pack_date(number(year)?, number(month)?, number(day)?, micros))
}

/// Packs the binary form: empty, or year (2 bytes), month, day, and maybe hour, minute, second,
/// and maybe microseconds (4 bytes).
///
/// # Source
/// MySQL internals, "Binary Protocol Resultset":
/// <https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_binary_resultset.html>
pub(crate) fn pack_date_time_binary(value: &[u8]) -> Option<i64> {
    if value.is_empty() {
        return Some(0);
    }
    let (date, time) = value.split_at_checked(4)?;
    let year = i64::from(u16::from_le_bytes([date[0], date[1]]));
    let micros = if time.is_empty() { 0 } else { clock_micros_binary(time)? };
    Some(pack_date(year, i64::from(date[2]), i64::from(date[3]), micros))
}

/// Microseconds of a TIME text: `[-]838:59:59[.123456]`.
pub(crate) fn time_micros_text(text: &[u8]) -> Option<i64> {
    match text.strip_prefix(b"-") {
        Some(rest) => clock_micros(rest).map(|micros| -micros),
        None => clock_micros(text),
    }
}

/// Microseconds of a binary TIME: empty, or sign, days (4 bytes), hour, minute, second, and maybe
/// microseconds (4 bytes).
pub(crate) fn time_micros_binary(value: &[u8]) -> Option<i64> {
    if value.is_empty() {
        return Some(0);
    }
    let (head, clock) = value.split_at_checked(5)?;
    let days = i64::from(u32::from_le_bytes([head[1], head[2], head[3], head[4]]));
    let micros = days * 86_400_000_000 + clock_micros_binary(clock)?;
    Some(if head[0] == 0 { micros } else { -micros })
}

/// Zero months and days are values in MySQL, so no calendar is asked.
fn pack_date(year: i64, month: i64, day: i64, micros: i64) -> i64 {
    ((year * 16 + month) * 32 + day) * 86_400_000_000 + micros
}

/// `hours:minutes:seconds[.fraction]` in microseconds.
fn clock_micros(text: &[u8]) -> Option<i64> {
    let (clock, fraction) = match text.iter().position(|&byte| byte == b'.') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &text[..0]),
    };
    let mut parts = clock.split(|&byte| byte == b':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() || fraction.len() > 6 {
        return None;
    }
    let seconds = number(hours)? * 3600 + number(minutes)? * 60 + number(seconds)?;
    let micros = if fraction.is_empty() {
        0
    } else {
        number(fraction)? * 10i64.pow(6 - fraction.len() as u32)
    };
    Some(seconds * 1_000_000 + micros)
}

fn clock_micros_binary(clock: &[u8]) -> Option<i64> {
    let (&[hours, minutes, seconds], fraction) = clock.split_first_chunk::<3>()?;
    let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60 + i64::from(seconds);
    let micros = match fraction {
        [] => 0,
        &[a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => return None,
    };
    Some(seconds * 1_000_000 + i64::from(micros))
}

/// A number of at most six digits, so that no sum of this file overflows.
fn number(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || digits.len() > 6 {
        return None;
    }
    digits.iter().try_fold(0, |value: i64, byte| {
        byte.is_ascii_digit().then(|| value * 10 + i64::from(byte - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each row: what it shows, text, binary; both forms are the same moment.
    #[test]
    fn text_and_binary_dates_agree() {
        let cases: [(&str, &str, &[u8]); 5] = [
            ("zero", "0000-00-00 00:00:00", &[]),
            ("date", "2024-05-06", &[0xe8, 7, 5, 6]),
            ("midnight", "2024-05-06 00:00:00", &[0xe8, 7, 5, 6]),
            ("seconds", "2024-05-06 07:08:09", &[0xe8, 7, 5, 6, 7, 8, 9]),
            ("millis", "2024-05-06 07:08:09.123", &[0xe8, 7, 5, 6, 7, 8, 9, 0x78, 0xe0, 1, 0]),
        ];
        for (what, text, binary) in cases {
            let packed = pack_date_time_text(text.as_bytes());
            assert!(packed.is_some(), "{what}");
            assert_eq!(packed, pack_date_time_binary(binary), "{what}");
        }
    }

    #[test]
    fn text_and_binary_times_agree() {
        let cases: [(&str, &[u8], i64); 4] = [
            ("00:00:00", &[], 0),
            ("-00:00:01", &[1, 0, 0, 0, 0, 0, 0, 1], -1_000_000),
            ("26:00:00.5", &[0, 1, 0, 0, 0, 2, 0, 0, 0x20, 0xa1, 7, 0], 93_600_500_000),
            ("-838:59:59.000001", &[1, 34, 0, 0, 0, 22, 59, 59, 1, 0, 0, 0], -3_020_399_000_001),
        ];
        for (text, binary, micros) in cases {
            assert_eq!(time_micros_text(text.as_bytes()), Some(micros), "{text}");
            assert_eq!(time_micros_binary(binary), Some(micros), "{text}");
        }
    }

    #[test]
    fn dates_order_as_their_parts() {
        let ordered = [
            "0000-00-00",
            "0000-01-00",
            "1000-12-31 23:59:59.999999",
            "1001-00-00",
            "2024-05-06 07:08:09",
            "2024-05-06 07:08:09.000001",
            "2024-05-07",
            "9999-12-31",
        ];
        let packed: Vec<_> = ordered.map(|text| pack_date_time_text(text.as_bytes())).to_vec();
        assert!(packed.is_sorted_by(|a, b| a < b), "{packed:?}");
    }

    #[test]
    fn malformed_values_are_none() {
        for text in ["", "2024", "2024-05", "2024-05-06-07", "2024-x5-06", "2024-05-06 07:08"] {
            assert_eq!(pack_date_time_text(text.as_bytes()), None, "{text}");
        }
        assert_eq!(pack_date_time_binary(&[1, 2, 3]), None);
        assert_eq!(pack_date_time_binary(&[1, 2, 3, 4, 5]), None);
        assert_eq!(time_micros_binary(&[0, 0, 0, 0]), None);
        assert_eq!(time_micros_text(b"1:2:3.1234567"), None);
    }
}
