//! `INLINE`, `COMPLEX_INLINE` and `HINT_INLINE`: an expression over the values is the target's name.
//!
//! Source: inventory 2.1 and 2.2.

mod form;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use kernel::error::StatementError;

use super::expression::{Expression, Value};
use super::target::{cannot_place, missing_target};
use super::{Known, Properties, TargetAlgorithm, Targets, boolean, invalid, required};
use crate::column::Key;
use crate::node_set::NodeSet;
use form::Forms;

const EXPRESSION: &str = "algorithm-expression";
const ALLOW_RANGE: &str = "allow-range-query-with-inline-sharding";
/// The variable of a hint's value.
const HINT_VARIABLE: &str = "value";
/// A remainder by a greater number is not looked up but evaluated.
const REMAINDERS_MAX: u32 = 10_000;
/// Ways to write the values of one row that are tried at most.
const COMBINATIONS_MAX: usize = 64;

/// An expression over the columns of a strategy.
#[derive(Debug)]
struct Inline {
    type_name: &'static str,
    expression: Expression,
    /// For each column, whether the expression uses it.
    is_used: Vec<bool>,
    is_range_allowed: bool,
    targets: TargetNames,
    /// For `name${column % n}`: the column, and the target of each remainder.
    remainders: Option<(usize, Vec<Option<u32>>)>,
    shape: String,
}

/// `INLINE`.
pub(super) fn build(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let text = required("INLINE", properties, EXPRESSION)?;
    let column = targets.columns.first().map_or("", String::as_str);
    if !text.to_lowercase().contains(&column.to_lowercase()) {
        return Err(mismatch("INLINE", text, column));
    }
    let inline = Inline::new("INLINE", text, targets.columns, properties, targets)?;
    if !inline.expression.uses(0) {
        return Err(mismatch("INLINE", text, column));
    }
    Ok(Box::new(inline))
}

/// `COMPLEX_INLINE`.
pub(super) fn build_complex(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    if let Some(columns) = properties.get("sharding-columns").filter(|text| !text.is_empty()) {
        let count = columns.split(',').count();
        if count != targets.columns.len() {
            return Err(StatementError::new(
                20053,
                "44000",
                format!(
                    "Sharding algorithm COMPLEX_INLINE: 'sharding-columns' has {count} columns, \
                     the strategy has {}",
                    targets.columns.len()
                ),
            ));
        }
    }
    let text = required("COMPLEX_INLINE", properties, EXPRESSION)?;
    Ok(Box::new(Inline::new("COMPLEX_INLINE", text, targets.columns, properties, targets)?))
}

/// `HINT_INLINE`.
pub(super) fn build_hint(
    properties: &Properties,
    targets: &Targets<'_>,
) -> Result<Box<dyn TargetAlgorithm>, StatementError> {
    let text = properties.get(EXPRESSION).map_or("${value}", String::as_str);
    let variables = [HINT_VARIABLE.to_owned()];
    Ok(Box::new(Inline::new("HINT_INLINE", text, &variables, properties, targets)?))
}

impl Inline {
    fn new(
        type_name: &'static str,
        text: &str,
        variables: &[String],
        properties: &Properties,
        targets: &Targets<'_>,
    ) -> Result<Self, StatementError> {
        let expression = Expression::parse(text, variables)
            .map_err(|reason| invalid(type_name, format!("'{EXPRESSION}' {text}: {reason}")))?;
        let names = TargetNames::new(targets.names);
        let remainders = expression
            .as_remainder()
            .filter(|remainder| remainder.divisor <= REMAINDERS_MAX)
            .map(|remainder| {
                let target = |rest| names.find(&remainder.name(rest));
                (remainder.variable, (0..remainder.divisor).map(target).collect())
            });
        Ok(Self {
            type_name,
            is_used: (0..variables.len()).map(|column| expression.uses(column)).collect(),
            is_range_allowed: boolean(type_name, properties, ALLOW_RANGE)?,
            remainders,
            shape: format!("{type_name} {}", expression.shape(&targets.suffix.prefix)),
            expression,
            targets: names,
        })
    }

