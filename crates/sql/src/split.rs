//! Several statements in one text: where each of them is.

use crate::{Keyword as K, Lexer, ServerVersion, Span, SqlMode, Token, TokenKind as T};

/// The statements of a text that has several, in order; semicolons are in none of them. Comments
/// before a statement belong to it. Pieces without a token are left out.
///
/// A semicolon inside the body of a procedure, function, trigger or event does not end it.
pub fn split_statements(text: &[u8], mode: SqlMode) -> SplitStatements<'_> {
    SplitStatements { lexer: Lexer::new(text, mode, ServerVersion::Any), start: 0, is_done: false }
}

/// See [`split_statements`].
#[derive(Debug, Clone)]
pub struct SplitStatements<'t> {
    lexer: Lexer<'t>,
    start: u32,
    is_done: bool,
}

impl Iterator for SplitStatements<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        while !self.is_done {
            let start = self.start;
            let mut body = Body::default();
            let mut has_token = false;
            let end = loop {
                let token = self.lexer.next_token();
                match token.kind {
                    // What cannot be read is left to the parser to complain about.
                    T::End | T::Error(_) => {
                        self.is_done = true;
                        has_token |= token.kind != T::End;
                        break self.lexer.text().len() as u32;
                    }
                    T::Semicolon if body.open == 0 => break token.span.start,
                    _ => {
                        has_token = true;
                        body.read(token, self.lexer.text());
                    }
                }
            };
            self.start = self.lexer.position();
            if has_token {
                return Some(Span::new(start, end));
            }
        }
        None
    }
}

/// How many blocks of a routine's body are open.
#[derive(Default)]
struct Body {
    open: u32,
    /// Tokens read, as far as it matters.
    count: u32,
    kind: BodyKind,
    previous: Option<(T, K)>,
}

/// Whether a statement can have a body.
#[derive(Default, PartialEq, Eq)]
enum BodyKind {
    /// It starts with CREATE or ALTER: the kind of object is still to come.
    Unknown,
    /// It has one.
    Routine,
    /// It has none.
    #[default]
    None,
}

impl Body {
    fn read(&mut self, token: Token, text: &[u8]) {
        let keyword = match token.kind {
            T::Word => K::of(token.span.of(text)),
            _ => K::Absent,
        };
        match self.count {
            0 if matches!(keyword, K::Create | K::Alter) => self.kind = BodyKind::Unknown,
            // MariaDB's BEGIN NOT ATOMIC.
            1 if keyword == K::Not && self.previous == Some((T::Word, K::Begin)) => {
                self.kind = BodyKind::Routine;
                self.open = 1;
            }
            _ => {}
        }
        match self.kind {
            BodyKind::Unknown => self.look_for_routine(keyword, token.span.of(text)),
            BodyKind::Routine => self.count_blocks(keyword),
            BodyKind::None => {}
        }
        self.count += 1;
        self.previous = Some((token.kind, keyword));
    }

    fn look_for_routine(&mut self, keyword: K, word: &[u8]) {
        match keyword {
            K::Procedure | K::Function | K::Trigger | K::Event => self.kind = BodyKind::Routine,
            _ if word.eq_ignore_ascii_case(b"PACKAGE") => self.kind = BodyKind::Routine,
            K::Table | K::View | K::Index | K::Database | K::Schema | K::User => {
                self.kind = BodyKind::None;
            }
            _ => {}
        }
    }

    /// Opens at the words that START a block as a statement, closes at END.
    fn count_blocks(&mut self, keyword: K) {
        let previous = self.previous.unwrap_or((T::Semicolon, K::Absent));
        let starts_statement = previous.0 == T::Semicolon
            || previous.0 == T::Colon
            || matches!(previous.1, K::Begin | K::Then | K::Else | K::Do | K::Loop | K::Repeat);
        let opens = match keyword {
            K::Case => previous.1 != K::End,
            // Before the first block any place can start the body; IF NOT EXISTS does not.
            K::Begin => self.open == 0 || starts_statement,
            K::Loop | K::Repeat | K::While | K::If => {
                previous.1 != K::End
                    && (starts_statement || self.open == 0 && previous.0 == T::RightParen)
            }
            _ => false,
        };
        if opens {
            self.open += 1;
        } else if keyword == K::End && previous.0 != T::Dot && previous.1 != K::As {
            self.open = self.open.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<_> = split_statements(text.as_bytes(), SqlMode::default())
            .map(|span| str::from_utf8(span.of(text.as_bytes())).unwrap().trim())
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn semicolons_divide() {
        check("SELECT 1", &["SELECT 1"]);
        check("SELECT 1; SELECT 2;", &["SELECT 1", "SELECT 2"]);
        check(";; SELECT 1 ;;", &["SELECT 1"]);
        check("", &[]);
        check(" -- nothing\n", &[]);
        check(
            "SELECT ';', \";\", `;` /* ; */ -- ;\n; SELECT 2",
            &["SELECT ';', \";\", `;` /* ; */ -- ;", "SELECT 2"],
        );
        check("/* a */ SELECT 1; /* b */ SELECT 2", &["/* a */ SELECT 1", "/* b */ SELECT 2"]);
        check("/*! SELECT 1; */ SELECT 2", &["/*! SELECT 1", "*/ SELECT 2"]);
        check("SELECT 1; SELECT 'x", &["SELECT 1", "SELECT 'x"]);
        check(
            "BEGIN; SELECT CASE WHEN 1 THEN 2 END; COMMIT",
            &["BEGIN", "SELECT CASE WHEN 1 THEN 2 END", "COMMIT"],
        );
    }

    #[test]
    fn bodies_keep_their_semicolons() {
        for body in [
            "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END",
            "CREATE DEFINER=`r`@`%` PROCEDURE p(a INT) BEGIN IF a THEN SELECT 1; END IF; END",
            "CREATE PROCEDURE p() BEGIN DECLARE i INT; WHILE i < 3 DO SET i = i + 1; END WHILE; END",
            "CREATE PROCEDURE p() l: LOOP LEAVE l; END LOOP l",
            "CREATE PROCEDURE p() BEGIN REPEAT SET @a = 1; UNTIL 1 END REPEAT; END",
            "CREATE PROCEDURE p() BEGIN CASE a WHEN 1 THEN SELECT 1; ELSE BEGIN END; END CASE; END",
            "CREATE PROCEDURE p() BEGIN SELECT IF(a, 1, 2), CASE a WHEN 1 THEN 2 END; SELECT 1; END",
            "CREATE PROCEDURE p() BEGIN DROP TABLE IF EXISTS t; SELECT REPEAT('a', 3); END",
            "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW BEGIN SET NEW.a = 1; SET NEW.b = 2; END",
            "CREATE FUNCTION f() RETURNS INT DETERMINISTIC BEGIN RETURN 1; END",
            "CREATE EVENT IF NOT EXISTS e ON SCHEDULE EVERY 1 DAY DO BEGIN DELETE FROM t; END",
            "CREATE PROCEDURE p() IF 1 THEN SELECT 1; END IF",
            "BEGIN NOT ATOMIC SELECT 1; SELECT 2; END",
        ] {
            check(&format!("{body}; SELECT 3"), &[body, "SELECT 3"]);
        }
    }

    #[test]
    fn routines_without_a_block_end_at_the_semicolon() {
        check(
            "CREATE PROCEDURE p() SELECT 1; SELECT 2",
            &["CREATE PROCEDURE p() SELECT 1", "SELECT 2"],
        );
        check("CREATE TABLE t (a INT); SELECT 2", &["CREATE TABLE t (a INT)", "SELECT 2"]);
    }
}
