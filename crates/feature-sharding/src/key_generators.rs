//! Key generators of rules: what makes the values of a column.

use std::str::FromStr;

use kernel::error::StatementError;
use kernel::feature::KeyKind;

use crate::config::AlgorithmConfig;

/// One row of [`ALL`].
#[derive(Debug, Clone, Copy)]
pub struct Registration {
    /// The name in rules and DistSQL.
    pub type_name: &'static str,
    /// What it does, for SHOW.
    pub description: &'static str,
    build: fn(&AlgorithmConfig) -> Result<KeyKind, StatementError>,
}

/// Every key generator of this build, sorted by name.
///
/// # Source
/// Inventory 2.3; SEQUENCE is our own.
pub const ALL: &[Registration] = &[
    Registration {
        type_name: "NANOID",
        description: "21 random letters",
        build: |_| Ok(KeyKind::NanoId),
    },
    Registration {
        type_name: "SEQUENCE",
        description: "Numbers that rise, handed out in blocks",
        build: |_| Ok(KeyKind::Sequence),
    },
    Registration {
        type_name: "SNOWFLAKE",
        description: "Time, worker and a sequence in 64 bits",
        build: snowflake,
    },
    Registration {
        type_name: "UUID",
        description: "32 random hexadecimal digits",
        build: |_| Ok(KeyKind::Uuid),
    },
];

/// What a definition makes; names are compared without regard to case.
///
/// # Errors
/// The type is not in [`ALL`] (10402), or a property is malformed (10404).
pub fn kind(generator: &AlgorithmConfig) -> Result<KeyKind, StatementError> {
    let entry = ALL
        .iter()
        .find(|entry| entry.type_name.eq_ignore_ascii_case(&generator.type_name))
        .ok_or_else(|| {
            let known = ALL.iter().map(|entry| entry.type_name).collect::<Vec<_>>().join(", ");
            let name = &generator.type_name;
            let text = format!("There is no key generator type '{name}'; known are: {known}");
            StatementError::new(10402, "44000", text)
        })?;
    (entry.build)(generator)
}

fn snowflake(generator: &AlgorithmConfig) -> Result<KeyKind, StatementError> {
    Ok(KeyKind::Snowflake {
        worker: number(generator, "worker-id", 1023)?,
        max_vibration_offset: number(generator, "max-vibration-offset", 4095)?.unwrap_or(1),
        max_tolerated_setback_ms: number(
            generator,
            "max-tolerate-time-difference-milliseconds",
            u64::MAX,
        )?
        .unwrap_or(10),
    })
}

fn number<T: FromStr + PartialOrd + std::fmt::Display>(
    generator: &AlgorithmConfig,
    name: &str,
    most: T,
) -> Result<Option<T>, StatementError> {
    let Some(text) = generator.properties.get(name) else { return Ok(None) };
    match text.trim().parse::<T>() {
        Ok(value) if value <= most => Ok(Some(value)),
        _ => Err(StatementError::new(
            10404,
            "44000",
            format!(
                "Key generator {}: '{name}' must be 0 to {most}, not '{text}'",
                generator.type_name
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(type_name: &str, properties: &[(&str, &str)]) -> Result<KeyKind, u16> {
        let properties = properties.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let properties = properties.collect();
        kind(&AlgorithmConfig { type_name: type_name.to_owned(), properties })
            .map_err(|error| error.code)
    }

    #[test]
    fn definitions() {
        assert!(ALL.is_sorted_by(|a, b| a.type_name < b.type_name));
        let snowflake = |worker, max_vibration_offset, max_tolerated_setback_ms| {
            Ok(KeyKind::Snowflake { worker, max_vibration_offset, max_tolerated_setback_ms })
        };
        assert_eq!(made("snowflake", &[]), snowflake(None, 1, 10));
        let all = [
            ("worker-id", "7"),
            ("max-vibration-offset", "4095"),
            ("max-tolerate-time-difference-milliseconds", "5"),
        ];
        assert_eq!(made("SNOWFLAKE", &all), snowflake(Some(7), 4095, 5));
        assert_eq!(made("SNOWFLAKE", &[("worker-id", "1024")]), Err(10404));
        assert_eq!(made("SNOWFLAKE", &[("worker-id", "x")]), Err(10404));
        assert_eq!(made("uuid", &[]), Ok(KeyKind::Uuid));
        assert_eq!(made("NanoId", &[]), Ok(KeyKind::NanoId));
        assert_eq!(made("sequence", &[]), Ok(KeyKind::Sequence));
        assert_eq!(made("COSID", &[]), Err(10402));
    }
}