    /// The target of a row by the table of remainders.
    fn by_remainder(&self, keys: &[Key<'_>]) -> Option<u32> {
        let (column, targets) = self.remainders.as_ref()?;
        let Key::Integer { value, .. } = keys.get(*column)? else { return None };
        let rest = match i64::try_from(*value) {
            Ok(value) => value % targets.len() as i64,
            Err(_) => (*value % targets.len() as i128) as i64,
        };
        *targets.get(usize::try_from(rest).ok()?)?
    }

    /// Every combination of the forms of the values; unused columns have one.
    fn combinations(&self, forms: &[Forms]) -> Option<Vec<Vec<Value>>> {
        let mut combinations = vec![Vec::new()];
        for forms in forms {
            let mut longer = Vec::with_capacity(combinations.len() * forms.values.len());
            for combination in &combinations {
                for value in &forms.values {
                    let mut combination = combination.clone();
                    combination.push(value.clone());
                    longer.push(combination);
                }
            }
            if longer.len() > COMBINATIONS_MAX {
                return None;
            }
            combinations = longer;
        }
        Some(combinations)
    }

    fn forms(&self, keys: &[Key<'_>], all: bool) -> Option<Vec<Forms>> {
        let of = |(key, is_used): (&Key<'_>, &bool)| match (is_used, all) {
            (false, _) => Some(Forms::unused()),
            (true, true) => Forms::possible(key),
            (true, false) => Forms::placed(key),
        };
        keys.iter().zip(&self.is_used).map(of).collect()
    }

    fn find_keys(&self, keys: &[Key<'_>], targets: &mut NodeSet) -> Result<(), StatementError> {
        let combinations = self.forms(keys, true).and_then(|forms| self.combinations(&forms));
        let Some(combinations) = combinations else {
            targets.fill();
            return Ok(());
        };
        let mut is_found = false;
        let mut missing = None;
        for values in combinations {
            // What cannot be evaluated here may have been placed by another implementation.
            let Ok(name) = self.expression.evaluate(&values) else {
                targets.fill();
                return Ok(());
            };
            match self.targets.find(&name) {
                Some(target) => {
                    targets.insert(target);
                    is_found = true;
                }
                None => missing = Some(name),
            }
        }
        match missing {
            Some(name) if !is_found => Err(missing_target(&name, self.targets.names())),
            _ => Ok(()),
        }
    }
}

impl TargetAlgorithm for Inline {
    fn place(&self, keys: &[Key<'_>]) -> Result<Option<u32>, StatementError> {
        if let Some(target) = self.by_remainder(keys) {
            return Ok(Some(target));
        }
        let refuse = |reason: String| cannot_place(self.type_name, &reason);
        let combinations = self
            .forms(keys, false)
            .and_then(|forms| self.combinations(&forms))
            .ok_or_else(|| refuse("values of this type cannot be placed".to_owned()))?;
        let mut placed: Option<String> = None;
        for values in combinations {
            let name = self.expression.evaluate(&values).map_err(refuse)?;
            if placed.as_ref().is_some_and(|placed| *placed != name) {
                return Err(refuse(
                    "the target depends on how the value is written, not on the value alone"
                        .to_owned(),
                ));
            }
            placed = Some(name);
        }
        let name = placed.unwrap_or_default();
        match self.targets.find(&name) {
            Some(target) => Ok(Some(target)),
            None => Err(missing_target(&name, self.targets.names())),
        }
    }

    fn find(&self, known: &[Known<'_>], targets: &mut NodeSet) -> Result<(), StatementError> {
        let mut keys = Vec::with_capacity(known.len());
        let mut is_certain = true;
        for (known, is_used) in known.iter().zip(&self.is_used) {
            match known {
                Known::Key(key) => keys.push(key.clone()),
                _ if !is_used => keys.push(Key::Integer { value: 0, is_long: false }),
                Known::Range(_) if !self.is_range_allowed => {
                    return Err(range_refused(self.type_name));
                }
                Known::Range(_) | Known::Anything => is_certain = false,
            }
        }
        if !is_certain || keys.len() < self.is_used.len() {
            targets.fill();
            return Ok(());
        }
        self.find_keys(&keys, targets)
    }

    fn find_only(&self, keys: &[Key<'_>]) -> Option<u32> {
        if let Some(target) = self.by_remainder(keys) {
            return Some(target);
        }
        let mut found = None;
        for values in self.combinations(&self.forms(keys, true)?)? {
            let target = self.targets.find(&self.expression.evaluate(&values).ok()?)?;
            if found.is_some_and(|found| found != target) {
                return None;
            }
            found = Some(target);
        }
        found
    }

    fn shape(&self) -> String {
        self.shape.clone()
    }
}

/// Names of targets; found as written, else without regard to case where only one fits.
#[derive(Debug)]
struct TargetNames {
    positions: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
}

impl TargetNames {
    fn new(names: &[Arc<str>]) -> Self {
        let positions = names.iter().zip(0..).map(|(name, index)| (name.clone(), index));
        Self { positions: positions.collect(), names: names.to_vec() }
    }

    fn find(&self, name: &str) -> Option<u32> {
        if let Some(position) = self.positions.get(name) {
            return Some(*position);
        }
        let mut alike =
            self.names.iter().zip(0..).filter(|(other, _)| other.eq_ignore_ascii_case(name));
        match (alike.next(), alike.next()) {
            (Some((_, position)), None) => Some(position),
            _ => None,
        }
    }

    fn names(&self) -> &[Arc<str>] {
        &self.names
    }
}

/// The expression does not use the column (20052).
fn mismatch(type_name: &str, expression: &str, column: &str) -> StatementError {
    StatementError::new(
        20052,
        "44000",
        format!(
            "Sharding algorithm {type_name}: the expression {expression} does not use the sharding \
             column '{column}'"
        ),
    )
}

/// A range, where the rule does not allow one (30001).
fn range_refused(type_name: &str) -> StatementError {
    StatementError::unsupported(format!(
        "Sharding algorithm {type_name} cannot narrow a range of its column; set its property \
         '{ALLOW_RANGE}' to true to ask all nodes instead"
    ))
}
