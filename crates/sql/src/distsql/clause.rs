//! The small pieces that many statements share: names, lists, `FROM db`, `LIKE ..`, values.

use crate::quoting::text_at;
use crate::{Keyword, ParseError, TokenKind, TokenStream};

/// A name: any word, quoted or not, or a string.
pub(super) fn name(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    match stream.kind() {
        TokenKind::String => string(stream),
        TokenKind::Word | TokenKind::Introducer => Ok(stream.expect_any_ident()?.value),
        _ => Ok(stream.expect_ident()?.value),
    }
}

/// `a, b, ..`
pub(super) fn names(stream: &mut TokenStream<'_>) -> Result<Vec<String>, ParseError> {
    list(stream, name)
}

/// `item, item, ..`
pub(super) fn list<'t, T>(
    stream: &mut TokenStream<'t>,
    mut item: impl FnMut(&mut TokenStream<'t>) -> Result<T, ParseError>,
) -> Result<Vec<T>, ParseError> {
    let mut items = vec![item(stream)?];
    while stream.eat(TokenKind::Comma) {
        items.push(item(stream)?);
    }
    Ok(items)
}

/// `(..)`
pub(super) fn in_parentheses<'t, T>(
    stream: &mut TokenStream<'t>,
    content: impl FnOnce(&mut TokenStream<'t>) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    stream.expect(TokenKind::LeftParen)?;
    let content = content(stream)?;
    stream.expect(TokenKind::RightParen)?;
    Ok(content)
}

/// A string in either quotes.
pub(super) fn string(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    let error = stream.error();
    let bytes = stream.expect_string()?;
    String::from_utf8(bytes).map_err(|_| error)
}

/// `= name`
pub(super) fn equal_name(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    stream.expect(TokenKind::Equal)?;
    name(stream)
}

/// `= value`, the value as text.
pub(super) fn equal_value(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    stream.expect(TokenKind::Equal)?;
    value(stream)
}

/// A string, a number with or without sign, or a word such as TRUE, as text.
pub(super) fn value(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    match stream.kind() {
        TokenKind::Minus => {
            stream.advance();
            Ok(format!("-{}", number(stream)?))
        }
        TokenKind::Integer | TokenKind::Decimal | TokenKind::Float => number(stream),
        _ => name(stream),
    }
}

fn number(stream: &mut TokenStream<'_>) -> Result<String, ParseError> {
    match stream.kind() {
        TokenKind::Integer | TokenKind::Decimal | TokenKind::Float => {
            Ok(text_at(stream.text(), stream.advance().span))
        }
        _ => Err(stream.error()),
    }
}

/// `= TRUE` or `= FALSE`.
pub(super) fn equal_bool(stream: &mut TokenStream<'_>) -> Result<bool, ParseError> {
    stream.expect(TokenKind::Equal)?;
    if stream.eat_keyword(Keyword::True) {
        return Ok(true);
    }
    stream.expect_keyword(Keyword::False).map(|_| false)
}

/// `[IF EXISTS]`
pub(super) fn if_exists(stream: &mut TokenStream<'_>) -> bool {
    stream.eat_keywords(&[Keyword::If, Keyword::Exists])
}

/// `[IF NOT EXISTS]`
pub(super) fn if_not_exists(stream: &mut TokenStream<'_>) -> bool {
    stream.eat_keywords(&[Keyword::If, Keyword::Not, Keyword::Exists])
}

/// `[FROM db]`
pub(super) fn from_database(stream: &mut TokenStream<'_>) -> Result<Option<String>, ParseError> {
    if stream.eat_keyword(Keyword::From) { name(stream).map(Some) } else { Ok(None) }
}

/// `[FROM db] [LIKE '..']` in either order.
#[derive(Default)]
pub(super) struct Filter {
    pub(super) database: Option<String>,
    pub(super) like: Option<String>,
}

/// Reads a [`Filter`].
pub(super) fn filter(stream: &mut TokenStream<'_>) -> Result<Filter, ParseError> {
    let mut filter = Filter::default();
    loop {
        if filter.database.is_none() && stream.at_keyword(Keyword::From) {
            filter.database = from_database(stream)?;
        } else if filter.like.is_none() && stream.eat_keyword(Keyword::Like) {
            filter.like = Some(string(stream)?);
        } else {
            return Ok(filter);
        }
    }
}

/// Puts what stands behind the key word `word` of a definition into `slot`; once only.
pub(super) fn once<'t, T>(
    stream: &mut TokenStream<'t>,
    slot: &mut Option<T>,
    content: impl FnOnce(&mut TokenStream<'t>) -> Result<T, ParseError>,
) -> Result<(), ParseError> {
    if slot.is_some() {
        return Err(stream.error());
    }
    stream.advance();
    *slot = Some(content(stream)?);
    Ok(())
}
