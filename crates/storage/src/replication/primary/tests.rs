use super::*;
use crate::replication::observation::Channel;

const OLD: UnitId = UnitId(1);
const NEW: UnitId = UnitId(2);
const THIRD: UnitId = UnitId(3);

fn at(position: &str) -> Option<GtidPosition> {
    GtidPosition::parse_mariadb(position)
}

fn writable(position: &str) -> Option<Observation> {
    Some(Observation { is_read_only: false, position: at(position), channels: Vec::new() })
}

fn read_only(position: &str) -> Option<Observation> {
    Some(Observation { is_read_only: true, position: at(position), channels: Vec::new() })
}

/// A replica of the unit with this number; MariaDB leaves replicas writable unless told otherwise.
fn replica_of(source: UnitId, position: &str) -> Option<Observation> {
    let channel = Channel {
        source_host: "DB".to_owned(),
        source_port: source.0 as u16,
        receives: true,
        applies: true,
        behind_seconds: Some(0),
        error: String::new(),
    };
    Some(Observation { is_read_only: false, position: at(position), channels: vec![channel] })
}

fn judge(memory: &mut Memory, round: [Option<Observation>; 3]) -> Primary {
    let units = [OLD, NEW, THIRD];
    let seen: Vec<_> = round
        .iter()
        .zip(units)
        .map(|(observation, unit)| Seen {
            unit,
            address: ("db", unit.0 as u16),
            observation: observation.as_ref(),
        })
        .collect();
    memory.judge(&seen)
}

/// A memory that has seen the old primary at this position.
fn after(position: &str) -> Memory {
    let mut memory = Memory::new(OLD);
    let first = [writable(position), replica_of(OLD, position), replica_of(OLD, position)];
    assert_eq!(judge(&mut memory, first), Primary::Unit(OLD));
    memory
}

#[test]
fn the_primary_stays_when_it_restarts_or_is_read_only() {
    let mut memory = after("0-1-10");
    let gone = [None, replica_of(OLD, "0-1-10"), replica_of(OLD, "0-1-10")];
    assert_eq!(judge(&mut memory, gone), Primary::Unit(OLD));
    let closed = [read_only("0-1-10"), replica_of(OLD, "0-1-10"), None];
    assert_eq!(judge(&mut memory, closed), Primary::Unit(OLD));
    assert_eq!(judge(&mut memory, [None, None, None]), Primary::Unit(OLD));
}

#[test]
fn a_promoted_replica_that_has_everything_becomes_the_primary() {
    let mut memory = after("0-1-10");
    let switched = [read_only("0-1-12"), writable("0-1-12"), replica_of(NEW, "0-1-12")];
    assert_eq!(judge(&mut memory, switched), Primary::Unit(NEW));
    let back = [replica_of(NEW, "0-2-13"), writable("0-2-13"), replica_of(NEW, "0-2-13")];
    assert_eq!(judge(&mut memory, back), Primary::Unit(NEW));
    let mut memory = after("0-1-10");
    assert_eq!(judge(&mut memory, [None, writable("0-1-10"), None]), Primary::Unit(NEW));
}

#[test]
fn a_detached_replica_is_not_taken_for_the_primary() {
    let mut memory = after("0-1-10");
    let restarting = [None, writable("0-1-9"), replica_of(OLD, "0-1-10")];
    assert_eq!(judge(&mut memory, restarting), Primary::Nobody(Doubt::Behind));
    let demoted = [read_only("0-1-12"), writable("0-1-11"), None];
    assert_eq!(judge(&mut memory, demoted), Primary::Nobody(Doubt::Behind));
    let back = [writable("0-1-12"), read_only("0-1-11"), None];
    assert_eq!(judge(&mut memory, back), Primary::Unit(OLD));
}

#[test]
fn what_the_old_primary_wrote_while_there_were_two_counts() {
    let mut memory = after("0-1-10");
    let two = [writable("0-1-15"), writable("0-1-10"), None];
    assert_eq!(judge(&mut memory, two), Primary::Nobody(Doubt::SeveralWritable));
    let one = [None, writable("0-1-10"), None];
    assert_eq!(judge(&mut memory, one), Primary::Nobody(Doubt::Behind));
}

#[test]
fn two_writable_servers_are_never_written_to() {
    let mut memory = after("0-1-10");
    let split = [writable("0-1-10"), writable("0-2-11"), replica_of(NEW, "0-2-11")];
    assert_eq!(judge(&mut memory, split), Primary::Nobody(Doubt::SeveralWritable));
    let healed = [read_only("0-1-10"), writable("0-2-11"), replica_of(NEW, "0-2-11")];
    assert_eq!(judge(&mut memory, healed), Primary::Unit(NEW));
}

#[test]
fn after_a_restart_of_ours_a_promotion_needs_a_follower() {
    let alone = [None, writable("0-1-10"), None];
    assert_eq!(judge(&mut Memory::new(OLD), alone), Primary::Nobody(Doubt::Unproven));
    let followed = [None, writable("0-2-11"), replica_of(NEW, "0-2-11")];
    assert_eq!(judge(&mut Memory::new(OLD), followed), Primary::Unit(NEW));
    let seen = [replica_of(NEW, "0-2-11"), writable("0-2-11"), None];
    assert_eq!(judge(&mut Memory::new(OLD), seen), Primary::Unit(NEW));
}

#[test]
fn without_ids_only_a_follower_proves_a_promotion() {
    let plain = |channels| Some(Observation { is_read_only: false, position: None, channels });
    let follower = replica_of(NEW, "").map(|o| Observation { position: None, ..o });
    let alone = [None, plain(Vec::new()), None];
    assert_eq!(judge(&mut after("0-1-1"), alone), Primary::Nobody(Doubt::Unproven));
    let followed = [None, plain(Vec::new()), follower];
    assert_eq!(judge(&mut Memory::new(OLD), followed), Primary::Unit(NEW));
}
