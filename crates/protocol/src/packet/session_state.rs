//! Session state changes: the entries that an OK packet carries under SESSION_TRACK.

use crate::DecodeError;
use crate::field::{Cursor, write_lenenc_bytes};

/// One change of the session.
///
/// # Source
/// `page_protocol_basic_ok_packet`, section "Session State Information".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionStateChange<'a> {
    /// A system variable has a new value.
    SystemVariable {
        /// Its name.
        name: &'a [u8],
        /// Its value, as text.
        value: &'a [u8],
    },
    /// The default database changed.
    Database(&'a [u8]),
    /// Whether any state changed that is tracked as such only.
    StateChange(bool),
    /// Transactions were committed under these GTIDs.
    Gtids(&'a [u8]),
    /// The statements that would open the same transaction again.
    TransactionCharacteristics(&'a [u8]),
    /// Eight letters on the state of the transaction.
    TransactionState(&'a [u8]),
    /// A change of a kind that is not known.
    Other {
        /// The kind.
        kind: u8,
        /// Its data.
        data: &'a [u8],
    },
}

impl<'a> SessionStateChange<'a> {
    /// Reads entries one after the other, e.g. of `OkPacket::session_state`. Ends after the first
    /// error.
    pub fn decode_all(entries: &'a [u8]) -> impl Iterator<Item = Result<Self, DecodeError>> {
        let mut cursor = Cursor::new(entries);
        std::iter::from_fn(move || {
            if cursor.is_empty() {
                return None;
            }
            let change = Self::read(&mut cursor);
            if change.is_err() {
                cursor.read_rest();
            }
            Some(change)
        })
    }

    fn read(cursor: &mut Cursor<'a>) -> Result<Self, DecodeError> {
        let kind = cursor.read_u8()?;
        let data = cursor.read_lenenc_bytes()?;
        let mut inside = Cursor::new(data);
        Ok(match kind {
            0 => Self::SystemVariable {
                name: inside.read_lenenc_bytes()?,
                value: inside.read_lenenc_bytes()?,
            },
            1 => Self::Database(inside.read_lenenc_bytes()?),
            2 => Self::StateChange(inside.read_lenenc_bytes()? == b"1"),
            3 => {
                inside.skip(1)?;
                Self::Gtids(inside.read_lenenc_bytes()?)
            }
            4 => Self::TransactionCharacteristics(inside.read_lenenc_bytes()?),
            5 => Self::TransactionState(inside.read_lenenc_bytes()?),
            kind => Self::Other { kind, data },
        })
    }

    /// Appends the entry.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let mut data = Vec::new();
        let kind = match *self {
            Self::SystemVariable { name, value } => {
                write_lenenc_bytes(&mut data, name);
                write_lenenc_bytes(&mut data, value);
                0
            }
            Self::Database(name) => {
                write_lenenc_bytes(&mut data, name);
                1
            }
            Self::StateChange(has_changed) => {
                write_lenenc_bytes(&mut data, if has_changed { b"1" } else { b"0" });
                2
            }
            Self::Gtids(set) => {
                data.push(0);
                write_lenenc_bytes(&mut data, set);
                3
            }
            Self::TransactionCharacteristics(text) => {
                write_lenenc_bytes(&mut data, text);
                4
            }
            Self::TransactionState(text) => {
                write_lenenc_bytes(&mut data, text);
                5
            }
            Self::Other { kind, data: bytes } => {
                data.extend_from_slice(bytes);
                kind
            }
        };
        out.push(kind);
        write_lenenc_bytes(out, &data);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn entries() {
        // SET autocommit=OFF and USE test, as the manual shows them.
        let bytes =
            b"\x00\x0f\x0aautocommit\x03OFF\x01\x05\x04test\x02\x02\x011\x05\x09\x08T_______";
        let changes: Vec<_> = SessionStateChange::decode_all(bytes).map(Result::unwrap).collect();
        assert_eq!(
            changes,
            [
                SessionStateChange::SystemVariable { name: b"autocommit", value: b"OFF" },
                SessionStateChange::Database(b"test"),
                SessionStateChange::StateChange(true),
                SessionStateChange::TransactionState(b"T_______"),
            ]
        );
        let mut out = Vec::new();
        for change in &changes {
            change.encode(&mut out);
        }
        assert_eq!(out, bytes);
        for cut in 1..17 {
            assert!(SessionStateChange::decode_all(&bytes[..cut]).next().unwrap().is_err());
        }
    }

    #[test]
    fn the_rarer_kinds_round_trip() {
        for change in [
            SessionStateChange::StateChange(false),
            SessionStateChange::Gtids(b"3E11FA47-71CA-11E1-9E33-C80AA9429562:23"),
            SessionStateChange::TransactionCharacteristics(b"START TRANSACTION READ ONLY;"),
            SessionStateChange::Other { kind: 99, data: b"abc" },
        ] {
            let mut out = Vec::new();
            change.encode(&mut out);
            assert!(SessionStateChange::decode_all(&out).eq([Ok(change)]));
        }
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = SessionStateChange::decode_all(&bytes).count();
        }
    }
}
