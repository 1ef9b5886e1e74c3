//! From the tree of the parser to one that can be evaluated.

use sql::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

use super::context::Context;
use super::error::Unsupported;
use super::node::{Node, NodeKind, refuse};
use super::{Scope, arithmetic, bits, cast, compare, control, functions, like, literal, logic};

/// How deep a tree may be.
const MAX_DEPTH: u32 = 250;

/// What the compilation of one expression goes on.
pub(crate) struct Compiler<'a> {
    pub(crate) scope: &'a dyn Scope,
    pub(crate) context: &'a Context,
    depth: u32,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(scope: &'a dyn Scope, context: &'a Context) -> Self {
        Self { scope, context, depth: 0 }
    }

    /// The node of an expression.
    pub(crate) fn node(&mut self, expr: &Expr) -> Result<Node, Unsupported> {
        if self.depth == MAX_DEPTH {
            return Err(refuse("an expression this deep"));
        }
        self.depth += 1;
        let node = match self.scope.resolve(expr) {
            Some(slot) => Ok(Node { ty: slot.ty, kind: NodeKind::Slot(slot.index) }),
            None => self.unresolved(expr),
        };
        self.depth -= 1;
        node
    }

    /// The nodes of several.
    pub(crate) fn nodes<'e>(
        &mut self,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Result<Vec<Node>, Unsupported> {
        exprs.into_iter().map(|expr| self.node(expr)).collect()
    }

    fn unresolved(&mut self, expr: &Expr) -> Result<Node, Unsupported> {
        match &expr.kind {
            ExprKind::Literal(literal) => literal::compile(literal, self.context),
            ExprKind::Nested(inner) => self.node(inner),
            ExprKind::Unary(op, operand) => self.unary(*op, operand),
            ExprKind::Binary(left, op, right) => self.binary(left, *op, right),
            ExprKind::Param(index) => match self.scope.parameter(*index) {
                Some(value) => literal::of_value(&value, self.context),
                None => Err(refuse("a parameter here")),
            },
            ExprKind::Function(function) => functions::compile(self, function),
            _ => self.predicate(expr),
        }
    }

    fn predicate(&mut self, expr: &Expr) -> Result<Node, Unsupported> {
        match &expr.kind {
            ExprKind::Is { expr, negated, test } => {
                // Whether a comparison of rows is false or UNKNOWN is not kept apart by all servers.
                if compares_rows(expr) {
                    return Err(refuse("IS on a comparison of rows"));
                }
                Ok(logic::is(self.node(expr)?, *negated, *test))
            }
            ExprKind::Between { expr, negated, low, high } => {
                let operands = self.nodes([&**expr, low, high])?;
                compare::between(operands, *negated, self.context)
            }
            ExprKind::InList { expr, negated, list } => self.in_list(expr, *negated, list),
            ExprKind::Case { operand, branches, otherwise } => {
                let operand = operand.as_deref().map(|expr| self.node(expr)).transpose()?;
                let branches = branches
                    .iter()
                    .map(|(test, value)| Ok((self.node(test)?, self.node(value)?)))
                    .collect::<Result<_, Unsupported>>()?;
                let otherwise = otherwise.as_deref().map(|expr| self.node(expr)).transpose()?;
                control::case(operand, branches, otherwise, self.context)
            }
            ExprKind::Like { expr, negated, pattern, escape } => {
                let (value, pattern) = (self.node(expr)?, self.node(pattern)?);
                let escape = escape.as_deref().map(|expr| self.node(expr)).transpose()?;
                like::compile(value, pattern, escape, *negated, self.context)
            }
            ExprKind::Cast { expr, type_text } => {
                cast::compile(self.node(expr)?, type_text, self.context)
            }
            ExprKind::ConvertUsing { expr, charset } if charset.eq_ignore_ascii_case("binary") => {
                cast::compile(self.node(expr)?, "BINARY", self.context)
            }
            ExprKind::Collate { expr, collation } => cast::collate(self.node(expr)?, collation),
            other => Err(refuse(name_of(other))),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Result<Node, Unsupported> {
        let operand = self.node(operand)?;
        match op {
            UnaryOp::Plus => Ok(operand),
            UnaryOp::Minus => arithmetic::negate(operand, self.context),
            UnaryOp::Not => Ok(logic::not(operand)),
            UnaryOp::BitNot => bits::not(operand),
        }
    }

    fn binary(&mut self, left: &Expr, op: BinaryOp, right: &Expr) -> Result<Node, Unsupported> {
        use BinaryOp as Op;
        if let (ExprKind::Row(left), ExprKind::Row(right)) = (&left.kind, &right.kind) {
            return self.rows(left, op, right);
        }
        if let Some(sum) = self.with_interval(left, op, right)? {
            return Ok(sum);
        }
        let (left, right) = (self.node(left)?, self.node(right)?);
        match op {
            Op::Or | Op::Xor | Op::And => Ok(logic::compile(op, left, right)),
            Op::Equal
            | Op::NullSafeEqual
            | Op::NotEqual
            | Op::Less
            | Op::LessOrEqual
            | Op::Greater
            | Op::GreaterOrEqual => compare::compile(op, left, right, self.context),
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::IntegerDivide | Op::Modulo => {
                arithmetic::compile(op, left, right, self.context)
            }
            Op::BitOr | Op::BitAnd | Op::BitXor | Op::ShiftLeft | Op::ShiftRight => {
                bits::compile(op, left, right)
            }
            Op::Concat => functions::text::concat(vec![left, right], self.context),
            _ => Err(refuse("this operator")),
        }
    }

    /// `date ± INTERVAL n unit`, `INTERVAL n unit + date`.
    fn with_interval(
        &mut self,
        left: &Expr,
        op: BinaryOp,
        right: &Expr,
    ) -> Result<Option<Node>, Unsupported> {
        let (date, count, unit) = match (op, &left.kind, &right.kind) {
            (BinaryOp::Plus | BinaryOp::Minus, _, ExprKind::Interval { expr, unit }) => {
                (left, expr, unit)
            }
            (BinaryOp::Plus, ExprKind::Interval { expr, unit }, _) => (right, expr, unit),
            _ => return Ok(None),
        };
        let operands = vec![self.node(date)?, self.node(count)?];
        let is_subtracted = op == BinaryOp::Minus;
        functions::date_arithmetic::add(operands, unit, is_subtracted, self.context).map(Some)
    }

    /// `(a, b) = (c, d)` and `<=>`, `<>`: pair by pair.
    fn rows(&mut self, left: &[Expr], op: BinaryOp, right: &[Expr]) -> Result<Node, Unsupported> {
        let each = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => BinaryOp::Equal,
            BinaryOp::NullSafeEqual => BinaryOp::NullSafeEqual,
            _ => return Err(refuse("the order of rows")),
        };
        if left.len() != right.len() {
            return Err(refuse("comparing rows of different lengths"));
        }
        let mut all: Option<Node> = None;
        for (left, right) in left.iter().zip(right) {
            let pair = self.binary(left, each, right)?;
            all = Some(match all {
                Some(so_far) => logic::compile(BinaryOp::And, so_far, pair),
                None => pair,
            });
        }
        let all = all.ok_or_else(|| refuse("an empty row"))?;
        Ok(if op == BinaryOp::NotEqual { logic::not(all) } else { all })
    }

    fn in_list(
        &mut self,
        expr: &Expr,
        is_negated: bool,
        list: &[Expr],
    ) -> Result<Node, Unsupported> {
        let ExprKind::Row(row) = &expr.kind else {
            let mut operands = vec![self.node(expr)?];
            operands.extend(self.nodes(list)?);
            return compare::in_list(operands, is_negated, self.context);
        };
        let mut pairs = Vec::with_capacity(list.len());
        for other in list {
            let ExprKind::Row(other) = &other.kind else {
                return Err(refuse("comparing a row with a value"));
            };
            pairs.push(self.rows(row, BinaryOp::Equal, other)?);
        }
        let any = logic::any(pairs);
        Ok(if is_negated { logic::not(any) } else { any })
    }
}

fn compares_rows(mut expr: &Expr) -> bool {
    while let ExprKind::Nested(inner) = &expr.kind {
        expr = inner;
    }
    match &expr.kind {
        ExprKind::Binary(left, ..) | ExprKind::InList { expr: left, .. } => {
            matches!(left.kind, ExprKind::Row(_))
        }
        _ => false,
    }
}

/// What an expression is, for the text of an error.
fn name_of(kind: &ExprKind) -> &'static str {
    match kind {
        ExprKind::Column(_) => "a column here",
        ExprKind::UserVariable(_) | ExprKind::Assign { .. } => "a user variable",
        ExprKind::SystemVariable(_) => "a system variable",
        ExprKind::Default => "DEFAULT",
        ExprKind::Regexp { .. } => "REGEXP",
        ExprKind::Row(_) => "a row here",
        ExprKind::Exists(_)
        | ExprKind::Subquery(_)
        | ExprKind::InSubquery { .. }
        | ExprKind::Quantified { .. } => "a sub-query",
        ExprKind::Match { .. } => "MATCH",
        ExprKind::Interval { .. } => "INTERVAL here",
        _ => "this expression",
    }
}
