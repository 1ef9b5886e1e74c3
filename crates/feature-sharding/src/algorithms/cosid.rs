//! `COSID_MOD`, `COSID_INTERVAL` and `COSID_INTERVAL_SNOWFLAKE`: a fixed prefix and a remainder or a
//! span of time name the target.
//!
//! Source: inventory 2.2.

mod named;
#[cfg(test)]
mod tests;
mod zone;

use kernel::error::StatementError;

use super::interval::pattern_of;
use super::pattern::{DATE_TIME, Pattern};
use super::target::cannot_place;
use super::timeline::{Step, Timeline};
use super::{KeyRange, Known, Properties, TargetAlgorithm, Targets, invalid, required};
use crate::column::{Civil, DAY, Key, SECOND};
use crate::node_set::NodeSet;
use named::Named;

/// More windows than this are not walked through; all targets are asked.
const WALKED_WINDOWS_MAX: i64 = 10_000;
/// 2016-11-01 in China, in milliseconds since 1970-01-01.
const SNOWFLAKE_EPOCH: &str = "1477929600000";
/// Bits of the machine and the sequence in a snowflake number.
const SNOWFLAKE_LOW_BITS: u32 = 22;

/// `COSID_MOD`.
pub(super) fn build_modulo(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let type_name = "COSID_MOD";
    let text = required(type_name, properties, "mod")?;
    let divisor = text
        .parse::<i64>()
        .ok()
        .filter(|divisor| (1..=i64::from(super::MAX_SHARDING_COUNT)).contains(divisor));
    let divisor = divisor.ok_or_else(|| {
        invalid(
            type_name,
            format!("'mod' must be 1 to {}, not '{text}'", super::MAX_SHARDING_COUNT),
        )
    })?;
    let prefix = required(type_name, properties, "logic-name-prefix")?;
    let names = (0..divisor).map(|rest| format!("{prefix}{rest}"));
    Ok(Box::new(Remainders {
        named: Named::new(names, targets.names),
        divisor,
        shape: format!("{type_name} {divisor}"),
    }))
}

#[derive(Debug)]
struct Remainders {
    named: Named,
    divisor: i64,
    shape: String,
}

impl Remainders {
    /// The low 64 bits decide, as in Java's `longValue`.
    fn rest(&self, value: i128) -> i64 {
        (value as i64).rem_euclid(self.divisor)
    }

    fn rest_of(&self, key: &Key<'_>) -> Option<i64> {
        match key {
            Key::Integer { value, .. } => Some(self.rest(*value)),
            Key::Decimal { unscaled, scale } => Some(self.rest(unscaled / 10_i128.pow(*scale))),
            Key::Text(_) | Key::Moment { .. } => None,
        }
    }
}

