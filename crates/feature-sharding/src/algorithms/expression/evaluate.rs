//! The value of a tree.

use std::cmp::Ordering;

use super::method::{Function, Method};
use super::node::{BinaryOperator, Cast, Node, UnaryOperator};
use super::value::Value;
use super::{MAX_TEXT_BYTES, number, text};

impl Node {
    /// Its value for these values of the variables. The depth is that of the tree, which the parser
    /// bounds.
    pub(super) fn evaluate(&self, variables: &[Value]) -> Result<Value, String> {
        let of = |node: &Self| node.evaluate(variables);
        let all = |nodes: &[Self]| nodes.iter().map(of).collect::<Result<Vec<_>, _>>();
        match self {
            Self::Literal(value) => Ok(value.clone()),
            Self::Variable(position) => {
                variables.get(*position).cloned().ok_or_else(|| "a value is missing".to_owned())
            }
            Self::List(items) => all(items).map(Value::List),
            Self::Unary(operator, operand) => unary(*operator, &of(operand)?),
            Self::Binary(operator, operands) => {
                binary(*operator, &of(&operands.0)?, &of(&operands.1)?)
            }
            Self::And(operands) => {
                Ok(Value::Boolean(of(&operands.0)?.is_true() && of(&operands.1)?.is_true()))
            }
            Self::Or(operands) => {
                Ok(Value::Boolean(of(&operands.0)?.is_true() || of(&operands.1)?.is_true()))
            }
            Self::Choice(parts) if of(&parts.0)?.is_true() => of(&parts.1),
            Self::Choice(parts) => of(&parts.2),
            Self::Otherwise(operands) => {
                let first = of(&operands.0)?;
                if first.is_true() { Ok(first) } else { of(&operands.1) }
            }
            Self::Call { receiver, method, arguments } => {
                call(&of(receiver)?, *method, &all(arguments)?)
            }
            Self::Static { function, arguments } => invoke(*function, &all(arguments)?),
            Self::Item(operands) => item(&of(&operands.0)?, &of(&operands.1)?),
            Self::Slice { of: text, ends, is_open } => {
                slice(&of(text)?, &of(&ends.0)?, &of(&ends.1)?, *is_open)
            }
            Self::Cast(to, operand) => cast(*to, &of(operand)?),
        }
    }
}

fn unary(operator: UnaryOperator, value: &Value) -> Result<Value, String> {
    match (operator, value) {
        (UnaryOperator::Not, value) => Ok(Value::Boolean(!value.is_true())),
        (UnaryOperator::Minus, value) => number::negate(value),
        (
            UnaryOperator::Plus,
            Value::Int(_) | Value::Long(_) | Value::Big(_) | Value::Decimal(_),
        ) => Ok(value.clone()),
        (UnaryOperator::BitNot, Value::Int(value)) => Ok(Value::Int(!value)),
        (UnaryOperator::BitNot, Value::Long(value)) => Ok(Value::Long(!value)),
        _ => Err(format!("{} has no such operator", value.type_name())),
    }
}

