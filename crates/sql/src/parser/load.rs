//! LOAD DATA.

use super::{Parsed, Parser};
use crate::ast::{Ident, LoadData, LoadDuplicates, LoadFormat, StatementKind};
use crate::{Keyword as K, Span, TokenKind as T};

impl Parser<'_> {
    /// `LOAD DATA|XML ..`, `LOAD INDEX INTO CACHE ..`.
    pub(super) fn load(&mut self) -> Parsed<StatementKind> {
        if !matches!(self.peek_keyword(), K::Data | K::Xml) {
            return self.other();
        }
        self.advance();
        let is_xml = self.advance_keyword() == K::Xml;
        if self.at_any(&[K::LowPriority, K::Concurrent]) {
            self.advance();
        }
        let is_local = self.eat_keyword(K::Local);
        self.expect_keyword(K::Infile)?;
        let file = self.expect_string()?;
        let on_duplicate = match self.keyword() {
            K::Replace => LoadDuplicates::Replace,
            K::Ignore => LoadDuplicates::Ignore,
            _ => LoadDuplicates::Unsaid,
        };
        if on_duplicate != LoadDuplicates::Unsaid {
            self.advance();
        }
        self.expect_keyword(K::Into)?;
        self.expect_keyword(K::Table)?;
        let table = self.table_name()?;
        let has_partition = self.partition_list()?;
        let mut load = LoadData {
            is_xml,
            is_local,
            file,
            on_duplicate,
            table,
            has_partition,
            charset: None,
            format: LoadFormat::default(),
            format_span: Span::new(self.span().start, self.span().start),
            ignored_lines: 0,
            columns: None,
            rest: None,
        };
        if !is_xml {
            self.load_format(&mut load)?;
            self.load_columns(&mut load)?;
        }
        if !self.at_end() {
            let start = self.span().start;
            self.skip_rest()?;
            load.rest = Some(self.span_from(start));
        }
        Ok(StatementKind::LoadData(Box::new(load)))
    }

    /// `[CHARACTER SET c] [FIELDS ..] [LINES ..]`.
    fn load_format(&mut self, load: &mut LoadData) -> Parsed<()> {
        let start = self.span().start;
        if self.at_keyword(K::Charset)
            || (self.at_any(&[K::Character, K::Char]) && self.peek_keyword() == K::Set)
        {
            if self.advance_keyword() != K::Charset {
                self.advance();
            }
            load.charset = Some(match self.kind() {
                T::String => String::from_utf8_lossy(&self.expect_string()?).into_owned(),
                // BINARY is reserved.
                _ => String::from_utf8_lossy(self.advance().span.of(self.text())).into_owned(),
            });
        }
        let format = &mut load.format;
        if self.at_any(&[K::Fields, K::Columns]) {
            self.advance();
            loop {
                self.eat_keyword(K::Optionally);
                let option = match self.keyword() {
                    K::Terminated => &mut format.field_end,
                    K::Enclosed => &mut format.enclosure,
                    K::Escaped => &mut format.escape,
                    _ => break,
                };
                *option = self.load_option()?;
            }
        }
        if self.eat_keyword(K::Lines) {
            loop {
                let option = match self.keyword() {
                    K::Starting => &mut format.line_start,
                    K::Terminated => &mut format.line_end,
                    _ => break,
                };
                *option = self.load_option()?;
            }
        }
        load.format_span = Span::new(start, self.previous_end().max(start));
        Ok(())
    }

    /// `TERMINATED BY 'text'`.
    fn load_option(&mut self) -> Parsed<Vec<u8>> {
        self.advance();
        self.expect_keyword(K::By)?;
        let span = self.span();
        match self.kind() {
            T::Hex => {
                self.advance();
                let digits = span.of(self.text());
                let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
                hex_bytes(digits).ok_or_else(|| self.error())
            }
            _ => self.expect_string(),
        }
    }

    /// `[IGNORE n LINES|ROWS] [(column or @variable, ..)]`.
    fn load_columns(&mut self, load: &mut LoadData) -> Parsed<()> {
        if self.eat_keyword(K::Ignore) {
            let number = String::from_utf8_lossy(self.span().of(self.text())).into_owned();
            load.ignored_lines = number.parse().map_err(|_| self.error())?;
            self.advance();
            if !self.at_any(&[K::Lines, K::Rows]) {
                return Err(self.error());
            }
            self.advance();
        }
        if self.eat(T::LeftParen) {
            load.columns = Some(match self.at(T::RightParen) {
                true => Vec::new(),
                false => self.comma_list(Self::load_column)?,
            });
            self.expect(T::RightParen)?;
        }
        Ok(())
    }

    fn load_column(&mut self) -> Parsed<Option<Ident>> {
        if self.at(T::UserVariable) {
            self.expr()?;
            return Ok(None);
        }
        Ok(Some(self.column_name()?.name))
    }
}

/// The bytes of `x'0a'`, `X'0a'` or the digits of `0x0a`.
fn hex_bytes(written: &[u8]) -> Option<Vec<u8>> {
    let quoted = [b"x'", b"X'"].iter().find_map(|prefix| written.strip_prefix(*prefix));
    let digits = match quoted {
        Some(digits) => digits.strip_suffix(b"'")?,
        None => written,
    };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?);
    digits.chunks(2).map(pair).collect()
}
