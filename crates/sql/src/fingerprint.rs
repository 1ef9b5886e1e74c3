//! The fingerprint of a statement: its text with the literals taken out.
//!
//! Everything else of the text is kept byte for byte, white space included, so that a byte position
//! of a cached plan can be found again in another text of the same fingerprint: it moves by the
//! difference in length of the literals before it.
//!
//! Literals of select lists, ORDER BY, GROUP BY and HAVING stay in the key: they are column labels
//! and positions, so a plan depends on them. Text is read as a character set whose multi-byte
//! characters have no bytes below 0x80 (not GBK, SJIS, Big5, GB18030).

mod bytes;
mod comment;
mod hash;
mod scanner;
#[cfg(test)]
mod tests;

use crate::{Span, SqlMode};

/// Statements with more literals than this are not worth a plan in the cache.
pub const MAX_LITERALS: usize = 512;
/// Longer statements are not worth a plan in the cache.
pub const MAX_TEXT: usize = 16 * 1024;

/// What was taken out of the text at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum LiteralKind {
    /// Digits only.
    Integer,
    /// `1.5`, `.5`, `1.`
    Decimal,
    /// `1e5`
    Float,
    /// `'..'` (or `".."` without ANSI_QUOTES), one string without an introducer.
    String,
    /// `x'..'`, `0x..`
    Hex,
    /// `b'..'`, `0b..`
    Bit,
    /// An ordinary comment: not a value, but its length varies, too.
    Comment,
}

/// One literal (or comment) that is not part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LiteralSpan {
    /// Where it stands, quotes included; a leading sign is not part of it.
    pub span: Span,
    /// What it is.
    pub kind: LiteralKind,
}

/// The fingerprint of one text. Made to be used again and again: the buffer is kept.
#[derive(Debug, Clone, Default)]
pub struct Fingerprint {
    /// Of the text outside the literals and of the literals' kinds. Not enough to trust on its own:
    /// compare with [`same_text`] on a hit.
    pub hash: u64,
    /// What was taken out, ascending.
    pub literals: Vec<LiteralSpan>,
    /// A plan may be kept for it. When false, `hash` is 0 and `literals` is empty.
    pub is_cacheable: bool,
    /// It has a comment that steers routing (inventory 3.8); the comment is part of the key.
    pub hint_comment: bool,
}

impl Fingerprint {
    /// Reads `text` and replaces what was known of the last one.
    ///
    /// Cacheable are SELECT, INSERT, REPLACE, UPDATE, DELETE, WITH, BEGIN, COMMIT and ROLLBACK, one
    /// statement, whole and within the limits of [`MAX_TEXT`] and [`MAX_LITERALS`]. What is read
    /// with doubt is not cacheable, as two texts of one fingerprint must have one plan.
    pub fn scan(&mut self, text: &[u8], mode: SqlMode) {
        self.literals.clear();
        let outcome = scanner::scan(text, mode, &mut self.literals);
        self.is_cacheable = outcome.is_some();
        self.hint_comment = outcome.is_some_and(|outcome| outcome.hint_comment);
        if self.is_cacheable {
            self.hash = hash::of(text, &self.literals);
        } else {
            self.hash = 0;
            self.literals.clear();
        }
    }
}

/// Whether two texts are one statement with other literals: byte for byte the same outside of them,
/// and as many literals of the same kinds.
pub fn same_text(
    a_text: &[u8],
    a_literals: &[LiteralSpan],
    b_text: &[u8],
    b_literals: &[LiteralSpan],
) -> bool {
    if a_literals.len() != b_literals.len() {
        return false;
    }
    let (mut a_from, mut b_from) = (0, 0);
    for (a, b) in a_literals.iter().zip(b_literals) {
        let a_gap = a_text.get(a_from..a.span.start as usize);
        if a.kind != b.kind || a_gap != b_text.get(b_from..b.span.start as usize) {
            return false;
        }
        (a_from, b_from) = (a.span.end as usize, b.span.end as usize);
    }
    a_text.get(a_from..) == b_text.get(b_from..)
}

/// The position in this text of what stands at `position` in the plan's text.
///
/// `literals_before` literals end at or before `position`; see [`literals_before`].
pub fn shift(
    position: u32,
    literals_before: u16,
    plan_literals: &[LiteralSpan],
    text_literals: &[LiteralSpan],
) -> u32 {
    let Some(last) = usize::from(literals_before).checked_sub(1) else { return position };
    match (plan_literals.get(last), text_literals.get(last)) {
        (Some(plan), Some(text)) => {
            position.saturating_add(text.span.end).saturating_sub(plan.span.end)
        }
        _ => position,
    }
}

/// How many of `literals` end at or before `position`.
pub fn literals_before(literals: &[LiteralSpan], position: u32) -> u16 {
    literals.partition_point(|literal| literal.span.end <= position) as u16
}

/// Which of `literals` lie in `span`, at least in part. A value of the tree is the literal `n` when
/// this is `n..n + 1` and the spans are equal; it is a constant of the key when this is empty.
pub fn literals_in(literals: &[LiteralSpan], span: Span) -> std::ops::Range<usize> {
    let start = literals.partition_point(|literal| literal.span.end <= span.start);
    let end = literals.partition_point(|literal| literal.span.start < span.end);
    start..end.max(start)
}