fn binary(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value, String> {
    use BinaryOperator as Op;
    match operator {
        Op::Add if matches!((left, right), (Value::Text(_), _) | (_, Value::Text(_))) => {
            let joined = left.print()? + &right.print()?;
            if joined.len() > MAX_TEXT_BYTES {
                return Err("a string of the expression is too long".to_owned());
            }
            Ok(Value::Text(joined))
        }
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Remainder | Op::Power => {
            number::calculate(operator, left, right)
        }
        Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::ShiftLeft
        | Op::ShiftRight
        | Op::ShiftRightUnsigned => number::bits(operator, left, right),
        Op::Compare => Ok(Value::Int(compare(left, right)? as i32)),
        Op::Equal => Ok(Value::Boolean(compare(left, right)?.is_eq())),
        Op::NotEqual => Ok(Value::Boolean(compare(left, right)?.is_ne())),
        Op::Less => Ok(Value::Boolean(compare(left, right)?.is_lt())),
        Op::LessEqual => Ok(Value::Boolean(compare(left, right)?.is_le())),
        Op::Greater => Ok(Value::Boolean(compare(left, right)?.is_gt())),
        Op::GreaterEqual => Ok(Value::Boolean(compare(left, right)?.is_ge())),
    }
}

fn compare(left: &Value, right: &Value) -> Result<Ordering, String> {
    match (left, right) {
        // By UTF-16 units.
        (Value::Text(left), Value::Text(right)) => {
            Ok(left.encode_utf16().cmp(right.encode_utf16()))
        }
        (Value::Boolean(left), Value::Boolean(right)) => Ok(left.cmp(right)),
        _ => number::compare(left, right)?.ok_or_else(|| {
            format!("{} and {} cannot be compared", left.type_name(), right.type_name())
        }),
    }
}

fn call(receiver: &Value, method: Method, arguments: &[Value]) -> Result<Value, String> {
    let missing = || format!("{} has no method {}", receiver.type_name(), method.name());
    match (method, receiver) {
        (Method::HashCode, _) => return receiver.hash().map(Value::Int),
        (Method::ToString, _) => return receiver.print().map(Value::Text),
        (Method::Size, Value::List(items)) => return Ok(Value::Int(items.len() as i32)),
        (_, Value::Text(text)) => return text::call(text, method, arguments)?.ok_or_else(missing),
        _ => {}
    }
    let first = arguments.first();
    match (method, first) {
        (Method::Abs, None) => number::absolute(receiver),
        (Method::IntValue | Method::ToInteger, None) => cast(Cast::Int, receiver),
        (Method::LongValue | Method::ToLong, None) => cast(Cast::Long, receiver),
        (Method::ToBigInteger, None) => cast(Cast::Big, receiver),
        (Method::IntDiv, Some(other)) => number::divide_whole(receiver, other),
        (Method::Plus, Some(other)) => binary(BinaryOperator::Add, receiver, other),
        (Method::Minus, Some(other)) => binary(BinaryOperator::Subtract, receiver, other),
        (Method::Multiply, Some(other)) => binary(BinaryOperator::Multiply, receiver, other),
        (Method::Div, Some(other)) => binary(BinaryOperator::Divide, receiver, other),
        (Method::Mod, Some(other)) => binary(BinaryOperator::Remainder, receiver, other),
        _ => Err(missing()),
    }
}

fn invoke(function: Function, arguments: &[Value]) -> Result<Value, String> {
    let parsed = |value: &Value, to: Cast| match value {
        Value::Text(text) if to == Cast::Int => text::parse(text).map(Value::Int),
        Value::Text(text) => text::parse(text).map(Value::Long),
        value => cast(to, value),
    };
    match (function, arguments) {
        (Function::Abs, [value]) => number::absolute(value),
        (Function::HashCode, [value]) => value.hash().map(Value::Int),
        (Function::ToText, [value]) => value.print().map(Value::Text),
        (Function::ToInt, [value]) => parsed(value, Cast::Int),
        (Function::ToLong, [value]) => parsed(value, Cast::Long),
        (Function::FloorMod, [left, right]) => number::floor_mod(left, right),
        (Function::Format, [Value::Text(pattern), value]) => {
            text::format(pattern, value).map(Value::Text)
        }
        (Function::Max | Function::Min, [left, right]) => {
            let wanted = if function == Function::Max { Ordering::Less } else { Ordering::Greater };
            let chosen = if compare(left, right)? == wanted { right } else { left };
            let is_long = matches!((left, right), (Value::Long(_), _) | (_, Value::Long(_)));
            if is_long { cast(Cast::Long, chosen) } else { Ok(chosen.clone()) }
        }
        _ => Err("a function of the expression is called with the wrong values".to_owned()),
    }
}

fn cast(to: Cast, value: &Value) -> Result<Value, String> {
    if let Value::Text(text) = value {
        return match to {
            Cast::Text => Ok(value.clone()),
            Cast::Int => text::parse(text).map(Value::Int),
            Cast::Long => text::parse(text).map(Value::Long),
            Cast::Big => text::parse(text).map(Value::Big),
        };
    }
    let number =
        || value.truncated().ok_or_else(|| format!("{} is not a number", value.type_name()));
    // Java's narrowing keeps the low bits.
    Ok(match to {
        Cast::Text => Value::Text(value.print()?),
        Cast::Int => Value::Int(number()? as i32),
        Cast::Long => Value::Long(number()? as i64),
        Cast::Big => Value::Big(number()?),
    })
}

/// `of[index]`; a negative index counts from the end.
fn item(of: &Value, index: &Value) -> Result<Value, String> {
    let index = index.as_position()?;
    let from_start = |length: usize| if index < 0 { index + length as i64 } else { index };
    match of {
        Value::Text(text) => {
            let start = from_start(text::units(text));
            text::slice(text, start, start.saturating_add(1)).map(Value::Text)
        }
        Value::List(items) => usize::try_from(from_start(items.len()))
            .ok()
            .and_then(|index| items.get(index).cloned())
            .ok_or_else(|| "the list has no item at that position".to_owned()),
        other => Err(format!("{} has no items", other.type_name())),
    }
}

/// `text[first..last]`, ends counted from the end of the text where they are negative.
fn slice(of: &Value, first: &Value, last: &Value, is_open: bool) -> Result<Value, String> {
    let Value::Text(text) = of else { return Err(format!("{} has no parts", of.type_name())) };
    let length = text::units(text) as i64;
    let (first, last) = (first.as_position()?, last.as_position()?);
    let from_start = |position: i64| if position < 0 { position + length } else { position };
    let (first, last) = (from_start(first), from_start(last));
    if first > last {
        return Err("a range of the expression runs backwards".to_owned());
    }
    text::slice(text, first, if is_open { last } else { last.saturating_add(1) }).map(Value::Text)
}
