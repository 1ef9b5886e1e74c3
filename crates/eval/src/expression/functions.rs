//! Functions by their name.

use sql::ast::Function;

use super::compile::Compiler;
use super::error::Unsupported;
use super::node::{Node, refuse};
use super::{arithmetic, control};

/// A call of a function that is always the same for the same arguments.
pub(crate) fn compile(
    compiler: &mut Compiler<'_>,
    function: &Function,
) -> Result<Node, Unsupported> {
    let name = function.name.value.to_ascii_uppercase();
    let is_plain = function.schema.is_none()
        && function.is_complete
        && !function.is_star
        && !function.is_distinct
        && !function.is_windowed
        && function.order_by.is_empty()
        && function.separator.is_none();
    if !is_plain {
        return Err(refuse(name));
    }
    let context = compiler.context;
    let args = compiler.nodes(&function.args)?;
    match (name.as_str(), args.len()) {
        ("COALESCE", 1..) | ("IFNULL", 2) => control::coalesce(args, context),
        ("IF", 3) => control::choose(args, context),
        ("NULLIF", 2) => control::null_if(args, context),
        ("MOD", 2) => {
            let [left, right] = two(args)?;
            arithmetic::check_operand(&left)?;
            arithmetic::check_operand(&right)?;
            arithmetic::modulo(left, right)
        }
        _ => Err(refuse(name)),
    }
}

fn two(args: Vec<Node>) -> Result<[Node; 2], Unsupported> {
    args.try_into().map_err(|_| refuse("this number of arguments"))
}
