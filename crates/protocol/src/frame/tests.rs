//! Framing, including packets of more than one frame.

use proptest::prelude::*;

use super::*;

#[test]
fn header_of_the_manual() {
    // COM_QUIT of page_protocol_basic_packets.
    let header = Header::read(&[0x01, 0x00, 0x00, 0x00]);
    assert_eq!(header, Header { len: 1, seq: 0 });
    assert_eq!(Header { len: 0x03_02_01, seq: 9 }.to_bytes(), [1, 2, 3, 9]);
}

#[test]
fn one_packet_at_a_time() {
    let mut reader = PacketReader::new(1024);
    let buf = [1, 0, 0, 0, 0x0E, 2, 0, 0, 1, 7, 8, 9];
    assert_eq!(reader.next(&buf), Ok(Step::Packet { payload: &[0x0E], seq: 0, consumed: 5 }));
    assert_eq!(reader.next(&buf[5..]), Ok(Step::Packet { payload: &[7, 8], seq: 1, consumed: 6 }));
    assert_eq!(reader.next(&buf[11..]), Ok(Step::More { consumed: 0, needed: 3 }));
    assert_eq!(reader.next(&buf[5..10]), Ok(Step::More { consumed: 0, needed: 1 }));
}

#[test]
fn too_large_is_refused_at_the_header() {
    let mut reader = PacketReader::new(10);
    let error = reader.next(&[11, 0, 0, 0]).unwrap_err();
    assert_eq!(error, DecodeError::TooLarge { limit: 10 });
    assert_eq!(error.code_and_sqlstate(), (1153, *b"08S01"));
    assert!(reader.next(&[10, 0, 0, 0]).is_ok());
}

#[test]
fn packets_at_the_frame_limit() {
    for (len, frames) in
        [(MAX_PAYLOAD - 1, 1), (MAX_PAYLOAD, 2), (MAX_PAYLOAD + 1, 2), (2 * MAX_PAYLOAD, 3)]
    {
        let payload: Vec<u8> = (0..len).map(|at| (at / 251) as u8).collect();
        let mut seq = 254;
        let mut out = Vec::new();
        write_packet(&mut out, &mut seq, &payload);
        assert_eq!(out.len(), len + frames * HEADER_LEN);
        assert_eq!(seq, 254_u8.wrapping_add(frames as u8));

        let mut built = vec![0xAA];
        let mut built_seq = 254;
        write_with(&mut built, &mut built_seq, |out| out.extend_from_slice(&payload));
        assert!(built[1..] == out[..] && built_seq == seq);

        let mut reader = PacketReader::new(usize::MAX);
        let mut at = 0;
        loop {
            match reader.next(&out[at..]).unwrap() {
                Step::More { consumed, .. } => at += consumed,
                Step::Packet { payload: read, seq: last, consumed } => {
                    assert!(read == payload);
                    assert_eq!(last, seq.wrapping_sub(1));
                    assert_eq!(at + consumed, out.len());
                    break;
                }
            }
        }
        let again = [0, 0, 0, 5];
        assert_eq!(reader.next(&again), Ok(Step::Packet { payload: &[], seq: 5, consumed: 4 }));
    }
}

#[test]
fn frames_of_one_packet_must_count_up() {
    let mut buf = vec![0xFF, 0xFF, 0xFF, 0];
    buf.resize(4 + MAX_PAYLOAD, 1);
    let mut reader = PacketReader::new(usize::MAX);
    assert!(matches!(reader.next(&buf), Ok(Step::More { .. })));
    assert!(reader.is_joining());
    assert_eq!(reader.next(&[0, 0, 0, 7]), Err(DecodeError::OutOfOrder { expected: 1, got: 7 }));
}

#[test]
fn the_limit_counts_all_frames() {
    let mut buf = vec![0xFF, 0xFF, 0xFF, 0];
    buf.resize(4 + MAX_PAYLOAD, 1);
    let mut reader = PacketReader::new(MAX_PAYLOAD + 1);
    assert!(reader.next(&buf).is_ok());
    assert!(matches!(reader.next(&[2, 0, 0, 1]), Err(DecodeError::TooLarge { .. })));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let mut reader = PacketReader::new(40);
        let _ = reader.next(&bytes);
    }
}
