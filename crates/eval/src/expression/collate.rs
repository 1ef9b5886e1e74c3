//! Which collation a comparison has, and the order it gives.

use std::cmp::Ordering;
use std::sync::Arc;

use super::context::Context;
use super::error::Unsupported;
use super::node::{Node, refuse};
use super::types::{Coercibility, Collation, Kind};

/// The collation of a value where it stands among strings.
pub(crate) fn of_node(node: &Node, context: &Context) -> Collation {
    match (&node.ty.collation, node.ty.kind) {
        (Some(collation), _) => collation.clone(),
        (None, Kind::Null) => {
            Collation { name: Arc::from("binary"), coercibility: Coercibility::Ignorable }
        }
        (None, _) => {
            Collation { name: context.collation.clone(), coercibility: Coercibility::Numeric }
        }
    }
}

/// The collation that the strings of an operation have together.
///
/// # Source
/// MySQL 8.4 manual, "Collation Coercibility in Expressions".
pub(crate) fn aggregate<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
    context: &Context,
) -> Result<Collation, Unsupported> {
    let mut nodes = nodes.into_iter().map(|node| of_node(node, context));
    let Some(first) = nodes.next() else {
        return Ok(Collation {
            name: context.collation.clone(),
            coercibility: Coercibility::Coercible,
        });
    };
    nodes.try_fold(first, join)
}

fn join(left: Collation, right: Collation) -> Result<Collation, Unsupported> {
    let mixed = || refuse("a mix of collations");
    if left.coercibility == Coercibility::Ignorable {
        return Ok(right);
    }
    if right.coercibility == Coercibility::Ignorable || left == right {
        return Ok(left);
    }
    if left.charset() == right.charset() {
        return match left.coercibility.cmp(&right.coercibility) {
            Ordering::Less => Ok(left),
            Ordering::Greater => Ok(right),
            Ordering::Equal if left.name == right.name => Ok(left),
            // One of them may be binary: some functions take it, others do not.
            Ordering::Equal => Err(mixed()),
        };
    }
    if left.is_binary() && left.coercibility <= right.coercibility {
        return Ok(left);
    }
    if right.is_binary() && right.coercibility <= left.coercibility {
        return Ok(right);
    }
    if left.is_binary() || right.is_binary() {
        return Err(mixed());
    }
    // A literal is converted to the other's character set, where it can be.
    let (stronger, weaker) =
        if left.coercibility <= right.coercibility { (left, right) } else { (right, left) };
    let is_literal = weaker.coercibility >= Coercibility::Coercible;
    if is_literal && stronger.coercibility < weaker.coercibility && stronger.keeps_bytes() {
        return Ok(stronger);
    }
    Err(mixed())
}
