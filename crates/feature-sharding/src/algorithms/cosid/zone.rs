//! Time zones with one offset.

use crate::column::SECOND;

/// Microseconds from UTC, for `UTC`, `+08:00`, `GMT+8` and the like. Zones whose offset changes are
/// not known here, but for China's, which has kept its own since 1991.
pub(super) fn offset(zone: &str) -> Option<i64> {
    if ["Asia/Shanghai", "Asia/Chongqing", "Asia/Harbin", "PRC"].contains(&zone) {
        return Some(8 * 3600 * SECOND);
    }
    if zone == "Z" {
        return Some(0);
    }
    let rest = ["UTC", "GMT", "UT"].iter().find_map(|name| zone.strip_prefix(name)).unwrap_or(zone);
    if rest.is_empty() {
        return (!zone.is_empty()).then_some(0);
    }
    let (sign, digits) = match rest.as_bytes().first()? {
        b'+' => (1, &rest[1..]),
        b'-' => (-1, &rest[1..]),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 && digits.is_ascii() => digits.split_at(2),
        None => (digits, "0"),
    };
    let number = |text: &str| text.parse::<u8>().ok().map(i64::from);
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    (hours <= 18 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60) * SECOND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets() {
        for (zone, minutes) in [
            ("UTC", Some(0)),
            ("Z", Some(0)),
            ("GMT+8", Some(480)),
            ("+08:00", Some(480)),
            ("-0330", Some(-210)),
            ("UTC+05:30", Some(330)),
            ("Asia/Shanghai", Some(480)),
            ("Europe/Berlin", None),
            ("+99:00", None),
            ("", None),
            ("8", None),
        ] {
            assert_eq!(offset(zone), minutes.map(|minutes| minutes * 60 * SECOND), "{zone}");
        }
    }
}
