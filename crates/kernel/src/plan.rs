//! What is known of a statement before its values are: the plan, kept in the plan cache and in
//! prepared statements.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::error::StatementError;
use crate::feature::{Router, RowRouter};
use crate::gather::GatherPlan;
use crate::keys::KeyColumn;
use crate::load::LoadPlan;
use crate::merge::MergePlan;
use crate::model::{DataNode, UnitId};
use crate::predicate::{ValueRef, ValueSource};

/// The node positions a statement goes to: ascending, without doubles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteSet(pub SmallVec<[u32; 8]>);

/// One storage unit with its table mapping: what one backend statement is made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteUnit {
    /// Where it runs.
    pub unit: UnitId,
    /// Which data node of the sharded table(s); 0 where nothing is sharded.
    pub node: u32,
    /// INSERT: which rows of VALUES go here, ascending; empty for all.
    pub rows: SmallVec<[u32; 4]>,
}

/// What kind of work a statement is, as far as execution cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementClass {
    /// Returns rows and changes nothing.
    Read,
    /// Returns rows and locks them (`FOR UPDATE`, ...).
    LockingRead,
    /// Changes rows.
    Write,
    /// Changes tables: commits implicitly; the snapshot is refreshed after it.
    Ddl,
    /// Anything else that is passed on (CALL, LOCK TABLES, ...).
    Other,
}

/// The plan of one statement text under one snapshot.
#[derive(Debug)]
pub struct Plan {
    /// What it does.
    pub class: StatementClass,
    /// Where it goes.
    pub target: Target,
    /// How its text is written when it goes to one node.
    pub single: Template,
    /// How it is written and merged when it goes to several; the error when that is refused.
    pub multi: Result<MultiPlan, StatementError>,
    /// How a query that its nodes cannot answer each for itself is answered: when `multi` is
    /// refused, or always.
    pub gather: Option<Box<GatherPlan>>,
    /// Logical name of the actual database and tables in result metadata.
    pub relabel: Option<Relabel>,
    /// Where rows themselves hold names.
    pub row_names: RowNames,
    /// What it does to the session besides.
    pub effects: Effects,
    /// It is a read for certain: a replica may answer it in the place of its primary.
    pub reads_replicas: bool,
    /// It reads only tables of `information_schema`, `performance_schema`, `mysql` or `sys`, which
    /// the proxy answers for the logical database where it can.
    pub is_system: bool,
    /// INSERT: the columns whose values are generated where its rows lack them.
    pub keys: Vec<KeyColumn>,
    /// INSERT into a table of one unit that counts for itself: what the rows say of the counted
    /// column.
    pub counted: Option<KeyColumn>,
    /// LOAD DATA LOCAL into a sharded table.
    pub load: Option<Box<LoadPlan>>,
    /// Number of `?`.
    pub param_count: u16,
    /// Where a statement runs that may run anywhere; `None` when there is no unit.
    pub first_unit: Option<UnitId>,
}

/// Where a statement goes.
#[derive(Debug)]
pub enum Target {
    /// Always to this unit: single tables, statements without tables.
    Unit(UnitId),
    /// To any one unit of the database; [`Plan::route`] proposes the first one.
    AnyUnit,
    /// To any one of these nodes, all of which give the same answer; [`Plan::route`] proposes the
    /// first one.
    AnyOf(Arc<[DataNode]>),
    /// To the nodes a router finds.
    Nodes { nodes: Arc<[DataNode]>, router: Arc<dyn Router> },
    /// INSERT .. VALUES: each row to its node.
    Rows { nodes: Arc<[DataNode]>, router: Arc<dyn RowRouter>, rows: Vec<SmallVec<[ValueRef; 1]>> },
    /// To every node, once each (DDL).
    AllNodes(Arc<[DataNode]>),
}

/// What the rows of a SHOW hold that one server with all the data would spell otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowNames {
    /// Nothing.
    #[default]
    Same,
    /// The first column is an actual table.
    Table,
    /// The first column is an actual table, the second its definition.
    Definition,
    /// Variables, of which some are the proxy's own.
    Variables,
}

