//! Tokens → tree, by precedence.

use super::decimal::Decimal;
use super::lexer::{Lexer, Token};
use super::method::{Function, Method, constant};
use super::node::{BinaryOperator, Cast, Node, UnaryOperator};
use super::value::Value;

/// How many parts an expression may have; bounds the depth of the tree too.
const MAX_NODES: usize = 300;
/// How many parentheses and the like may be open at once.
const MAX_DEPTH: usize = 40;

/// Binary operators from the loosest to the tightest.
const LEVELS: &[&[(&str, BinaryOperator)]] = &[
    &[("|", BinaryOperator::BitOr)],
    &[("^", BinaryOperator::BitXor)],
    &[("&", BinaryOperator::BitAnd)],
    &[
        ("==", BinaryOperator::Equal),
        ("!=", BinaryOperator::NotEqual),
        ("<=>", BinaryOperator::Compare),
    ],
    &[
        ("<", BinaryOperator::Less),
        ("<=", BinaryOperator::LessEqual),
        (">", BinaryOperator::Greater),
        (">=", BinaryOperator::GreaterEqual),
    ],
    &[
        ("<<", BinaryOperator::ShiftLeft),
        (">>", BinaryOperator::ShiftRight),
        (">>>", BinaryOperator::ShiftRightUnsigned),
    ],
    &[("+", BinaryOperator::Add), ("-", BinaryOperator::Subtract)],
    &[
        ("*", BinaryOperator::Multiply),
        ("/", BinaryOperator::Divide),
        ("%", BinaryOperator::Remainder),
    ],
];
/// Where `as` stands among them.
const CAST_LEVEL: usize = 4;

/// Reads what stands behind `${`; gives the tree and what follows the `}`.
pub(super) fn parse_placeholder<'t>(
    inside: &'t str,
    variables: &[String],
) -> Result<(Node, &'t str), String> {
    let mut lexer = Lexer { rest: inside };
    let token = lexer.next()?;
    let mut parser = Parser { lexer, token, variables, nodes: 0, depth: 0 };
    let node = parser.expression()?;
    if parser.token != Token::Symbol("}") {
        return Err(parser.unexpected("`}`"));
    }
    Ok((node, parser.lexer.rest))
}

/// A variable by its name.
pub(super) fn variable(name: &str, variables: &[String]) -> Result<Node, String> {
    let position = variables.iter().position(|variable| variable == name);
    let position = position
        .or_else(|| variables.iter().position(|variable| variable.eq_ignore_ascii_case(name)));
    position.map(Node::Variable).ok_or_else(|| {
        format!("`{name}` is not a sharding column; known are: {}", variables.join(", "))
    })
}

struct Parser<'t, 'v> {
    lexer: Lexer<'t>,
    token: Token<'t>,
    variables: &'v [String],
    nodes: usize,
    depth: usize,
}

