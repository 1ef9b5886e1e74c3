//! `INTERVAL`: the span of time in which a value lies, written by a pattern, is the end of the
//! target's name.
//!
//! Source: inventory 2.2.

mod suffixes;
#[cfg(test)]
mod tests;

use kernel::error::StatementError;

use super::pattern::{Pattern, Resolution};
use super::target::cannot_place;
use super::timeline::{Step, Timeline};
use super::{KeyRange, Known, Properties, TargetAlgorithm, Targets, invalid, required};
use crate::column::{Civil, Key};
use crate::node_set::NodeSet;
use suffixes::Suffixes;

const TYPE: &str = "INTERVAL";
/// More windows than this are not walked through; all targets are asked.
const WALKED_WINDOWS_MAX: i64 = 10_000;
/// Where a rule names no end: the last moment of DATETIME, cut to the pattern.
const NO_END: &str = "9999-12-31 23:59:59";

#[derive(Debug)]
struct Interval {
    /// The pattern of values.
    pattern: Pattern,
    resolution: Resolution,
    timeline: Timeline,
    suffixes: Suffixes,
    shape: String,
}

/// Checks the properties.
pub(super) fn build(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let pattern = pattern_of(TYPE, properties, "datetime-pattern")?;
    let resolution = pattern.resolution().ok_or_else(|| {
        invalid(TYPE, "'datetime-pattern' must have years, and no gap down to its unit".to_owned())
    })?;
    let suffix = pattern_of(TYPE, properties, "sharding-suffix-pattern")?;
    let moment = |name: &str, text: &str| {
        pattern.parse(text).ok_or_else(|| {
            StatementError::new(
                20022,
                "44000",
                format!(
                    "Sharding algorithm {TYPE}: '{name}' must have the form of 'datetime-pattern', \
                     not '{text}'"
                ),
            )
        })
    };
    let start = moment("datetime-lower", required(TYPE, properties, "datetime-lower")?)?;
    // The reference takes the moment of its start for an end that is not given, and leaves later
    // rows without a place; here they go on as far as there are targets.
    let end = match properties.get("datetime-upper") {
        Some(text) => moment("datetime-upper", text.trim())?,
        None => cut(Pattern::date_time().parse(NO_END).unwrap_or(i64::MAX), resolution),
    };
    let step = step_of(properties)?;
    check_step(step, resolution, start)?;
    Ok(Box::new(Interval {
        pattern,
        resolution,
        timeline: Timeline { start, end, step },
        suffixes: Suffixes::new(suffix, targets.names),
        shape: format!("{TYPE} {properties:?}"),
    }))
}

/// A pattern of the properties.
pub(super) fn pattern_of(
    type_name: &str,
    properties: &Properties,
    name: &str,
) -> Result<Pattern, StatementError> {
    let text = required(type_name, properties, name)?;
    Pattern::parse_pattern(text)
        .map_err(|reason| invalid(type_name, format!("'{name}' {text}: {reason}")))
}

fn step_of(properties: &Properties) -> Result<Step, StatementError> {
    let amount = properties.get("datetime-interval-amount").map_or("1", |text| text.trim());
    let unit = properties.get("datetime-interval-unit").map_or("DAYS", |text| text.trim());
    amount.parse().ok().and_then(|amount| Step::new(unit, amount)).ok_or_else(|| {
        invalid(
            TYPE,
            format!(
                "'datetime-interval-amount' {amount} must be a positive number and \
                 'datetime-interval-unit' {unit} one of MILLIS, SECONDS, MINUTES, HOURS, HALFDAYS, \
                 DAYS, WEEKS, MONTHS, YEARS, DECADES, CENTURIES"
            ),
        )
    })
}

/// Steps that the pattern cannot write or that depend on the way to them.
fn check_step(step: Step, resolution: Resolution, start: i64) -> Result<(), StatementError> {
    let is_written = match (step, resolution) {
        (_, Resolution::Time(_)) => true,
        (step, Resolution::Day) => step.is_of_days(),
        (Step::Months(_), Resolution::Month) => true,
        (Step::Months(months), Resolution::Year) => months % 12 == 0,
        (Step::Micros(_), Resolution::Month | Resolution::Year) => false,
    };
    if !is_written {
        return Err(invalid(
            TYPE,
            "'datetime-interval-unit' is shorter than what 'datetime-pattern' writes".to_owned(),
        ));
    }
    // From the 31st of January a month leads to the 29th of February and another one to the 29th
    // of March.
    if matches!(step, Step::Months(_)) && Civil::new(start).day > 28 {
        return Err(invalid(
            TYPE,
            "'datetime-lower' must be one of the first 28 days of a month for steps of months"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Without what the pattern does not write.
fn cut(micros: i64, resolution: Resolution) -> i64 {
    let civil = Civil::new(micros);
    match resolution {
        Resolution::Year => Civil { month: 1, day: 1, micros: 0, ..civil }.to_micros(),
        Resolution::Month => Civil { day: 1, micros: 0, ..civil }.to_micros(),
        Resolution::Day => Civil { micros: 0, ..civil }.to_micros(),
        Resolution::Time(unit) => micros.div_euclid(unit) * unit,
    }
}

impl Interval {
    /// The moment of a value as the pattern sees it.
    fn moment(&self, key: &Key<'_>) -> Option<i64> {
        match key {
            Key::Moment { micros, .. } => Some(cut(*micros, self.resolution)),
            Key::Text(text) => self.pattern.parse_cut(text),
            Key::Integer { value, .. } => self.pattern.parse_cut(value.to_string().as_bytes()),
            Key::Decimal { .. } => None,
        }
    }

    fn find_key(&self, key: &Key<'_>, targets: &mut NodeSet) {
        let Some(micros) = self.moment(key) else { return targets.fill() };
        if let Some(number) = self.timeline.window(micros) {
            self.suffixes.find(self.timeline.begin(number), targets);
        }
    }

    fn find_range(&self, lower: i64, upper: i64, targets: &mut NodeSet) {
        // The ends are cut before they are compared, so that nothing of their unit is lost.
        let at = |micros: i64| match micros {
            i64::MIN | i64::MAX => micros,
            micros => cut(micros, self.resolution),
        };
        let Some((first, last)) = self.timeline.touched(at(lower), at(upper)) else { return };
        if last - first > WALKED_WINDOWS_MAX {
            return targets.fill();
        }
        for number in first..=last {
            self.suffixes.find(self.timeline.begin(number), targets);
        }
    }
}

impl TargetAlgorithm for Interval {
    fn place(&self, keys: &[Key<'_>]) -> Result<Option<u32>, StatementError> {
        let Some(key) = keys.first() else { return Ok(None) };
        let micros = self
            .moment(key)
            .ok_or_else(|| cannot_place(TYPE, "it does not have the form of 'datetime-pattern'"))?;
        match self.timeline.window(micros) {
            Some(number) => self.suffixes.only(TYPE, self.timeline.begin(number)),
            None => Ok(None),
        }
    }

    fn find(&self, known: &[Known<'_>], targets: &mut NodeSet) -> Result<(), StatementError> {
        match known.first() {
            Some(Known::Key(key)) => self.find_key(key, targets),
            Some(Known::Range(KeyRange::Moments { lower, upper })) => {
                self.find_range(*lower, *upper, targets);
            }
            Some(Known::Range(_) | Known::Anything) | None => targets.fill(),
        }
        Ok(())
    }

    fn find_only(&self, keys: &[Key<'_>]) -> Option<u32> {
        self.place(keys).ok()?
    }

    fn shape(&self) -> String {
        self.shape.clone()
    }
}
