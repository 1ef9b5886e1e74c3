//! The clauses that apply to a whole result: ORDER BY, LIMIT, locks, INTO.

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, Into, Limit, Literal, OrderItem};
use crate::{Keyword as K, Span, TokenKind as T, quoting};

impl Parser<'_> {
    pub(super) fn order_by(&mut self) -> Parsed<Vec<OrderItem>> {
        if !self.eat_keyword(K::Order) {
            return Ok(Vec::new());
        }
        self.expect_keyword(K::By)?;
        self.order_items()
    }

    /// `LIMIT ..`, if it stands here; MariaDB's `OFFSET .. FETCH FIRST ..`, too.
    pub(super) fn limit(&mut self) -> Parsed<Option<Limit>> {
        let start = self.span().start;
        if !self.eat_keyword(K::Limit) {
            return self.fetch_clause();
        }
        if self.at_keyword(K::Rows) {
            return Err(self.error());
        }
        let first = self.limit_bound()?;
        let (offset, count) = if self.eat(T::Comma) {
            (Some(first), self.limit_bound()?)
        } else if self.eat_keyword(K::Offset) {
            (Some(self.limit_bound()?), first)
        } else {
            (None, first)
        };
        if self.eat_keyword(K::Rows) {
            self.expect_word("EXAMINED")?;
            self.limit_bound()?;
        }
        Ok(Some(Limit { offset, count, span: self.span_from(start) }))
    }

    /// A whole number, a placeholder, or a name (a variable of a routine).
    ///
    /// # Source
    /// MySQL manual, "SELECT Statement": LIMIT takes non-negative integer constants.
    fn limit_bound(&mut self) -> Parsed<Expr> {
        let refused = self.error();
        let bound = self.expr()?;
        let is_allowed = match &bound.kind {
            ExprKind::Literal(Literal::Number(digits)) => {
                digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            ExprKind::Param(_) | ExprKind::Column(_) | ExprKind::UserVariable(_) => true,
            _ => false,
        };
        if is_allowed { Ok(bound) } else { Err(refused) }
    }

    /// `[OFFSET n ROW|ROWS] FETCH FIRST|NEXT [n] ROW|ROWS ONLY` of MariaDB 10.6.
    fn fetch_clause(&mut self) -> Parsed<Option<Limit>> {
        let start = self.span().start;
        let offset = match self.eat_keyword(K::Offset) {
            true => {
                let offset = self.expr()?;
                self.row_word()?;
                Some(offset)
            }
            false => None,
        };
        if !self.eat_keyword(K::Fetch) {
            return match offset {
                Some(_) => Err(self.error()),
                None => Ok(None),
            };
        }
        if !self.eat_keyword(K::First) {
            self.expect_keyword(K::Next)?;
        }
        let count = self.expr()?;
        self.row_word()?;
        self.expect_keyword(K::Only)?;
        Ok(Some(Limit { offset, count, span: self.span_from(start) }))
    }

    fn row_word(&mut self) -> Parsed<()> {
        if self.eat_keyword(K::Row) || self.eat_keyword(K::Rows) {
            Ok(())
        } else {
            Err(self.error())
        }
    }

    /// `FOR UPDATE|SHARE [OF t, ..] [NOWAIT|SKIP LOCKED|WAIT n]`, `LOCK IN SHARE MODE`.
    pub(super) fn lock_clause(&mut self) -> Parsed<Span> {
        let start = self.span().start;
        if self.eat_keyword(K::Lock) {
            self.expect_keyword(K::In)?;
            self.expect_keyword(K::Share)?;
            self.expect_keyword(K::Mode)?;
        } else {
            self.advance();
            if !self.eat_keyword(K::Update) {
                self.expect_keyword(K::Share)?;
            }
            if self.eat_keyword(K::Of) {
                self.table_names()?;
            }
        }
        if self.eat_keyword(K::Skip) {
            self.expect_keyword(K::Locked)?;
        } else if self.eat_word("WAIT") {
            self.expect(T::Integer)?;
        } else {
            self.eat_keyword(K::Nowait);
        }
        Ok(self.span_from(start))
    }

    /// `INTO @a, b`, `INTO OUTFILE 'f' ..`, `INTO DUMPFILE 'f'`.
    pub(super) fn result_target(&mut self) -> Parsed<Into> {
        let start = self.advance().span.start;
        let mut variables = Vec::new();
        let is_file = self.at_any(&[K::Outfile, K::Dumpfile]);
        if is_file {
            self.advance();
            self.expect_string()?;
            self.skip_until(|parser| {
                parser.at_any(&[K::From, K::For, K::Lock, K::Where, K::Union])
                    || parser.at(T::RightParen)
            })?;
        } else {
            variables = self.comma_list(|parser| match parser.kind() {
                T::UserVariable => {
                    let name = quoting::user_variable_name(parser.token_text(), parser.mode());
                    parser.advance();
                    Ok(name)
                }
                _ => Ok(parser.expect_ident()?.value),
            })?;
        }
        Ok(Into { variables, is_file, span: self.span_from(start) })
    }
}
