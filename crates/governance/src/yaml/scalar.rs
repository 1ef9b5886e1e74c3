//! Single values of YAML as the text a user meant.

use serde::{Deserialize, Deserializer};
use yaml_serde::Value;

/// A text, a whole number or a truth value, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scalar(pub(super) String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_of(&Value::deserialize(deserializer)?).map(Self).map_err(serde::de::Error::custom)
    }
}

/// The text of a single value; nothing at all is the empty text.
///
/// # Errors
/// A list or a map; a number that YAML reads as a fraction, since its text is lost.
pub(super) fn text_of(value: &Value) -> Result<String, String> {
    match value {
        Value::Null => Ok(String::new()),
        Value::Bool(value) => Ok(value.to_string()),
        Value::Number(number) if !number.is_f64() => Ok(number.to_string()),
        Value::Number(number) => Err(format!("write {number} in quotes")),
        Value::String(text) => Ok(text.clone()),
        _ => Err("expected a single value".to_owned()),
    }
}