impl<'t> Parser<'t, '_> {
    fn advance(&mut self) -> Result<Token<'t>, String> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn accept(&mut self, symbol: &'static str) -> Result<bool, String> {
        let is_there = self.token == Token::Symbol(symbol);
        if is_there {
            self.advance()?;
        }
        Ok(is_there)
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), String> {
        if self.accept(symbol)? { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> String {
        let found = match self.token {
            Token::Number(text, _) | Token::Name(text) => text,
            Token::Text(_) => "a string",
            Token::Symbol(symbol) => symbol,
            Token::End => "the end",
        };
        format!("{wanted} is expected in the expression, not `{found}`")
    }

    fn count(&mut self) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("an expression may have at most {MAX_NODES} parts"));
        }
        Ok(())
    }

    fn expression(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("an expression may be at most {MAX_DEPTH} levels deep"));
        }
        let node = self.choice()?;
        self.depth -= 1;
        Ok(node)
    }

    fn choice(&mut self) -> Result<Node, String> {
        let condition = self.or()?;
        if self.accept("?:")? {
            let otherwise = self.expression()?;
            return Ok(Node::Otherwise(Box::new((condition, otherwise))));
        }
        if !self.accept("?")? {
            return Ok(condition);
        }
        let then = self.expression()?;
        self.expect(":")?;
        let otherwise = self.expression()?;
        Ok(Node::Choice(Box::new((condition, then, otherwise))))
    }

    fn or(&mut self) -> Result<Node, String> {
        let mut left = self.and()?;
        while self.accept("||")? {
            self.count()?;
            left = Node::Or(Box::new((left, self.and()?)));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Node, String> {
        let mut left = self.binary(0)?;
        while self.accept("&&")? {
            self.count()?;
            left = Node::And(Box::new((left, self.binary(0)?)));
        }
        Ok(left)
    }

    fn binary(&mut self, level: usize) -> Result<Node, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        loop {
            if level == CAST_LEVEL && self.token == Token::Name("as") {
                self.advance()?;
                left = Node::Cast(self.cast_type()?, Box::new(left));
                continue;
            }
            let operator = operators.iter().find(|(symbol, _)| self.token == Token::Symbol(symbol));
            let Some((_, operator)) = operator else { return Ok(left) };
            self.count()?;
            self.advance()?;
            left = Node::Binary(*operator, Box::new((left, self.binary(level + 1)?)));
        }
    }

    fn cast_type(&mut self) -> Result<Cast, String> {
        let Token::Name(name) = self.token else { return Err(self.unexpected("a type")) };
        let cast = cast_of(name).ok_or_else(|| format!("the type `{name}` is not supported"))?;
        self.advance()?;
        Ok(cast)
    }

    fn unary(&mut self) -> Result<Node, String> {
        for (symbol, operator) in [
            ("-", UnaryOperator::Minus),
            ("+", UnaryOperator::Plus),
            ("!", UnaryOperator::Not),
            ("~", UnaryOperator::BitNot),
        ] {
            if self.accept(symbol)? {
                self.count()?;
                return Ok(Node::Unary(operator, Box::new(self.nested_unary()?)));
            }
        }
        let mut left = self.postfix()?;
        while self.accept("**")? {
            self.count()?;
            left = Node::Binary(BinaryOperator::Power, Box::new((left, self.nested_unary()?)));
        }
        Ok(left)
    }

    fn nested_unary(&mut self) -> Result<Node, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("an expression may be at most {MAX_DEPTH} levels deep"));
        }
        let node = self.unary()?;
        self.depth -= 1;
        Ok(node)
    }

    fn postfix(&mut self) -> Result<Node, String> {
        let mut node = self.primary()?;
        loop {
            self.count()?;
            if self.accept(".")? {
                let Token::Name(name) = self.token else { return Err(self.unexpected("a method")) };
                self.advance()?;
                let arguments = self.arguments()?;
                let method = Method::find(name, arguments.len())?;
                node = Node::Call { receiver: Box::new(node), method, arguments };
            } else if self.accept("[")? {
                node = self.index(node)?;
            } else {
                return Ok(node);
            }
        }
    }

    fn index(&mut self, of: Node) -> Result<Node, String> {
        let first = self.expression()?;
        let is_open = self.token == Token::Symbol("..<");
        if is_open || self.token == Token::Symbol("..") {
            self.advance()?;
            let last = self.expression()?;
            self.expect("]")?;
            return Ok(Node::Slice { of: Box::new(of), ends: Box::new((first, last)), is_open });
        }
        self.expect("]")?;
        Ok(Node::Item(Box::new((of, first))))
    }

    fn arguments(&mut self) -> Result<Vec<Node>, String> {
        self.expect("(")?;
        self.list(")")
    }

    fn list(&mut self, end: &'static str) -> Result<Vec<Node>, String> {
        let mut nodes = Vec::new();
        if self.accept(end)? {
            return Ok(nodes);
        }
        loop {
            nodes.push(self.expression()?);
            if !self.accept(",")? {
                self.expect(end)?;
                return Ok(nodes);
            }
        }
    }

    fn primary(&mut self) -> Result<Node, String> {
        self.count()?;
        match self.token {
            Token::Number(text, suffix) => {
                self.advance()?;
                Ok(Node::Literal(number(text, suffix)?))
            }
            Token::Text(text) => {
                self.advance()?;
                Ok(Node::Literal(Value::Text(text.to_owned())))
            }
            Token::Symbol("(") => self.parenthesis(),
            Token::Symbol("[") => {
                self.advance()?;
                Ok(Node::List(self.list("]")?))
            }
            Token::Name("new") => self.construction(),
            Token::Name(name) => {
                self.advance()?;
                self.name(name)
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    /// `(x)` or `(long) x`.
    fn parenthesis(&mut self) -> Result<Node, String> {
        self.advance()?;
        if let Token::Name(name) = self.token
            && let Some(cast) = cast_of(name)
            && self.lexer.rest.trim_start().starts_with(')')
            && !self.variables.iter().any(|variable| variable == name)
        {
            self.advance()?;
            self.expect(")")?;
            return Ok(Node::Cast(cast, Box::new(self.nested_unary()?)));
        }
        let node = self.expression()?;
        self.expect(")")?;
        Ok(node)
    }

    /// `new BigInteger(x)`, with or without its package.
    fn construction(&mut self) -> Result<Node, String> {
        self.advance()?;
        let mut name = "";
        while let Token::Name(part) = self.token {
            name = part;
            self.advance()?;
            if !self.accept(".")? {
                break;
            }
        }
        let mut arguments = self.arguments()?;
        match (name, arguments.len()) {
            ("BigInteger", 1) => Ok(Node::Cast(Cast::Big, Box::new(arguments.remove(0)))),
            _ => Err(format!("`new {name}` is not supported in an expression")),
        }
    }

    fn name(&mut self, name: &str) -> Result<Node, String> {
        if self.variables.iter().any(|variable| variable == name) {
            return variable(name, self.variables);
        }
        match name {
            "true" => return Ok(Node::Literal(Value::Boolean(true))),
            "false" => return Ok(Node::Literal(Value::Boolean(false))),
            "Math" | "Integer" | "Long" | "String" | "Objects" => {}
            _ => return variable(name, self.variables),
        }
        self.expect(".")?;
        let Token::Name(member) = self.token else { return Err(self.unexpected("a method")) };
        self.advance()?;
        if self.token != Token::Symbol("(") {
            return constant(name, member)
                .map(Node::Literal)
                .ok_or_else(|| format!("`{name}.{member}` is not supported in an expression"));
        }
        let arguments = self.arguments()?;
        Ok(Node::Static { function: Function::find(name, member, arguments.len())?, arguments })
    }
}

fn cast_of(name: &str) -> Option<Cast> {
    Some(match name {
        "int" | "Integer" => Cast::Int,
        "long" | "Long" => Cast::Long,
        "BigInteger" => Cast::Big,
        "String" => Cast::Text,
        _ => return None,
    })
}

/// A literal: the narrowest type that holds it, or that of its suffix.
fn number(text: &str, suffix: char) -> Result<Value, String> {
    let wrong = || format!("the number `{text}` does not fit its type");
    if text.contains('.') {
        return match suffix {
            ' ' | 'G' => Decimal::parse(text).map(Value::Decimal).ok_or_else(wrong),
            _ => Err(wrong()),
        };
    }
    let value: i128 = text.parse().map_err(|_| wrong())?;
    match suffix {
        'L' => i64::try_from(value).map(Value::Long).map_err(|_| wrong()),
        'I' => i32::try_from(value).map(Value::Int).map_err(|_| wrong()),
        'G' => Ok(Value::Big(value)),
        _ => Ok(Value::of_integer(value)),
    }
}
