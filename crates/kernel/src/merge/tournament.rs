//! A loser tree: finds the smallest of N heads and, after one of them changed, the next smallest
//! with log₂ N comparisons.

/// The tree. Contestants are numbered from 0; of equal ones the lower number wins.
#[derive(Debug, Default)]
pub(crate) struct Tournament {
    /// `losers[0]` is the winner of all; the others are the losers of the match at that inner node.
    losers: Vec<u32>,
}

impl Tournament {
    /// Plays all matches of `contestants`; `is_less(a, b)` says whether `a` comes strictly first.
    pub(crate) fn play(&mut self, contestants: usize, mut is_less: impl FnMut(u32, u32) -> bool) {
        self.losers.clear();
        self.losers.resize(contestants.max(1), 0);
        if contestants < 2 {
            return;
        }
        // Node n has the children 2n and 2n+1; the contestants are the leaves behind all nodes.
        let mut winners = vec![0; 2 * contestants];
        for (contestant, winner) in winners[contestants..].iter_mut().enumerate() {
            *winner = contestant as u32;
        }
        for node in (1..contestants).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            let (winner, loser) =
                if wins(right, left, &mut is_less) { (right, left) } else { (left, right) };
            winners[node] = winner;
            self.losers[node] = loser;
        }
        self.losers[0] = winners[1];
    }

    /// The contestant that comes first.
    pub(crate) fn winner(&self) -> usize {
        self.losers.first().map_or(0, |&winner| winner as usize)
    }

    /// Plays the winner's matches again, after it changed.
    pub(crate) fn replay(&mut self, mut is_less: impl FnMut(u32, u32) -> bool) {
        let Some(&first) = self.losers.first() else { return };
        let mut winner = first;
        let mut node = (first as usize + self.losers.len()) / 2;
        while node > 0 {
            if wins(self.losers[node], winner, &mut is_less) {
                std::mem::swap(&mut self.losers[node], &mut winner);
            }
            node /= 2;
        }
        self.losers[0] = winner;
    }
}

fn wins(a: u32, b: u32, is_less: &mut impl FnMut(u32, u32) -> bool) -> bool {
    if a < b { !is_less(b, a) } else { is_less(a, b) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Merging sorted lists gives the stable sort of all of them.
        #[test]
        fn merges_sorted_lists(lists in proptest::collection::vec(
            proptest::collection::vec(0u8..8, 0..6), 1..9)) {
            let mut lists = lists;
            lists.iter_mut().for_each(|list| list.sort_unstable());
            let mut expected: Vec<(u8, usize)> = lists.iter().enumerate()
                .flat_map(|(at, list)| list.iter().map(move |&value| (value, at))).collect();
            expected.sort();

            let mut next = vec![0; lists.len()];
            let head = |next: &[usize], at: u32| lists[at as usize].get(next[at as usize]).copied()
                .map_or(u16::MAX, u16::from);
            let mut tree = Tournament::default();
            tree.play(lists.len(), |a, b| head(&next, a) < head(&next, b));
            let mut merged = Vec::new();
            while let Some(&value) = lists[tree.winner()].get(next[tree.winner()]) {
                merged.push((value, tree.winner()));
                next[tree.winner()] += 1;
                tree.replay(|a, b| head(&next, a) < head(&next, b));
            }
            prop_assert_eq!(merged, expected);
        }
    }
}
