//! DATE_FORMAT, and the names of days and months, in English.

use std::fmt::Write as _;

use super::date_part::{day_of_year, weekday};
use super::own_text;
use crate::expression::context::Context;
use crate::expression::datum::Datum;
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::moment::{Moment, SECOND_MICROS};
use crate::expression::node::Node;
use crate::expression::types::{Coercibility, Collation, Type};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// `DATE_FORMAT(date, format)`.
pub(super) fn compile(args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    Ok(Node::call(own_text(context), args, |frame, nodes| {
        let Some(moment) = nodes[0].moment(frame)? else { return Ok(Datum::Null) };
        let Some(format) = nodes[1].text(frame)? else { return Ok(Datum::Null) };
        if format.is_empty() {
            return Ok(Datum::Null);
        }
        written(&moment, &format)
    }))
}

/// `DAYNAME`, `MONTHNAME`: one specifier.
pub(super) fn name_of(
    args: Vec<Node>,
    format: &'static [u8],
    context: &Context,
) -> Result<Node, Unsupported> {
    let ty = Type::text(Collation {
        name: context.collation.clone(),
        coercibility: Coercibility::Coercible,
    });
    Ok(Node::call(ty, args, move |frame, nodes| match nodes[0].moment(frame)? {
        Some(moment) => written(&moment, format),
        None => Ok(Datum::Null),
    }))
}

fn written(moment: &Moment, format: &[u8]) -> Result<Datum, EvalError> {
    if !moment.is_whole() {
        return Err(EvalError::unsupported("a date with zeros"));
    }
    let format = std::str::from_utf8(format)
        .map_err(|_| EvalError::unsupported("a format that is not in its character set"))?;
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match (letter, letters.as_str().chars().next()) {
            ('%', Some(specifier)) => {
                letters.next();
                specified(moment, specifier, &mut text)?;
            }
            (letter, _) => text.push(letter),
        }
    }
    Ok(Datum::Text(text.into_bytes()))
}

/// # Source
/// MySQL 8.4 manual, `DATE_FORMAT()`.
fn specified(moment: &Moment, specifier: char, text: &mut String) -> Result<(), EvalError> {
    let seconds = moment.micros / SECOND_MICROS;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let hour_12 = (hour + 11) % 12 + 1;
    let half = if hour < 12 { "AM" } else { "PM" };
    let month = MONTHS[usize::from(moment.month.clamp(1, 12)) - 1];
    let day = DAYS[weekday(moment) as usize % 7];
    let (year, month_number, day_number) = (moment.year, moment.month, moment.day);
    let written = match specifier {
        'Y' => write!(text, "{year:04}"),
        'y' => write!(text, "{:02}", year % 100),
        'm' => write!(text, "{month_number:02}"),
        'c' => write!(text, "{month_number}"),
        'M' => write!(text, "{month}"),
        'b' => write!(text, "{}", &month[..3]),
        'd' => write!(text, "{day_number:02}"),
        'e' => write!(text, "{day_number}"),
        'D' => write!(text, "{day_number}{}", ordinal(day_number)),
        'j' => write!(text, "{:03}", day_of_year(moment)),
        'W' => write!(text, "{day}"),
        'a' => write!(text, "{}", &day[..3]),
        'w' => write!(text, "{}", (weekday(moment) + 1) % 7),
        'H' => write!(text, "{hour:02}"),
        'k' => write!(text, "{hour}"),
        'h' | 'I' => write!(text, "{hour_12:02}"),
        'l' => write!(text, "{hour_12}"),
        'i' => write!(text, "{minute:02}"),
        's' | 'S' => write!(text, "{second:02}"),
        'f' => write!(text, "{:06}", moment.micros % SECOND_MICROS),
        'p' => write!(text, "{half}"),
        'T' => write!(text, "{hour:02}:{minute:02}:{second:02}"),
        'r' => write!(text, "{hour_12:02}:{minute:02}:{second:02} {half}"),
        '%' => write!(text, "%"),
        _ => return Err(EvalError::unsupported(format!("%{specifier} of DATE_FORMAT"))),
    };
    written.map_err(|_| EvalError::unsupported("this format"))
}

fn ordinal(day: u8) -> &'static str {
    match day {
        11..=13 => "th",
        day if day % 10 == 1 => "st",
        day if day % 10 == 2 => "nd",
        day if day % 10 == 3 => "rd",
        _ => "th",
    }
}
