//! Comments: which of them count as code, which steer routing, and where they end.
//!
//! # Source
//! MySQL 8.4 manual, "Comments" and "Optimizer Hints"; MariaDB knowledge base, "Comment Syntax".

use super::bytes::{Class, class_of, pack_word, packed, word_end};

/// What a comment is to the fingerprint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommentRole {
    /// Its content does not matter.
    Ordinary,
    /// It steers routing.
    Hint,
    /// `/*! */`, `/*M! */`, `/*+ */`: part of the statement.
    Code,
}

/// One past the comment that begins with `/*` at `start`.
pub(super) fn block_end(text: &[u8], start: usize) -> Option<usize> {
    let body = text.get(start + 2..)?;
    memchr::memmem::find(body, b"*/").map(|at| start + 2 + at + 2)
}

/// One past the last byte of the line of `start`, without its line feed.
pub(super) fn line_end(text: &[u8], start: usize) -> usize {
    memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at)
}

/// What the block comment `comment` (both ends included) is; None where it cannot be told what the
/// server will make of it.
pub(super) fn role_of_block(comment: &[u8]) -> Option<CommentRole> {
    let body = comment.get(2..comment.len().checked_sub(2)?)?;
    match body {
        [b'+', body @ ..] => has_closed_quotes(body).then_some(CommentRole::Code),
        [b'!', body @ ..] | [b'M' | b'm', b'!', body @ ..] => {
            is_plain_code(body).then_some(CommentRole::Code)
        }
        _ => Some(role_of_line(body)),
    }
}

/// What a comment with this content is, code comments aside. Whatever [`crate::hint`] reads as a
/// hint is one here.
pub(super) fn role_of_line(body: &[u8]) -> CommentRole {
    let names_hints = memchr::memchr2_iter(b's', b'S', body)
        .any(|at| starts_with_word(&body[at..], b"shardingsphere"));
    if names_hints || is_pairs(body) { CommentRole::Hint } else { CommentRole::Ordinary }
}

/// `k:v, k:v`, the older form of hints.
fn is_pairs(body: &[u8]) -> bool {
    let is_word = |word: &[u8]| !word.is_empty() && !word.iter().any(u8::is_ascii_whitespace);
    let is_pair = |pair: &[u8]| {
        memchr::memchr(b':', pair).is_some_and(|colon| {
            is_word(pair[..colon].trim_ascii()) && is_word(pair[colon + 1..].trim_ascii())
        })
    };
    // White space outside of ASCII is trimmed, too, where hints are read.
    memchr::memchr(b':', body).is_some()
        && (!body.is_ascii() || body.split(|byte| *byte == b',').all(is_pair))
}

fn starts_with_word(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}

/// An optimizer hint may hold quoted names; with a `*/` in one of them it would end elsewhere.
fn has_closed_quotes(body: &[u8]) -> bool {
    [b'\'', b'"', b'`']
        .iter()
        .all(|quote| memchr::memchr_iter(*quote, body).count().is_multiple_of(2))
}

/// Executable comments may or may not be executed, which depends on the server's version: only
/// words that change nothing of how the rest is read are let through.
fn is_plain_code(body: &[u8]) -> bool {
    let mut at = 0;
    while let Some(&byte) = body.get(at) {
        match class_of(byte) {
            Class::Word => {
                let end = word_end(body, at);
                if is_clause_word(pack_word(body, at, end)) || end - at > 24 {
                    return false;
                }
                at = end;
            }
            Class::Space | Class::Digit => at += 1,
            Class::Other if matches!(byte, b',' | b'=') => at += 1,
            _ => return false,
        }
    }
    true
}

fn is_clause_word(word: u64) -> bool {
    const CLAUSES: [u64; 12] = [
        packed(b"select"),
        packed(b"from"),
        packed(b"where"),
        packed(b"limit"),
        packed(b"on"),
        packed(b"order"),
        packed(b"group"),
        packed(b"having"),
        packed(b"window"),
        packed(b"union"),
        packed(b"cast"),
        packed(b"convert"),
    ];
    CLAUSES.contains(&word)
}
