//! Decimals against the manual's examples and against 128-bit integers.

use proptest::prelude::*;

use super::*;

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text.as_bytes()).unwrap()
}

#[test]
fn printed_as_read() {
    let long = "9".repeat(65);
    let scaled = format!("-{}.{}", "1".repeat(35), "2".repeat(30));
    for text in
        ["0", "1", "-1", "0.50", "-0.01", "1000000000", "999999999.999999999", &long, &scaled]
    {
        assert_eq!(decimal(text).to_string(), text);
    }
    for (text, printed) in
        [("-0", "0"), ("-0.00", "0.00"), ("+5", "5"), (".5", "0.5"), ("007", "7")]
    {
        assert_eq!(decimal(text).to_string(), printed);
    }
}

#[test]
fn malformed_numbers_are_none() {
    for text in
        ["", "-", ".", "1.2.3", "1e5", " 1", "a", &"9".repeat(82), &format!("0.{}", "1".repeat(39))]
    {
        assert_eq!(Decimal::parse(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn sums() {
    let cases = [
        ("1", "2", "3"),
        ("0.1", "0.20", "0.30"),
        ("999999999.999999999", "0.000000001", "1000000000.000000000"),
        ("-1", "1", "0"),
        ("-5.5", "3", "-2.5"),
        ("3", "-5.5", "-2.5"),
        ("1000000000000000000", "-0.01", "999999999999999999.99"),
    ];
    for (left, right, sum) in cases {
        assert_eq!(decimal(left).add(&decimal(right)).to_string(), sum, "{left} + {right}");
    }
}

#[test]
fn order_is_that_of_the_numbers() {
    let ordered = ["-10", "-9.99", "-0.5", "0", "0.0001", "0.5", "9.99", "10", "1000000000.1"];
    assert!(ordered.map(decimal).is_sorted_by(|a, b| a < b));
    assert_eq!(decimal("1.0"), decimal("1.00"));
    assert_eq!(decimal("0.0"), decimal("-0"));
}

/// Sum, count, added digits, decimals of the result column, printed average.
#[test]
fn averages_as_mariadb_gives_them() {
    let cases = [
        ("10", 4, 4, 4, "2.5000"),
        ("1", 3, 4, 4, "0.3333"),
        ("2", 3, 4, 4, "0.6667"),
        ("-2", 3, 4, 4, "-0.6667"),
        ("0.02", 3, 4, 6, "0.006667"),
        ("1", 32, 4, 4, "0.0313"),
        ("-1", 32, 4, 4, "-0.0313"),
        ("0.00002", 3, 4, 9, "0.000006666"),
    ];
    for (sum, count, increment, scale, average) in cases {
        let quotient = decimal(sum).divide_by_count(count, increment).unwrap();
        assert_eq!(quotient.round(scale).to_string(), average, "{sum} / {count}");
    }
    assert_eq!(decimal("1").divide_by_count(0, 4), None);
}

#[test]
fn rounding_is_half_away_from_zero() {
    let cases = [
        ("0.5", 0, "1"),
        ("-0.5", 0, "-1"),
        ("0.49", 0, "0"),
        ("-0.4", 0, "0"),
        ("1.005", 2, "1.01"),
        ("999999999.9999999995", 9, "1000000000.000000000"),
        ("1.5", 3, "1.500"),
        ("0.123456789999999999", 17, "0.12345679000000000"),
    ];
    for (value, scale, rounded) in cases {
        assert_eq!(decimal(value).round(scale).to_string(), rounded, "{value} to {scale}");
    }
}

proptest! {
    #[test]
    fn agrees_with_integers(left in -(1i128 << 90)..(1i128 << 90), right in -(1i128 << 90)..(1i128 << 90)) {
        let (a, b) = (decimal(&left.to_string()), decimal(&right.to_string()));
        prop_assert_eq!(a.add(&b).to_string(), (left + right).to_string());
        prop_assert_eq!(a.cmp(&b), left.cmp(&right));
    }

    #[test]
    fn division_agrees_with_integers(sum in any::<i64>(), count in 1u64..) {
        let scaled = i128::from(sum) * 1_000_000_000;
        let quotient = decimal(&sum.to_string()).divide_by_count(count, 4).unwrap();
        let expected = scaled / i128::from(count);
        let digits: String = quotient.to_string().chars().filter(|c| *c != '.').collect();
        prop_assert_eq!(digits.parse::<i128>().unwrap(), expected);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        let _ = Decimal::parse(&bytes);
    }
}

#[test]
fn products_quotients_and_rests() {
    let product = |a: &str, b: &str| decimal(a).multiply(&decimal(b)).map(|one| one.to_string());
    assert_eq!(product("1.10", "2.05").as_deref(), Some("2.2550"));
    assert_eq!(product("-0.5", "0").as_deref(), Some("0.0"));
    assert_eq!(product(&"9".repeat(50), &"9".repeat(50)), None);
    let quotient = |a: &str, b: &str| decimal(a).divide(&decimal(b), 4).map(|one| one.to_string());
    assert_eq!(quotient("1", "3").as_deref(), Some("0.333333333"));
    assert_eq!(quotient("-10", "0.3").as_deref(), Some("-33.333333333"));
    assert_eq!(quotient("1", "0"), None);
    let rest = |a: &str, b: &str| decimal(a).remainder(&decimal(b)).map(|one| one.to_string());
    assert_eq!(rest("-7.5", "2").as_deref(), Some("-1.5"));
    assert_eq!(rest("1", "0"), None);
}

#[test]
fn rounding_at_any_place() {
    use Rounding::{Ceiling, Floor, HalfUp, Truncate};
    let cases = [
        ("155.5", -1, HalfUp, "160"),
        ("155.5", -3, HalfUp, "0"),
        ("555.5", -3, HalfUp, "1000"),
        ("-1.25", 1, HalfUp, "-1.3"),
        ("-1.29", 1, Truncate, "-1.2"),
        ("1.0000000001", 0, Ceiling, "2"),
        ("-1.5", 0, Ceiling, "-1"),
        ("-1.0000000001", 0, Floor, "-2"),
        ("999999999.5", 0, HalfUp, "1000000000"),
        ("1.5", 3, HalfUp, "1.500"),
        ("5", -200, HalfUp, "0"),
    ];
    for (text, places, rounding, rounded) in cases {
        let value = decimal(text).round_at(places, rounding).unwrap();
        assert_eq!(value.to_string(), rounded, "{text} at {places}, {rounding:?}");
    }
}

#[test]
fn doubles_become_decimals() {
    let from = |value: f64| Decimal::from_double(value).map(|decimal| decimal.to_string());
    assert_eq!(from(1.5).as_deref(), Some("1.5"));
    assert_eq!(from(-1e20).as_deref(), Some("-100000000000000000000"));
    assert_eq!(from(1.25e-7).as_deref(), Some("0.000000125"));
    assert_eq!(from(1e100), None);
}

proptest! {
    #[test]
    fn division_is_that_of_integers(a in any::<i128>(), b in any::<i128>(), cut in 0u32..120) {
        let (a, b) = (a >> 20, (b >> cut).clamp(i128::MIN >> 20, i128::MAX >> 20));
        prop_assume!(b != 0);
        let (left, right) = (decimal(&a.to_string()), decimal(&b.to_string()));
        prop_assert_eq!(left.remainder(&right).unwrap(), decimal(&(a % b).to_string()));
        let quotient = left.divide(&right, 0).unwrap();
        prop_assert_eq!(quotient.to_integer(Rounding::Truncate), Some(a / b));
    }

    #[test]
    fn products_are_those_of_integers(a in any::<i64>(), b in any::<i64>()) {
        let product = decimal(&a.to_string()).multiply(&decimal(&b.to_string())).unwrap();
        prop_assert_eq!(product, decimal(&(i128::from(a) * i128::from(b)).to_string()));
    }
}
