//! Patterns of Java's `DateTimeFormatter`, as far as sharding uses them: `yyyy MM dd HH mm ss SSS QQ`
//! and text between them.
//!
//! Source: Java SE, `java.time.format.DateTimeFormatter`, "Patterns for Formatting and Parsing".

use std::fmt::Write as _;

use crate::column::{Civil, DAY, SECOND, civil_micros};

/// The pattern of moments in properties.
pub(super) const DATE_TIME: &str = "yyyy-MM-dd HH:mm:ss";

/// A pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    text: String,
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A field with how many letters it has.
    Field(Field, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Year,
    Quarter,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Fraction,
}

/// What a pattern distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resolution {
    Year,
    Month,
    Day,
    /// Microseconds.
    Time(i64),
}

impl Pattern {
    /// [`DATE_TIME`].
    pub(super) fn date_time() -> Self {
        Self::parse_pattern(DATE_TIME).expect("the pattern is one of this file's own")
    }

    /// Reads a pattern.
    ///
    /// # Errors
    /// Letters that are not known here.
    pub(super) fn parse_pattern(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if letter == '\'' {
                let end = rest[1..].find('\'').ok_or("a quote of the pattern is not closed")?;
                let quoted = &rest[1..=end];
                parts.push(Part::Text(if quoted.is_empty() { "'" } else { quoted }.to_owned()));
                rest = &rest[end + 2..];
                continue;
            }
            let count = rest.chars().take_while(|other| *other == letter).count();
            let length = count * letter.len_utf8();
            parts.push(match letter {
                letter if letter.is_ascii_alphabetic() => Part::Field(field(letter, count)?, count),
                '[' | ']' | '{' | '}' | '#' => {
                    return Err(format!("`{letter}` is not supported in a pattern"));
                }
                _ => Part::Text(rest[..length].to_owned()),
            });
            rest = &rest[length..];
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// What the fields distinguish; `None` where they are no prefix of year, month, day and time.
    pub(super) fn resolution(&self) -> Option<Resolution> {
        let has = |field| {
            self.parts.iter().any(|part| matches!(part, Part::Field(of, _) if *of == field))
        };
        if !has(Field::Year) {
            return None;
        }
        let digits = self.parts.iter().find_map(|part| match part {
            Part::Field(Field::Fraction, digits) => Some(*digits as u32),
            _ => None,
        });
        let levels =
            [Field::Month, Field::Day, Field::Hour, Field::Minute, Field::Second, Field::Fraction];
        let depth = levels.iter().take_while(|field| has(**field)).count();
        if levels[depth..].iter().any(|field| has(*field)) {
            return None;
        }
        Some(match depth {
            0 => Resolution::Year,
            1 => Resolution::Month,
            2 => Resolution::Day,
            3 => Resolution::Time(3600 * SECOND),
            4 => Resolution::Time(60 * SECOND),
            5 => Resolution::Time(SECOND),
            _ => Resolution::Time(10_i64.pow(6 - digits.unwrap_or(6).min(6))),
        })
    }

    /// The text of a moment.
    pub(super) fn format(&self, micros: i64) -> String {
        let civil = Civil::new(micros);
        let mut text = String::with_capacity(self.text.len());
        for part in &self.parts {
            let (field, width) = match part {
                Part::Text(literal) => {
                    text.push_str(literal);
                    continue;
                }
                Part::Field(field, width) => (*field, *width),
            };
            let value = match field {
                Field::Year if width == 2 => civil.year.rem_euclid(100),
                Field::Year => civil.year,
                Field::Quarter => (civil.month + 2) / 3,
                Field::Month => civil.month,
                Field::Day => civil.day,
                Field::Hour => civil.hour(),
                Field::Minute => civil.minute(),
                Field::Second => civil.second(),
                Field::Fraction => civil.micros % SECOND / 10_i64.pow(6 - width.min(6) as u32),
            };
            if field == Field::Quarter && width == 3 {
                text.push('Q');
            }
            let width = if field == Field::Quarter && width == 3 { 1 } else { width };
            // Writing to a String does not fail.
            let _ = write!(text, "{value:0width$}");
        }
        text
    }

    /// How long all texts of the pattern are, where they are equally long.
    pub(super) fn length(&self) -> Option<usize> {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Text(literal) => Some(literal.len()),
                Part::Field(Field::Quarter, 3) => Some(2),
                Part::Field(Field::Quarter, width) => Some(*width),
                Part::Field(Field::Fraction, width) => Some(*width),
                Part::Field(_, 1) => None,
                Part::Field(_, width) => Some(*width),
            })
            .sum()
    }

    /// The moment that a text of exactly this pattern means; fields it does not have are the least.
    pub(super) fn parse(&self, text: &str) -> Option<i64> {
        let mut rest = text;
        let (mut year, mut month, mut day, mut micros) = (None, 1, 1, 0);
        for part in &self.parts {
            let (field, width) = match part {
                Part::Text(literal) => {
                    rest = rest.strip_prefix(literal.as_str())?;
                    continue;
                }
                Part::Field(field, width) => (*field, *width),
            };
            let available = rest.bytes().take_while(u8::is_ascii_digit).count();
            let length =
                if width == 1 && field != Field::Fraction { available.min(2) } else { width };
            if length == 0 || available < length {
                return None;
            }
            let value: i64 = rest[..length].parse().ok()?;
            rest = &rest[length..];
            let clock = |limit: i64, unit: i64| (value < limit).then_some(value * unit);
            match field {
                Field::Year if width == 2 => year = Some(2000 + value),
                Field::Year => year = Some(value),
                Field::Month => month = value,
                Field::Day => day = value,
                Field::Hour => micros += clock(24, 3600 * SECOND)?,
                Field::Minute => micros += clock(60, 60 * SECOND)?,
                Field::Second => micros += clock(60, SECOND)?,
                Field::Fraction => micros += value * 10_i64.pow(6 - width.min(6) as u32),
                Field::Quarter => return None,
            }
        }
        // A field that a pattern has twice can lead beyond the day.
        if !rest.is_empty() || micros >= DAY {
            return None;
        }
        civil_micros(year?, month, day).map(|date| date + micros)
    }

    /// As the reference reads a text: what is longer than the pattern is cut, for a shorter one the
    /// pattern is.
    pub(super) fn parse_cut(&self, text: &[u8]) -> Option<i64> {
        let text = std::str::from_utf8(text).ok().filter(|text| text.is_ascii())?;
        match text.get(..self.text.len()) {
            Some(cut) => self.parse(cut),
            None => Self::parse_pattern(self.text.get(..text.len())?).ok()?.parse(text),
        }
    }
}

