//! Parts of dates and times, and numbers of days.

use crate::expression::context::{Context, Flavour};
use crate::expression::datum::Datum;
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::moment::{Moment, SECOND_MICROS, day_number, days_in_month};
use crate::expression::node::{Node, refuse};
use crate::expression::types::{Kind, Type};

/// A part of a date, by the name of its function or unit.
type Part = fn(&Moment) -> Result<i64, EvalError>;

fn whole(moment: &Moment) -> Result<&Moment, EvalError> {
    match moment.is_whole() {
        true => Ok(moment),
        false => Err(EvalError::unsupported("a date with zeros")),
    }
}

/// 0 is Monday.
pub(super) fn weekday(moment: &Moment) -> i64 {
    (moment.day_number() + 5) % 7
}

pub(super) fn day_of_year(moment: &Moment) -> i64 {
    moment.day_number() - day_number(i64::from(moment.year), 1, 1) + 1
}

fn part_of_date(name: &str) -> Option<Part> {
    Some(match name {
        "YEAR" => |moment| Ok(i64::from(moment.year)),
        "MONTH" => |moment| Ok(i64::from(moment.month)),
        "DAY" | "DAYOFMONTH" => |moment| Ok(i64::from(moment.day)),
        "QUARTER" => |moment| Ok((i64::from(moment.month) + 2) / 3),
        "YEAR_MONTH" => |moment| Ok(i64::from(moment.year) * 100 + i64::from(moment.month)),
        "DAYOFWEEK" => |moment| Ok((weekday(whole(moment)?) + 1) % 7 + 1),
        "WEEKDAY" => |moment| Ok(weekday(whole(moment)?)),
        "DAYOFYEAR" => |moment| Ok(day_of_year(whole(moment)?)),
        _ => return None,
    })
}

/// A part of a time of day, from its microseconds without sign.
fn part_of_time(name: &str) -> Option<fn(i64) -> i64> {
    Some(match name {
        "HOUR" => |micros| micros / SECOND_MICROS / 3600,
        "MINUTE" => |micros| micros / SECOND_MICROS / 60 % 60,
        "SECOND" => |micros| micros / SECOND_MICROS % 60,
        "MICROSECOND" => |micros| micros % SECOND_MICROS,
        _ => return None,
    })
}

/// `YEAR(x)`, `EXTRACT(YEAR FROM x)` and the others.
pub(super) fn part(
    args: Vec<Node>,
    name: &str,
    is_function: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let kind = args[0].ty.kind;
    if let Some(part) = part_of_date(name) {
        if matches!(kind, Kind::Time | Kind::Integer | Kind::Decimal | Kind::Double) {
            return Err(refuse(format!("{name} of such a value")));
        }
        let is_unsigned = name == "YEAR" && is_function && context.flavour == Flavour::MySql;
        let ty = Type { is_unsigned, ..Type::COUNT };
        return Ok(Node::call(ty, args, move |frame, nodes| {
            Ok(match nodes[0].moment(frame)? {
                Some(moment) => Datum::integer(i128::from(part(&moment)?), is_unsigned)?,
                None => Datum::Null,
            })
        }));
    }
    let Some(part) = part_of_time(name) else { return Err(refuse(name.to_owned())) };
    if !matches!(kind, Kind::Time | Kind::DateTime | Kind::Text | Kind::Null) {
        return Err(refuse(format!("{name} of such a value")));
    }
    Ok(Node::call(Type::COUNT, args, move |frame, nodes| {
        let micros = match nodes[0].evaluate(frame)? {
            Datum::Null => return Ok(Datum::Null),
            Datum::Time(micros) => micros,
            Datum::Moment(moment) => moment.micros,
            Datum::Text(text) => match (Moment::parse(&text), nodes[0].time(frame)) {
                (Some(moment), _) if text.len() > 10 => moment.micros,
                (None, Ok(Some(micros))) => micros,
                _ => return Err(EvalError::unsupported("a time in an unusual form")),
            },
            _ => return Err(EvalError::unsupported("this value as a time")),
        };
        if micros < 0 {
            return Err(EvalError::unsupported("a part of a negative time"));
        }
        Ok(Datum::Int(part(micros)))
    }))
}

/// `LAST_DAY`.
pub(super) fn last_day(args: Vec<Node>) -> Result<Node, Unsupported> {
    Ok(Node::call(Type::DATE, args, |frame, nodes| {
        let Some(moment) = nodes[0].moment(frame)? else { return Ok(Datum::Null) };
        let moment = whole(&moment)?;
        let day = days_in_month(i64::from(moment.year), i64::from(moment.month)) as u8;
        Ok(Datum::Moment(Moment { day, micros: 0, ..*moment }))
    }))
}

/// `TO_DAYS`.
pub(super) fn to_days(args: Vec<Node>) -> Result<Node, Unsupported> {
    Ok(Node::call(Type::COUNT, args, |frame, nodes| {
        let Some(moment) = nodes[0].moment(frame)? else { return Ok(Datum::Null) };
        Ok(Datum::Int(whole(&moment)?.day_number()))
    }))
}

/// `FROM_DAYS`.
pub(super) fn from_days(args: Vec<Node>) -> Result<Node, Unsupported> {
    if args[0].ty.kind != Kind::Integer {
        return Err(refuse("FROM_DAYS of such a value"));
    }
    Ok(Node::call(Type::DATE, args, |frame, nodes| {
        let Some(number) = nodes[0].integer(frame)? else { return Ok(Datum::Null) };
        let date = i64::try_from(number).ok().and_then(Moment::from_day_number);
        date.map(Datum::Moment).ok_or_else(|| EvalError::unsupported("a day out of the calendar"))
    }))
}

/// `DATEDIFF`.
pub(super) fn difference(args: Vec<Node>) -> Result<Node, Unsupported> {
    Ok(Node::call(Type::COUNT, args, |frame, nodes| {
        let Some(left) = nodes[0].moment(frame)? else { return Ok(Datum::Null) };
        let Some(right) = nodes[1].moment(frame)? else { return Ok(Datum::Null) };
        Ok(Datum::Int(whole(&left)?.day_number() - whole(&right)?.day_number()))
    }))
}

/// `TIME_TO_SEC`.
pub(super) fn time_to_seconds(args: Vec<Node>) -> Result<Node, Unsupported> {
    if !matches!(args[0].ty.kind, Kind::Time | Kind::DateTime) || args[0].ty.decimals > 0 {
        return Err(refuse("TIME_TO_SEC of such a value"));
    }
    Ok(Node::call(Type::COUNT, args, |frame, nodes| {
        let micros = nodes[0].time(frame)?;
        Ok(micros.map_or(Datum::Null, |micros| Datum::Int(micros / SECOND_MICROS)))
    }))
}
