//! Routing hints in comments.

use crate::ast::Hint;
use crate::{Lexer, ServerVersion, SqlMode, TokenKind};

/// The words that open a hint comment, compared without regard to case.
///
/// # Source
/// ShardingSphere 5.2 and 5.5, "SQL Hint".
const PREFIXES: [&[u8]; 2] = [b"SHARDINGSPHERE_HINT:", b"SHARDINGSPHERE HINT:"];

/// All hints of the text, in order: `/* SHARDINGSPHERE_HINT: K=V, K=V */` in either spelling, and
/// the old form `/* k:v, k:v */`, which is a hint only if every part is one word, a colon, and
/// one word.
pub(crate) fn find_hints(text: &[u8], mode: SqlMode, version: ServerVersion) -> Vec<Hint> {
    let mut hints = Vec::new();
    if !has_comment(text) {
        return hints;
    }
    let mut lexer = Lexer::new(text, mode, version);
    loop {
        let token = lexer.next_with_comments();
        match token.kind {
            TokenKind::End | TokenKind::Error(_) => return hints,
            TokenKind::Comment => {
                let comment = token.span.of(text);
                let body = comment.strip_prefix(b"/*").and_then(|rest| rest.strip_suffix(b"*/"));
                if let Some(pairs) = body.and_then(pairs_of) {
                    hints.extend(pairs.into_iter().map(|(key, value)| Hint {
                        key,
                        value,
                        span: token.span,
                    }));
                }
            }
            _ => {}
        }
    }
}

fn has_comment(text: &[u8]) -> bool {
    memchr::memchr_iter(b'*', text).any(|at| at > 0 && text[at - 1] == b'/')
}

fn pairs_of(body: &[u8]) -> Option<Vec<(String, String)>> {
    let body = body.trim_ascii();
    for prefix in PREFIXES {
        let head = body.get(..prefix.len());
        if head.is_some_and(|head| head.eq_ignore_ascii_case(prefix)) {
            let list = str::from_utf8(&body[prefix.len()..]).ok()?;
            return Some(list.split(',').filter_map(|pair| split_pair(pair, '=')).collect());
        }
    }
    let is_word = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
    str::from_utf8(body)
        .ok()?
        .split(',')
        .map(|pair| split_pair(pair, ':').filter(|(key, value)| is_word(key) && is_word(value)))
        .collect()
}

fn split_pair(pair: &str, separator: char) -> Option<(String, String)> {
    let (key, value) = pair.split_once(separator)?;
    Some((key.trim().to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        find_hints(text.as_bytes(), SqlMode::default(), ServerVersion::Any)
            .into_iter()
            .map(|hint| (hint.key, hint.value))
            .collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let expected: Vec<_> =
            expected.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
        assert_eq!(pairs(text), expected, "{text}");
    }

    #[test]
    fn hints_are_found_in_every_spelling() {
        let one = [("DATA_SOURCE_NAME", "ds_0")];
        check("/* SHARDINGSPHERE_HINT: DATA_SOURCE_NAME=ds_0 */ SELECT 1", &one);
        check("/*shardingsphere_hint:DATA_SOURCE_NAME = ds_0*/ SELECT 1", &one);
        check("SELECT 1 /* ShardingSphere hint: DATA_SOURCE_NAME=ds_0 */", &one);
        check("SELECT /* SHARDINGSPHERE_HINT: a=1, t.b=x */ 1", &[("a", "1"), ("t.b", "x")]);
        check("SELECT 1 /*shadow:true*/", &[("shadow", "true")]);
        check("SELECT 1 /* shadow:true, foo:bar */", &[("shadow", "true"), ("foo", "bar")]);
    }

    #[test]
    fn other_comments_are_no_hints() {
        for text in [
            "SELECT 1 /* a comment */",
            "SELECT 1 /* note: this is prose */",
            "SELECT '/* shadow:true */'",
            "SELECT 1 -- shadow:true",
            "SELECT 1 /*+ shadow:true */",
            "SELECT 2 * 3",
            "/**/ SELECT 1",
        ] {
            check(text, &[]);
        }
    }

    #[test]
    fn a_hint_knows_where_it_stands() {
        let hints = find_hints(b"SELECT 1 /*a:b*/", SqlMode::default(), ServerVersion::Any);
        assert_eq!((hints[0].span.start, hints[0].span.end), (9, 16));
    }
}
