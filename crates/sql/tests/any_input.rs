//! Whatever the text: no panic, spans inside it and at the borders of tokens.

#![allow(clippy::unwrap_used, reason = "a test program: what fails here fails the test")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use sql::ast::*;
use sql::{Lexer, ServerVersion, Span, SqlMode, TokenKind, parse, split_statements};

fn modes() -> impl Strategy<Value = SqlMode> {
    any::<[bool; 6]>().prop_map(|[a, b, c, d, e, f]| SqlMode {
        ansi_quotes: a,
        no_backslash_escapes: b,
        pipes_as_concat: c,
        ignore_space: d,
        high_not_precedence: e,
        no_auto_value_on_zero: f,
    })
}

fn corpus() -> Vec<&'static str> {
    include_str!("corpus/accepted.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(_, text)| text)
        .collect()
}

/// Words and symbols of the corpus, in any order.
fn token_soup() -> impl Strategy<Value = String> {
    let words: BTreeSet<&str> = corpus().iter().flat_map(|text| text.split(' ')).collect();
    let words: Vec<&str> = words.into_iter().collect();
    prop::collection::vec(prop::sample::select(words), 0..40).prop_map(|list| list.join(" "))
}

/// A statement of the corpus with a piece taken out, doubled, or put elsewhere.
fn mutant() -> impl Strategy<Value = Vec<u8>> {
    let index = any::<prop::sample::Index>;
    (prop::sample::select(corpus()), index(), index(), index(), any::<u8>()).prop_map(
        |(text, from, to, place, how)| {
            let mut bytes = text.as_bytes().to_vec();
            let (a, b) = (from.index(bytes.len()), to.index(bytes.len()));
            let piece = bytes[a.min(b)..a.max(b)].to_vec();
            if how & 1 == 0 {
                bytes.drain(a.min(b)..a.max(b));
            }
            if how & 2 == 0 {
                let at = place.index(bytes.len() + 1);
                bytes.splice(at..at, piece);
            }
            bytes
        },
    )
}

/// Where tokens begin and end; `None` with a token that cannot be read, which ends nowhere.
fn borders(text: &[u8], mode: SqlMode) -> Option<BTreeSet<u32>> {
    let mut lexer = Lexer::new(text, mode, ServerVersion::Any);
    let mut borders = BTreeSet::from([0, text.len() as u32]);
    loop {
        let token = lexer.next_token();
        borders.extend([token.span.start, token.span.end]);
        match token.kind {
            TokenKind::End => return Some(borders),
            TokenKind::Error(_) => return None,
            _ => {}
        }
    }
}

/// Every span in the debug form of a tree: `Span { start: 1, end: 2 }`.
fn spans_of(shown: &str) -> Vec<Span> {
    let number = |text: &str| {
        let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        text[..digits].parse().expect("only digits")
    };
    shown
        .split("Span { start: ")
        .skip(1)
        .map(|rest| {
            Span::new(number(rest), number(rest.split_once("end: ").expect("a span has an end").1))
        })
        .collect()
}

fn check(text: &[u8], mode: SqlMode) {
    let borders = borders(text, mode);
    let shown = String::from_utf8_lossy(text);
    match parse(text, mode) {
        Ok(statement) => {
            // Hints stand in comments, which are no tokens.
            let statement = Statement { hints: Vec::new(), ..statement };
            for span in spans_of(&format!("{statement:?}")) {
                assert!(
                    span.start <= span.end && span.end as usize <= text.len(),
                    "{span:?} {shown}"
                );
                let at_borders = borders.as_ref().is_none_or(|borders| {
                    borders.contains(&span.start) && borders.contains(&span.end)
                });
                assert!(at_borders, "{span:?} {shown}");
            }
        }
        Err(error) => {
            assert!(error.position as usize <= text.len() && !error.to_string().is_empty())
        }
    }
    let mut end = 0;
    for span in split_statements(text, mode) {
        assert!(end <= span.start && span.start <= span.end && span.end as usize <= text.len());
        end = span.end;
    }
}

#[test]
fn the_spans_of_the_corpus_are_at_the_borders_of_tokens() {
    for text in corpus() {
        check(text.as_bytes(), SqlMode::default());
    }
}

#[test]
fn every_statement_cut_short_is_read_or_refused() {
    for text in corpus() {
        for end in 0..text.len() {
            check(&text.as_bytes()[..end], SqlMode::default());
        }
    }
}

proptest! {
    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..200), mode in modes()) {
        check(&text, mode);
    }

    #[test]
    fn any_tokens(text in token_soup(), mode in modes()) {
        check(text.as_bytes(), mode);
    }

    #[test]
    fn any_mutant(text in mutant(), mode in modes()) {
        check(&text, mode);
    }
}
