//! Rewrite: the client's own text with the edits that one route unit needs.

mod draft;

use smallvec::SmallVec;

pub(crate) use draft::{Draft, position};

use crate::model::DataNode;
use crate::plan::{Position, RouteUnit, RowSpan, SpliceText, Template, Text};
use crate::predicate::ValueRef;
use crate::route::whole_number;

impl Template {
    /// Appends the text for `unit` to `out`.
    pub fn render(&self, text: Text<'_>, unit: &RouteUnit, out: &mut Vec<u8>) {
        let mut from = 0;
        for splice in &self.splices {
            let start = text.position(splice.start);
            out.extend_from_slice(text.slice(from, start));
            splice.with.render(text, unit, (start, text.position(splice.end)), out);
            from = text.position(splice.end);
        }
        out.extend_from_slice(text.slice(from, text.bytes.len()));
    }

    /// The parameters that the text for `unit` still has, in order; `None` when it has all.
    pub fn kept_params(&self, unit: &RouteUnit, count: u16) -> Option<SmallVec<[u16; 16]>> {
        let drops = |splice: &&crate::plan::Splice| {
            splice.params.0 < splice.params.1
                && !(matches!(splice.with, SpliceText::Rows(_)) && unit.rows.is_empty())
        };
        self.splices.iter().find(drops)?;
        let mut kept = SmallVec::new();
        let mut from = 0;
        for splice in self.splices.iter().filter(drops) {
            kept.extend(from..splice.params.0);
            if let SpliceText::Rows(rows) = &splice.with {
                for row in chosen(rows, unit) {
                    kept.extend(row.params.0..row.params.1);
                }
            }
            from = splice.params.1;
        }
        kept.extend(from..count);
        Some(kept)
    }
}

impl<'a> Text<'a> {
    /// The byte index of a position of the plan in this text.
    fn position(&self, position: Position) -> usize {
        let base = match usize::from(position.literals_before).checked_sub(1) {
            None => 0,
            Some(last) => self.literals.get(last).map_or(0, |literal| literal.span.end as usize),
        };
        base + position.offset as usize
    }

    /// Bytes of the text; what lies outside of it is left out.
    fn slice(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes.get(from..to).unwrap_or_default()
    }

    /// A bound of LIMIT; routing has checked that it is one.
    fn bound(&self, value: &ValueRef) -> u64 {
        whole_number(&self.values.value(value)).unwrap_or(0)
    }
}

fn chosen<'r>(rows: &'r [RowSpan], unit: &'r RouteUnit) -> impl Iterator<Item = &'r RowSpan> {
    unit.rows.iter().filter_map(|row| rows.get(*row as usize))
}

impl SpliceText {
    fn render(&self, text: Text<'_>, unit: &RouteUnit, whole: (usize, usize), out: &mut Vec<u8>) {
        match self {
            Self::Fixed(fixed) => out.extend_from_slice(fixed.as_bytes()),
            Self::TableName(nodes) => push_quoted(actual_table(nodes, unit), out),
            Self::TableNameAs(nodes, alias) => {
                push_quoted(actual_table(nodes, unit), out);
                out.extend_from_slice(b" AS ");
                push_quoted(alias, out);
            }
            Self::Suffixed(name, nodes) => {
                push_quoted(&format!("{name}_{}", actual_table(nodes, unit)), out);
            }
            Self::Rows(_) if unit.rows.is_empty() => {
                out.extend_from_slice(text.slice(whole.0, whole.1));
            }
            Self::Rows(rows) => {
                for (index, row) in chosen(rows, unit).enumerate() {
                    if index > 0 {
                        out.extend_from_slice(b", ");
                    }
                    out.extend_from_slice(
                        text.slice(text.position(row.start), text.position(row.end)),
                    );
                }
            }
            Self::LimitSum { offset, count } => {
                let sum = text.bound(offset).saturating_add(text.bound(count));
                out.extend_from_slice(b"LIMIT 0, ");
                out.extend_from_slice(sum.to_string().as_bytes());
            }
        }
    }
}

fn actual_table<'n>(nodes: &'n [DataNode], unit: &RouteUnit) -> &'n str {
    nodes.get(unit.node as usize).map_or("", |node| &node.actual_table)
}

/// Appends a name in backticks, which are doubled inside.
pub(crate) fn push_quoted(name: &str, out: &mut Vec<u8>) {
    out.push(b'`');
    if name.contains('`') {
        out.extend_from_slice(name.replace('`', "``").as_bytes());
    } else {
        out.extend_from_slice(name.as_bytes());
    }
    out.push(b'`');
}

/// A name in backticks.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}
