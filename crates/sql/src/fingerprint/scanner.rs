//! The one pass over the text that finds the literals.
//!
//! # Source
//! MySQL 8.4 manual, "Literal Values", "Schema Object Names", "Comments".

use super::bytes::{Class, class_of, digits_end, is_in_word, pack_word, packed, word_end};
use super::comment::{CommentRole, block_end, line_end, role_of_block, role_of_line};
use super::{LiteralKind, LiteralSpan, MAX_LITERALS, MAX_TEXT};
use crate::{Span, SqlMode};

/// Deeper parentheses are not cacheable; one bit of a word is kept for each level.
const MAX_DEPTH: u32 = 60;

const SELECT: u64 = packed(b"select");

/// What [`scan`] learns besides the literals.
pub(super) struct Outcome {
    pub(super) hint_comment: bool,
}

/// Appends the literals of `text`; None where no plan may be kept for it.
pub(super) fn scan(text: &[u8], mode: SqlMode, literals: &mut Vec<LiteralSpan>) -> Option<Outcome> {
    if text.len() > MAX_TEXT {
        return None;
    }
    let mut scanner = Scanner {
        text,
        mode,
        literals,
        at: 0,
        before: Before::Start,
        word: (0, 0),
        kept: 0,
        pinned: 0,
        depth: 0,
        is_type_next: false,
        verb_seen: false,
        hint_comment: false,
    };
    scanner.run()?;
    Some(Outcome { hint_comment: scanner.hint_comment })
}

/// The token before, white space and comments aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Word,
    Name,
    TakenString,
    KeptString,
    /// A comment whose content the server may execute.
    Code,
    Other,
}

struct Scanner<'t, 'l> {
    text: &'t [u8],
    mode: SqlMode,
    literals: &'l mut Vec<LiteralSpan>,
    at: usize,
    before: Before,
    /// Where the word before stands, when `before` is one.
    word: (usize, usize),
    /// Bit 0: literals at this level of parentheses stay in the key. Bit n: n levels out.
    kept: u64,
    /// Bit 0: and no clause of this level changes that, as it is part of an outer list.
    pinned: u64,
    depth: u32,
    /// The next parenthesis is that of CAST or CONVERT: its numbers are part of a type.
    is_type_next: bool,
    verb_seen: bool,
    hint_comment: bool,
}

impl Scanner<'_, '_> {
    fn run(&mut self) -> Option<()> {
        while let Some(&byte) = self.text.get(self.at) {
            match class_of(byte) {
                Class::Space => self.at += 1,
                Class::Word => self.read_word()?,
                Class::Digit => self.read_number()?,
                Class::Quote => self.read_string(self.at, b'\'')?,
                Class::DoubleQuote if self.mode.ansi_quotes => self.read_quoted_name(b'"')?,
                Class::DoubleQuote => self.read_string(self.at, b'"')?,
                Class::Backtick => self.read_quoted_name(b'`')?,
                Class::Open => self.open()?,
                Class::Close => self.close()?,
                Class::Dot => self.read_dot()?,
                Class::Minus => self.read_minus()?,
                Class::Slash => self.read_slash()?,
                Class::Sharp => self.read_line_comment()?,
                Class::At => self.read_variable()?,
                Class::Semicolon => return self.finish_at_semicolon(),
                Class::Refused => return None,
                Class::Other => self.skip(1),
            }
        }
        (self.depth == 0 && self.verb_seen).then_some(())
    }

    fn skip(&mut self, bytes: usize) {
        self.at += bytes;
        self.before = Before::Other;
    }

    fn finish_at_semicolon(&mut self) -> Option<()> {
        let rest = &self.text[self.at + 1..];
        let is_last = rest.iter().all(|&byte| class_of(byte) == Class::Space);
        (is_last && self.depth == 0 && self.verb_seen).then_some(())
    }

    fn open(&mut self) -> Option<()> {
        if self.depth == MAX_DEPTH {
            return None;
        }
        let pinned = self.kept & 1 | u64::from(self.is_type_next);
        self.kept = self.kept << 1 | pinned;
        self.pinned = self.pinned << 1 | pinned;
        self.is_type_next = false;
        self.depth += 1;
        self.skip(1);
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        self.depth = self.depth.checked_sub(1)?;
        self.kept >>= 1;
        self.pinned >>= 1;
        self.skip(1);
        Some(())
    }

