//! AND, OR, XOR, NOT, and IS with its tests.

use sql::ast::{BinaryOp, IsTest};

use super::context::Flavour;
use super::datum::Datum;
use super::error::EvalError;
use super::node::Node;
use super::types::Type;

/// `AND`, `OR`, `XOR`.
pub(crate) fn compile(op: BinaryOp, left: Node, right: Node) -> Node {
    Node::call(Type::INTEGER, vec![left, right], move |frame, nodes| {
        let left = nodes[0].truth(frame)?;
        let decisive = match op {
            BinaryOp::And => Some(false),
            BinaryOp::Or => Some(true),
            _ => None,
        };
        if left.is_some() && left == decisive {
            return Ok(Datum::of_truth(left));
        }
        let right = nodes[1].truth(frame)?;
        Ok(Datum::of_truth(match (left, right) {
            _ if right.is_some() && right == decisive => right,
            (Some(left), Some(right)) => Some(match op {
                BinaryOp::And => left && right,
                BinaryOp::Or => left || right,
                _ => left != right,
            }),
            _ => None,
        }))
    })
}

/// `NOT`.
pub(crate) fn not(operand: Node) -> Node {
    Node::call(Type::INTEGER, vec![operand], |frame, nodes| {
        Ok(Datum::of_truth(nodes[0].truth(frame)?.map(|truth| !truth)))
    })
}

/// `IS [NOT] NULL|TRUE|FALSE|UNKNOWN`.
pub(crate) fn is(operand: Node, is_negated: bool, test: IsTest) -> Node {
    Node::call(Type::INTEGER, vec![operand], move |frame, nodes| {
        let holds = match test {
            IsTest::Null => nodes[0].evaluate(frame)? == Datum::Null,
            IsTest::Unknown => nodes[0].truth(frame)?.is_none(),
            IsTest::True => nodes[0].truth(frame)? == Some(true),
            IsTest::False => nodes[0].truth(frame)? == Some(false),
        };
        Ok(Datum::truth(holds != is_negated))
    })
}

/// OR of many.
pub(crate) fn any(operands: Vec<Node>) -> Node {
    Node::call(Type::INTEGER, operands, |frame, nodes| {
        let mut found = Some(false);
        for node in nodes {
            match node.truth(frame)? {
                Some(true) => return Ok(Datum::truth(true)),
                Some(false) => {}
                None => found = None,
            }
        }
        Ok(Datum::of_truth(found))
    })
}

/// A comparison of rows, which MariaDB may take for false where it is UNKNOWN.
pub(crate) fn certain(operand: Node) -> Node {
    Node::call(Type::INTEGER, vec![operand], |frame, nodes| match nodes[0].evaluate(frame)? {
        Datum::Null if frame.context.flavour == Flavour::MariaDb => {
            Err(EvalError::unsupported("comparing rows with NULL"))
        }
        datum => Ok(datum),
    })
}
