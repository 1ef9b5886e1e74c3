//! Comments, and those that are executed.

use super::Lexer;
use crate::{LexError, TokenKind};

impl Lexer<'_> {
    /// `#` and `-- ` to the end of the line.
    pub(super) fn scan_line_comment(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.take(length, TokenKind::Comment)
    }

    /// Starts at `/*`.
    pub(super) fn scan_block_comment(&mut self) -> TokenKind {
        match (self.byte(2), self.byte(3)) {
            (Some(b'!'), _) => {
                let (digits, required) = self.version_at(3);
                self.scan_executable(3 + digits, self.version.executes(required))
            }
            (Some(b'M' | b'm'), Some(b'!')) => {
                let (digits, required) = self.version_at(4);
                self.scan_executable(4 + digits, self.version.executes_mariadb(required))
            }
            (Some(b'+'), _) => self.scan_to_comment_end(TokenKind::OptimizerHint, false),
            _ => self.scan_to_comment_end(TokenKind::Comment, false),
        }
    }

    fn scan_executable(&mut self, opening: usize, is_executed: bool) -> TokenKind {
        // A second one inside the first does not nest: it is a comment.
        if self.in_executable {
            return self.scan_to_comment_end(TokenKind::SkippedExecutable, false);
        }
        if !is_executed {
            return self.scan_to_comment_end(TokenKind::SkippedExecutable, true);
        }
        self.in_executable = true;
        self.take(opening, TokenKind::ExecutableStart)
    }

    /// The number behind `/*!`: five or six digits, or none.
    fn version_at(&self, ahead: usize) -> (usize, u32) {
        let rest = &self.text[self.at + ahead..];
        let digits = rest.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
        if digits < 5 {
            return (0, 0);
        }
        let number = rest[..digits].iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
        (digits, number)
    }

    /// Takes everything to `*/`. A skipped executable comment may hold ordinary comments.
    fn scan_to_comment_end(&mut self, kind: TokenKind, may_nest: bool) -> TokenKind {
        let mut at = self.at + 2;
        let mut is_nested = false;
        while let Some(found) = memchr::memchr2(b'*', b'/', &self.text[at.min(self.text.len())..]) {
            at += found;
            match (self.text[at], self.text.get(at + 1)) {
                (b'*', Some(b'/')) if is_nested => {
                    is_nested = false;
                    at += 2;
                }
                (b'*', Some(b'/')) => {
                    self.at = at + 2;
                    return kind;
                }
                (b'/', Some(b'*')) if may_nest && !is_nested => {
                    is_nested = true;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        self.at = self.text.len();
        TokenKind::Error(LexError::UnterminatedComment)
    }
}
