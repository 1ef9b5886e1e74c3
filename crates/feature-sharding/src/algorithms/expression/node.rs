//! The tree of an expression.

use super::method::{Function, Method};
use super::value::Value;

/// A part of an expression that has a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Literal(Value),
    Variable(usize),
    List(Vec<Node>),
    Unary(UnaryOperator, Box<Node>),
    Binary(BinaryOperator, Box<(Node, Node)>),
    And(Box<(Node, Node)>),
    Or(Box<(Node, Node)>),
    /// `condition ? a : b`.
    Choice(Box<(Node, Node, Node)>),
    /// `a ?: b`.
    Otherwise(Box<(Node, Node)>),
    Call {
        receiver: Box<Node>,
        method: Method,
        arguments: Vec<Node>,
    },
    Static {
        function: Function,
        arguments: Vec<Node>,
    },
    /// `text[1]`, `list[n]`.
    Item(Box<(Node, Node)>),
    /// `text[1..3]`, `text[0..<2]`.
    Slice {
        of: Box<Node>,
        ends: Box<(Node, Node)>,
        is_open: bool,
    },
    Cast(Cast, Box<Node>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnaryOperator {
    Minus,
    Plus,
    Not,
    BitNot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Compare,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
}

/// `(long) x`, `x as long`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cast {
    Int,
    Long,
    Big,
    Text,
}

impl Node {
    /// True where the variable at this position is used.
    pub(super) fn uses(&self, variable: usize) -> bool {
        let pair = |pair: &(Self, Self)| pair.0.uses(variable) || pair.1.uses(variable);
        let any = |nodes: &[Self]| nodes.iter().any(|node| node.uses(variable));
        match self {
            Self::Literal(_) => false,
            Self::Variable(position) => *position == variable,
            Self::List(items) => any(items),
            Self::Unary(_, operand) | Self::Cast(_, operand) => operand.uses(variable),
            Self::Binary(_, operands)
            | Self::And(operands)
            | Self::Or(operands)
            | Self::Otherwise(operands)
            | Self::Item(operands) => pair(operands),
            Self::Choice(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().any(|part| part.uses(variable))
            }
            Self::Call { receiver, arguments, .. } => receiver.uses(variable) || any(arguments),
            Self::Static { arguments, .. } => any(arguments),
            Self::Slice { of, ends, .. } => of.uses(variable) || pair(ends),
        }
    }

    /// Variable and divisor of `variable % number`.
    pub(super) fn as_remainder(&self) -> Option<(usize, u32)> {
        let Self::Binary(BinaryOperator::Remainder, operands) = self else { return None };
        match operands.as_ref() {
            (Self::Variable(variable), Self::Literal(Value::Int(divisor))) if *divisor > 0 => {
                Some((*variable, divisor.unsigned_abs()))
            }
            _ => None,
        }
    }
}
