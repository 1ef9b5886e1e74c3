//! From a key generate algorithm's type and properties to what it makes.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::error::StatementError;
use crate::feature::KeyKind;

/// Properties that are not given have these values (inventory, key generators).
const VIBRATION_OFFSET: u16 = 1;
const TOLERATED_SETBACK_MS: u64 = 10;

/// The kind of a key generator. Type names are compared without regard to case.
///
/// # Errors
/// An unknown type (10402), or a property that is no number of its range (10404).
pub fn key_kind(
    type_name: &str,
    properties: &BTreeMap<String, String>,
) -> Result<KeyKind, StatementError> {
    match type_name.to_ascii_uppercase().as_str() {
        "SNOWFLAKE" => Ok(KeyKind::Snowflake {
            worker: number(type_name, properties, "worker-id", 1023)?,
            max_vibration_offset: number(type_name, properties, "max-vibration-offset", 4095)?
                .unwrap_or(VIBRATION_OFFSET),
            max_tolerated_setback_ms: number(
                type_name,
                properties,
                "max-tolerate-time-difference-milliseconds",
                u64::MAX,
            )?
            .unwrap_or(TOLERATED_SETBACK_MS),
        }),
        "UUID" => Ok(KeyKind::Uuid),
        "NANOID" => Ok(KeyKind::NanoId),
        "SEQUENCE" | "AUTO_INCREMENT" => Ok(KeyKind::Sequence),
        _ => Err(StatementError::new(
            10402,
            "44000",
            format!(
                "Invalid key generate algorithm '{type_name}': known are SNOWFLAKE, UUID, NANOID \
                 and SEQUENCE"
            ),
        )),
    }
}

fn number<N: FromStr + PartialOrd + std::fmt::Display>(
    type_name: &str,
    properties: &BTreeMap<String, String>,
    name: &str,
    most: N,
) -> Result<Option<N>, StatementError> {
    let Some(text) = properties.get(name) else { return Ok(None) };
    match text.trim().parse::<N>() {
        Ok(value) if value <= most => Ok(Some(value)),
        _ => Err(StatementError::new(
            10404,
            "44000",
            format!(
                "Property '{name}' of key generate algorithm '{type_name}' must be a whole number \
                 from 0 to {most}, not '{text}'"
            ),
        )),
    }
}
