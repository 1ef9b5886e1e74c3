//! Functions by their name.

pub(crate) mod date_arithmetic;
mod date_format;
mod date_part;
mod extreme;
mod number;
mod number_text;
mod rounding;
mod search;
pub(crate) mod text;
mod text_part;

use sql::ast::{Expr, ExprKind, Function};

use super::collate::aggregate;
use super::compile::Compiler;
use super::context::Context;
use super::error::{EvalError, Unsupported};
use super::node::{Frame, Node, refuse};
use super::types::{Coercibility, Collation, Kind, Type};
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
    if let [date, Expr { kind: ExprKind::Interval { expr, unit }, .. }] = function.args.as_slice() {
        let operands = vec![compiler.node(date)?, compiler.node(expr)?];
        return match name.as_str() {
            "DATE_ADD" | "ADDDATE" => date_arithmetic::add(operands, unit, false, compiler.context),
            "DATE_SUB" | "SUBDATE" => date_arithmetic::add(operands, unit, true, compiler.context),
            _ => Err(refuse(name)),
        };
    }
    let args = compiler.nodes(&function.args)?;
    for arg in &args {
        check_bytes(arg)?;
    }
    let call = Call { name: &name, modifier: function.modifier.as_deref() };
    of_choice(&call, args, compiler.context)
}

/// A function's name in upper case, and the word among its arguments that is none.
struct Call<'a> {
    name: &'a str,
    modifier: Option<&'a str>,
}

fn of_choice(call: &Call<'_>, args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    match (call.name, args.len()) {
        ("COALESCE", 1..) | ("IFNULL", 2) => control::coalesce(args, context),
        ("IF", 3) => control::choose(args, context),
        ("NULLIF", 2) => control::null_if(args, context),
        ("GREATEST", 2..) => extreme::compile(args, true, context),
        ("LEAST", 2..) => extreme::compile(args, false, context),
        ("INTERVAL", 2..) => extreme::interval(args),
        ("ISNULL", 1) => {
            let [operand] = exactly(args)?;
            Ok(super::logic::is(operand, false, sql::ast::IsTest::Null))
        }
        _ => of_text(call, args, context),
    }
}

fn of_text(call: &Call<'_>, args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    match (call.name, args.len()) {
        ("CONCAT", 1..) => text::concat(args, context),
        ("CONCAT_WS", 2..) => text::concat_with(args, context),
        ("UPPER" | "UCASE", 1) => text::change_case(args, true, context),
        ("LOWER" | "LCASE", 1) => text::change_case(args, false, context),
        ("REVERSE", 1) => text::reverse(args, context),
        ("REPLACE", 3) => text::replace(args, context),
        ("REPEAT", 2) => text::repeat(args, context),
        ("SPACE", 1) => text::space(args, context),
        ("LPAD", 3) => text::pad(args, true, context),
        ("RPAD", 3) => text::pad(args, false, context),
        ("LENGTH" | "OCTET_LENGTH", 1) => text::length(args, 1),
        ("BIT_LENGTH", 1) => text::length(args, 8),
        ("CHAR_LENGTH" | "CHARACTER_LENGTH", 1) => text::char_length(args),
        ("ASCII", 1) => text::first_byte(args),
        ("HEX", 1) => number_text::hex(args, context),
        ("UNHEX", 1) => number_text::unhex(args),
        ("BIN", 1) => number_text::in_base(args, 2, context),
        ("OCT", 1) => number_text::in_base(args, 8, context),
        ("CRC32", 1) => number_text::crc32(args),
        ("FORMAT", 2) => number_text::format(args, context),
        ("LEFT", 2) => text_part::left(args, context),
        ("RIGHT", 2) => text_part::right(args, context),
        ("SUBSTRING" | "SUBSTR" | "MID", 2 | 3) => text_part::substring(args, context),
        ("SUBSTRING_INDEX", 3) => text_part::before_delimiter(args, context),
        ("TRIM", 1 | 2) => text_part::trim(args, call.modifier.unwrap_or("BOTH"), context),
        ("LTRIM", 1) => text_part::trim(args, "LEADING", context),
        ("RTRIM", 1) => text_part::trim(args, "TRAILING", context),
        ("LOCATE", 2 | 3) | ("POSITION", 2) => search::locate(args, context),
        ("INSTR", 2) => {
            let [text, part] = exactly(args)?;
            search::locate(vec![part, text], context)
        }
        ("STRCMP", 2) => search::compare(args, context),
        ("FIELD", 2..) => search::field(args, context),
        ("ELT", 2..) => search::element(args, context),
        ("FIND_IN_SET", 2) => search::find_in_set(args, context),
        _ => of_number(call, args, context),
    }
}

