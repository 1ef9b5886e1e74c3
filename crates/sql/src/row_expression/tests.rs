//! What row expressions stand for.

use super::*;

#[test]
fn names_come_in_order() {
    let cases: [(&str, &[&str]); 15] = [
        ("ds_0", &["ds_0"]),
        ("ds_${0..2}", &["ds_0", "ds_1", "ds_2"]),
        ("ds_$->{0..2}", &["ds_0", "ds_1", "ds_2"]),
        ("ds_${2..0}", &["ds_2", "ds_1", "ds_0"]),
        ("ds_${['a','b']}", &["ds_a", "ds_b"]),
        ("ds_${[\"a,b\", 7 ,'c}']}", &["ds_a,b", "ds_7", "ds_c}"]),
        ("ds_${[0..1, 5]}", &["ds_0", "ds_1", "ds_5"]),
        ("ds_${0..1}.t_${0..1}", &["ds_0.t_0", "ds_0.t_1", "ds_1.t_0", "ds_1.t_1"]),
        ("${['x', 'y']}_${1..2}_z", &["x_1_z", "x_2_z", "y_1_z", "y_2_z"]),
        ("ds_0.t, ds_${1..2}.t", &["ds_0.t", "ds_1.t", "ds_2.t"]),
        ("<GROOVY>ds_${0..1}", &["ds_0", "ds_1"]),
        ("<literal>ds_${0..1}", &["ds_${0..1}"]),
        ("${-1..1}", &["-1", "0", "1"]),
        ("é_${'a'}$", &["é_a$"]),
        ("  a , b ", &["a", "b"]),
    ];
    for (expression, names) in cases {
        assert_eq!(expand(expression).unwrap(), names, "{expression}");
    }
}

#[test]
fn what_cannot_be_expanded_says_why() {
    use RowExpressionError::{EmptyItem, TooMany, Unclosed, UnknownType, Unsupported};
    let cases = [
        ("ds_${0..1", Unclosed("${0..1".into())),
        ("ds_${['a}", Unclosed("${['a}".into())),
        ("ds_${id % 2}", Unsupported("id % 2".into())),
        ("ds_${'a\\'}", Unsupported("'a\\'".into())),
        ("${[]}", Unsupported("[]".into())),
        ("a,,b", EmptyItem("a,,b".into())),
        ("", EmptyItem(String::new())),
        ("<ESPRESSO>x", UnknownType("ESPRESSO".into())),
        ("${0..65536}", TooMany),
        ("${0..9223372036854775807}", TooMany),
        ("${-9223372036854775808..9223372036854775807}", TooMany),
        ("${0..999}${0..999}", TooMany),
    ];
    for (expression, error) in cases {
        assert_eq!(expand(expression).unwrap_err(), error, "{expression}");
    }
}

#[test]
fn the_limits_hold() {
    assert_eq!(expand("${1..65536}").unwrap().len(), MAX_ITEMS);
    let wide = format!("{}${{1..65536}}", "x".repeat(1000));
    assert_eq!(expand(&wide).unwrap_err(), RowExpressionError::TooMany);
}

proptest::proptest! {
    #[test]
    fn no_input_breaks_it(text in "[a-z0-9$>{}\\[\\]'\",. \\-<é]{0,40}") {
        let _ = expand(&text);
    }
}
