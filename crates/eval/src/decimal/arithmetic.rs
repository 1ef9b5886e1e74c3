//! Products, quotients, remainders, and rounding at any place.

use super::{BASE, Decimal, FRACTION_WORDS, MAX_SCALE, WHOLE_WORDS, WORD_DIGITS, WORDS, add_words};

/// Words of the numbers that the servers compute with.
const SERVER_WORDS: usize = 9;
/// The longest fraction of a product.
const MAX_PRODUCT_SCALE: u8 = 30;
/// Digits of the longest number that a server shows.
const MAX_DIGITS: usize = 65;

/// What happens to the digits that are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// The nearest number; of two the one farther from zero.
    HalfUp,
    /// The digits go.
    Truncate,
    /// The next greater number.
    Ceiling,
    /// The next smaller number.
    Floor,
}

impl Decimal {
    /// The number with the other sign.
    #[must_use]
    pub(crate) fn negated(mut self) -> Self {
        self.is_negative = !self.is_negative;
        self.normalized()
    }

    /// The number without the zeros at the end of its fraction.
    #[must_use]
    pub(crate) fn shortened(mut self) -> Self {
        while self.scale > 0 && self.round(self.scale - 1) == self {
            self.scale -= 1;
        }
        self
    }

    /// Less than zero.
    pub(crate) fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Digits before the point, leading zeros left out.
    pub(crate) fn whole_digits(&self) -> usize {
        let whole = &self.words[..WHOLE_WORDS];
        whole.iter().position(|&word| word != 0).map_or(0, |first| {
            (WHOLE_WORDS - first - 1) * WORD_DIGITS + whole[first].ilog10() as usize + 1
        })
    }

    /// True where a server can show all its digits.
    pub(crate) fn is_showable(&self) -> bool {
        self.whole_digits() + usize::from(self.scale) <= MAX_DIGITS
    }

    /// The product; its scale is the sum of the two. `None` where the servers lose digits.
    #[must_use]
    pub(crate) fn multiply(&self, other: &Self) -> Option<Self> {
        let scale = self.scale + other.scale;
        let fraction = words_of(self.scale) + words_of(other.scale);
        let whole = (self.whole_digits() + other.whole_digits()).div_ceil(WORD_DIGITS);
        if scale > MAX_PRODUCT_SCALE || whole + fraction > SERVER_WORDS {
            return None;
        }
        let mut product = [0u64; 2 * WORDS];
        for (i, &left) in self.words.iter().enumerate().rev().filter(|(_, word)| **word != 0) {
            let mut carry = 0;
            for (j, &right) in other.words.iter().enumerate().rev() {
                let sum = u64::from(left) * u64::from(right) + product[i + j + 1] + carry;
                product[i + j + 1] = sum % u64::from(BASE);
                carry = sum / u64::from(BASE);
            }
            product[i] += carry;
        }
        let mut words = [0; WORDS];
        for (word, &value) in words.iter_mut().zip(&product[WHOLE_WORDS..]) {
            *word = value as u32;
        }
        let is_negative = self.is_negative != other.is_negative;
        Some(Self { is_negative, scale, words }.normalized())
    }

    /// The quotient with at least `increment` digits more than the two fractions have, filled up to
    /// whole words and cut there. `None` for a division by zero, and where the servers lose digits.
    ///
    /// # Source
    /// Compared with MariaDB 10.11 over random numbers.
    #[must_use]
    pub(crate) fn divide(&self, other: &Self, increment: u8) -> Option<Self> {
        let filled = words_of(self.scale) + words_of(other.scale);
        let added = filled * WORD_DIGITS - usize::from(self.scale) - usize::from(other.scale);
        let increment = usize::from(increment).saturating_sub(added);
        let fraction = (filled * WORD_DIGITS + increment).div_ceil(WORD_DIGITS);
        if fraction > FRACTION_WORDS || other.is_zero() {
            return None;
        }
        let mut dividend = self.words.to_vec();
        dividend.resize(WORDS + fraction, 0);
        let (quotient, _) = divide_words(&dividend, &other.words);
        let quotient = without_leading_zeros(&quotient);
        if quotient.len() > SERVER_WORDS {
            return None;
        }
        let mut words = [0; WORDS];
        let end = WHOLE_WORDS + fraction;
        words[end.checked_sub(quotient.len())?..end].copy_from_slice(quotient);
        let is_negative = self.is_negative != other.is_negative;
        let scale = (fraction * WORD_DIGITS) as u8;
        Some(Self { is_negative, scale, words }.normalized())
    }

