//! In which order the copies are filled: those with conditions of their own first, then those of which
//! only rows matter that fit to rows that were copied already.

use super::Place;
use super::filter::{Concerning, Equality};
use crate::gather::Narrowing;
use crate::model::ColumnMetadata;
use crate::rewrite::quoted;

/// The order, and by what each copy is narrowed.
pub(super) fn plan(
    places: &[Place<'_>],
    concerning: &[Concerning<'_>],
    copy_name: impl Fn(usize) -> String,
) -> (Vec<usize>, Vec<Vec<Narrowing>>) {
    let equalities: Vec<Vec<Equality>> = concerning
        .iter()
        .enumerate()
        .map(|(index, own)| {
            let comparable = |equality: &Equality| {
                let column = &places[index].metadata.columns[equality.column];
                let of = &places[equality.place].metadata.columns[equality.of];
                is_comparable(column, of)
            };
            own.equalities().into_iter().filter(comparable).collect()
        })
        .collect();
    let mut order: Vec<usize> = Vec::with_capacity(places.len());
    let mut narrowings: Vec<Vec<Narrowing>> = places.iter().map(|_| Vec::new()).collect();
    while order.len() < places.len() {
        let rank = |index: &usize| {
            let is_narrowed =
                equalities[*index].iter().any(|equality| order.contains(&equality.place));
            (!is_narrowed, concerning[*index].conditions().is_empty(), *index)
        };
        let waiting = (0..places.len()).filter(|index| !order.contains(index));
        let Some(next) = waiting.min_by_key(rank) else { break };
        let sources = equalities[next].iter().filter(|equality| order.contains(&equality.place));
        narrowings[next] = sources
            .map(|equality| {
                let of = &places[equality.place].metadata.columns[equality.of];
                let column = &places[next].metadata.columns[equality.column];
                Narrowing {
                    column: quoted(&column.name),
                    source: equality.place,
                    values: format!(
                        "SELECT DISTINCT {0} FROM {1} WHERE {0} IS NOT NULL",
                        quoted(&of.name),
                        quoted(&copy_name(equality.place))
                    ),
                    is_number: of.is_integer(),
                }
            })
            .collect();
        order.push(next);
    }
    (order, narrowings)
}

/// A value of one column, written as a literal, compares to the other as the column itself does.
fn is_comparable(a: &ColumnMetadata, b: &ColumnMetadata) -> bool {
    let is_text = |column: &ColumnMetadata| matches!(column.data_type.as_str(), "char" | "varchar");
    let is_year = |column: &ColumnMetadata| column.data_type == "year";
    (a.is_integer() && b.is_integer() && !is_year(a) && !is_year(b))
        || (is_text(a) && is_text(b) && a.collation == b.collation && !a.collation.is_empty())
}
