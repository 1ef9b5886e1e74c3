//! What rows need, and numbers in texts.

use std::borrow::Cow;

use eval::Value;

use super::*;
use crate::predicate::NoValues;

fn column(max: u64, keeps_zero: bool, value: Value<'static>) -> KeyColumn {
    KeyColumn {
        database: "d".into(),
        table: "t".into(),
        column: "id".into(),
        kind: KeyKind::Sequence,
        is_auto_increment: true,
        keeps_zero,
        max,
        rows: vec![RowKey::Lacking, RowKey::Value(ValueRef::Const(value))],
    }
}

#[test]
fn null_and_zero_lack_a_value() {
    let text = |text: &'static str| Value::Bytes(Cow::Borrowed(text.as_bytes()));
    let decimal = |text: &'static str| Value::Decimal(Cow::Borrowed(text));
    for (value, keeps_zero, expected) in [
        (Value::Null, true, Need::Generated),
        (Value::Int(0), false, Need::Generated),
        (Value::Int(0), true, Need::Number(0)),
        (Value::Int(7), false, Need::Number(7)),
        (Value::Int(-7), false, Need::Own),
        (Value::Int(128), false, Need::Own),
        (Value::UInt(u64::MAX), false, Need::Own),
        (Value::Double(0.2), false, Need::Generated),
        (Value::Double(6.6), false, Need::Number(7)),
        (decimal("0.4"), false, Need::Generated),
        (decimal("12.5"), false, Need::Number(13)),
        (decimal("99999999999999999999999999999999999999999"), false, Need::Own),
        (text("0"), false, Need::Generated),
        (text(" 12 "), false, Need::Number(12)),
        (text("-3"), false, Need::Own),
        (text("1e2"), false, Need::Number(100)),
    ] {
        let needs = column(127, keeps_zero, value.clone()).needs(&NoValues).unwrap();
        assert_eq!(needs, [Need::Generated, expected], "{value:?}");
    }
    for wrong in ["", "abc", "1x", "--1", "1.2.3", "+"] {
        let error = column(127, false, text(wrong)).needs(&NoValues).unwrap_err();
        assert_eq!(error.code, 1366, "{wrong}");
    }
}
