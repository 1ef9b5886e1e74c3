//! Expressions.

use super::{Ident, OrderItem, Query};
use crate::Span;

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// First byte to last, parentheses that belong to it included.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// A literal value.
    Literal(Literal),
    /// `?`, counted from 0 in text order.
    Param(u32),
    /// A column, perhaps qualified.
    Column(ColumnName),
    /// `@name`.
    UserVariable(String),
    /// `@@[scope.]name`.
    SystemVariable(SystemVariable),
    /// `DEFAULT` as a value, e.g. in `VALUES (DEFAULT)`.
    Default,
    /// A prefix operator.
    Unary(UnaryOp, Box<Expr>),
    /// An infix operator.
    Binary(Box<Expr>, BinaryOp, Box<Expr>),
    /// `expr IS [NOT] NULL|TRUE|FALSE|UNKNOWN`.
    Is { expr: Box<Expr>, negated: bool, test: IsTest },
    /// `expr [NOT] IN (..)`.
    InList { expr: Box<Expr>, negated: bool, list: Vec<Expr> },
    /// `expr [NOT] IN (SELECT ..)`.
    InSubquery { expr: Box<Expr>, negated: bool, query: Box<Query> },
    /// `expr [NOT] BETWEEN low AND high`.
    Between { expr: Box<Expr>, negated: bool, low: Box<Expr>, high: Box<Expr> },
    /// `expr [NOT] LIKE pattern [ESCAPE e]`.
    Like { expr: Box<Expr>, negated: bool, pattern: Box<Expr>, escape: Option<Box<Expr>> },
    /// `expr [NOT] REGEXP|RLIKE pattern`.
    Regexp { expr: Box<Expr>, negated: bool, pattern: Box<Expr> },
    /// `(a, b)` or `ROW(a, b)`.
    Row(Vec<Expr>),
    /// `(expr)`.
    Nested(Box<Expr>),
    /// A function call, aggregates and window functions included.
    Function(Box<Function>),
    /// `CASE [operand] WHEN .. THEN .. [ELSE ..] END`.
    Case { operand: Option<Box<Expr>>, branches: Vec<(Expr, Expr)>, otherwise: Option<Box<Expr>> },
    /// `CAST(expr AS type)`, `CONVERT(expr, type)`, `BINARY expr` (type text `BINARY`).
    Cast { expr: Box<Expr>, type_text: String },
    /// `CONVERT(expr USING charset)`.
    ConvertUsing { expr: Box<Expr>, charset: String },
    /// `expr COLLATE name`.
    Collate { expr: Box<Expr>, collation: String },
    /// `EXISTS (SELECT ..)`.
    Exists(Box<Query>),
    /// `(SELECT ..)` as a value.
    Subquery(Box<Query>),
    /// `expr op ANY|SOME|ALL (SELECT ..)`.
    Quantified { expr: Box<Expr>, op: BinaryOp, all: bool, query: Box<Query> },
    /// `INTERVAL expr unit`.
    Interval { expr: Box<Expr>, unit: String },
    /// `MATCH (columns) AGAINST (expr ..)`.
    Match { columns: Vec<ColumnName>, against: Box<Expr> },
    /// `@name := expr`.
    Assign { variable: String, value: Box<Expr> },
}

/// A literal and its decoded value. Its span is that of the expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `NULL`, `\N`.
    Null,
    /// `TRUE`, `FALSE`.
    Bool(bool),
    /// Digits, a decimal, or a float, as written: `1`, `1.50`, `1e3`.
    Number(String),
    /// A string, unescaped, adjacent strings joined; with its introducer (`_utf8mb4`) if any.
    String { value: Vec<u8>, introducer: Option<String> },
    /// `x'4D'`, `0x4D`.
    Hex(Vec<u8>),
    /// `b'01'`, `0b01`, as bytes.
    Bit(Vec<u8>),
    /// `DATE '..'`, `TIME '..'`, `TIMESTAMP '..'`; key word in upper case.
    Temporal { keyword: &'static str, value: String },
    /// A value of its own in the rows of an INSERT, left in the text: long INSERTs consist of these, and
    /// few of them are ever asked for.
    Plain(PlainLiteral),
}

/// A literal that is decoded where it is asked for, from the bytes at its span
/// ([`crate::quoting`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainLiteral {
    /// Digits, a decimal, or a float.
    Number,
    /// One string without an introducer.
    String,
}

/// `[[database.]table.]column`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnName {
    /// The database qualifier.
    pub database: Option<Ident>,
    /// The table or alias qualifier.
    pub table: Option<Ident>,
    /// The column.
    pub name: Ident,
}

/// `@@name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemVariable {
    /// The scope as written.
    pub scope: VariableScope,
    /// In lower case.
    pub name: String,
}

/// The scope a variable is read from or set in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableScope {
    /// None written: session.
    Unspecified,
    /// `SESSION`, `LOCAL`.
    Session,
    /// `GLOBAL`.
    Global,
    /// `PERSIST`, `PERSIST_ONLY`.
    Persist,
}

/// Prefix operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `NOT`, `!`
    Not,
    /// `~`
    BitNot,
}

/// Infix operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    Xor,
    And,
    Equal,
    NullSafeEqual,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    BitOr,
    BitAnd,
    BitXor,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Multiply,
    Divide,
    IntegerDivide,
    Modulo,
    /// `||` when `sql_mode` has PIPES_AS_CONCAT.
    Concat,
    /// `->`
    JsonExtract,
    /// `->>`
    JsonUnquote,
    SoundsLike,
    MemberOf,
}

/// What `IS` tests for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IsTest {
    Null,
    True,
    False,
    Unknown,
}

/// A call, e.g. `COUNT(DISTINCT a)`, `NOW()`, `GROUP_CONCAT(a ORDER BY b SEPARATOR ',')`.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// The schema qualifier of a stored function.
    pub schema: Option<Ident>,
    /// As written; compare without regard to case. Special forms use their leading word
    /// (`EXTRACT`, `TRIM`, `SUBSTRING`, `POSITION`).
    pub name: Ident,
    /// The word among the arguments that is none, in upper case: the unit of EXTRACT,
    /// TIMESTAMPADD and TIMESTAMPDIFF, the side of TRIM, the character set of CHAR.
    pub modifier: Option<String>,
    /// The arguments; empty for `COUNT(*)`.
    pub args: Vec<Expr>,
    /// `COUNT(*)`.
    pub is_star: bool,
    /// `DISTINCT` before the arguments.
    pub is_distinct: bool,
    /// `ORDER BY` inside the parentheses.
    pub order_by: Vec<OrderItem>,
    /// `SEPARATOR` of GROUP_CONCAT, unescaped.
    pub separator: Option<Vec<u8>>,
    /// True with an `OVER` clause.
    pub is_windowed: bool,
    /// What follows `OVER`.
    pub window: Option<Box<WindowSpec>>,
    /// False when arguments were skipped rather than modelled (JSON_TABLE options and the like).
    pub is_complete: bool,
}

/// `OVER (..)`, `OVER name`, or one definition of the `WINDOW` clause.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WindowSpec {
    /// The named window it stands for or builds on.
    pub name: Option<Ident>,
    /// `PARTITION BY`.
    pub partition_by: Vec<Expr>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// `ROWS`, `RANGE` or `GROUPS ..`.
    pub has_frame: bool,
    /// The name, or the parentheses and what is between them.
    pub span: Span,
}