    fn keep_literals(&mut self, keep: bool) {
        self.kept = self.kept & !1 | u64::from(keep) | self.pinned & 1;
    }

    fn read_word(&mut self) -> Option<()> {
        let start = self.at;
        let end = word_end(self.text, start + 1);
        match self.text.get(end) {
            // White space is what follows most often: it is passed over at once.
            Some(b' ') => self.at = end + 1,
            Some(b'\'') if end - start == 1 => match self.text[start] {
                b'n' | b'N' => return self.keep_string_at(end),
                b'x' | b'X' => return self.read_quoted_digits(end, LiteralKind::Hex),
                b'b' | b'B' => return self.read_quoted_digits(end, LiteralKind::Bit),
                _ => self.at = end,
            },
            Some(b'.') if self.is_name_part(end + 1) => {
                return self.read_qualified_name(start, end);
            }
            _ => self.at = end,
        }
        (self.word, self.before) = ((start, end), Before::Word);
        self.is_type_next = false;
        if !self.verb_seen {
            self.verb_seen = true;
            return self.read_verb(start, end);
        }
        self.read_keyword(start, end);
        Some(())
    }

    fn read_verb(&mut self, start: usize, end: usize) -> Option<()> {
        let verb = pack_word(self.text, start, end);
        if verb == SELECT {
            self.keep_literals(true);
        }
        is_cacheable_verb(verb).then_some(())
    }

    /// Whether a qualified name goes on at `at`, behind a dot.
    fn is_name_part(&self, at: usize) -> bool {
        self.text.get(at).is_some_and(|&byte| is_in_word(byte))
    }

    /// A name whose first part begins at `start` and whose first dot is at `dot`.
    fn read_qualified_name(&mut self, start: usize, dot: usize) -> Option<()> {
        let mut end = dot;
        let mut may_be_introducer = self.text[start] == b'_';
        let mut has_number = false;
        while self.text.get(end) == Some(&b'.') && self.is_name_part(end + 1) {
            let first = self.text[end + 1];
            may_be_introducer |= first == b'_';
            has_number |= first.is_ascii_digit();
            end = word_end(self.text, end + 1);
        }
        (self.at, self.before) = (end, Before::Name);
        // Whether t.x'41' is a name and a string, and _utf8.5 a name, is not read alike everywhere.
        let is_plain = self.text.get(end) != Some(&b'\'') && !(may_be_introducer && has_number);
        (self.verb_seen && is_plain).then_some(())
    }

    fn read_keyword(&mut self, start: usize, end: usize) {
        const ON: u64 = packed(b"on");
        const FROM: u64 = packed(b"from");
        const CAST: u64 = packed(b"cast");
        const WHERE: u64 = packed(b"where");
        const LIMIT: u64 = packed(b"limit");
        const ORDER: u64 = packed(b"order");
        const GROUP: u64 = packed(b"group");
        const HAVING: u64 = packed(b"having");
        const WINDOW: u64 = packed(b"window");
        const CONVERT: u64 = packed(b"convert");
        // By length first: most words are none of these.
        match end - start {
            2 if pack_word(self.text, start, end) == ON => self.keep_literals(false),
            4 => match pack_word(self.text, start, end) {
                FROM => self.keep_literals(false),
                CAST => self.is_type_next = true,
                _ => {}
            },
            5 => match pack_word(self.text, start, end) {
                WHERE | LIMIT => self.keep_literals(false),
                ORDER | GROUP => self.keep_literals(true),
                _ => {}
            },
            6 => match pack_word(self.text, start, end) {
                SELECT | HAVING | WINDOW => self.keep_literals(true),
                _ => {}
            },
            7 => self.is_type_next = pack_word(self.text, start, end) == CONVERT,
            9 if self.text[start..end].eq_ignore_ascii_case(b"returning") => {
                self.keep_literals(true);
            }
            _ => {}
        }
    }

    fn take(&mut self, start: usize, kind: LiteralKind) -> Option<()> {
        let is_string = kind == LiteralKind::String;
        let is_kept = self.kept & 1 == 1 || self.has_introducer(is_string);
        self.before = match (is_string, is_kept) {
            (true, false) => Before::TakenString,
            (true, true) => Before::KeptString,
            _ => Before::Other,
        };
        if is_kept { Some(()) } else { self.push(start, kind) }
    }

