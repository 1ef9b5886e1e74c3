use super::*;
use crate::config::BalancerConfig;

fn group(type_name: &str, properties: &[(&str, &str)]) -> GroupConfig {
    GroupConfig {
        name: "g".to_owned(),
        write_unit: "w".to_owned(),
        read_units: ["r0", "r1", "r2"].map(str::to_owned).into(),
        disabled_units: Vec::new(),
        transactional_reads: None,
        load_balancer: Some(BalancerConfig {
            type_name: type_name.to_owned(),
            properties: properties
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        }),
    }
}

fn built(type_name: &str, properties: &[(&str, &str)]) -> Arc<dyn LoadBalancer> {
    let group = group(type_name, properties);
    require(&group).unwrap().build(&group).unwrap().unwrap()
}

#[test]
fn the_list_is_sorted_and_complete() {
    let names: Vec<_> = ALL.iter().map(|entry| entry.type_name).collect();
    assert!(names.is_sorted());
    assert_eq!(names.len(), 10);
}

#[test]
fn names_say_where_reads_of_a_transaction_go() {
    for (name, expected) in [
        ("round_robin", TransactionalReads::Primary),
        ("WEIGHT", TransactionalReads::Primary),
        ("TRANSACTION_RANDOM", TransactionalReads::Dynamic),
        ("TRANSACTION_WEIGHT", TransactionalReads::Dynamic),
        ("FIXED_REPLICA_ROUND_ROBIN", TransactionalReads::Fixed),
        ("FIXED_REPLICA_RANDOM", TransactionalReads::Fixed),
        ("FIXED_PRIMARY", TransactionalReads::Primary),
    ] {
        assert_eq!(require(&group(name, &[])).unwrap().transactional_reads, expected, "{name}");
    }
    let fixed = group("FIXED_PRIMARY", &[]);
    assert!(require(&fixed).unwrap().build(&fixed).unwrap().is_none());
    assert_eq!(require(&group("NEAREST", &[])).unwrap_err().code, 10402);
}

#[test]
fn every_balancer_chooses_a_candidate() {
    let weights = [("r0", "1"), ("r1", "2"), ("r2", "0")];
    for entry in ALL {
        let group = group(entry.type_name, &weights);
        let Some(balancer) = entry.build(&group).unwrap() else { continue };
        for candidates in [&[0, 1, 2][..], &[1, 2], &[2]] {
            for draw in [0, 1, 7, u64::MAX / 2, u64::MAX] {
                let chosen = balancer.choose(candidates, draw);
                assert!(candidates.contains(&chosen), "{} {candidates:?}", entry.type_name);
            }
        }
    }
}

#[test]
fn round_robin_takes_turns() {
    let balancer = built("ROUND_ROBIN", &[]);
    let chosen: Vec<_> = (0..6).map(|_| balancer.choose(&[0, 1, 2], 5)).collect();
    assert_eq!(chosen, [0, 1, 2, 0, 1, 2]);
}

#[test]
fn weights_share_the_draws() {
    let balancer = built("WEIGHT", &[("r0", "1"), ("r1", "3"), ("r2", "0")]);
    let mut counts = [0; 3];
    for step in 0..400u64 {
        let draw = u64::MAX / 400 * step;
        counts[usize::from(balancer.choose(&[0, 1, 2], draw))] += 1;
    }
    assert_eq!(counts, [100, 300, 0]);
}

#[test]
fn weights_are_checked() {
    let error = |properties: &[(&str, &str)]| {
        let group = group("WEIGHT", properties);
        require(&group).unwrap().build(&group).unwrap_err().code
    };
    assert_eq!(error(&[("r0", "1"), ("r1", "1")]), 10401);
    assert_eq!(error(&[("r0", "1"), ("r1", "1"), ("r2", "x")]), 10404);
    assert_eq!(error(&[("r0", "1"), ("r1", "1"), ("r2", "-1")]), 10404);
    assert_eq!(error(&[("r0", "1"), ("r1", "1"), ("r2", "1"), ("w", "1")]), 10404);
    assert_eq!(error(&[("r0", "0"), ("r1", "0"), ("r2", "0")]), 10404);
}