fn field(letter: char, count: usize) -> Result<Field, String> {
    let (field, allowed): (_, &[usize]) = match letter {
        'y' | 'u' => (Field::Year, &[2, 4]),
        'Q' | 'q' => (Field::Quarter, &[1, 2, 3]),
        'M' | 'L' => (Field::Month, &[1, 2]),
        'd' => (Field::Day, &[1, 2]),
        'H' => (Field::Hour, &[1, 2]),
        'm' => (Field::Minute, &[1, 2]),
        's' => (Field::Second, &[1, 2]),
        'S' => (Field::Fraction, &[1, 2, 3, 4, 5, 6]),
        _ => {
            return Err(format!(
                "`{letter}` is not supported in a pattern; known are yyyy, QQ, MM, dd, HH, mm, ss, \
                 SSS"
            ));
        }
    };
    if allowed.contains(&count) {
        Ok(field)
    } else {
        Err(format!("{count} times `{letter}` is not supported in a pattern"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::parse_moment;

    fn moment(text: &str) -> i64 {
        parse_moment(text.as_bytes()).unwrap()
    }

    #[test]
    fn formats() {
        let at = moment("2024-05-06 07:08:09.123456");
        for (pattern, text) in [
            ("yyyy-MM-dd HH:mm:ss.SSS", "2024-05-06 07:08:09.123"),
            ("yyyyMMdd", "20240506"),
            ("_yyyyQQ", "_202402"),
            ("yyyyQQQ", "2024Q2"),
            ("yy.M.d H-m-s", "24.5.6 7-8-9"),
            ("yyyy'T'MM", "2024T05"),
            ("uuuu''MM", "2024'05"),
            ("SSSSSS", "123456"),
            ("", ""),
        ] {
            let parsed = Pattern::parse_pattern(pattern).unwrap();
            assert_eq!(parsed.format(at), text, "{pattern}");
            assert!(parsed.length().is_none_or(|length| length == text.len()), "{pattern}");
        }
    }

    #[test]
    fn parses() {
        for (pattern, text, expected) in [
            ("yyyy-MM-dd HH:mm:ss", "2024-05-06 07:08:09", Some("2024-05-06 07:08:09")),
            ("yyyy-MM-dd HH:mm:ss", "2024-05-06 07:08:09.5", Some("2024-05-06 07:08:09")),
            ("yyyy-MM-dd HH:mm:ss", "2024-05-06", Some("2024-05-06")),
            ("yyyy-MM-dd HH:mm:ss.SSS", "2024-05-06 07:08:09", Some("2024-05-06 07:08:09")),
            ("yyyy-MM-dd HH:mm:ss.SSS", "2024-05-06 07:08:09.25", Some("2024-05-06 07:08:09.25")),
            ("yyyyMMdd", "20240506", Some("2024-05-06")),
            ("yyyyMM", "20240506", Some("2024-05-01")),
            ("yyyy", "2024-05", Some("2024-01-01")),
            ("yyyy/M/d", "2024/5/6", Some("2024-05-06")),
            ("yyyy-MM-dd", "2024-5-6", None),
            ("yyyy-MM-dd", "2024-02-30", None),
            ("yyyy-MM-dd HH", "2024-05-06 24", None),
            ("yyyy-MM-dd", "2024-05-é6", None),
            ("yyyyQQ", "202402", None),
        ] {
            let parsed = Pattern::parse_pattern(pattern).unwrap().parse_cut(text.as_bytes());
            assert_eq!(parsed, expected.map(moment), "{pattern} {text}");
        }
    }

    #[test]
    fn resolutions() {
        for (pattern, resolution) in [
            ("yyyy", Some(Resolution::Year)),
            ("yyyyMM", Some(Resolution::Month)),
            ("dd.MM.yyyy", Some(Resolution::Day)),
            ("yyyy-MM-dd HH", Some(Resolution::Time(3600 * SECOND))),
            (DATE_TIME, Some(Resolution::Time(SECOND))),
            ("yyyy-MM-dd HH:mm:ss.SSS", Some(Resolution::Time(1000))),
            ("MM-dd", None),
            ("yyyy-dd", None),
            ("HH:mm", None),
        ] {
            assert_eq!(
                Pattern::parse_pattern(pattern).unwrap().resolution(),
                resolution,
                "{pattern}"
            );
        }
    }

    #[test]
    fn unknown_letters_are_refused() {
        for pattern in ["yyyy-ww", "yyy", "MMM", "dd'", "EEE", "[yyyy]", "SSSSSSSSS"] {
            assert!(Pattern::parse_pattern(pattern).is_err(), "{pattern}");
        }
    }
}
