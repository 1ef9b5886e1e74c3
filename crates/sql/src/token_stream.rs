//! The tokens as a parser wants them: one ahead, with its key word, and errors at a position.

use crate::ast::Ident;
use crate::quoting;
use crate::{Keyword, Lexer, ParseError, ServerVersion, Span, SqlMode, Token, TokenKind};

/// One token of look-ahead over a [`Lexer`], comments left out.
///
/// A clone is a place to come back to.
#[derive(Debug, Clone)]
pub struct TokenStream<'t> {
    lexer: Lexer<'t>,
    current: Token,
    keyword: Keyword,
    previous_end: u32,
    params: u32,
}

impl<'t> TokenStream<'t> {
    /// Stands at the first token.
    pub fn new(text: &'t [u8], mode: SqlMode, version: ServerVersion) -> Self {
        let mut stream = Self {
            lexer: Lexer::new(text, mode, version),
            current: Token { kind: TokenKind::End, span: Span::default() },
            keyword: Keyword::Absent,
            previous_end: 0,
            params: 0,
        };
        stream.advance();
        stream.previous_end = stream.current.span.start;
        stream
    }

    /// The whole text.
    pub fn text(&self) -> &'t [u8] {
        self.lexer.text()
    }

    /// How text is read.
    pub fn mode(&self) -> SqlMode {
        self.lexer.mode()
    }

    /// The kind of the current token.
    pub fn kind(&self) -> TokenKind {
        self.current.kind
    }

    /// The key word that the current token is.
    pub fn keyword(&self) -> Keyword {
        self.keyword
    }

    /// Where the current token stands.
    pub fn span(&self) -> Span {
        self.current.span
    }

    /// The bytes of the current token.
    pub fn token_text(&self) -> &'t [u8] {
        self.current.span.of(self.lexer.text())
    }

    /// Where the token before the current one ended.
    pub fn previous_end(&self) -> u32 {
        self.previous_end
    }

    /// How many `?` are left behind.
    pub fn param_count(&self) -> u32 {
        self.params
    }

    /// Goes one token on; gives the one left behind. Stays at the end.
    pub fn advance(&mut self) -> Token {
        let left = self.current;
        self.previous_end = left.span.end;
        self.params += u32::from(left.kind == TokenKind::Param);
        self.current = self.lexer.next_token();
        self.keyword = self.keyword_of(self.current);
        left
    }

    /// The `ahead`th token after the current one, 1 for the next, and the key word it is.
    pub fn peek(&self, ahead: u32) -> (Token, Keyword) {
        let mut lexer = self.lexer;
        let mut token = self.current;
        for _ in 0..ahead {
            token = lexer.next_token();
        }
        (token, self.keyword_of(token))
    }

    /// The kind of the next token.
    pub fn peek_kind(&self) -> TokenKind {
        let mut lexer = self.lexer;
        lexer.next_token().kind
    }

    /// The key word that the next token is.
    pub fn peek_keyword(&self) -> Keyword {
        self.peek(1).1
    }

    fn keyword_of(&self, token: Token) -> Keyword {
        match token.kind {
            TokenKind::Word => Keyword::of(token.span.of(self.lexer.text())),
            _ => Keyword::Absent,
        }
    }

    /// True at a token of this kind.
    pub fn at(&self, kind: TokenKind) -> bool {
        self.current.kind == kind
    }

    /// True at this key word.
    pub fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword == keyword
    }

    /// True at one of these key words.
    pub fn at_any(&self, keywords: &[Keyword]) -> bool {
        keywords.contains(&self.keyword)
    }

    /// True at this unquoted word, in any case; for words that are no [`Keyword`].
    pub fn at_word(&self, word: &str) -> bool {
        self.at(TokenKind::Word) && self.token_text().eq_ignore_ascii_case(word.as_bytes())
    }

    /// Goes past a token of this kind, if it stands here.
    pub fn eat(&mut self, kind: TokenKind) -> bool {
        self.advance_if(self.at(kind))
    }

    /// Goes past this key word, if it stands here.
    pub fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        self.advance_if(self.at_keyword(keyword))
    }

    /// Goes past these key words, if all of them stand here; else stays.
    pub fn eat_keywords(&mut self, keywords: &[Keyword]) -> bool {
        let ahead = |(offset, keyword)| self.peek(offset).1 == keyword;
        let all = (0..).zip(keywords.iter().copied()).all(ahead);
        if all {
            keywords.iter().for_each(|_| {
                self.advance();
            });
        }
        all
    }

    /// Goes past this unquoted word, if it stands here.
    pub fn eat_word(&mut self, word: &str) -> bool {
        self.advance_if(self.at_word(word))
    }

    fn advance_if(&mut self, is_here: bool) -> bool {
        if is_here {
            self.advance();
        }
        is_here
    }

    /// Goes past a token of this kind.
    ///
    /// # Errors
    /// A syntax error when another token stands here; so for the other `expect` functions.
    pub fn expect(&mut self, kind: TokenKind) -> Result<Token, ParseError> {
        if self.at(kind) { Ok(self.advance()) } else { Err(self.error()) }
    }

    /// Goes past this key word.
    pub fn expect_keyword(&mut self, keyword: Keyword) -> Result<Token, ParseError> {
        if self.at_keyword(keyword) { Ok(self.advance()) } else { Err(self.error()) }
    }

    /// Goes past this unquoted word.
    pub fn expect_word(&mut self, word: &str) -> Result<Token, ParseError> {
        if self.at_word(word) { Ok(self.advance()) } else { Err(self.error()) }
    }

    /// Goes past a name: a quoted one, or a word that is not reserved.
    pub fn expect_ident(&mut self) -> Result<Ident, ParseError> {
        if self.at_ident() { Ok(self.take_ident()) } else { Err(self.error()) }
    }

    /// Goes past a name behind a dot: a word that follows it at once is a name even if reserved.
    pub fn expect_ident_behind_dot(&mut self) -> Result<Ident, ParseError> {
        match self.previous_end == self.current.span.start {
            true => self.expect_any_ident(),
            false => self.expect_ident(),
        }
    }

    /// Goes past a name where any word is one.
    pub fn expect_any_ident(&mut self) -> Result<Ident, ParseError> {
        match self.kind() {
            TokenKind::Word | TokenKind::Introducer => Ok(self.take_ident()),
            _ => self.expect_ident(),
        }
    }

    /// Goes past a string literal; gives its value.
    pub fn expect_string(&mut self) -> Result<Vec<u8>, ParseError> {
        match self.kind() {
            TokenKind::String | TokenKind::NationalString => {
                let value = quoting::unescape_string(self.token_text(), self.mode());
                self.advance();
                Ok(value)
            }
            _ => Err(self.error()),
        }
    }

    /// True at a name: a quoted one that is not empty, or a word that is not reserved.
    pub fn at_ident(&self) -> bool {
        match self.kind() {
            TokenKind::Word => !self.keyword.is_reserved(),
            TokenKind::QuotedIdent => self.span().len() > 2,
            _ => false,
        }
    }

    /// The current token as a name, whatever it is; goes past it.
    pub(crate) fn take_ident(&mut self) -> Ident {
        let value = quoting::unquote_identifier(self.token_text());
        Ident { value, span: self.advance().span }
    }

    /// A syntax error at the current token.
    #[cold]
    pub fn error(&self) -> ParseError {
        ParseError::syntax(self.text(), self.current.span.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &str) -> TokenStream<'_> {
        TokenStream::new(text.as_bytes(), SqlMode::default(), ServerVersion::Any)
    }

    #[test]
    fn it_reads_with_one_token_ahead() {
        let mut stream = stream("/* c */ SHOW storage UNITS FROM `a b`");
        assert!(stream.eat_keyword(Keyword::Show));
        assert!(!stream.eat_word("unit"));
        assert!(stream.eat_word("STORAGE") && stream.eat_word("units"));
        assert_eq!(stream.peek(1).0.kind, TokenKind::QuotedIdent);
        assert!(stream.expect_keyword(Keyword::From).is_ok());
        let name = stream.expect_ident().unwrap();
        assert_eq!((name.value.as_str(), name.span), ("a b", Span::new(32, 37)));
        assert!(stream.at(TokenKind::End));
        assert_eq!(stream.advance().kind, TokenKind::End);
        assert_eq!(stream.previous_end(), 37);
    }

    #[test]
    fn several_words_are_taken_together_or_not_at_all() {
        let mut stream = stream("IF NOT EXISTS x");
        assert!(!stream.eat_keywords(&[Keyword::If, Keyword::Exists]));
        assert!(stream.eat_keywords(&[Keyword::If, Keyword::Not, Keyword::Exists]));
        assert!(stream.at_word("X"));
    }

    #[test]
    fn a_reserved_word_is_no_name_but_behind_a_dot() {
        let mut stream = stream("select.select");
        assert!(stream.expect_ident().is_err());
        stream.advance();
        stream.advance();
        assert_eq!(stream.expect_any_ident().unwrap().value, "select");
    }

    #[test]
    fn an_error_names_the_place() {
        let mut stream = stream("SELECT\n FROM");
        stream.advance();
        let error = stream.expect_ident().unwrap_err();
        assert_eq!((error.position, error.line), (8, 2));
    }
}
