//! What holds of every generated statement.

use super::{Closeness, Generator};
use crate::comparison::RowOrder;

#[test]
fn a_seed_fixes_the_statements() {
    let list = |seed| {
        let mut generator = Generator::new(seed);
        let mut texts = generator.first_rows();
        texts.extend((0..300).map(|number| generator.next_statement(number % 2 == 0).sql));
        texts
    };
    assert_eq!(list(1), list(1));
    assert_ne!(list(1), list(2));
}

#[test]
fn a_limit_never_stands_on_ties() {
    let mut generator = Generator::new(3);
    for _ in 0..3000 {
        let statement = generator.next_statement(false);
        if statement.sql.contains(" LIMIT ") {
            let is_fixed = statement.order == RowOrder::AsSent;
            let is_change = statement.changes.is_some();
            let is_counted = statement.closeness == Closeness::Count;
            assert!(is_fixed || is_change || is_counted, "{}", statement.sql);
        }
    }
}

#[test]
fn every_parameter_has_a_value() {
    let mut generator = Generator::new(4);
    for _ in 0..3000 {
        let statement = generator.next_statement(true);
        let marks = statement.sql.matches('?').count();
        assert_eq!(marks, statement.parameters.len(), "{}", statement.sql);
    }
}
