//! LIMIT over several nodes: each gives the rows up to the last one that is wanted.

use sql::Span;

use super::SelectMerge;
use crate::bind::survey::Survey;
use crate::error::StatementError;
use crate::plan::SpliceText;
use crate::predicate::ValueRef;
use crate::rewrite::Draft;

impl SelectMerge<'_> {
    /// Rewrites LIMIT and says what remains to do. Where the rows are sorted only after grouping,
    /// a node cannot know which of its groups are wanted.
    pub(super) fn limit(
        &self,
        is_pushed: bool,
        survey: &Survey<'_>,
        draft: &mut Draft,
    ) -> Result<Option<(Option<ValueRef>, ValueRef)>, StatementError> {
        let Some(limit) = &self.query.limit else { return Ok(None) };
        let value = |expr| {
            self.binder
                .value(expr)
                .ok_or_else(|| self.refuse("LIMIT with something else than numbers"))
        };
        let count = value(&limit.count)?;
        let offset = limit.offset.as_ref().map(value).transpose()?;
        let params = params_in(limit.span, survey);
        if !is_pushed {
            draft.replace_with_params(limit.span, params, SpliceText::Fixed(String::new()));
        } else if let Some(offset) = &offset {
            let with = SpliceText::LimitSum { offset: offset.clone(), count: count.clone() };
            draft.replace_with_params(limit.span, params, with);
        }
        Ok(Some((offset, count)))
    }
}

/// The parameters before the start and before the end of a span.
pub(super) fn params_in(span: Span, survey: &Survey<'_>) -> (u16, u16) {
    let before =
        |at: u32| survey.param_spans.iter().filter(|param| param.start < at).count() as u16;
    (before(span.start), before(span.end))
}
