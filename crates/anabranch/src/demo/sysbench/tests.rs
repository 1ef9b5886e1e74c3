//! Reading sysbench's report.

use super::*;

const REPORT: &str = "\
Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       1.000 |**************************************** 90
       2.000 |***                                      6
       4.000 |*                                        4
\x20
SQL statistics:
    transactions:                        100    (33.30 per sec.)
    queries:                             1600   (532.80 per sec.)
    ignored errors:                      2      (0.66 per sec.)
    reconnects:                          1      (0.33 per sec.)

Latency (ms):
         min:                                    0.90
         avg:                                    1.25
         max:                                    4.00
         99th percentile:                        4.00
";

#[test]
fn figures_are_found() {
    let figures = SysbenchFigures::parse(REPORT).unwrap();
    let expected = SysbenchFigures {
        transactions_per_second: 33.3,
        queries_per_second: 532.8,
        average_ms: 1.25,
        p95_ms: 2.0,
        p99_ms: 4.0,
        errors: 2,
        reconnects: 1,
    };
    assert_eq!(figures, expected);
}

#[test]
fn a_report_without_figures_is_none() {
    assert_eq!(SysbenchFigures::parse("FATAL: no"), None);
}
