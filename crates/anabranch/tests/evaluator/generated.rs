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
    "(N + N)",
    "(N - N)",
    "(N * N)",
    "(N / N)",
    "(N & N)",
    "(N | N)",
    "(N ^ N)",
    "(N << L)",
    "(N >> L)",
    "~(N)",
    "CAST(N AS SIGNED)",
    "CAST(N AS UNSIGNED)",
    "CAST(N AS DECIMAL(12,3))",
    "CAST(S AS DECIMAL(8,2))",
    "CAST(N AS DOUBLE)",
    "ABS(N)",
    "SIGN(N)",
    "SQRT(N)",
    "POW(L, 2)",
    "ROUND(N)",
    "ROUND(N, 2)",
    "ROUND(N, -1)",
    "TRUNCATE(N, 1)",
    "CEIL(N)",
    "FLOOR(N)",
    "MOD(N, N)",
    "GREATEST(N, N)",
    "LEAST(N, N, N)",
    "LENGTH(S)",
    "CHAR_LENGTH(S)",
    "LOCATE(S, S)",
    "LOCATE(S, S, L)",
    "INSTR(S, S)",
    "ASCII(S)",
    "STRCMP(S, S)",
    "FIELD(S, S, S)",
    "FIND_IN_SET(S, S)",
    "CRC32(S)",
    "YEAR(D)",
    "MONTH(D)",
    "DAY(D)",
    "QUARTER(D)",
    "HOUR(D)",
    "MINUTE(D)",
    "SECOND(D)",
    "DAYOFWEEK(D)",
    "WEEKDAY(D)",
    "DAYOFYEAR(D)",
    "TO_DAYS(D)",
    "DATEDIFF(D, D)",
    "TIMESTAMPDIFF(MONTH, D, D)",
    "TIMESTAMPDIFF(DAY, D, D)",
    "TIMESTAMPDIFF(SECOND, D, D)",
    "EXTRACT(YEAR_MONTH FROM D)",
    "BIT_LENGTH(S)",
    "INTERVAL(L, 0, 2, 5)",
];
const STRING_TEMPLATES: &[&str] = &[
    "IF(T, S, S)",
    "COALESCE(S, S)",
    "CASE S WHEN S THEN S ELSE S END",
    "CONCAT(S, S)",
    "CONCAT(S, N, S)",
    "CONCAT_WS('-', S, S)",
    "UPPER(S)",
    "LOWER(S)",
    "SUBSTRING(S, L)",
    "SUBSTRING(S, L, L)",
    "LEFT(S, L)",
    "RIGHT(S, L)",
    "TRIM(S)",
    "LTRIM(S)",
    "TRIM(LEADING S FROM S)",
    "TRIM(TRAILING S FROM S)",
    "REPLACE(S, S, S)",
    "REPEAT(S, 3)",
    "LPAD(S, L, S)",
    "RPAD(S, L, S)",
    "REVERSE(S)",
    "HEX(S)",
    "HEX(L)",
    "ELT(L, S, S)",
    "SUBSTRING_INDEX(S, S, L)",
    "CAST(N AS CHAR)",
    "CAST(S AS CHAR(2))",
    "CAST(S AS BINARY)",
    "CAST(D AS CHAR)",
    "DATE_FORMAT(D, '%Y-%m-%d %H:%i:%s')",
    "DATE_FORMAT(D, '%W %j %D')",
    "DAYNAME(D)",
    "FORMAT(N, 2)",
    "NULLIF(S, S)",
    "GREATEST(S, S)",
    "LEAST(S, S)",
    "UNHEX(HEX(S))",
    "BIN(L)",
    "SPACE(L)",
];
const DATE_TEMPLATES: &[&str] = &[
    "IF(T, D, D)",
    "COALESCE(D, D)",
    "DATE_ADD(D, INTERVAL L DAY)",
    "(D + INTERVAL L MONTH)",
    "(D - INTERVAL L HOUR)",
    "DATE_SUB(D, INTERVAL L YEAR)",
    "DATE(D)",
    "LAST_DAY(D)",
    "CAST(D AS DATE)",
    "CAST(D AS DATETIME)",
    "CAST(D AS DATETIME(3))",
    "FROM_DAYS(TO_DAYS(D))",
    "DATE_ADD(D, INTERVAL L MICROSECOND)",
    "DATE_ADD(D, INTERVAL L SECOND)",
    "GREATEST(D, D)",
];
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
    "(NOT T)",
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
    "S LIKE S",
    "S LIKE '%a_'",
    "S NOT LIKE 'a%'",
    "S LIKE '%b%'",
    "(S COLLATE utf8mb4_bin = S)",
    "ISNULL(A)",
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
        let mut is_quoted = false;
        let letters: Vec<char> = template.chars().collect();
        for (at, &letter) in letters.iter().enumerate() {
            let is_alone = |at: Option<usize>| {
                at.and_then(|at| letters.get(at)).is_none_or(|one| !one.is_ascii_alphanumeric())
            };
            is_quoted ^= letter == '\'';
            let is_hole = !is_quoted
                && matches!(letter, 'N' | 'S' | 'D' | 'T' | 'A' | 'L')
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