    /// What a division leaves, with the sign of this number and the larger scale of the two. `None`
    /// for a division by zero.
    #[must_use]
    pub(crate) fn remainder(&self, other: &Self) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        let (_, rest) = divide_words(&self.words, &other.words);
        let rest = without_leading_zeros(&rest);
        let mut words = [0; WORDS];
        words[WORDS - rest.len()..].copy_from_slice(rest);
        let scale = self.scale.max(other.scale);
        Some(Self { is_negative: self.is_negative, scale, words }.normalized())
    }

    /// The number with `places` digits behind the point; below zero, so many digits before it are
    /// zeros. `None` where the rounded number has more digits than there are.
    #[must_use]
    pub(crate) fn round_at(&self, places: i32, rounding: Rounding) -> Option<Self> {
        let scale = places.clamp(0, MAX_SCALE as i32) as u8;
        let first = (WHOLE_WORDS * WORD_DIGITS) as i32 + places.min(MAX_SCALE as i32);
        let Ok(first) = usize::try_from(first) else {
            return Some(Self { scale, ..Self::ZERO });
        };
        let word = first / WORD_DIGITS;
        let mut rounded = Self { scale, ..*self };
        if word >= WORDS {
            return Some(rounded);
        }
        let unit = 10u32.pow((WORD_DIGITS - first % WORD_DIGITS) as u32);
        let dropped = self.words[word] % unit;
        let has_rest = dropped != 0 || self.words[word + 1..].iter().any(|&word| word != 0);
        rounded.words[word] -= dropped;
        rounded.words[word + 1..].fill(0);
        let goes_up = match rounding {
            Rounding::HalfUp => dropped >= unit / 2,
            Rounding::Truncate => false,
            Rounding::Ceiling => has_rest && !self.is_negative,
            Rounding::Floor => has_rest && self.is_negative,
        };
        if goes_up {
            let mut step = [0; WORDS];
            match unit {
                BASE => step[word.checked_sub(1)?] = 1,
                _ => step[word] = unit,
            }
            rounded.words = add_words(&rounded.words, &step);
        }
        Some(rounded.normalized())
    }

    /// The nearest whole number; `None` beyond 128 bits.
    pub(crate) fn to_integer(self, rounding: Rounding) -> Option<i128> {
        let rounded = self.round_at(0, rounding)?;
        let magnitude = rounded.words[..WHOLE_WORDS].iter().try_fold(0i128, |value, &word| {
            value.checked_mul(i128::from(BASE))?.checked_add(i128::from(word))
        })?;
        Some(if rounded.is_negative { -magnitude } else { magnitude })
    }

    /// The decimal that the fewest digits of a double make; `None` where they are too many.
    pub(crate) fn from_double(value: f64) -> Option<Self> {
        Self::parse_scientific(format!("{value:e}").as_bytes())
    }

    /// Reads `12.5e-3`.
    pub(crate) fn parse_scientific(text: &[u8]) -> Option<Self> {
        let Some(at) = text.iter().position(|byte| matches!(byte, b'e' | b'E')) else {
            return Self::parse(text);
        };
        let exponent: i32 = std::str::from_utf8(&text[at + 1..]).ok()?.parse().ok()?;
        if exponent.unsigned_abs() > 200 {
            return None;
        }
        let (sign, mantissa) = match text[..at].split_first()? {
            (b'-', rest) => (&b"-"[..], rest),
            (b'+', rest) => (&b""[..], rest),
            _ => (&b""[..], &text[..at]),
        };
        let whole = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
        let mut digits: Vec<u8> = mantissa.iter().copied().filter(|&byte| byte != b'.').collect();
        let mut point = whole as i32 + exponent;
        if point < 0 {
            digits.splice(0..0, std::iter::repeat_n(b'0', point.unsigned_abs() as usize));
            point = 0;
        }
        let point = point as usize;
        if digits.len() < point {
            digits.resize(point, b'0');
        }
        let mut plain = sign.to_vec();
        plain.extend_from_slice(&digits[..point]);
        plain.push(b'.');
        plain.extend_from_slice(&digits[point..]);
        Self::parse(&plain)
    }
}

