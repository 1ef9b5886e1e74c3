//! What may follow an operand, and how tightly it binds.

use super::Parser;
use crate::ast::BinaryOp;
use crate::{Keyword as K, TokenKind as T};

/// How tightly an operator binds; greater is tighter.
///
/// # Source
/// MySQL 8.4 manual, "Operator Precedence", with two details of the server's own grammar: IN, LIKE,
/// REGEXP and BETWEEN bind tighter than `=`, and `||` as concatenation tighter than `^`.
pub(super) mod binding {
    pub(in crate::parser) const LOWEST: u8 = 1;
    pub(in crate::parser) const OR: u8 = 2;
    pub(in crate::parser) const XOR: u8 = 3;
    pub(in crate::parser) const AND: u8 = 4;
    pub(in crate::parser) const NOT: u8 = 5;
    pub(in crate::parser) const COMPARE: u8 = 6;
    pub(in crate::parser) const PREDICATE: u8 = 7;
    pub(in crate::parser) const BIT_OR: u8 = 8;
    pub(in crate::parser) const BIT_AND: u8 = 9;
    pub(in crate::parser) const SHIFT: u8 = 10;
    pub(in crate::parser) const ADD: u8 = 11;
    pub(in crate::parser) const MULTIPLY: u8 = 12;
    pub(in crate::parser) const BIT_XOR: u8 = 13;
    pub(in crate::parser) const CONCAT: u8 = 14;
    pub(in crate::parser) const NEGATE: u8 = 15;
    pub(in crate::parser) const BANG: u8 = 16;
    pub(in crate::parser) const COLLATE: u8 = 17;
    pub(in crate::parser) const JSON: u8 = 18;
}

/// What follows an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    /// AND and OR: long chains are kept flat.
    Logical(BinaryOp),
    /// `=`, `<` and so on: ANY or ALL may follow.
    Compare(BinaryOp),
    Binary(BinaryOp),
    Is,
    In,
    Between,
    Like,
    Regexp,
    /// NOT before one of the four above.
    Not,
    SoundsLike,
    MemberOf,
    Collate,
}

impl Parser<'_> {
    /// The operator at the current token.
    pub(super) fn infix(&self) -> Option<(u8, Infix)> {
        match self.kind() {
            T::Word => self.infix_word(),
            _ => self.infix_symbol(),
        }
    }

    fn infix_symbol(&self) -> Option<(u8, Infix)> {
        use BinaryOp as Op;
        let found = match self.kind() {
            T::Equal => (binding::COMPARE, Infix::Compare(Op::Equal)),
            T::NullSafeEqual => (binding::COMPARE, Infix::Compare(Op::NullSafeEqual)),
            T::NotEqual => (binding::COMPARE, Infix::Compare(Op::NotEqual)),
            T::Less => (binding::COMPARE, Infix::Compare(Op::Less)),
            T::LessOrEqual => (binding::COMPARE, Infix::Compare(Op::LessOrEqual)),
            T::Greater => (binding::COMPARE, Infix::Compare(Op::Greater)),
            T::GreaterOrEqual => (binding::COMPARE, Infix::Compare(Op::GreaterOrEqual)),
            T::Plus => (binding::ADD, Infix::Binary(Op::Plus)),
            T::Minus => (binding::ADD, Infix::Binary(Op::Minus)),
            T::Star => (binding::MULTIPLY, Infix::Binary(Op::Multiply)),
            T::Slash => (binding::MULTIPLY, Infix::Binary(Op::Divide)),
            T::Percent => (binding::MULTIPLY, Infix::Binary(Op::Modulo)),
            T::Caret => (binding::BIT_XOR, Infix::Binary(Op::BitXor)),
            T::Pipe => (binding::BIT_OR, Infix::Binary(Op::BitOr)),
            T::Ampersand => (binding::BIT_AND, Infix::Binary(Op::BitAnd)),
            T::ShiftLeft => (binding::SHIFT, Infix::Binary(Op::ShiftLeft)),
            T::ShiftRight => (binding::SHIFT, Infix::Binary(Op::ShiftRight)),
            T::PipePipe if self.mode().pipes_as_concat => {
                (binding::CONCAT, Infix::Binary(Op::Concat))
            }
            T::PipePipe => (binding::OR, Infix::Logical(Op::Or)),
            T::AmpersandAmpersand => (binding::AND, Infix::Logical(Op::And)),
            T::Arrow => (binding::JSON, Infix::Binary(Op::JsonExtract)),
            T::ArrowText => (binding::JSON, Infix::Binary(Op::JsonUnquote)),
            _ => return None,
        };
        Some(found)
    }

    fn infix_word(&self) -> Option<(u8, Infix)> {
        use BinaryOp as Op;
        let found = match self.keyword() {
            K::And => (binding::AND, Infix::Logical(Op::And)),
            K::Or => (binding::OR, Infix::Logical(Op::Or)),
            K::Xor => (binding::XOR, Infix::Binary(Op::Xor)),
            K::Is => (binding::COMPARE, Infix::Is),
            K::In => (binding::PREDICATE, Infix::In),
            K::Between => (binding::PREDICATE, Infix::Between),
            K::Like => (binding::PREDICATE, Infix::Like),
            K::Regexp | K::Rlike => (binding::PREDICATE, Infix::Regexp),
            K::Not => match self.peek_keyword() {
                K::In | K::Between | K::Like | K::Regexp | K::Rlike => {
                    (binding::PREDICATE, Infix::Not)
                }
                _ => return None,
            },
            K::Sounds if self.peek_keyword() == K::Like => (binding::PREDICATE, Infix::SoundsLike),
            K::Member if self.peek_keyword() == K::Of => (binding::PREDICATE, Infix::MemberOf),
            K::Div => (binding::MULTIPLY, Infix::Binary(Op::IntegerDivide)),
            K::Mod => (binding::MULTIPLY, Infix::Binary(Op::Modulo)),
            K::Collate => (binding::COLLATE, Infix::Collate),
            _ => return None,
        };
        Some(found)
    }
}