    fn push(&mut self, start: usize, kind: LiteralKind) -> Option<()> {
        if self.literals.len() == MAX_LITERALS {
            return None;
        }
        self.literals.push(LiteralSpan { span: Span::new(start as u32, self.at as u32), kind });
        Some(())
    }

    /// `_utf8mb4'..'`, `DATE '..'`: the word before changes what the literal is.
    fn has_introducer(&self, is_string: bool) -> bool {
        if self.before != Before::Word {
            return self.before == Before::Code;
        }
        let word = &self.text[self.word.0..self.word.1];
        word.first() == Some(&b'_')
            || is_string
                && [&b"date"[..], b"time", b"timestamp"]
                    .iter()
                    .any(|name| word.eq_ignore_ascii_case(name))
    }

    fn read_string(&mut self, start: usize, quote: u8) -> Option<()> {
        self.at = self.string_end(start, quote)?;
        match self.before {
            Before::TakenString => {
                self.give_back_string();
                self.before = Before::KeptString;
                Some(())
            }
            Before::KeptString => Some(()),
            _ => self.take(start, LiteralKind::String),
        }
    }

    /// Strings side by side are one value: the one taken last becomes part of the key again.
    fn give_back_string(&mut self) {
        if let Some(last) = self.literals.iter().rposition(|l| l.kind == LiteralKind::String) {
            self.literals.remove(last);
        }
    }

    fn keep_string_at(&mut self, start: usize) -> Option<()> {
        self.at = self.string_end(start, b'\'')?;
        self.before = Before::KeptString;
        Some(())
    }

    /// One past the string that begins at `start`; a doubled quote goes on.
    fn string_end(&self, start: usize, quote: u8) -> Option<usize> {
        let mut at = start + 1;
        loop {
            at += if self.mode.no_backslash_escapes {
                memchr::memchr(quote, self.text.get(at..)?)?
            } else {
                memchr::memchr2(quote, b'\\', self.text.get(at..)?)?
            };
            let goes_on = self.text[at] == b'\\' || self.text.get(at + 1) == Some(&quote);
            if !goes_on {
                return Some(at + 1);
            }
            at += 2;
        }
    }

    fn read_quoted_name(&mut self, quote: u8) -> Option<()> {
        let mut at = self.at;
        while self.text.get(at) == Some(&quote) {
            let from = at + 1;
            at = from + memchr::memchr(quote, self.text.get(from..)?)? + 1;
        }
        (self.at, self.before) = (at, Before::Name);
        // Whether `t`.5 is a name and a number is read differently by different servers.
        let is_plain = self.text.get(at) != Some(&b'.')
            || !self.text.get(at + 1).is_some_and(u8::is_ascii_digit);
        is_plain.then_some(())
    }

