//! Calls: the general form, and the functions with a grammar of their own.

use super::infix::binding;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, Function, Ident, WindowSpec};
use crate::{Keyword as K, TokenKind as T, quoting};

impl Parser<'_> {
    /// A reserved word that is a function's name, with or without parentheses.
    pub(super) fn reserved_call(&mut self) -> Parsed<Expr> {
        let next = self.peek_kind();
        let name = match self.keyword() {
            K::CurrentDate
            | K::CurrentTime
            | K::CurrentTimestamp
            | K::CurrentUser
            | K::Localtime
            | K::Localtimestamp
            | K::UtcDate
            | K::UtcTime
            | K::UtcTimestamp => {
                let name = self.take_ident();
                if next != T::LeftParen {
                    return Ok(self.plain_call(name, Vec::new()));
                }
                name
            }
            _ if next != T::LeftParen => return Err(self.error()),
            K::Convert => return self.convert(),
            K::Char
            | K::Database
            | K::Default
            | K::If
            | K::Insert
            | K::Left
            | K::Mod
            | K::Repeat
            | K::Replace
            | K::Right
            | K::Schema
            | K::Values => self.take_ident(),
            _ => return Err(self.error()),
        };
        self.call_of(None, name)
    }

    /// A call whose name is read; stands at the parenthesis.
    #[inline(never)]
    pub(super) fn call_of(&mut self, schema: Option<Ident>, name: Ident) -> Parsed<Expr> {
        if schema.is_none() {
            match K::of(name.value.as_bytes()) {
                K::Extract => return self.extract(name),
                K::Trim => return self.trim(name),
                K::Position => return self.position_in(name),
                _ if name.value.eq_ignore_ascii_case("CAST") => return self.cast(name),
                _ => {}
            }
        }
        self.advance();
        let mut function = empty_function(schema, name);
        self.arguments(&mut function)?;
        self.expect(T::RightParen)?;
        self.behind_call(&mut function)?;
        let start = function.schema.as_ref().map_or(function.name.span, |name| name.span).start;
        Ok(Expr { kind: ExprKind::Function(Box::new(function)), span: self.span_from(start) })
    }

    /// A call without anything special.
    pub(super) fn plain_call(&self, name: Ident, args: Vec<Expr>) -> Expr {
        self.modified_call(name, None, args)
    }

    fn modified_call(&self, name: Ident, modifier: Option<String>, args: Vec<Expr>) -> Expr {
        let start = name.span.start;
        let function = Function { modifier, args, ..empty_function(None, name) };
        Expr { kind: ExprKind::Function(Box::new(function)), span: self.span_from(start) }
    }

    /// What stands between the parentheses.
    fn arguments(&mut self, function: &mut Function) -> Parsed<()> {
        if self.at(T::RightParen) {
            return Ok(());
        }
        if self.at(T::Star) {
            self.advance();
            function.is_star = true;
            return Ok(());
        }
        function.is_distinct = self.eat_keyword(K::Distinct);
        if !function.is_distinct {
            self.eat_keyword(K::All);
        }
        function.modifier = self.unit_argument(&function.name);
        function.args = self.exprs()?;
        if self.at(T::RightParen) { Ok(()) } else { self.argument_tail(function) }
    }

    /// `TIMESTAMPADD(DAY, ..)`, `GET_FORMAT(DATE, ..)`: the first word is no column.
    fn unit_argument(&mut self, name: &Ident) -> Option<String> {
        let takes_unit = ["TIMESTAMPADD", "TIMESTAMPDIFF", "GET_FORMAT"]
            .iter()
            .any(|function| name.value.eq_ignore_ascii_case(function));
        if !takes_unit || !self.at(T::Word) || self.peek_kind() != T::Comma {
            return None;
        }
        let unit = self.upper_word();
        self.advance();
        Some(unit)
    }

    /// The current word in upper case; it is taken.
    fn upper_word(&mut self) -> String {
        quoting::text_at(self.text(), self.advance().span).to_ascii_uppercase()
    }

    /// What may follow the arguments inside the parentheses.
    fn argument_tail(&mut self, function: &mut Function) -> Parsed<()> {
        match self.keyword() {
            // SUBSTRING(x FROM a FOR b)
            K::From => {
                self.advance();
                function.args.push(self.expr()?);
                if self.eat_keyword(K::For) {
                    function.args.push(self.expr()?);
                }
                return Ok(());
            }
            // CHAR(x USING charset)
            K::Using => {
                self.advance();
                function.modifier = Some(self.charset_name()?.to_ascii_uppercase());
                return Ok(());
            }
            _ => {}
        }
        if self.eat_keywords(&[K::Order, K::By]) {
            function.order_by = self.order_items()?;
        }
        if self.eat_keyword(K::Separator) {
            function.separator = Some(self.separator_string()?);
        }
        if self.at_keyword(K::Limit) {
            self.limit()?;
            function.is_complete = false;
        }
        // JSON_VALUE(.. RETURNING .. ON EMPTY), WEIGHT_STRING(x AS CHAR(4) LEVEL 1)
        let has_options = self.at_any(&[K::Returning, K::As, K::Default, K::Null, K::Error])
            || self.at_word("LEVEL")
            || self.at_word("EMPTY");
        if has_options {
            self.skip_until(|parser| parser.at(T::RightParen))?;
            function.is_complete = false;
        }
        Ok(())
    }

    fn separator_string(&mut self) -> Parsed<Vec<u8>> {
        match self.kind() {
            T::Hex => {
                let value = quoting::digits_value(self.token_text(), 4);
                self.advance();
                Ok(value)
            }
            _ => self.expect_string(),
        }
    }

    /// `OVER ..` and what may stand before it.
    fn behind_call(&mut self, function: &mut Function) -> Parsed<()> {
        if !self.at(T::Word) {
            return Ok(());
        }
        if self.at_word("WITHIN") && self.peek_keyword() == K::Group {
            self.advance();
            self.advance();
            self.skip_parens()?;
            function.is_complete = false;
        }
        if self.at_keyword(K::From) && matches!(self.peek_keyword(), K::First | K::Last) {
            // NTH_VALUE(..) FROM FIRST; but `FROM first` may as well be a table.
            let is_option = matches!(self.peek(2).1, K::Over)
                || self.token_after_is(2, "RESPECT")
                || self.token_after_is(2, "IGNORE");
            if is_option {
                self.advance();
                self.advance();
            }
        }
        let has_nulls = self.at_word("RESPECT") || self.at_keyword(K::Ignore);
        if has_nulls && self.peek_keyword() == K::Nulls {
            self.advance();
            self.advance();
        }
        if self.eat_keyword(K::Over) {
            function.is_windowed = true;
            function.window = Some(Box::new(self.window()?));
        }
        Ok(())
    }

    fn token_after_is(&self, ahead: u32, word: &str) -> bool {
        self.peek(ahead).0.span.of(self.text()).eq_ignore_ascii_case(word.as_bytes())
    }

    /// `name`, or `(..)`.
    fn window(&mut self) -> Parsed<WindowSpec> {
        if self.at(T::LeftParen) {
            return self.window_spec();
        }
        let name = self.expect_ident()?;
        Ok(WindowSpec { span: name.span, name: Some(name), ..WindowSpec::default() })
    }

    /// `([name] [PARTITION BY ..] [ORDER BY ..] [frame])`.
    #[inline(never)]
    pub(super) fn window_spec(&mut self) -> Parsed<WindowSpec> {
        let start = self.expect(T::LeftParen)?.span.start;
        self.enter()?;
        let mut window = WindowSpec::default();
        let is_frame = self.at_word("GROUPS") && self.peek_kind() == T::Word;
        if self.at_ident() && !is_frame {
            window.name = Some(self.take_ident());
        }
        if self.eat_keywords(&[K::Partition, K::By]) {
            window.partition_by = self.exprs()?;
        }
        if self.eat_keywords(&[K::Order, K::By]) {
            window.order_by = self.order_items()?;
        }
        if self.at_any(&[K::Rows, K::Range, K::Groups]) {
            window.has_frame = true;
            self.skip_until(|parser| parser.at(T::RightParen))?;
        }
        self.expect(T::RightParen)?;
        window.span = self.span_from(start);
        self.leave();
        Ok(window)
    }

    /// `CAST(expr AS type)`.
    fn cast(&mut self, name: Ident) -> Parsed<Expr> {
        self.advance();
        let expr = Box::new(self.expr()?);
        if self.at_word("AT") {
            self.skip_until(|parser| parser.at_keyword(K::As))?;
        }
        self.expect_keyword(K::As)?;
        let kind = ExprKind::Cast { expr, type_text: self.cast_type()? };
        Ok(Expr { kind, span: self.span_from(name.span.start) })
    }

    /// `CONVERT(expr, type)`, `CONVERT(expr USING charset)`.
    fn convert(&mut self) -> Parsed<Expr> {
        let start = self.advance().span.start;
        self.advance();
        let expr = Box::new(self.expr()?);
        let kind = if self.eat_keyword(K::Using) {
            let charset = self.charset_name()?;
            self.expect(T::RightParen)?;
            ExprKind::ConvertUsing { expr, charset }
        } else {
            self.expect(T::Comma)?;
            ExprKind::Cast { expr, type_text: self.cast_type()? }
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// The type's text up to the closing parenthesis, which is taken, too.
    fn cast_type(&mut self) -> Parsed<String> {
        let start = self.span().start;
        if !self.at(T::Word) {
            return Err(self.error());
        }
        self.skip_until(|parser| parser.at(T::RightParen))?;
        let type_text = quoting::text_at(self.text(), self.span_from(start));
        self.expect(T::RightParen)?;
        Ok(type_text)
    }

    /// `EXTRACT(unit FROM expr)`.
    fn extract(&mut self, name: Ident) -> Parsed<Expr> {
        self.advance();
        let modifier = Some(self.interval_unit()?);
        self.expect_keyword(K::From)?;
        let args = vec![self.expr()?];
        self.expect(T::RightParen)?;
        Ok(self.modified_call(name, modifier, args))
    }

    /// `TRIM([BOTH|LEADING|TRAILING] [what] FROM x)`, `TRIM(x)`; `x` is the first argument.
    fn trim(&mut self, name: Ident) -> Parsed<Expr> {
        self.advance();
        let has_side = self.at_any(&[K::Both, K::Leading, K::Trailing]);
        let modifier = has_side.then(|| self.upper_word());
        let mut args = Vec::with_capacity(1);
        if !self.at_keyword(K::From) {
            args.push(self.expr()?);
        }
        if self.eat_keyword(K::From) {
            args.insert(0, self.expr()?);
        }
        self.expect(T::RightParen)?;
        Ok(self.modified_call(name, modifier, args))
    }

    /// `POSITION(a IN b)`.
    fn position_in(&mut self, name: Ident) -> Parsed<Expr> {
        self.advance();
        let mut args = vec![self.expr_above(binding::BIT_OR)?];
        if !self.eat_keyword(K::In) {
            self.expect(T::Comma)?;
        }
        args.push(self.expr()?);
        self.expect(T::RightParen)?;
        Ok(self.plain_call(name, args))
    }

    /// `NEXT VALUE FOR sequence` of MariaDB, as a call named NEXT.
    pub(super) fn next_value(&mut self) -> Parsed<Expr> {
        let name = self.take_ident();
        self.advance();
        self.expect_keyword(K::For)?;
        self.table_name()?;
        let start = name.span.start;
        let function = Function { is_complete: false, ..empty_function(None, name) };
        Ok(Expr { kind: ExprKind::Function(Box::new(function)), span: self.span_from(start) })
    }
}

fn empty_function(schema: Option<Ident>, name: Ident) -> Function {
    Function {
        schema,
        name,
        modifier: None,
        args: Vec::new(),
        is_star: false,
        is_distinct: false,
        order_by: Vec::new(),
        separator: None,
        is_windowed: false,
        window: None,
        is_complete: true,
    }
}
