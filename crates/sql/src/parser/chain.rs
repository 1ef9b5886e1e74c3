//! Long chains of one associative operator.

/// Chains up to this length lean to the left, as they are written; longer ones are built balanced,
/// so that the tree over thousands of operands stays low.
const LEANING: usize = 16;

/// One tree over all operands, in their order. `None` only without any.
pub(super) fn join_operands<R>(mut operands: Vec<R>, join: impl Fn(R, R) -> R) -> Option<R> {
    while operands.len() > LEANING {
        let mut paired = Vec::with_capacity(operands.len().div_ceil(2));
        let mut rest = operands.into_iter();
        while let Some(left) = rest.next() {
            paired.push(match rest.next() {
                Some(right) => join(left, right),
                None => left,
            });
        }
        operands = paired;
    }
    operands.into_iter().reduce(join)
}

/// How much taller than its operands the tree of [`join_operands`] is, at most.
pub(super) fn height_of(operands: usize) -> u32 {
    let leaning = operands.clamp(1, LEANING) as u32 - 1;
    let rounds = if operands > LEANING { operands.ilog2() } else { 0 };
    leaning + rounds
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operands in order, and the height.
    fn tree(count: usize) -> (Vec<usize>, u32) {
        let leaves = (0..count).map(|leaf| (vec![leaf], 0)).collect();
        let join = |left: (Vec<usize>, u32), right: (Vec<usize>, u32)| {
            ([left.0, right.0].concat(), left.1.max(right.1) + 1)
        };
        join_operands(leaves, join).unwrap()
    }

    #[test]
    fn trees_are_in_order_and_low() {
        for count in [1, 2, 3, 16, 17, 31, 32, 33, 1000] {
            let (order, height) = tree(count);
            assert_eq!(order, (0..count).collect::<Vec<_>>());
            assert!(height <= height_of(count), "{height} over {count}");
        }
    }
}
