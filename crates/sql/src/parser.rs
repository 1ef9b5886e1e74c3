//! Tokens → one statement: recursive descent, with precedence climbing for expressions.
//!
//! It accepts what MySQL 8 or MariaDB accepts, and a little more where the server will judge
//! anyway: the client's own text is what reaches it.

mod alter;
mod chain;
mod column_definition;
mod create;
mod dml;
mod expr;
mod function;
mod infix;
mod load;
mod other;
mod primary;
mod query;
mod result_clause;
mod session;
mod set;
mod show;
mod table_ref;

use std::ops::{Deref, DerefMut};

use crate::ast::{Statement, StatementKind, TableName};
use crate::hint::find_hints;
use crate::{
    Keyword as K, MAX_DEPTH, MAX_HEIGHT, ParseError, ServerVersion, Span, SqlMode, TokenKind as T,
    TokenStream,
};

/// How many levels a query counts for; 66 queries may be nested (MySQL itself stops at 63).
const QUERY_LEVELS: u32 = 3;

/// What every function of the parser gives.
type Parsed<R> = Result<R, ParseError>;

/// Reads exactly one statement; a semicolon may follow it.
///
/// Every executable comment counts; see [`parse_for`] for one server's view.
///
/// # Errors
/// Where the text is no statement, at the first token that does not fit.
pub fn parse(text: &[u8], mode: SqlMode) -> Result<Statement, ParseError> {
    parse_for(text, mode, ServerVersion::Any)
}

/// Reads exactly one statement as a server of `version` would.
///
/// # Errors
/// As [`parse`].
pub fn parse_for(
    text: &[u8],
    mode: SqlMode,
    version: ServerVersion,
) -> Result<Statement, ParseError> {
    let mut parser = Parser::new(text, mode, version);
    let mut statement = parser.statement()?;
    parser.eat(T::Semicolon);
    if !parser.at(T::End) {
        return Err(parser.error());
    }
    statement.hints = find_hints(text, mode, version);
    Ok(statement)
}

/// The tokens, and how deep the parser stands in the tree.
#[derive(Clone)]
struct Parser<'t> {
    tokens: TokenStream<'t>,
    /// Levels that are open.
    depth: u32,
    /// The height of the tallest tree read so far at this level; left-deep chains grow it.
    height: u32,
}

impl<'t> Deref for Parser<'t> {
    type Target = TokenStream<'t>;

    fn deref(&self) -> &TokenStream<'t> {
        &self.tokens
    }
}

impl DerefMut for Parser<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.tokens
    }
}

impl<'t> Parser<'t> {
    fn new(text: &'t [u8], mode: SqlMode, version: ServerVersion) -> Self {
        Self { tokens: TokenStream::new(text, mode, version), depth: 0, height: 0 }
    }

    /// One level down.
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    /// One level up.
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Into a query: it stands for several levels, as its clauses are read by functions of their own.
    fn enter_query(&mut self) -> Parsed<()> {
        self.depth += QUERY_LEVELS - 1;
        self.enter()
    }

    fn leave_query(&mut self) {
        self.depth -= QUERY_LEVELS;
    }

    /// The tree at this level gets `levels` taller.
    fn grow(&mut self, levels: u32) -> Parsed<()> {
        self.height += levels;
        if self.height > MAX_HEIGHT { Err(self.too_deep()) } else { Ok(()) }
    }

    #[cold]
    fn too_deep(&self) -> ParseError {
        ParseError::too_deep(self.text(), self.span().start)
    }

