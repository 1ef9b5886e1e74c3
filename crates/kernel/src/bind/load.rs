//! `LOAD DATA`.

use std::sync::Arc;

use sql::ast::{LoadData, LoadDuplicates, LoadFormat};

use super::Binder;
use super::survey::Survey;
use super::tables::Sharded;
use crate::error::StatementError;
use crate::feature::Router;
use crate::keys::RowKey;
use crate::load::{LoadPlan, LoadSource};
use crate::merge::MergePlan;
use crate::plan::{MultiPlan, Plan, RouteSet, StatementClass, Target, Template};
use crate::predicate::ValueSource;
use crate::rewrite::{Draft, quoted};

/// Character sets in which a byte below 0x80 may be part of a letter: fields cannot be found by
/// their ends.
const AMBIGUOUS: &[&str] =
    &["gbk", "gb18030", "big5", "sjis", "cp932", "ucs2", "utf16", "utf16le", "utf32"];

impl Binder<'_> {
    /// LOAD DATA into a sharded table.
    pub(super) fn sharded_load(
        &self,
        load: &LoadData,
        survey: Survey<'_>,
        sharded: Sharded<'_>,
    ) -> Result<Plan, StatementError> {
        check_form(load, &sharded.table.name)?;
        let stage = self.route_stage(sharded)?;
        let sharding_columns = stage.sharding_columns(&sharded.table.name).unwrap_or_default();
        let names = field_names(load, sharded);
        let find = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column));
        let database = self.logical_name(sharded.nodes);
        let mut keys = Vec::new();
        for mut key in self.table_keys((database, sharded.table), Some(stage)) {
            let at = find(&key.column);
            key.rows = vec![RowKey::Lacking];
            if key.is_auto_increment || at.is_none() {
                keys.push((key, at));
            }
        }
        let source = |column: &String| {
            let key = keys.iter().position(|(key, _)| key.column.eq_ignore_ascii_case(column));
            key.map(LoadSource::Key).or_else(|| find(column).map(LoadSource::Field)).ok_or_else(
                || {
                    refusal(&format!(
                        "without sharding column '{column}' of table '{}' in its list of columns",
                        sharded.table.name
                    ))
                },
            )
        };
        let sources = sharding_columns.iter().map(source).collect::<Result<Vec<_>, _>>()?;
        let added: Vec<&str> =
            keys.iter().filter(|(_, at)| at.is_none()).map(|(key, _)| &*key.column).collect();
        let plan = LoadPlan {
            file: load.file.clone(),
            table: Arc::clone(&sharded.table.name),
            nodes: Arc::clone(sharded.nodes),
            router: stage.row_router(sharded.table, self.hints)?,
            sources,
            sharding_columns,
            statement: self.load_statement(load, &names, &added),
            keys,
            format: load.format.clone(),
            ignored_lines: load.ignored_lines,
            is_utf8: load.charset.as_deref().is_some_and(is_utf8),
        };
        let target = Target::Nodes { nodes: Arc::clone(sharded.nodes), router: Arc::new(Unrouted) };
        let class = StatementClass::Write;
        let multi = Ok(MultiPlan { template: Template::default(), merge: MergePlan::Summarize });
        let draft = Draft::default();
        let mut made = self.sharded_plan(sharded, class, target, draft, multi, survey.effects)?;
        made.load = Some(Box::new(plan));
        Ok(made)
    }

    /// The statement of a node before its table and behind it.
    fn load_statement(&self, load: &LoadData, names: &[&str], added: &[&str]) -> (String, String) {
        let duplicates = match load.on_duplicate {
            LoadDuplicates::Unsaid => "",
            LoadDuplicates::Ignore => "IGNORE ",
            LoadDuplicates::Replace => "REPLACE ",
        };
        let before = format!("LOAD DATA LOCAL INFILE 'anabranch' {duplicates}INTO TABLE ");
        let format = String::from_utf8_lossy(load.format_span.of(self.text)).into_owned();
        let columns = match load.columns.is_some() || !added.is_empty() {
            true => {
                let all = added.iter().chain(names).map(|name| quoted(name));
                format!(" ({})", all.collect::<Vec<_>>().join(", "))
            }
            false => String::new(),
        };
        (before, format!(" {format}{columns}"))
    }
}

/// The columns of the fields of a line.
fn field_names<'i>(load: &'i LoadData, sharded: Sharded<'i>) -> Vec<&'i str> {
    match load.columns.as_deref() {
        Some(columns) if !columns.is_empty() => {
            columns.iter().flatten().map(|name| name.value.as_str()).collect()
        }
        _ => super::insert::table_columns(sharded.table)
            .filter(|column| !column.is_invisible)
            .map(|column| column.name.as_str())
            .collect(),
    }
}

/// Refuses what is not read here as a server reads it.
fn check_form(load: &LoadData, table: &str) -> Result<(), StatementError> {
    if load.is_xml {
        return Err(refusal("XML"));
    }
    if !load.is_local {
        return Err(StatementError::new(
            20030,
            "44000",
            format!(
                "LOAD DATA into sharded table '{table}' needs LOCAL: a file on a server's host holds \
                 rows of every node"
            ),
        ));
    }
    if load.rest.is_some() || load.has_partition {
        return Err(refusal("SET or PARTITION"));
    }
    if load.columns.iter().flatten().any(Option::is_none) {
        return Err(refusal("a user variable in its list of columns"));
    }
    if let Some(charset) = load.charset.as_deref().filter(|name| is_ambiguous(name)) {
        return Err(refusal(&format!("CHARACTER SET {charset}")));
    }
    let LoadFormat { field_end, enclosure, escape, line_start, line_end } = &load.format;
    if field_end.is_empty() || line_end.is_empty() {
        return Err(refusal("fields or lines without an end"));
    }
    if !line_start.is_empty() {
        return Err(refusal("LINES STARTING BY"));
    }
    if enclosure.len() > 1 || escape.len() > 1 {
        return Err(StatementError::new(
            1083,
            "42000",
            "Field separator argument is not what is expected; check the manual",
        ));
    }
    let specials = [field_end.first(), line_end.first(), enclosure.first(), escape.first()];
    let mut known: Vec<&u8> = specials.into_iter().flatten().collect();
    known.sort_unstable();
    if known.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(refusal("two of its separators beginning with the same character"));
    }
    Ok(())
}

fn is_utf8(charset: &str) -> bool {
    ["utf8mb4", "utf8mb3", "utf8", "ascii"].iter().any(|name| name.eq_ignore_ascii_case(charset))
}

fn is_ambiguous(charset: &str) -> bool {
    AMBIGUOUS.iter().any(|name| name.eq_ignore_ascii_case(charset))
}

fn refusal(what: &str) -> StatementError {
    StatementError::unsupported(format!(
        "LOAD DATA LOCAL into a sharded table with {what} is not supported"
    ))
}

/// The rows of a file are placed one by one; the statement as a whole has no nodes.
#[derive(Debug)]
struct Unrouted;

impl Router for Unrouted {
    fn route(&self, _: &dyn ValueSource, _: &mut RouteSet) -> Result<(), StatementError> {
        Err(StatementError::new(
            1295,
            "HY000",
            "LOAD DATA of a sharded table is not supported in the prepared statement protocol yet",
        ))
    }

    fn reason(&self) -> String {
        "each line to its node".to_owned()
    }
}
