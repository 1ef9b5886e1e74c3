//! The hash of what is left when the literals are out.
//!
//! Folded multiplication, 16 bytes a step. Not proof against chosen collisions, and it need not be:
//! a hit compares the texts.

use super::LiteralSpan;

const SEED: u64 = 0x243f_6a88_85a3_08d3;
const MIX: u64 = 0x1319_8a2e_0370_7345;
const TAIL: u64 = 0xa409_3822_299f_31d1;

/// The hash of `text` without `literals`, with their kinds in their places.
pub(super) fn of(text: &[u8], literals: &[LiteralSpan]) -> u64 {
    let mut state = SEED;
    let mut from = 0;
    for literal in literals {
        state = add(state, &text[from..literal.span.start as usize]);
        state = state.rotate_left(5) ^ literal.kind as u64;
        from = literal.span.end as usize;
    }
    fold(add(state, &text[from..]), MIX)
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

fn add(state: u64, bytes: &[u8]) -> u64 {
    let mut state = state;
    let (blocks, rest) = bytes.as_chunks::<16>();
    for block in blocks {
        let (low, high) = ends_of_8(block);
        state = fold(low ^ state, high ^ MIX);
    }
    let (low, high) = match rest.len() {
        0 => (0, 0),
        1..4 => (u64::from(rest[0]), two_bytes(rest)),
        4..8 => ends_of_4(rest),
        _ => ends_of_8(rest),
    };
    fold(low ^ state, high ^ TAIL ^ bytes.len() as u64)
}

fn two_bytes(bytes: &[u8]) -> u64 {
    u64::from(bytes[bytes.len() / 2]) << 8 | u64::from(bytes[bytes.len() - 1])
}

fn ends_of_4(bytes: &[u8]) -> (u64, u64) {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)))
        }
        _ => (0, 0),
    }
}

fn ends_of_8(bytes: &[u8]) -> (u64, u64) {
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (0, 0),
    }
}
