//! LOAD DATA LOCAL into a sharded table: the lines of the client's file, each for its node.
//!
//! Lines go to the nodes as they are, so that each node reads them as one server would; only what
//! places a row, and generated keys, is read and written here.

mod lines;

use std::sync::Arc;

use sql::ast::LoadFormat;

pub use lines::{Field, LineReader, LineTooLong};

use crate::feature::RowRouter;
use crate::keys::KeyColumn;
use crate::model::DataNode;

/// How a file is loaded.
#[derive(Debug)]
pub struct LoadPlan {
    /// The file's name, as the client knows it.
    pub file: Vec<u8>,
    /// The logical table.
    pub table: Arc<str>,
    /// Its nodes.
    pub nodes: Arc<[DataNode]>,
    /// Finds the node of a row.
    pub router: Arc<dyn RowRouter>,
    /// Where a line has the sharding values, in the router's order.
    pub sources: Vec<LoadSource>,
    /// The sharding columns, for errors.
    pub sharding_columns: Vec<String>,
    /// Generated columns with where a line has them; those it has not are put before its fields, in
    /// this order.
    pub keys: Vec<(KeyColumn, Option<usize>)>,
    /// How fields and lines end.
    pub format: LoadFormat,
    /// Lines to be left out at the start.
    pub ignored_lines: u64,
    /// The file's character set is known to be UTF-8 or ASCII.
    pub is_utf8: bool,
    /// The statement of a node before its actual table, and behind it.
    pub statement: (String, String),
}

/// Where a sharding value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadSource {
    /// The field at this position of a line.
    Field(usize),
    /// The generated column at this position of [`LoadPlan::keys`].
    Key(usize),
}

impl LoadPlan {
    /// The text of the statement for a node.
    pub fn text_for(&self, node: u32) -> String {
        let table = self.nodes.get(node as usize).map_or("", |node| &node.actual_table);
        let (before, behind) = &self.statement;
        format!("{before}{}{behind}", crate::rewrite::quoted(table))
    }
}
