//! The edits of a template while it is planned, in positions of the plan's text.

use sql::Span;
use sql::fingerprint::{LiteralSpan, literals_before};

use crate::error::StatementError;
use crate::plan::{Position, Splice, SpliceText, Template};

/// Collected in any order; sorted and checked at the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    edits: Vec<Edit>,
}

#[derive(Debug, Clone)]
struct Edit {
    span: Span,
    params: (u16, u16),
    with: SpliceText,
}

impl Draft {
    /// Replaces `span`.
    pub(crate) fn replace(&mut self, span: Span, with: SpliceText) {
        self.replace_with_params(span, (0, 0), with);
    }

    /// Replaces `span`, in which the parameters `params.0..params.1` stand.
    pub(crate) fn replace_with_params(&mut self, span: Span, params: (u16, u16), with: SpliceText) {
        let is_known = self.edits.iter().any(|edit| edit.span == span && edit.with == with);
        if !is_known {
            self.edits.push(Edit { span, params, with });
        }
    }

    /// Inserts text before the byte `at`.
    pub(crate) fn insert(&mut self, at: u32, text: String) {
        self.edits.push(Edit {
            span: Span::new(at, at),
            params: (0, 0),
            with: SpliceText::Fixed(text),
        });
    }

    /// Takes the bytes of `span` out.
    pub(crate) fn remove(&mut self, span: Span) {
        self.replace(span, SpliceText::Fixed(String::new()));
    }

    /// True when something is edited inside `span`.
    pub(crate) fn touches(&self, span: Span) -> bool {
        self.edits.iter().any(|edit| span.start <= edit.span.start && edit.span.end <= span.end)
    }

    /// The text of `span` with the edits inside it; `None` when one of them depends on the route.
    pub(crate) fn text_of(&self, text: &[u8], span: Span) -> Option<String> {
        let mut inside = self
            .edits
            .iter()
            .filter(|edit| span.start <= edit.span.start && edit.span.end <= span.end)
            .collect::<Vec<_>>();
        inside.sort_by_key(|edit| edit.span);
        let mut result = Vec::new();
        let mut from = span.start;
        for edit in inside {
            let SpliceText::Fixed(fixed) = &edit.with else { return None };
            result.extend_from_slice(text.get(from as usize..edit.span.start as usize)?);
            result.extend_from_slice(fixed.as_bytes());
            from = edit.span.end;
        }
        result.extend_from_slice(text.get(from as usize..span.end as usize)?);
        String::from_utf8(result).ok()
    }

    /// The template. Inserts at one place keep the order in which they were made.
    ///
    /// # Errors
    /// Two edits overlap, which a statement outside the modelled grammar could provoke.
    pub(crate) fn finish(mut self, literals: &[LiteralSpan]) -> Result<Template, StatementError> {
        self.edits.sort_by_key(|edit| edit.span);
        let overlaps = self.edits.windows(2).any(|pair| pair[0].span.end > pair[1].span.start);
        if overlaps {
            return Err(StatementError::unsupported(
                "This statement names its tables in a way that cannot be rewritten",
            ));
        }
        let splices = self
            .edits
            .into_iter()
            .map(|edit| Splice {
                start: position(literals, edit.span.start),
                end: position(literals, edit.span.end),
                params: edit.params,
                with: edit.with,
            })
            .collect();
        Ok(Template { splices })
    }
}

/// A byte of the plan's text as a position in every text of its fingerprint.
pub(crate) fn position(literals: &[LiteralSpan], at: u32) -> Position {
    let before = literals_before(literals, at);
    let base = match usize::from(before).checked_sub(1) {
        None => 0,
        Some(last) => literals.get(last).map_or(0, |literal| literal.span.end),
    };
    Position { literals_before: before, offset: at.saturating_sub(base) }
}
