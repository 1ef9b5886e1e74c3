//! Expressions with the results that Groovy prints for them.

use proptest::prelude::*;

use super::*;

fn evaluate(expression: &str, values: &[(&str, Value)]) -> Result<String, String> {
    let names: Vec<String> = values.iter().map(|(name, _)| (*name).to_owned()).collect();
    let values: Vec<Value> = values.iter().map(|(_, value)| value.clone()).collect();
    Expression::parse(expression, &names)?.evaluate(&values)
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

#[test]
fn arithmetic_is_that_of_groovy() {
    for (expression, id, expected) in [
        ("t_${id % 4}", Value::Int(7), "t_3"),
        ("t_$->{id % 4}", Value::Long(8), "t_0"),
        ("t_$id", Value::Int(7), "t_7"),
        ("<GROOVY>t_${id}_x", Value::Int(7), "t_7_x"),
        ("${id % 4}", Value::Int(-7), "-3"),
        ("${id % 4}", Value::Big(-7), "1"),
        ("${id / 2}", Value::Int(7), "3.5"),
        ("${id / 2}", Value::Int(8), "4"),
        ("${id / 4}", Value::Int(10), "2.5"),
        ("${id / 3}", Value::Int(10), "3.3333333333"),
        ("${id / 3}", Value::Int(2), "0.6666666667"),
        ("${id / 3}", Value::Int(-2), "-0.6666666667"),
        ("${id.intdiv(3)}", Value::Int(10), "3"),
        ("${(id / 3) as int}", Value::Int(-10), "-3"),
        ("${(int) (id / 3)}", Value::Int(11), "3"),
        ("${(long) (id / 1000) % 8}", Value::Long(123_456), "3"),
        ("${(id / 100).toInteger() % 4}", Value::Int(750), "3"),
        ("${(id / 100).longValue() % 4}", Value::Int(750), "3"),
        ("${id + 1}", Value::Int(i32::MAX), "-2147483648"),
        ("${id + 1}", Value::Long(2_147_483_647), "2147483648"),
        ("${id + 1L}", Value::Int(i32::MAX), "2147483648"),
        ("${id * 31}", Value::Int(100_000_000), "-1194967296"),
        ("${id + 1G}", Value::Long(i64::MAX), "9223372036854775808"),
        ("${2 ** 10}", Value::Int(0), "1024"),
        ("${2 ** 31}", Value::Int(0), "2147483648"),
        ("${-2 ** 2}", Value::Int(0), "-4"),
        ("${1 + 2 * 3 - 4 % 3}", Value::Int(0), "6"),
        ("${(1 + 2) * 3}", Value::Int(0), "9"),
        ("${1.5 * id}", Value::Int(2), "3.0"),
        ("${1.5 + id}", Value::Int(2), "3.5"),
        ("${id > 5 ? 1 : 0}", Value::Int(6), "1"),
        ("${id > 5 && id < 6 ? 1 : 0}", Value::Int(6), "0"),
        ("${id < 10 ? 'a' : id < 20 ? 'b' : 'c'}", Value::Int(15), "b"),
        ("${id ?: 9}", Value::Int(0), "9"),
        ("${id == 6}", Value::Long(6), "true"),
        ("${!(id != 6)}", Value::Long(6), "true"),
        ("${id <=> 7}", Value::Int(6), "-1"),
        ("${id & 3}", Value::Int(-1), "3"),
        ("${id ^ 1}", Value::Int(3), "2"),
        ("${id >> 1}", Value::Int(-3), "-2"),
        ("${id >>> 28}", Value::Int(-1), "15"),
        ("${id << 33}", Value::Int(1), "2"),
        ("${~id}", Value::Int(0), "-1"),
        ("${['a', 'b', 'c'][id % 3]}", Value::Int(5), "c"),
        ("${new BigInteger(id) % 7}", text("100"), "2"),
        ("${new java.math.BigInteger(id).mod(7)}", text("-1"), "6"),
    ] {
        assert_eq!(
            evaluate(expression, &[("id", id.clone())]).as_deref(),
            Ok(expected),
            "{expression} {id:?}"
        );
    }
}

#[test]
fn methods_are_those_of_java() {
    for (expression, value, expected) in [
        ("${v.hashCode()}", text("abc"), "96354"),
        ("${Math.abs(v.hashCode()) % 4}", text("abc"), "2"),
        ("${Math.abs(v.hashCode() % 4)}", text("polygenelubricants"), "0"),
        ("${(v.hashCode() & Integer.MAX_VALUE) % 4}", text("abc"), "2"),
        ("${v.hashCode().abs()}", text("polygenelubricants"), "-2147483648"),
        ("${v.hashCode()}", Value::Int(-1), "-1"),
        ("${v.hashCode()}", Value::Long(-1), "0"),
        ("${v.abs()}", Value::Long(-5), "5"),
        ("${v.toLong() % 4}", text(" 15 "), "3"),
        ("${Integer.parseInt(v.substring(0, 2))}", text("07x"), "7"),
        ("${Long.valueOf(v) % 10}", text("123456789012"), "2"),
        ("${v.substring(2)}", text("abcd"), "cd"),
        ("${v.substring(1, 3).toUpperCase()}", text("abcd"), "BC"),
        ("${v.length()}", text("a😀"), "3"),
        ("${v.padLeft(4, '0')}", text("7"), "0007"),
        ("${v.toString().padLeft(3, '0')}", Value::Int(7), "007"),
        ("${(v % 16).toString().padLeft(2, '0')}", Value::Int(35), "03"),
        ("${String.format('%03d', v % 100)}", Value::Long(1207), "007"),
        ("${String.format(\"x%s\", v)}", Value::Long(7), "x7"),
        ("${v[0]}${v[-1]}", text("abc"), "ac"),
        ("${v[0..1]}", text("abc"), "ab"),
        ("${v[-2..-1]}", text("abc"), "bc"),
        ("${v[0..<1]}", text("abc"), "a"),
        ("${v.split('_')[1]}", text("a_b_"), "b"),
        ("${v.split('_').size()}", text("a_b__"), "2"),
        ("${v.indexOf('c')}", text("abc"), "2"),
        ("${v.replace('-', '')}", text("2024-01"), "202401"),
        ("${v + 1}", text("a"), "a1"),
        ("${1 + v}", text("a"), "1a"),
        ("${v.startsWith('a') ? 0 : 1}", text("abc"), "0"),
        ("${v == 'abc'}", text("abc"), "true"),
        ("${Math.floorMod(v, 4)}", Value::Int(-7), "1"),
        ("${Math.max(v, 3)}", Value::Int(1), "3"),
        ("${v.take(2)}${v.drop(2)}", text("abc"), "abc"),
        ("${v.reverse()}", text("abc"), "cba"),
        ("${v.trim().toLowerCase()}", text(" A "), "a"),
    ] {
        assert_eq!(
            evaluate(expression, &[("v", value.clone())]).as_deref(),
            Ok(expected),
            "{expression} {value:?}"
        );
    }
}

#[test]
fn two_variables() {
    let values = [("user_id", Value::Int(5)), ("order_id", Value::Long(7))];
    assert_eq!(evaluate("t_${user_id % 2}_${order_id % 4}", &values).as_deref(), Ok("t_1_3"));
    assert_eq!(evaluate("t_${(user_id + order_id) % 5}", &values).as_deref(), Ok("t_2"));
    let names = ["user_id".to_owned(), "order_id".to_owned()];
    let expression = Expression::parse("t_${order_id % 8}_y", &names).unwrap();
    assert!(expression.uses(1) && !expression.uses(0));
    let remainder = Remainder { prefix: "t_", variable: 1, divisor: 8, suffix: "_y" };
    assert_eq!(expression.as_remainder(), Some(remainder));
}

#[test]
fn what_is_not_known_is_refused() {
    let deep = format!("${{{}id{}}}", "(".repeat(100), ")".repeat(100));
    let minus = format!("${{{}id}}", "-".repeat(200));
    let long = format!("${{{}id}}", "id + ".repeat(400));
    for (expression, reason) in [
        ("${id.execute()}", "method `execute`"),
        ("${'ls'.execute()}", "method `execute`"),
        ("${System.exit(0)}", "`System` is not a sharding column"),
        ("${id = 5}", "`=` is not supported"),
        ("${id; id}", "`;` is not supported"),
        ("${x % 2}", "`x` is not a sharding column; known are: id"),
        ("${id % }", "a value is expected"),
        ("${id % 2", "`}` is expected"),
        ("${id", "`}` is expected"),
        ("t_${'abc}", "quote"),
        ("$", "is not a sharding column"),
        ("<ESPRESSO>t_${id}", "<ESPRESSO>"),
        ("${0x10}", "hexadecimal"),
        ("${010}", "octal"),
        ("${id.substring()}", "0 arguments"),
        ("${{it -> id}}", "a value is expected"),
        (deep.as_str(), "levels deep"),
        (minus.as_str(), "levels deep"),
        (long.as_str(), "parts"),
    ] {
        let error = Expression::parse(expression, &["id".to_owned()]).unwrap_err();
        assert!(error.contains(reason), "{expression}: {error}");
    }
}

#[test]
fn values_can_be_wrong_too() {
    for (expression, value) in [
        ("${id % 0}", Value::Int(1)),
        ("${id / 0}", Value::Int(1)),
        ("${id.intdiv(0)}", Value::Int(1)),
        ("${id.substring(5)}", text("abc")),
        ("${id.substring(2, 1)}", text("abc")),
        ("${id.toLong()}", text("x")),
        ("${id % 4}", text("5")),
        ("${id.length()}", Value::Int(5)),
        ("${id[5]}", text("abc")),
        ("${[1, 2][id]}", Value::Int(2)),
        ("${id[1..1]}", text("😀")),
        ("${id ** 200}", Value::Int(2)),
        ("${id - 1}", text("5")),
        ("${id.padLeft(100000)}", text("5")),
        ("${id.split('.')[0]}", text("5")),
    ] {
        let result = evaluate(expression, &[("id", value)]);
        assert!(result.is_err(), "{expression}: {result:?}");
    }
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "${",
        "}",
        "v",
        "(",
        ")",
        "[",
        "]",
        " % ",
        "+",
        "-",
        "*",
        "/",
        "**",
        " ? ",
        " : ",
        "?:",
        "..",
        "..<",
        ".",
        ",",
        "'",
        "'a'",
        "'é'",
        "0",
        "1",
        "3",
        "7L",
        "9G",
        "1.5",
        "0.0",
        "12345678901234567890",
        "9223372036854775807",
        ".abs()",
        ".hashCode()",
        ".toString()",
        ".toLong()",
        ".length()",
        ".substring(1)",
        ".take(2)",
        ".padLeft(3, '0')",
        ".intdiv(3)",
        "Math.floorMod(v, 3)",
        "Math.abs(v)",
        "(int) ",
        " as long",
        "~",
        "!",
        "<",
        ">>>",
        "&",
        "==",
        "<=>",
        "$v",
        "t_",
    ]);
    prop::collection::vec(piece, 0..14).prop_map(|pieces| format!("${{{}}}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// Whatever is written, there is a name or an error.
    #[test]
    fn nothing_panics(expression in pieces()) {
        let Ok(parsed) = Expression::parse(&expression, &["v".to_owned()]) else { return Ok(()) };
        for value in [
            Value::Int(i32::MIN),
            Value::Int(0),
            Value::Long(i64::MIN),
            Value::Long(i64::MAX),
            Value::Big(i128::MAX),
            text("aé😀"),
            text(""),
            text("12"),
        ] {
            let _ = parsed.evaluate(&[value]);
        }
    }
}
