//! From the lexer's tokens to those of a digest.

use std::num::NonZeroU32;

use super::token_list::DigestToken::{Fixed, Name, Verbatim};
use super::token_list::{TokenList, starts_expression};
use super::{hint, words};
use crate::lexer::is_word_byte;
use crate::quoting::{text_at, unquote_identifier};
use crate::{Lexer, ServerVersion, SqlMode, Token, TokenKind};

/// Reads `text` until its end, a token that cannot be read, or the limit.
pub(super) fn read(text: &[u8], mode: SqlMode, version: ServerVersion) -> TokenList {
    let mut reader = Reader {
        lexer: Lexer::new(text, mode, version),
        tokens: TokenList::default(),
        in_position_list: false,
        outer: Vec::new(),
    };
    while !reader.tokens.is_full() && reader.step() {}
    reader.tokens
}

struct Reader<'t> {
    lexer: Lexer<'t>,
    tokens: TokenList,
    /// In ORDER BY, GROUP BY or PARTITION BY, where an integer may be a column's position.
    in_position_list: bool,
    /// The same of the parentheses around; not longer than the list of tokens.
    outer: Vec<bool>,
}

impl Reader<'_> {
    /// Reads one token; false at the end.
    fn step(&mut self) -> bool {
        let token = self.lexer.next_with_comments();
        match token.kind {
            TokenKind::End | TokenKind::Error(_) => return false,
            TokenKind::Word => self.word(token),
            TokenKind::QuotedIdent => {
                self.tokens.push(Name(unquote_identifier(token.span.of(self.lexer.text()))));
            }
            TokenKind::Integer => self.integer(token),
            TokenKind::Decimal | TokenKind::Float | TokenKind::Hex | TokenKind::Bit => {
                self.tokens.push_signed_value();
            }
            TokenKind::String
            | TokenKind::NationalString
            | TokenKind::Param
            | TokenKind::NullEscape => self.tokens.push_value(),
            TokenKind::Introducer => self.tokens.push(Fixed("(_charset)")),
            TokenKind::UserVariable => self.user_variable(token),
            TokenKind::LeftParen => {
                self.outer.push(self.in_position_list);
                self.in_position_list = false;
                self.tokens.push(Fixed("("));
            }
            TokenKind::RightParen => {
                self.in_position_list = self.outer.pop().unwrap_or(false);
                self.tokens.push_right_parenthesis();
            }
            TokenKind::OptimizerHint => self.optimizer_hint(token),
            kind if kind.is_trivia() => {}
            kind => self.tokens.push(Fixed(symbol(kind))),
        }
        true
    }

    fn word(&mut self, token: Token) {
        let word = token.span.of(self.lexer.text());
        let is_name = match self.tokens.last() {
            Some(Fixed(".")) => true,
            Some(Fixed("@@")) => false,
            _ => self.is_qualifier(),
        };
        let spelling = if is_name { None } else { words::spelling(word, self.is_call()) };
        match spelling {
            None => self.tokens.push(Name(text_at(self.lexer.text(), token.span))),
            Some("NULL") if self.is_null_a_value() => self.tokens.push_value(),
            Some(word) => {
                self.note_clause(word);
                self.tokens.push(Fixed(word));
            }
        }
    }

    /// A dot right behind the word, and an unquoted name right behind the dot.
    fn is_qualifier(&self) -> bool {
        let rest = &self.lexer.text()[self.lexer.position() as usize..];
        matches!(rest, [b'.', name, ..] if is_word_byte(*name))
    }

    /// A parenthesis right behind the word, or behind white space where the mode allows it.
    fn is_call(&self) -> bool {
        let rest = &self.lexer.text()[self.lexer.position() as usize..];
        let rest = if self.lexer.mode().ignore_space { rest.trim_ascii_start() } else { rest };
        rest.first() == Some(&b'(')
    }

    fn note_clause(&mut self, word: &str) {
        match (self.tokens.last(), word) {
            (Some(Fixed("ORDER" | "GROUP" | "PARTITION")), "BY") => self.in_position_list = true,
            (_, "SELECT" | "LIMIT" | "HAVING") => self.in_position_list = false,
            _ => {}
        }
    }

    /// NULL is a value in an expression and a key word in `IS NULL`, `NOT NULL`, `INT NULL`.
    fn is_null_a_value(&self) -> bool {
        let (before, last) = self.tokens.last_two();
        let behind = if last == Some(&Fixed("NOT")) { before } else { last };
        match self.tokens.first() {
            Some(Fixed("CREATE" | "ALTER")) => behind.is_some_and(|token| {
                let others = ["WHERE", "HAVING", "ON", "BY", "ALL", "DISTINCTROW", "BINARY", "!"];
                matches!(token, Fixed(word) if others.contains(word)) || starts_expression(token)
            }),
            _ => behind != Some(&Fixed("IS")),
        }
    }

    /// The position of a column stays as it is where nothing before it is a value.
    fn integer(&mut self, token: Token) {
        if self.in_position_list {
            self.tokens.drop_plus_behind_comma();
        }
        let begins_element = matches!(self.tokens.last(), Some(Fixed("BY" | ",")));
        let number = text_at(self.lexer.text(), token.span).parse::<NonZeroU32>();
        let is_position = self.in_position_list
            && begins_element
            && !self.tokens.ends_in_value_and_comma()
            && self.is_element_end();
        match number {
            Ok(number) if is_position => self.tokens.push(Verbatim(number.to_string())),
            _ => self.tokens.push_signed_value(),
        }
    }

    /// Whether what follows does not go on with the expression.
    fn is_element_end(&self) -> bool {
        let mut ahead = self.lexer;
        let next = ahead.next_token();
        match next.kind {
            TokenKind::Comma | TokenKind::RightParen | TokenKind::Semicolon | TokenKind::End => {
                true
            }
            TokenKind::Word => {
                let word = words::spelling(next.span.of(ahead.text()), false);
                !word.is_some_and(|word| OPERATORS.contains(&word))
            }
            _ => false,
        }
    }

    /// `@a` and `'u'@'%'` lose the name, `` @`a` `` keeps it.
    fn user_variable(&mut self, token: Token) {
        let text = token.span.of(self.lexer.text());
        self.tokens.push(Fixed("@"));
        match text.get(1..) {
            Some(name @ [b'`', ..]) => self.tokens.push(Name(unquote_identifier(name))),
            _ => self.tokens.push_value(),
        }
    }

    /// Hints count right behind the verb; elsewhere they are comments.
    fn optimizer_hint(&mut self, token: Token) {
        let is_behind_verb = matches!(
            self.tokens.last(),
            Some(Fixed("SELECT" | "INSERT" | "REPLACE" | "UPDATE" | "DELETE"))
        );
        if is_behind_verb {
            let text = token.span.of(self.lexer.text());
            let body = text.get(3..text.len().saturating_sub(2)).unwrap_or_default();
            hint::read(body, self.lexer.mode(), &mut self.tokens);
        }
    }
}

