//! The fingerprint of a statement: its text with the literals taken out.
//!
//! Everything else of the text is kept byte for byte, white space included, so that a byte position
//! of a cached plan can be found again in another text of the same fingerprint: it moves by the
//! difference in length of the literals before it.

use crate::Span;

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