    /// From `start` to the end of the token before the current one.
    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.previous_end().max(start))
    }

    /// True where a statement can end.
    fn at_end(&self) -> bool {
        matches!(self.kind(), T::End | T::Semicolon)
    }

    /// A statement up to its semicolon or the end. Hints are not looked for here.
    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span().start;
        let params = self.param_count();
        let kind = self.statement_kind()?;
        Ok(Statement {
            kind,
            span: self.span_from(start),
            hints: Vec::new(),
            param_count: self.param_count() - params,
        })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        match self.keyword() {
            K::Select | K::Values | K::Table => self.query_statement(),
            K::With => self.with_statement(),
            K::Insert | K::Replace => self.insert(),
            K::Update => self.update(Vec::new()),
            K::Delete => self.delete(Vec::new()),
            K::Begin | K::Start => self.begin(),
            K::Commit => self.commit(),
            K::Rollback => self.rollback(),
            K::Savepoint => {
                self.advance();
                Ok(StatementKind::Savepoint(self.expect_ident()?))
            }
            K::Set => self.distsql_or(Self::set),
            K::Show => self.distsql_or(Self::show),
            _ => self.rarer_statement(),
        }
    }

    fn rarer_statement(&mut self) -> Parsed<StatementKind> {
        match self.keyword() {
            K::Absent if self.at(T::LeftParen) => self.query_statement(),
            K::Absent if self.at_end() => Ok(StatementKind::Empty),
            K::Call => self.call(),
            K::Do => self.do_expressions(),
            K::Create => self.distsql_or(Self::create),
            K::Alter => self.distsql_or(Self::alter),
            K::Drop => self.distsql_or(Self::drop),
            K::Load => self.distsql_or(Self::load),
            K::Truncate => self.truncate(),
            K::Rename => self.rename(),
            K::Release => self.release_savepoint(),
            K::Xa => self.xa(),
            K::Lock => self.distsql_or(Self::lock),
            K::Unlock => self.distsql_or(Self::unlock),
            K::Use => self.use_database(),
            K::Explain => self.distsql_or(Self::explain),
            K::Desc | K::Describe => self.explain(),
            K::Analyze => self.analyze(),
            K::Optimize | K::Check | K::Checksum | K::Repair => self.table_maintenance(),
            K::Kill => self.kill(),
            K::Prepare => self.prepare(),
            K::Execute => self.execute(),
            K::Deallocate => self.deallocate(),
            _ => self.distsql_or(Self::other),
        }
    }

    /// DistSQL has words of its own behind MySQL's verbs; what it does not know is MySQL's.
    fn distsql_or(
        &mut self,
        otherwise: fn(&mut Self) -> Parsed<StatementKind>,
    ) -> Parsed<StatementKind> {
        let Some(statement) = crate::distsql::parse(self.text(), self.mode()) else {
            return otherwise(self);
        };
        let statement = statement?;
        while !self.at(T::End) && (!self.at(T::Semicolon) || self.peek_kind() != T::End) {
            self.advance();
        }
        Ok(StatementKind::DistSql(Box::new(statement)))
    }

    /// `[database.]table`, `.table`.
    fn table_name(&mut self) -> Parsed<TableName> {
        if self.eat(T::Dot) {
            return Ok(TableName { database: None, name: self.expect_ident_behind_dot()? });
        }
        let name = self.expect_ident()?;
        if self.eat(T::Dot) {
            let table = self.expect_ident_behind_dot()?;
            return Ok(TableName { database: Some(name), name: table });
        }
        Ok(TableName { database: None, name })
    }

    /// `t, t, ..`
    fn table_names(&mut self) -> Parsed<Vec<TableName>> {
        self.comma_list(Self::table_name)
    }

    /// One or more of something, with commas between them.
    fn comma_list<R>(&mut self, one: fn(&mut Self) -> Parsed<R>) -> Parsed<Vec<R>> {
        let mut list = Vec::with_capacity(1);
        loop {
            list.push(one(self)?);
            if !self.eat(T::Comma) {
                return Ok(list);
            }
        }
    }

    /// `( .. )` of whatever, nested parentheses too. Stands at the opening one.
    fn skip_parens(&mut self) -> Parsed<Span> {
        let start = self.expect(T::LeftParen)?.span.start;
        let mut open = 1_u32;
        while open > 0 {
            match self.kind() {
                T::LeftParen => open += 1,
                T::RightParen => open -= 1,
                T::End | T::Error(_) => return Err(self.error()),
                _ => {}
            }
            self.advance();
        }
        Ok(self.span_from(start))
    }

    /// Goes to the first place outside of parentheses where `stops`, or to the end.
    fn skip_until(&mut self, stops: impl Fn(&Self) -> bool) -> Parsed<()> {
        while !self.at_end() && !stops(self) {
            match self.kind() {
                T::LeftParen => {
                    self.skip_parens()?;
                }
                T::Error(_) | T::RightParen => return Err(self.error()),
                _ => {
                    self.advance();
                }
            }
        }
        Ok(())
    }

    /// Goes to the end of the statement.
    fn skip_rest(&mut self) -> Parsed<()> {
        self.skip_until(|_| false)
    }
}