    /// `x'..'` or `b'..'` with its quote at `quote`.
    fn read_quoted_digits(&mut self, quote: usize, kind: LiteralKind) -> Option<()> {
        let start = self.at;
        let end = quote + 1 + memchr::memchr(b'\'', self.text.get(quote + 1..)?)?;
        let digits = &self.text[quote + 1..end];
        let is_valid = match kind {
            LiteralKind::Bit => digits.iter().all(|digit| matches!(digit, b'0' | b'1')),
            _ => digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit),
        };
        self.at = end + 1;
        if !is_valid || self.text.get(self.at) == Some(&b'\'') {
            return None;
        }
        self.take(start, kind)
    }

    fn read_number(&mut self) -> Option<()> {
        let start = self.at;
        if let Some((end, kind)) = prefixed_number(self.text, start) {
            self.at = end;
            return self.take(start, kind);
        }
        let end = digits_end(self.text, start);
        match self.text.get(end) {
            Some(b'.') => self.read_fraction(start, end + 1),
            Some(b'e' | b'E') if exponent_end(self.text, end).is_some() => {
                self.at = exponent_end(self.text, end)?;
                self.take(start, LiteralKind::Float)
            }
            // A name may begin with digits.
            Some(&byte) if is_in_word(byte) => self.read_word(),
            _ => {
                self.at = end;
                self.take(start, LiteralKind::Integer)
            }
        }
    }

    /// What follows the dot of a number that began at `start`.
    fn read_fraction(&mut self, start: usize, from: usize) -> Option<()> {
        let end = digits_end(self.text, from);
        if matches!(self.text.get(end), Some(b'e' | b'E')) {
            self.at = exponent_end(self.text, end)?;
            return self.take(start, LiteralKind::Float);
        }
        self.at = end;
        self.take(start, LiteralKind::Decimal)
    }

    fn read_dot(&mut self) -> Option<()> {
        let start = self.at;
        match self.text.get(start + 1) {
            Some(byte) if byte.is_ascii_digit() => self.read_fraction(start, start + 1),
            Some(&byte) if is_in_word(byte) => self.read_qualified_name(start, start),
            _ => {
                self.skip(1);
                Some(())
            }
        }
    }

    fn read_minus(&mut self) -> Option<()> {
        let is_comment = self.text.get(self.at + 1) == Some(&b'-')
            && self.text.get(self.at + 2).is_none_or(|byte| *byte <= b' ' || *byte == 0x7f);
        if is_comment {
            return self.read_line_comment();
        }
        self.skip(1);
        Some(())
    }

    fn read_line_comment(&mut self) -> Option<()> {
        let start = self.at;
        self.at = line_end(self.text, start);
        self.note_comment(start, role_of_line(&self.text[start..self.at]))
    }

    fn read_slash(&mut self) -> Option<()> {
        let start = self.at;
        if self.text.get(start + 1) != Some(&b'*') {
            self.skip(1);
            return Some(());
        }
        self.at = block_end(self.text, start)?;
        self.note_comment(start, role_of_block(&self.text[start..self.at])?)
    }

    fn note_comment(&mut self, start: usize, role: CommentRole) -> Option<()> {
        match role {
            CommentRole::Ordinary => self.push(start, LiteralKind::Comment),
            CommentRole::Hint => {
                self.hint_comment = true;
                Some(())
            }
            CommentRole::Code => {
                // It may hide half of a literal: `'a' /*! 'b' */`, `/*! DATE */ '..'`.
                if self.before == Before::TakenString {
                    self.give_back_string();
                }
                self.before = Before::Code;
                Some(())
            }
        }
    }

    /// `@a`, `@'a b'`, `@@global.x`: the name is not a literal.
    fn read_variable(&mut self) -> Option<()> {
        self.at += 1;
        let start = self.at;
        match self.text.get(start) {
            Some(b'\'') => self.at = self.string_end(self.at, b'\'')?,
            Some(b'"') => self.at = self.string_end(self.at, b'"')?,
            Some(b'`') => return self.read_quoted_name(b'`'),
            _ => {
                while self.text.get(self.at).is_some_and(|&b| is_in_word(b) || b == b'.') {
                    self.at += 1;
                }
            }
        }
        self.before = Before::Name;
        // Dots that do not join two names, and a string without a space before it, are not read
        // alike everywhere.
        let is_plain = self.text[self.at - 1] != b'.'
            && !matches!(self.text.get(self.at), Some(b'.' | b'\''))
            && memchr::memmem::find(&self.text[start..self.at], b"..").is_none();
        is_plain.then_some(())
    }
}

fn is_cacheable_verb(word: u64) -> bool {
    const VERBS: [u64; 9] = [
        packed(b"select"),
        packed(b"insert"),
        packed(b"update"),
        packed(b"delete"),
        packed(b"commit"),
        packed(b"begin"),
        packed(b"rollback"),
        packed(b"replace"),
        packed(b"with"),
    ];
    VERBS.contains(&word)
}

/// `0x1F` and `0b01`, where nothing of a word follows.
fn prefixed_number(text: &[u8], start: usize) -> Option<(usize, LiteralKind)> {
    let (is_digit, kind): (fn(&u8) -> bool, _) = match text.get(start..start + 2)? {
        b"0x" => (u8::is_ascii_hexdigit, LiteralKind::Hex),
        b"0b" => (|digit| matches!(digit, b'0' | b'1'), LiteralKind::Bit),
        _ => return None,
    };
    let end = word_end(text, start);
    let digits = &text[start + 2..end];
    (!digits.is_empty() && digits.iter().all(is_digit)).then_some((end, kind))
}

/// One past the exponent whose `e` stands at `at`, when there is one.
fn exponent_end(text: &[u8], at: usize) -> Option<usize> {
    let from = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    let end = digits_end(text, from);
    (end > from).then_some(end)
}