fn words_of(scale: u8) -> usize {
    usize::from(scale).div_ceil(WORD_DIGITS)
}

fn without_leading_zeros(words: &[u32]) -> &[u32] {
    let zeros = words.iter().take_while(|&&word| word == 0).count();
    &words[zeros..]
}

/// Quotient and rest of two whole numbers, most significant word first. The divisor is not zero.
///
/// # Source
/// Knuth, The Art of Computer Programming, volume 2, algorithm D.
fn divide_words(dividend: &[u32], divisor: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let base = u64::from(BASE);
    let divisor = without_leading_zeros(divisor);
    let dividend = without_leading_zeros(dividend);
    if dividend.len() < divisor.len() {
        return (Vec::new(), dividend.to_vec());
    }
    let factor = base / (u64::from(divisor[0]) + 1);
    let divisor = scaled(divisor, factor, 0);
    let mut rest = scaled(dividend, factor, 1);
    let mut quotient = Vec::with_capacity(rest.len() - divisor.len());
    for at in 0..rest.len() - divisor.len() {
        let top = rest[at] * base + rest[at + 1];
        let mut digit = (top / divisor[0]).min(base - 1);
        if let Some(&second) = divisor.get(1) {
            while u128::from(digit) * u128::from(second)
                > u128::from(top - digit * divisor[0]) * u128::from(base) + u128::from(rest[at + 2])
            {
                digit -= 1;
            }
        }
        if !subtract_multiple(&mut rest[at..=at + divisor.len()], &divisor, digit) {
            digit -= 1;
            add_back(&mut rest[at..=at + divisor.len()], &divisor);
        }
        quotient.push(digit as u32);
    }
    let mut carry = 0;
    let rest = rest
        .iter()
        .map(|&word| {
            let value = carry * base + word;
            carry = value % factor;
            (value / factor) as u32
        })
        .collect();
    (quotient, rest)
}

/// The number times `factor`, with so many words in front for what comes over.
fn scaled(words: &[u32], factor: u64, room: usize) -> Vec<u64> {
    let base = u64::from(BASE);
    let mut product = vec![0; words.len() + room];
    let mut carry = 0;
    for (to, &word) in product.iter_mut().rev().zip(words.iter().rev()) {
        let value = u64::from(word) * factor + carry;
        *to = value % base;
        carry = value / base;
    }
    if room > 0 {
        product[0] = carry;
    }
    product
}

/// Subtracts `divisor` × `digit`; false where that went below zero.
fn subtract_multiple(rest: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let base = u64::from(BASE);
    let mut carry = 0;
    let mut borrow = 0;
    for at in (0..rest.len()).rev() {
        let factor = at.checked_sub(1).map_or(0, |at| divisor[at]);
        let product = factor * digit + carry;
        carry = product / base;
        let taken = product % base + borrow;
        borrow = u64::from(rest[at] < taken);
        rest[at] = rest[at] + borrow * base - taken;
    }
    borrow == 0
}

fn add_back(rest: &mut [u64], divisor: &[u64]) {
    let base = u64::from(BASE);
    let mut carry = 0;
    for at in (0..rest.len()).rev() {
        let sum = rest[at] + at.checked_sub(1).map_or(0, |at| divisor[at]) + carry;
        carry = u64::from(sum >= base);
        rest[at] = sum - carry * base;
    }
}