/// Words that go on with an expression behind a value.
const OPERATORS: [&str; 14] = [
    "AND", "OR", "XOR", "NOT", "IN", "IS", "BETWEEN", "LIKE", "RLIKE", "DIV", "MOD", "COLLATE",
    "SOUNDS", "MEMBER",
];

/// Punctuation as a digest shows it.
pub(super) fn symbol(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::AtAt => "@@",
        TokenKind::LeftParen => "(",
        TokenKind::RightParen => ")",
        TokenKind::LeftBrace => "{",
        TokenKind::RightBrace => "}",
        TokenKind::Comma => ",",
        TokenKind::Semicolon => ";",
        TokenKind::Dot => ".",
        TokenKind::Star => "*",
        TokenKind::Plus => "+",
        TokenKind::Minus => "-",
        TokenKind::Slash => "/",
        TokenKind::Percent => "%",
        TokenKind::Equal => "=",
        TokenKind::NullSafeEqual => "<=>",
        TokenKind::NotEqual => "!=",
        TokenKind::Less => "<",
        TokenKind::LessOrEqual => "<=",
        TokenKind::Greater => ">",
        TokenKind::GreaterOrEqual => ">=",
        TokenKind::ShiftLeft => "<<",
        TokenKind::ShiftRight => ">>",
        TokenKind::Pipe => "|",
        TokenKind::PipePipe => "||",
        TokenKind::Ampersand => "&",
        TokenKind::AmpersandAmpersand => "&&",
        TokenKind::Caret => "^",
        TokenKind::Tilde => "~",
        TokenKind::Bang => "!",
        TokenKind::Colon => ":",
        TokenKind::Assign => ":=",
        TokenKind::Arrow => "->",
        TokenKind::ArrowText => "->>",
        _ => "",
    }
}
