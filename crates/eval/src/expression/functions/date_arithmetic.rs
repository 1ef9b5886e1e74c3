//! Intervals added to dates, and differences in units.

use super::own_text;
use crate::expression::context::Context;
use crate::expression::datum::{Datum, Evaluated};
use crate::expression::error::{EvalError, Unsupported};
use crate::expression::moment::{
    DAY_MICROS, MAX_TIME_MICROS, Moment, SECOND_MICROS, days_in_month,
};
use crate::expression::node::{Frame, Node, refuse};
use crate::expression::types::{Kind, Type};

/// What one of a unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Months(i64),
    Micros(i64),
}

fn step_of(unit: &str) -> Option<Step> {
    Some(match unit {
        "MICROSECOND" => Step::Micros(1),
        "SECOND" => Step::Micros(SECOND_MICROS),
        "MINUTE" => Step::Micros(60 * SECOND_MICROS),
        "HOUR" => Step::Micros(3600 * SECOND_MICROS),
        "DAY" => Step::Micros(DAY_MICROS),
        "WEEK" => Step::Micros(7 * DAY_MICROS),
        "MONTH" => Step::Months(1),
        "QUARTER" => Step::Months(3),
        "YEAR" => Step::Months(12),
        _ => return None,
    })
}

/// `operands[0] ± INTERVAL operands[1] unit`.
pub(crate) fn add(
    operands: Vec<Node>,
    unit: &str,
    is_subtracted: bool,
    context: &Context,
) -> Result<Node, Unsupported> {
    let Some(step) = step_of(unit) else { return Err(refuse(format!("INTERVAL .. {unit}"))) };
    if !matches!(operands[1].ty.kind, Kind::Integer | Kind::Null) {
        return Err(refuse("an interval that is no integer"));
    }
    let is_whole_days = !matches!(step, Step::Micros(micros) if micros < DAY_MICROS);
    let decimals = match unit {
        "MICROSECOND" => 6,
        _ => operands[0].ty.decimals,
    };
    let ty = match operands[0].ty.kind {
        Kind::Date if is_whole_days => Type::DATE,
        Kind::Date => Type::date_time(if unit == "MICROSECOND" { 6 } else { 0 }),
        Kind::DateTime => Type::date_time(decimals),
        Kind::Time if !is_whole_days => Type::time(decimals),
        Kind::Text if operands[0].literal().is_some() && unit != "MICROSECOND" => own_text(context),
        _ => return Err(refuse("an interval added to such a value")),
    };
    Ok(Node::call(ty, operands, move |frame, nodes| {
        let Some(count) = nodes[1].integer(frame)? else { return Ok(Datum::Null) };
        let count = i64::try_from(if is_subtracted { -count } else { count })
            .map_err(|_| EvalError::unsupported("so long an interval"))?;
        match nodes[0].evaluate(frame)? {
            Datum::Null => Ok(Datum::Null),
            Datum::Moment(moment) => moved(frame, &moment, step, count),
            Datum::Text(text) => {
                let moment = Moment::parse(&text)
                    .ok_or_else(|| EvalError::unsupported("a date in an unusual form"))?;
                Ok(match moved(frame, &moment, step, count)? {
                    Datum::Moment(moment) => written(&moment, is_whole_days && text.len() == 10),
                    datum => datum,
                })
            }
            Datum::Time(micros) => {
                let Step::Micros(unit) = step else {
                    return Err(EvalError::unsupported("months added to a time"));
                };
                let sum = unit.checked_mul(count).and_then(|added| micros.checked_add(added));
                match sum.filter(|sum| sum.abs() <= MAX_TIME_MICROS) {
                    Some(sum) => Ok(Datum::Time(sum)),
                    None => Err(EvalError::unsupported("a time beyond its range")),
                }
            }
            _ => Err(EvalError::unsupported("an interval added to such a value")),
        }
    }))
}

/// The sum with a string as its text: with a time where one of both has one.
fn written(moment: &Moment, is_date: bool) -> Datum {
    let mut text = Vec::new();
    match is_date {
        true => moment.write_date(&mut text),
        false => {
            let decimals = if moment.micros % SECOND_MICROS == 0 { 0 } else { 6 };
            moment.write(decimals, &mut text);
        }
    }
    Datum::Text(text)
}

/// NULL with a warning where it leaves the calendar.
fn moved(frame: &Frame<'_>, moment: &Moment, step: Step, count: i64) -> Evaluated {
    if !moment.is_whole() || moment.year == 0 {
        return Err(EvalError::unsupported("a date with zeros"));
    }
    let target = match step {
        Step::Months(months) => {
            months.checked_mul(count).and_then(|added| by_months(moment, added))
        }
        Step::Micros(unit) => unit
            .checked_mul(count)
            .and_then(|added| moment.total_micros().checked_add(added))
            .and_then(Moment::from_total_micros),
    };
    match target {
        Some(target) if target.year > 0 => Ok(Datum::Moment(target)),
        _ if count < 0 => Err(EvalError::unsupported("a date before the year 1")),
        _ => {
            frame.warn();
            Ok(Datum::Null)
        }
    }
}

/// The same day of another month, or its last one.
fn by_months(moment: &Moment, months: i64) -> Option<Moment> {
    let total = (i64::from(moment.year) * 12 + i64::from(moment.month) - 1).checked_add(months)?;
    let (year, month) = (total.div_euclid(12), total.rem_euclid(12) + 1);
    if !(0..=9999).contains(&year) {
        return None;
    }
    let day = moment.day.min(days_in_month(year, month) as u8);
    Some(Moment { year: year as u16, month: month as u8, day, ..*moment })
}

/// `TIMESTAMPDIFF(unit, from, to)`: whole units between them.
pub(super) fn difference(operands: Vec<Node>, unit: &str) -> Result<Node, Unsupported> {
    let Some(step) = step_of(unit) else { return Err(refuse(format!("TIMESTAMPDIFF in {unit}"))) };
    Ok(Node::call(Type::INTEGER, operands, move |frame, nodes| {
        let Some(from) = nodes[0].moment(frame)? else { return Ok(Datum::Null) };
        let Some(to) = nodes[1].moment(frame)? else { return Ok(Datum::Null) };
        if !from.is_whole() || !to.is_whole() {
            return Err(EvalError::unsupported("a date with zeros"));
        }
        Ok(Datum::Int(match step {
            Step::Micros(unit) => (to.total_micros() - from.total_micros()) / unit,
            Step::Months(months) => whole_months(&from, &to) / months,
        }))
    }))
}

fn whole_months(from: &Moment, to: &Moment) -> i64 {
    if to < from {
        return -whole_months(to, from);
    }
    let months = |moment: &Moment| i64::from(moment.year) * 12 + i64::from(moment.month);
    let is_short = (to.day, to.micros) < (from.day, from.micros);
    months(to) - months(from) - i64::from(is_short)
}
