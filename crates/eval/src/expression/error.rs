//! Why an expression has no value here: MySQL's own errors, and what is not computed.

use std::borrow::Cow;

/// What the evaluator does not compute because it would not be sure of the server's answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} is not computed by the proxy")]
pub struct Unsupported {
    /// The function, operator or combination of types, for the text of an error.
    pub what: Cow<'static, str>,
}

impl Unsupported {
    /// Names it.
    pub fn new(what: impl Into<Cow<'static, str>>) -> Self {
        Self { what: what.into() }
    }
}

/// Why an evaluation has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The server would answer with this error.
    #[error("{message}")]
    Server {
        /// MySQL's number.
        code: u16,
        /// SQLSTATE.
        state: &'static str,
        /// The text.
        message: Cow<'static, str>,
    },
    /// With these values the answer is not certain.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

impl EvalError {
    /// Error 1690.
    pub(crate) fn out_of_range(kind: &str) -> Self {
        let message = Cow::Owned(format!("{kind} value is out of range"));
        Self::Server { code: 1690, state: "22003", message }
    }

    pub(crate) fn unsupported(what: impl Into<Cow<'static, str>>) -> Self {
        Self::Unsupported(Unsupported::new(what))
    }
}
