//! What the lexer gives: a kind and a byte range.

use crate::Span;

/// One token. The text it stands for is `token.span.of(text)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands, quotes and prefixes (`x`, `N`, `@`) included.
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// An unquoted word: key word or identifier.
    Word,
    /// `` `x` ``, and `"x"` with ANSI_QUOTES.
    QuotedIdent,
    /// `'x'`, and `"x"` without ANSI_QUOTES.
    String,
    /// `N'x'`.
    NationalString,
    /// `_utf8mb4` and the like: says which character set the literal behind it has.
    Introducer,
    /// Digits only.
    Integer,
    /// `1.5`, `.5`, `1.`
    Decimal,
    /// `1e5`, `1.5E-3`
    Float,
    /// `x'4D'`, `0x4D`
    Hex,
    /// `b'01'`, `0b01`
    Bit,
    /// `\N`
    NullEscape,
    /// `?`
    Param,
    /// `@name`, `` @`name` ``, `@'name'`; also the host part of an account. The name may be empty.
    UserVariable,
    /// `@@`; the name follows as words and dots.
    AtAt,

    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    Comma,
    Semicolon,
    Dot,
    Star,
    Plus,
    Minus,
    Slash,
    Percent,
    /// `=`
    Equal,
    /// `<=>`
    NullSafeEqual,
    /// `<>`, `!=`
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `|`
    Pipe,
    /// `||`
    PipePipe,
    /// `&`
    Ampersand,
    /// `&&`
    AmpersandAmpersand,
    Caret,
    Tilde,
    /// `!`
    Bang,
    Colon,
    /// `:=`
    Assign,
    /// `->`
    Arrow,
    /// `->>`
    ArrowText,

    /// An ordinary comment; only from [`Lexer::next_with_comments`](crate::Lexer).
    Comment,
    /// `/*+ .. */`; only from `next_with_comments`.
    OptimizerHint,
    /// `/*!` or `/*!50100`: what follows counts; only from `next_with_comments`.
    ExecutableStart,
    /// The `*/` of an executable comment; only from `next_with_comments`.
    ExecutableEnd,
    /// A whole executable comment for another or a newer server; only from `next_with_comments`.
    SkippedExecutable,

    /// What cannot be read; the span starts at the culprit.
    Error(LexError),
    /// The end of the text; its span is empty.
    End,
}

impl TokenKind {
    /// True for what the parser never sees.
    pub const fn is_trivia(self) -> bool {
        matches!(
            self,
            Self::Comment
                | Self::OptimizerHint
                | Self::ExecutableStart
                | Self::ExecutableEnd
                | Self::SkippedExecutable
        )
    }
}

/// Why a token cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LexError {
    /// A quote without its partner.
    UnterminatedString,
    /// A comment without its end.
    UnterminatedComment,
    /// `x'..'` or `b'..'` with a wrong digit, or an odd number of hexadecimal digits.
    BadDigits,
    /// A byte that starts no token.
    UnexpectedByte,
}
