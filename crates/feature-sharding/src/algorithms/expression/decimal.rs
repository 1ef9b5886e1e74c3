//! `BigDecimal` with up to 38 digits: what division and literals with a point give.

use std::cmp::Ordering;

/// A number `unscaled / 10^scale`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::algorithms) struct Decimal {
    pub(in crate::algorithms) unscaled: i128,
    pub(in crate::algorithms) scale: u32,
}

/// Digits behind the point that a division which does not end keeps at least.
const DIVISION_SCALE_MIN: u32 = 10;
/// Digits that such a division has beyond its longer operand.
const DIVISION_EXTRA_DIGITS: u32 = 10;
/// A quotient of more digits does not fit with the digit that rounds it.
const QUOTIENT_DIGITS_MAX: u32 = 36;
const TOO_LARGE: &str = "a number of the expression has too many digits";

impl Decimal {
    pub(super) fn of_integer(value: i128) -> Self {
        Self { unscaled: value, scale: 0 }
    }

    /// Digits with at most one point.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let unscaled = format!("{whole}{fraction}").parse().ok()?;
        Some(Self { unscaled, scale: u32::try_from(fraction.len()).ok()? })
    }

    /// `toString()`; numbers that Java prints with an exponent are refused.
    pub(super) fn print(self) -> Result<String, String> {
        let digits = self.unscaled.unsigned_abs().to_string();
        let scale = self.scale as usize;
        let adjusted = digits.len() as i64 - 1 - i64::from(self.scale);
        if adjusted < -6 {
            return Err("a number of the expression is too small to be part of a name".to_owned());
        }
        let sign = if self.unscaled < 0 { "-" } else { "" };
        if scale == 0 {
            return Ok(format!("{sign}{digits}"));
        }
        let digits = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        Ok(format!("{sign}{whole}.{fraction}"))
    }

    /// Without its fraction.
    pub(super) fn truncated(self) -> i128 {
        match 10_i128.checked_pow(self.scale) {
            Some(power) => self.unscaled / power,
            None => 0,
        }
    }

    /// With at least this scale.
    fn scaled(self, scale: u32) -> Result<i128, String> {
        10_i128
            .checked_pow(scale.saturating_sub(self.scale))
            .and_then(|power| self.unscaled.checked_mul(power))
            .ok_or_else(|| TOO_LARGE.to_owned())
    }

    pub(super) fn add(self, other: Self) -> Result<Self, String> {
        let scale = self.scale.max(other.scale);
        let sum = self.scaled(scale)?.checked_add(other.scaled(scale)?);
        Ok(Self { unscaled: sum.ok_or(TOO_LARGE)?, scale })
    }

    pub(super) fn negate(self) -> Result<Self, String> {
        Ok(Self { unscaled: self.unscaled.checked_neg().ok_or(TOO_LARGE)?, ..self })
    }

    pub(super) fn multiply(self, other: Self) -> Result<Self, String> {
        let unscaled = self.unscaled.checked_mul(other.unscaled).ok_or(TOO_LARGE)?;
        Ok(Self { unscaled, scale: self.scale + other.scale })
    }

    pub(super) fn compare(self, other: Self) -> Result<Ordering, String> {
        let scale = self.scale.max(other.scale);
        Ok(self.scaled(scale)?.cmp(&other.scaled(scale)?))
    }

    /// A quotient that ends is exact, with the fewest digits behind the point that are at least the
    /// difference of the scales; another one is rounded.
    ///
    /// # Source
    /// Java SE, `BigDecimal.divide(BigDecimal)`; Groovy documentation, "Division".
    pub(super) fn divide(self, other: Self) -> Result<Self, String> {
        if other.unscaled == 0 {
            return Err("division by zero".to_owned());
        }
        let preferred = i64::from(self.scale) - i64::from(other.scale);
        if let Some(exact) = self.divide_exactly(other, preferred) {
            return Ok(exact);
        }
        let digits = self.digits().max(other.digits()) + DIVISION_EXTRA_DIGITS;
        if digits > QUOTIENT_DIGITS_MAX {
            return Err(TOO_LARGE.to_owned());
        }
        let (mut quotient, mut scale) = self.divide_to(other, digits)?;
        let scale_max = self.scale.max(other.scale).max(DIVISION_SCALE_MIN);
        if scale > i64::from(scale_max) {
            quotient = round(quotient, (scale - i64::from(scale_max)) as u32);
            scale = i64::from(scale_max);
        }
        let scale = u32::try_from(scale).map_err(|_| TOO_LARGE)?;
        Ok(Self { unscaled: quotient, scale })
    }

    fn divide_exactly(self, other: Self, preferred: i64) -> Option<Self> {
        let first = u32::try_from(preferred.max(0)).ok()?;
        (first..first + 38).find_map(|scale| {
            let shift = i64::from(scale) - preferred;
            let power = 10_i128.checked_pow(u32::try_from(shift).ok()?)?;
            let dividend = self.unscaled.checked_mul(power)?;
            (dividend % other.unscaled == 0)
                .then(|| Self { unscaled: dividend / other.unscaled, scale })
        })
    }

    /// The quotient rounded to so many significant digits, and its scale.
    fn divide_to(self, other: Self, digits: u32) -> Result<(i128, i64), String> {
        let preferred = i64::from(self.scale) - i64::from(other.scale);
        let mut dividend = self.unscaled;
        let mut shift = 0;
        while (dividend / other.unscaled).unsigned_abs() < 10_u128.pow(digits) {
            dividend = dividend.checked_mul(10).ok_or(TOO_LARGE)?;
            shift += 1;
        }
        let quotient = dividend / other.unscaled;
        // At least one digit more than wanted is there; what follows it only breaks ties upwards.
        let excess = count_digits(quotient) - digits;
        let sticky = i128::from(dividend % other.unscaled != 0) * quotient.signum();
        let half_up = round(quotient.checked_mul(10).ok_or(TOO_LARGE)? + sticky, excess + 1);
        Ok((half_up, preferred + shift - i64::from(excess)))
    }

    fn digits(self) -> u32 {
        count_digits(self.unscaled)
    }
}

fn count_digits(value: i128) -> u32 {
    value.unsigned_abs().checked_ilog10().unwrap_or(0) + 1
}

/// Cuts digits, rounding half away from zero.
fn round(value: i128, digits: u32) -> i128 {
    let Some(power) = 10_i128.checked_pow(digits) else { return 0 };
    let (quotient, rest) = (value / power, value % power);
    let away = rest.unsigned_abs() * 2 >= power.unsigned_abs();
    if away { quotient + value.signum() } else { quotient }
}
