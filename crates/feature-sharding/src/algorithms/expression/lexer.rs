//! Tokens of an expression.

/// A token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token<'t> {
    /// Digits, perhaps with a point, with the letter of their type (or a space).
    Number(&'t str, char),
    /// The inside of a quoted string without escapes.
    Text(&'t str),
    Name(&'t str),
    Symbol(&'static str),
    End,
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    ">>>", "<=>", "..<", "**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "?:", "..", "+",
    "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ",", ".", "?", ":", "<", ">", "!", "~", "&",
    "|", "^",
];

/// Reads tokens from the left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexer<'t> {
    pub(super) rest: &'t str,
}

impl<'t> Lexer<'t> {
    pub(super) fn next(&mut self) -> Result<Token<'t>, String> {
        self.rest = self.rest.trim_start();
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first.is_ascii_digit() {
            return self.number();
        }
        if first.is_alphabetic() || first == '_' {
            let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            return Ok(Token::Name(self.take(end.unwrap_or(self.rest.len()))));
        }
        if matches!(first, '\'' | '"') {
            return self.quoted(first);
        }
        let symbol = SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol));
        let symbol =
            symbol.ok_or_else(|| format!("`{first}` is not supported in an expression"))?;
        self.take(symbol.len());
        Ok(Token::Symbol(symbol))
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }

    fn number(&mut self) -> Result<Token<'t>, String> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut length = digits(self.rest);
        let fraction = self.rest[length..].strip_prefix('.').map_or(0, digits);
        if fraction > 0 {
            length += 1 + fraction;
        } else if length > 1 && self.rest.starts_with('0') {
            return Err("numbers that begin with 0 are octal in Groovy; leave the 0 out".to_owned());
        }
        let text = self.take(length);
        let suffix = self.rest.chars().next().filter(char::is_ascii_alphabetic);
        match suffix.map(|suffix| suffix.to_ascii_uppercase()) {
            None => Ok(Token::Number(text, ' ')),
            Some(suffix @ ('L' | 'I' | 'G')) => {
                self.take(1);
                Ok(Token::Number(text, suffix))
            }
            Some(_) => Err(format!(
                "the number after `{text}` is not supported: no hexadecimal, no exponents"
            )),
        }
    }

    fn quoted(&mut self, quote: char) -> Result<Token<'t>, String> {
        let inside = &self.rest[1..];
        let end = inside.find(quote).ok_or("a quote of the expression is not closed")?;
        let text = &inside[..end];
        if text.contains(['\\', '$']) || (text.is_empty() && inside[1..].starts_with(quote)) {
            return Err(
                "backslashes, `$` and triple quotes in strings are not supported".to_owned()
            );
        }
        self.take(end + 2);
        Ok(Token::Text(text))
    }
}