impl TargetAlgorithm for Remainders {
    fn place(&self, keys: &[Key<'_>]) -> Result<Option<u32>, StatementError> {
        let rest = keys.first().and_then(|key| self.rest_of(key));
        let rest = rest.ok_or_else(|| cannot_place("COSID_MOD", "it places only numbers"))?;
        self.named.require(rest).map(Some)
    }

    fn find(&self, known: &[Known<'_>], targets: &mut NodeSet) -> Result<(), StatementError> {
        match known.first() {
            Some(Known::Key(key)) => match self.rest_of(key) {
                Some(rest) => targets.insert(self.named.require(rest)?),
                None => targets.fill(),
            },
            Some(Known::Range(
                KeyRange::Integers { lower, upper } | KeyRange::Numbers { lower, upper },
            )) => match upper.checked_sub(*lower) {
                Some(width) if width < i128::from(self.divisor) - 1 => {
                    for step in 0..=width {
                        if let Some(target) = self.named.target(self.rest(lower + step)) {
                            targets.insert(target);
                        }
                    }
                }
                _ => targets.fill(),
            },
            _ => targets.fill(),
        }
        Ok(())
    }

    fn find_only(&self, keys: &[Key<'_>]) -> Option<u32> {
        self.named.target(self.rest_of(keys.first()?)?)
    }

    fn shape(&self) -> String {
        self.shape.clone()
    }
}

/// How a value becomes a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Reading {
    /// A date, a text of this pattern, or a number of units of so many microseconds.
    Moment { pattern: Pattern, unit: i64 },
    /// The bits of a snowflake number over this epoch, milliseconds.
    Snowflake { epoch: i64 },
}

/// `COSID_INTERVAL`.
pub(super) fn build_interval(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let pattern = match properties.contains_key("datetime-pattern") {
        true => pattern_of("COSID_INTERVAL", properties, "datetime-pattern")?,
        false => Pattern::date_time(),
    };
    let is_seconds =
        properties.get("ts-unit").is_some_and(|unit| unit.eq_ignore_ascii_case("SECOND"));
    let unit = if is_seconds { SECOND } else { 1000 };
    Spans::checked("COSID_INTERVAL", Reading::Moment { pattern, unit }, properties, targets)
}

/// `COSID_INTERVAL_SNOWFLAKE`.
pub(super) fn build_snowflake(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let type_name = "COSID_INTERVAL_SNOWFLAKE";
    let text = properties.get("epoch").map_or(SNOWFLAKE_EPOCH, |text| text.trim());
    let epoch = text.parse().ok().filter(|epoch| (0..=MILLIS_MAX).contains(epoch));
    let epoch = epoch.ok_or_else(|| {
        invalid(type_name, format!("'epoch' must be milliseconds since 1970, not '{text}'"))
    })?;
    Spans::checked(type_name, Reading::Snowflake { epoch }, properties, targets)
}

/// Milliseconds to the year 9999, about.
const MILLIS_MAX: i64 = 253_402_300_799_999;

#[derive(Debug)]
struct Spans {
    type_name: &'static str,
    reading: Reading,
    /// Microseconds from UTC to the zone in which numbers are read; `None` where it is not known.
    zone: Option<i64>,
    /// What is placed at all, both inside.
    limits: (i64, i64),
    timeline: Timeline,
    named: Named,
    shape: String,
}

impl Spans {
    fn checked(
        type_name: &'static str,
        reading: Reading,
        properties: &Properties,
        targets: &Targets<'_>,
    ) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
        let moment = |name: &str| {
            let text = required(type_name, properties, name)?;
            Pattern::date_time().parse(text).ok_or_else(|| {
                invalid(type_name, format!("'{name}' must have the form {DATE_TIME}, not '{text}'"))
            })
        };
        let limits = (moment("datetime-lower")?, moment("datetime-upper")?);
        let zone = zone::offset(properties.get("zone-id").map_or("", |text| text.trim()));
        if zone.is_none() && matches!(reading, Reading::Snowflake { .. }) {
            return Err(invalid(
                type_name,
                "'zone-id' must be a fixed offset such as +08:00 or UTC, or Asia/Shanghai"
                    .to_owned(),
            ));
        }
        let (step, unit) = step_of(type_name, properties)?;
        let timeline = Timeline { start: cut(limits.0, &unit), end: cut(limits.1, &unit), step };
        let suffix = pattern_of(type_name, properties, "sharding-suffix-pattern")?;
        let prefix = required(type_name, properties, "logic-name-prefix")?;
        let last = timeline.last().filter(|last| *last < i64::from(super::MAX_SHARDING_COUNT));
        let last = last.ok_or_else(|| {
            invalid(
                type_name,
                format!(
                    "'datetime-lower' to 'datetime-upper' must be 1 to {} spans",
                    super::MAX_SHARDING_COUNT
                ),
            )
        })?;
        let name = |number| format!("{prefix}{}", suffix.format(timeline.begin(number)));
        let mut shape = properties.clone();
        shape.remove("logic-name-prefix");
        Ok(Box::new(Self {
            type_name,
            reading,
            zone,
            limits,
            timeline,
            named: Named::new((0..=last).map(name), targets.names),
            shape: format!("{type_name} {shape:?}"),
        }))
    }

    /// The moment of a value, with what it depends on known.
    fn moment(&self, key: &Key<'_>) -> Option<i64> {
        match (&self.reading, key) {
            (Reading::Moment { .. }, Key::Moment { micros, .. }) => Some(*micros),
            (Reading::Moment { pattern, .. }, Key::Text(text)) => {
                pattern.parse(std::str::from_utf8(text).ok()?)
            }
            (_, Key::Integer { value, .. }) => self.moment_of(i64::try_from(*value).ok()?),
            _ => None,
        }
    }

    fn moment_of(&self, value: i64) -> Option<i64> {
        match self.reading {
            Reading::Moment { unit, .. } => value.checked_mul(unit)?.checked_add(self.zone?),
            Reading::Snowflake { epoch } if value >= 0 => {
                ((value >> SNOWFLAKE_LOW_BITS) + epoch).checked_mul(1000)?.checked_add(self.zone?)
            }
            Reading::Snowflake { .. } => None,
        }
    }

    /// The window of a moment that is placed.
    fn window(&self, micros: i64) -> Option<i64> {
        let is_inside = (self.limits.0..=self.limits.1).contains(&micros);
        if is_inside { self.timeline.window(micros) } else { None }
    }

    fn find_range(&self, lower: i64, upper: i64, targets: &mut NodeSet) {
        let (lower, upper) = (lower.max(self.limits.0), upper.min(self.limits.1));
        let Some((first, last)) = self.timeline.touched(lower, upper) else { return };
        if last - first > WALKED_WINDOWS_MAX {
            return targets.fill();
        }
        for target in (first..=last).filter_map(|number| self.named.target(number)) {
            targets.insert(target);
        }
    }
}

impl TargetAlgorithm for Spans {
    fn place(&self, keys: &[Key<'_>]) -> Result<Option<u32>, StatementError> {
        let micros = keys.first().and_then(|key| self.moment(key)).ok_or_else(|| {
            cannot_place(
                self.type_name,
                "it is not a moment, or a number whose 'zone-id' is not known here",
            )
        })?;
        self.window(micros).map(|number| self.named.require(number)).transpose()
    }

    fn find(&self, known: &[Known<'_>], targets: &mut NodeSet) -> Result<(), StatementError> {
        match known.first() {
            Some(Known::Key(key)) => match self.moment(key) {
                Some(micros) => {
                    if let Some(number) = self.window(micros) {
                        targets.insert(self.named.require(number)?);
                    }
                }
                None => targets.fill(),
            },
            Some(Known::Range(KeyRange::Moments { lower, upper }))
                if matches!(self.reading, Reading::Moment { .. }) =>
            {
                self.find_range(*lower, *upper, targets);
            }
            Some(Known::Range(KeyRange::Integers { lower, upper })) => {
                let end = |value: i128| self.moment_of(i64::try_from(value).ok()?);
                match (end((*lower).max(0)), end(*upper)) {
                    (Some(lower), Some(upper)) => self.find_range(lower, upper, targets),
                    _ => targets.fill(),
                }
            }
            _ => targets.fill(),
        }
        Ok(())
    }

    fn find_only(&self, keys: &[Key<'_>]) -> Option<u32> {
        self.named.target(self.window(self.moment(keys.first()?)?)?)
    }

    fn shape(&self) -> String {
        self.shape.clone()
    }
}

/// The step with its unit, `YEARS`, `MONTHS` or `DAYS`.
///
/// With shorter units the reference finds only the first window of a day.
fn step_of(type_name: &str, properties: &Properties) -> Result<(Step, String), StatementError> {
    let unit = required(type_name, properties, "datetime-interval-unit")?.to_ascii_uppercase();
    let amount = properties.get("datetime-interval-amount").map_or("1", |text| text.trim());
    let is_supported = ["YEARS", "MONTHS", "DAYS"].contains(&unit.as_str());
    let step = amount.parse().ok().filter(|_| is_supported);
    let step = step.and_then(|amount| Step::new(&unit, amount)).ok_or_else(|| {
        invalid(
            type_name,
            format!(
                "'datetime-interval-unit' {unit} must be YEARS, MONTHS or DAYS, and \
                 'datetime-interval-amount' {amount} a positive number"
            ),
        )
    })?;
    Ok((step, unit))
}

/// Where the unit of a moment begins.
fn cut(micros: i64, unit: &str) -> i64 {
    let civil = Civil::new(micros);
    match unit {
        "YEARS" => Civil { month: 1, day: 1, micros: 0, ..civil }.to_micros(),
        "MONTHS" => Civil { day: 1, micros: 0, ..civil }.to_micros(),
        _ => micros.div_euclid(DAY) * DAY,
    }
}
