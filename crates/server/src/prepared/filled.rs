//! Statements of the session's own with parameters: SET, EXECUTE and the like are run by the proxy,
//! so their parameters are written into the text.

use eval::Value;
use kernel::error::StatementError;

use super::Execution;
use crate::answer::Encoding;
use crate::execute::Failure;
use crate::plan_cache::Body;
use crate::session::Session;
use crate::{session_statements, statement};

/// A statement of the session's own with its parameters written into it.
pub(super) async fn run(
    session: &mut Session,
    text: &[u8],
    execution: &Execution,
) -> Result<(), Failure> {
    let filled = write(session, text, execution)?;
    let snapshot = session.worker.snapshot();
    let planned = statement::plan(session, &snapshot, filled.as_bytes(), &[])?;
    let Body::Session(statement) = &planned.body else {
        return Err(StatementError::syntax("a parameter changed the statement").into());
    };
    let asked = session_statements::Asked {
        statement,
        text: filled.as_bytes(),
        snapshot: &snapshot,
        encoding: Encoding::Binary,
    };
    Box::pin(session_statements::run(session, asked)).await
}

/// The text with its parameters written into it.
pub(super) fn write(
    session: &Session,
    text: &[u8],
    execution: &Execution,
) -> Result<String, StatementError> {
    let values = execution.decode_values()?;
    let literals: Vec<String> =
        values.iter().map(|value| literal(value, session.is_utf8())).collect();
    let text = std::str::from_utf8(text)
        .map_err(|_| StatementError::syntax("parameters in a text that is not UTF-8"))?;
    session_statements::fill(text, session.mode, &literals)
}

/// A parameter as SQL text. Texts with a backslash, which `sql_mode` may change the meaning of, and
/// bytes go as hexadecimal.
fn literal(value: &Value<'_>, is_utf8: bool) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Int(value) => value.to_string(),
        Value::UInt(value) => value.to_string(),
        Value::Double(value) => format!("{value:e}"),
        Value::Decimal(text) => text.to_string(),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) if is_utf8 && !text.contains(['\\', '\0']) => {
                format!("'{}'", text.replace('\'', "''"))
            }
            _ => {
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                if is_utf8 { format!("_utf8mb4 x'{hex}'") } else { format!("x'{hex}'") }
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_mean_the_same_in_every_mode() {
        let text = |bytes: &'static [u8]| Value::Bytes(bytes.into());
        for (value, expected) in [
            (Value::Null, "NULL"),
            (Value::Int(-1), "-1"),
            (Value::UInt(u64::MAX), "18446744073709551615"),
            (Value::Double(0.5), "5e-1"),
            (text(b"it's"), "'it''s'"),
            (text(b"a\\b"), "_utf8mb4 x'615c62'"),
            (text(b"\xff"), "_utf8mb4 x'ff'"),
        ] {
            assert_eq!(literal(&value, true), expected);
        }
        assert_eq!(literal(&text(b"a"), false), "x'61'");
    }
}