fn of_number(call: &Call<'_>, args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    match (call.name, args.len()) {
        ("MOD", 2) => {
            let [left, right] = exactly(args)?;
            arithmetic::check_operand(&left)?;
            arithmetic::check_operand(&right)?;
            arithmetic::modulo(left, right)
        }
        ("ABS", 1) => number::abs(args),
        ("SIGN", 1) => number::sign(args),
        ("SQRT", 1) => number::square_root(args),
        ("POW" | "POWER", 2) => number::power(args),
        ("PI", 0) => Ok(number::pi()),
        ("ROUND", 1 | 2) => rounding::round(args, false, context),
        ("TRUNCATE", 2) => rounding::round(args, true, context),
        ("CEIL" | "CEILING", 1) => rounding::to_whole(args, true, context),
        ("FLOOR", 1) => rounding::to_whole(args, false, context),
        _ => of_date(call, args, context),
    }
}

fn of_date(call: &Call<'_>, args: Vec<Node>, context: &Context) -> Result<Node, Unsupported> {
    if context.has_special_mode {
        return Err(refuse(format!("{} under this sql_mode", call.name)));
    }
    match (call.name, args.len(), call.modifier) {
        ("DATE", 1, _) => {
            let [date] = exactly(args)?;
            super::cast::compile(date, "DATE", context)
        }
        ("LAST_DAY", 1, _) => date_part::last_day(args),
        ("TO_DAYS", 1, _) => date_part::to_days(args),
        ("FROM_DAYS", 1, _) => date_part::from_days(args),
        ("DATEDIFF", 2, _) => date_part::difference(args),
        ("TIME_TO_SEC", 1, _) => date_part::time_to_seconds(args),
        ("DAYNAME", 1, _) => date_format::name_of(args, b"%W", context),
        ("MONTHNAME", 1, _) => date_format::name_of(args, b"%M", context),
        ("DATE_FORMAT", 2, _) => date_format::compile(args, context),
        ("ADDDATE", 2, None) => date_arithmetic::add(args, "DAY", false, context),
        ("SUBDATE", 2, None) => date_arithmetic::add(args, "DAY", true, context),
        ("TIMESTAMPADD", 2, Some(unit)) => {
            let [count, date] = exactly(args)?;
            date_arithmetic::add(vec![date, count], unit, false, context)
        }
        ("TIMESTAMPDIFF", 2, Some(unit)) => date_arithmetic::difference(args, unit),
        ("EXTRACT", 1, Some(unit)) => date_part::part(args, unit, false, context),
        (part, 1, None) => date_part::part(args, part, true, context),
        (name, ..) => Err(refuse(name.to_owned())),
    }
}

fn no_argument() -> Unsupported {
    refuse("this number of arguments")
}

/// The arguments, which are so many.
fn exactly<const N: usize>(args: Vec<Node>) -> Result<[Node; N], Unsupported> {
    args.try_into().map_err(|_| no_argument())
}

/// Strings whose bytes are not those the server computes with.
fn check_bytes(node: &Node) -> Result<(), Unsupported> {
    match &node.ty.collation {
        Some(collation) if !collation.keeps_bytes() => {
            Err(refuse(format!("strings in {}", collation.charset())))
        }
        _ => Ok(()),
    }
}

/// The type of the string that these strings make.
fn text_type<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
    context: &Context,
) -> Result<Type, Unsupported> {
    let nodes: Vec<&Node> = nodes.into_iter().collect();
    if nodes.iter().any(|node| node.ty.kind == Kind::Null) {
        // MySQL may make a byte string of it.
        return Err(refuse("a string function of NULL"));
    }
    check_one_charset(nodes.iter().copied())?;
    let collation = aggregate(nodes.iter().copied(), context)?;
    let coercibility = collation.coercibility.min(Coercibility::Coercible);
    Ok(Type::text(Collation { coercibility, ..collation }))
}

/// Byte strings beside characters are converted in MySQL, and are not in MariaDB.
pub(crate) fn check_one_charset<'a>(
    nodes: impl IntoIterator<Item = &'a Node>,
) -> Result<(), Unsupported> {
    let is_binary =
        |node: &Node| node.ty.collation.as_ref().is_some_and(|collation| collation.is_binary());
    let mut nodes = nodes.into_iter().filter(|node| node.ty.kind != Kind::Null);
    let Some(first) = nodes.next().map(is_binary) else { return Ok(()) };
    match nodes.all(|node| is_binary(node) == first) {
        true => Ok(()),
        false => Err(refuse("byte strings beside other values")),
    }
}

/// The type of a string that a function makes of its own.
fn own_text(context: &Context) -> Type {
    Type::text(Collation { name: context.collation.clone(), coercibility: Coercibility::Coercible })
}

/// An integer argument that counts something; beyond the range of BIGINT its ends.
fn count(frame: &Frame<'_>, node: &Node) -> Result<Option<i64>, EvalError> {
    if node.ty.kind == Kind::Text {
        return Err(EvalError::unsupported("a string as a number of characters"));
    }
    let value = node.integer(frame)?;
    Ok(value.map(|value| value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64))
}
