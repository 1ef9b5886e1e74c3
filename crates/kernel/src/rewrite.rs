//! Rewrite: the client's own text with the edits that one route unit needs.

mod draft;

use smallvec::SmallVec;

pub(crate) use draft::{Draft, position};

use crate::keys::{KeyText, push_literal};
use crate::model::DataNode;
use crate::plan::{KeyParam, KeySpan, Position, RouteUnit, RowSpan, SpliceText, Template, Text};
use crate::predicate::{ValueRef, ValueSource};
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

    /// The parameters that the text for `unit` has, in order; `None` when it has all of the `count`
    /// the client gives. The generated key of column `c` and row `r` is the parameter
    /// `count + c * rows + r`, with `rows` those of the statement.
    pub fn kept_params(
        &self,
        unit: &RouteUnit,
        count: u16,
        values: &dyn ValueSource,
    ) -> Option<SmallVec<[u16; 16]>> {
        let drops = |splice: &&crate::plan::Splice| match &splice.with {
            SpliceText::Rows(rows) => has_keys(rows) || !unit.rows.is_empty(),
            SpliceText::Keys(_) => true,
            _ => splice.params.0 < splice.params.1,
        };
        self.splices.iter().find(drops)?;
        let mut kept = SmallVec::new();
        let mut from = 0;
        for splice in self.splices.iter().filter(drops) {
            kept.extend(from..splice.params.0);
            match &splice.with {
                SpliceText::Rows(rows) => {
                    let keys = KeyParams { values, first: count, rows: rows.len() };
                    for (row, span) in chosen(rows, unit) {
                        keys.keep(&span.keys, row, span.params, &mut kept);
                    }
                }
                SpliceText::Keys(spans) => {
                    let keys = KeyParams { values, first: count, rows: 1 };
                    keys.keep(spans, 0, splice.params, &mut kept);
                }
                _ => {}
            }
            from = splice.params.1;
        }
        kept.extend(from..count);
        Some(kept)
    }
}

/// The generated keys among the parameters.
struct KeyParams<'v> {
    values: &'v dyn ValueSource,
    first: u16,
    rows: usize,
}

impl KeyParams<'_> {
    fn keep(&self, keys: &[KeySpan], row: u32, params: (u16, u16), kept: &mut SmallVec<[u16; 16]>) {
        let mut from = params.0;
        for key in keys {
            let at = usize::from(key.column) * self.rows + row as usize;
            let own = self.first.saturating_add(u16::try_from(at).unwrap_or(u16::MAX));
            match key.param {
                KeyParam::Added(before) => {
                    kept.extend(from..before);
                    kept.push(own);
                    from = before;
                }
                KeyParam::Replaces(param) => {
                    kept.extend(from..param);
                    let is_made = KeyText::Param { is_made: true };
                    let is_own = self.values.key(key.column, row) == is_made;
                    kept.push(if is_own { own } else { param });
                    from = param.saturating_add(1);
                }
            }
        }
        kept.extend(from..params.1);
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

/// The rows that go to a unit, with their positions.
fn chosen<'r>(
    rows: &'r [RowSpan],
    unit: &'r RouteUnit,
) -> impl Iterator<Item = (u32, &'r RowSpan)> {
    let all = if unit.rows.is_empty() { rows.len() as u32 } else { 0 };
    let listed = unit.rows.iter().copied().chain(0..all);
    listed.filter_map(|row| Some((row, rows.get(row as usize)?)))
}

fn has_keys(rows: &[RowSpan]) -> bool {
    rows.iter().any(|row| !row.keys.is_empty())
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
            Self::Rows(rows) if unit.rows.is_empty() && !has_keys(rows) => {
                out.extend_from_slice(text.slice(whole.0, whole.1));
            }
            Self::Rows(rows) => {
                for (index, (row, span)) in chosen(rows, unit).enumerate() {
                    if index > 0 {
                        out.extend_from_slice(b", ");
                    }
                    let bounds = (text.position(span.start), text.position(span.end));
                    render_keys(text, &span.keys, row, bounds, out);
                }
            }
            Self::Keys(keys) => render_keys(text, keys, 0, whole, out),
            Self::LimitSum { offset, count } => {
                let sum = text.bound(offset).saturating_add(text.bound(count));
                out.extend_from_slice(b"LIMIT 0, ");
                out.extend_from_slice(sum.to_string().as_bytes());
            }
        }
    }
}

/// The text between two bytes with the generated keys of a row in it.
fn render_keys(
    text: Text<'_>,
    keys: &[KeySpan],
    row: u32,
    (mut from, end): (usize, usize),
    out: &mut Vec<u8>,
) {
    for key in keys {
        let made = text.values.key(key.column, row);
        // The text of a parameter stays; it gets another value.
        if made == KeyText::Written || matches!(key.param, KeyParam::Replaces(_)) {
            continue;
        }
        let start = text.position(key.start);
        out.extend_from_slice(text.slice(from, start));
        out.extend_from_slice(key.before.as_bytes());
        match made {
            KeyText::Value(value) => push_literal(value, out),
            KeyText::Param { .. } | KeyText::Written => out.push(b'?'),
        }
        from = text.position(key.end);
    }
    out.extend_from_slice(text.slice(from, end));
}

fn actual_table<'n>(nodes: &'n [DataNode], unit: &RouteUnit) -> &'n str {
    nodes.get(unit.node as usize).map_or("", |node| &node.actual_table)
}

/// Appends a name in backticks, which are doubled inside.
pub(crate) fn push_quoted(name: &str, out: &mut Vec<u8>) {
    out.reserve(name.len() + 2);
    out.push(b'`');
    // A plain loop: names are short, and a search for the backtick costs more than it looks at.
    if name.bytes().any(|byte| byte == b'`') {
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
