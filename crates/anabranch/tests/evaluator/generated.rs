//! Random expressions from templates: `N` stands for a number, `S` for a string, `D` for a date or
//! a moment, `T` for a truth value, `A` for anything, `L` for a small whole number.

use testkit::Random;

/// How deep the templates may be put into each other.
const MAX_DEPTH: u32 = 3;

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "7",
    "10",
    "3.5",
    "-0.05",
    "1.50",
    "100.125",
    "0.000001",
    "1e0",
    "2.5e0",
    "-1e10",
    "9223372036854775807",
    "18446744073709551615",
    "'12'",
    "'1.5'",
    "'x'",
    "NULL",
    "i",
    "b",
    "u",
    "n",
    "m",
    "d",
    "s",
    "i",
    "n",
    "id",
    "id",
    "TRUE",
    "12345678901234567890.5",
];
const STRINGS: &[&str] = &[
    "''",
    "'a'",
    "'A'",
    "'abc'",
    "'ab'",
    "'b '",
    "'12'",
    "'a%'",
    "'Hello World'",
    "NULL",
    "s",
    "k",
    "s",
    "v",
    "'äöü'",
    "'  x  '",
    "n",
    "i",
    "dt",
];
const DATES: &[&str] = &[
    "dt",
    "ts",
    "tf",
    "dt",
    "ts",
    "DATE '2024-02-29'",
    "TIMESTAMP '2024-12-31 23:59:59'",
    "'2023-01-31'",
    "'2023-06-15 12:30:45'",
    "NULL",
    "TIMESTAMP '2001-02-03 04:05:06.789'",
];
const SMALL: &[&str] = &["0", "1", "2", "3", "5", "-1", "-2", "10", "id", "i", "NULL"];

const NUMBER_TEMPLATES: &[&str] = &[
    "(N + N)",
    "(N - N)",
    "(N * N)",
    "(N / N)",
    "(N DIV N)",
    "(N % N)",
    "-(N)",
    "IF(T, N, N)",
    "COALESCE(N, N)",
    "CASE WHEN T THEN N ELSE N END",
    "NULLIF(N, N)",
    "IFNULL(N, N)",
    "CASE N WHEN N THEN N WHEN N THEN N END",
];
const STRING_TEMPLATES: &[&str] =
    &["IF(T, S, S)", "COALESCE(S, S)", "CASE S WHEN S THEN S ELSE S END"];
const DATE_TEMPLATES: &[&str] = &["IF(T, D, D)", "COALESCE(D, D)"];
const TRUTH_TEMPLATES: &[&str] = &[
    "(N = N)",
    "(N < N)",
    "(N >= N)",
    "(N <> N)",
    "(N <=> N)",
    "(S = S)",
    "(S < S)",
    "(S <> S)",
    "(D < D)",
    "(D = D)",
    "(T AND T)",
    "(T OR T)",
    "(T XOR T)",
    "NOT T",
    "(A IS NULL)",
    "(A IS NOT NULL)",
    "(N IS TRUE)",
    "(T IS NOT FALSE)",
    "(T IS UNKNOWN)",
    "N BETWEEN N AND N",
    "S BETWEEN S AND S",
    "D BETWEEN D AND D",
    "N IN (N, N, N)",
    "S IN (S, S)",
    "N NOT IN (N, N)",
    "(N, S) = (N, S)",
    "(A <=> A)",
    "(N = S)",
];

/// Writes expressions, always the same for the same seed.
pub(crate) struct Writer {
    random: Random,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }

    pub(crate) fn expression(&mut self) -> String {
        let depth = 1 + self.random.below(u64::from(MAX_DEPTH)) as u32;
        self.fill('A', depth)
    }

    fn fill(&mut self, hole: char, depth: u32) -> String {
        let (atoms, templates) = match hole {
            'N' => (NUMBERS, NUMBER_TEMPLATES),
            'S' => (STRINGS, STRING_TEMPLATES),
            'D' => (DATES, DATE_TEMPLATES),
            'T' => (NUMBERS, TRUTH_TEMPLATES),
            'L' => (SMALL, SMALL),
            _ => {
                let kind = *self.random.pick(&['N', 'S', 'D', 'T']);
                return self.fill(kind, depth);
            }
        };
        if depth == 0 || hole == 'L' {
            return (*self.random.pick(atoms)).to_owned();
        }
        let template = *self.random.pick(templates);
        let mut text = String::new();
        let letters: Vec<char> = template.chars().collect();
        for (at, &letter) in letters.iter().enumerate() {
            let is_alone = |at: Option<usize>| {
                at.and_then(|at| letters.get(at)).is_none_or(|one| !one.is_ascii_alphanumeric())
            };
            let is_hole = matches!(letter, 'N' | 'S' | 'D' | 'T' | 'A' | 'L')
                && is_alone(at.checked_sub(1))
                && is_alone(at.checked_add(1));
            match is_hole {
                true => {
                    let below = self.random.below(u64::from(depth)) as u32;
                    text.push_str(&self.fill(letter, below));
                }
                false => text.push(letter),
            }
        }
        text
    }
}