/// What a statement does to the session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// It calls LAST_INSERT_ID() without argument or reads @@identity, @@last_insert_id.
    pub reads_last_insert_id: bool,
    /// It calls FOUND_ROWS().
    pub reads_found_rows: bool,
    /// It calls ROW_COUNT().
    pub reads_row_count: bool,
    /// It has SQL_CALC_FOUND_ROWS.
    pub calculates_found_rows: bool,
    /// User variables it reads, lower case.
    pub reads_user_variables: Vec<String>,
    /// User variables it assigns (`:=`, `INTO @v`), lower case.
    pub assigns_user_variables: Vec<String>,
    /// It reads @@warning_count or @@error_count.
    pub reads_diagnostics: bool,
    /// It calls LAST_INSERT_ID(expr): the answer's insert id is the session's.
    pub sets_last_insert_id: bool,
    /// It is not certain that it changes nothing and needs nothing that only the primary has.
    pub needs_primary: bool,
    /// Tables of this session only that it creates; see [`crate::bind::BindContext`].
    pub creates_temporary_table: Option<String>,
    /// Tables that it drops, where they are of this session only.
    pub drops_temporary_tables: Vec<String>,
    /// It leaves something on the connection that cannot be replayed, and what (e.g. `temporary
    /// table`, `GET_LOCK`): the session keeps its connection from then on.
    pub pins: Option<&'static str>,
}

/// Writes the text for one route unit by splicing the client's own text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Template {
    /// Ascending, without overlap.
    pub splices: Vec<Splice>,
}

/// A byte position in every text of one fingerprint: counted from the end of the last literal
/// before it, as everything between literals is the same in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// How many literals of the fingerprint end at or before it.
    pub literals_before: u16,
    /// Bytes from the end of the last of them; from the start of the text without one.
    pub offset: u32,
}

/// One edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Splice {
    /// First byte that is replaced.
    pub start: Position,
    /// One past the last; equal to `start` to insert.
    pub end: Position,
    /// Parameters before the start and before the end: those between are not sent, but for those
    /// of the rows that are kept.
    pub params: (u16, u16),
    /// What stands there instead.
    pub with: SpliceText,
}

/// What is written at a splice.
#[derive(Debug, Clone, PartialEq)]
pub enum SpliceText {
    /// This text.
    Fixed(String),
    /// The actual table of the route unit's node, quoted, from this list by node.
    TableName(Arc<[DataNode]>),
    /// The actual table and, as its alias, this logical name: `` `t_3` AS `t` ``.
    TableNameAs(Arc<[DataNode]>, String),
    /// This name, an underscore and the actual table, quoted: names that are unique in a database.
    Suffixed(String, Arc<[DataNode]>),
    /// The chosen rows of VALUES.
    Rows(Arc<[RowSpan]>),
    /// The generated keys of an INSERT .. SET.
    Keys(Vec<KeySpan>),
    /// `LIMIT 0, offset + count` for a merged statement.
    LimitSum { offset: ValueRef, count: ValueRef },
}

/// Where a row of VALUES stands.
#[derive(Debug, Clone, PartialEq)]
pub struct RowSpan {
    /// First byte.
    pub start: Position,
    /// One past the last.
    pub end: Position,
    /// Parameters before its start and before its end.
    pub params: (u16, u16),
    /// Where generated keys go, ascending.
    pub keys: Vec<KeySpan>,
}

/// Where the generated key of a row goes.
#[derive(Debug, Clone, PartialEq)]
pub struct KeySpan {
    /// Which column of [`Plan::keys`].
    pub column: u16,
    /// First byte that is replaced where a value was generated.
    pub start: Position,
    /// One past the last; equal to `start` to insert.
    pub end: Position,
    /// What is written before the value.
    pub before: String,
    /// How it stands among the parameters.
    pub param: KeyParam,
}

/// How a generated key stands among the parameters of a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyParam {
    /// It is one more, behind as many.
    Added(u16),
    /// It takes the place of this one; the text stays.
    Replaces(u16),
}

/// How a statement on several nodes is written and merged.
#[derive(Debug)]
pub struct MultiPlan {
    /// With hidden columns, changed LIMIT, added ORDER BY.
    pub template: Template,
    /// What happens to the rows.
    pub merge: MergePlan,
}

/// Logical names for result metadata: a column definition that says `actual database` says
/// `logical database` afterwards, and an actual table its logical one.
#[derive(Debug, Clone, PartialEq)]
pub struct Relabel {
    /// The logical database.
    pub database: Arc<str>,
    /// Nodes and the logical table they belong to.
    pub tables: Vec<(Arc<[DataNode]>, Arc<str>)>,
}

/// The text of one execution and where its literals are.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    /// The statement.
    pub bytes: &'a [u8],
    /// Its literals, as the fingerprint of this text gives them.
    pub literals: &'a [sql::fingerprint::LiteralSpan],
    /// The values, for routing and LIMIT.
    pub values: &'a dyn ValueSource,
}
