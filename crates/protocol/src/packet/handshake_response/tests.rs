//! Handshake responses, byte by byte.

use proptest::prelude::*;

use super::*;

fn fixed(capabilities: u32, extended: u32) -> Vec<u8> {
    let mut bytes = capabilities.to_le_bytes().to_vec();
    bytes.extend_from_slice(&[0, 0, 0, 1, 8]);
    bytes.resize(28, 0);
    bytes.extend_from_slice(&extended.to_le_bytes());
    bytes
}

/// The response of the manual with PLUGIN_AUTH: user pam, database test.
fn manual() -> Vec<u8> {
    let mut bytes = fixed(0x000F_A68D, 0);
    bytes.extend_from_slice(b"pam\0\x14\xab\x09\xee\xf6\xbc\xb1\x32\x3e\x61\x14\x38\x65\xc0\x99");
    bytes.extend_from_slice(b"\x1d\x95\x7d\x75\xd4\x47test\0mysql_native_password\0");
    bytes
}

#[test]
fn response_of_the_manual() {
    let bytes = manual();
    let ClientHandshake::Response(response) = ClientHandshake::decode(&bytes).unwrap() else {
        panic!("not a TLS request");
    };
    assert_eq!(response.user, b"pam");
    assert_eq!(response.auth_response.len(), 20);
    assert_eq!(response.database, Some(&b"test"[..]));
    assert_eq!(response.auth_plugin, Some(&b"mysql_native_password"[..]));
    assert_eq!((response.max_packet, response.collation), (1 << 24, 8));
    let mut out = Vec::new();
    response.encode(&mut out);
    assert_eq!(out, bytes);
    for cut in 0..32 + 4 + 21 {
        assert!(ClientHandshake::decode(&bytes[..cut]).is_err(), "{cut}");
    }
}

#[test]
fn missing_tail_fields_are_absent() {
    let bytes = manual();
    let response = HandshakeResponse41::decode(&bytes[..32 + 4 + 21]).unwrap();
    assert_eq!((response.database, response.auth_plugin), (None, None));
}

#[test]
fn attributes_and_mariadb_flags() {
    let capabilities = Capabilities::PROTOCOL_41
        | Capabilities::SECURE_CONNECTION
        | Capabilities::PLUGIN_AUTH
        | Capabilities::CONNECT_ATTRS
        | Capabilities::MARIADB_CACHE_METADATA;
    let mut bytes = fixed(capabilities.lower(), 0x10);
    bytes.extend_from_slice(b"root\0\0caching_sha2_password\0\x0d\x03_os\x05Linux\x01a\x00");
    let response = HandshakeResponse41::decode(&bytes).unwrap();
    assert_eq!(response.capabilities, capabilities);
    let pairs: Vec<_> = response.attributes().collect();
    assert_eq!(pairs, [(&b"_os"[..], &b"Linux"[..]), (b"a", b"")]);
    let mut out = Vec::new();
    response.encode(&mut out);
    assert_eq!(out, bytes);
}

#[test]
fn tls_request_and_old_protocol() {
    let ssl = fixed(Capabilities::PROTOCOL_41.lower() | Capabilities::SSL.lower(), 0);
    assert!(matches!(ClientHandshake::decode(&ssl), Ok(ClientHandshake::Ssl(_))));
    // HandshakeResponse320 of the manual.
    let old = b"\x85\x24\x00\x00\x00old\0\x47\x44\x53\x43\x51\x59\x52\x5f\0";
    assert_eq!(ClientHandshake::decode(old), Err(DecodeError::OldProtocol));
}

proptest! {
    #[test]
    fn random_bytes_never_panic(
        flags: u32,
        tail in proptest::collection::vec(any::<u8>(), 0..80),
    ) {
        let mut bytes = fixed(flags | Capabilities::PROTOCOL_41.lower(), 0);
        bytes.extend_from_slice(&tail);
        if let Ok(ClientHandshake::Response(response)) = ClientHandshake::decode(&bytes) {
            let _ = response.attributes().count();
        }
        let _ = ClientHandshake::decode(&tail);
    }

    #[test]
    fn round_trip(
        user in "[a-z]{0,20}",
        auth in proptest::collection::vec(any::<u8>(), 0..300),
        database in proptest::option::of("[a-z]{1,20}"),
        zstd_level: u8,
    ) {
        let mut capabilities = Capabilities::PROTOCOL_41
            | Capabilities::LONG_PASSWORD
            | Capabilities::PLUGIN_AUTH_LENENC_CLIENT_DATA
            | Capabilities::PLUGIN_AUTH
            | Capabilities::ZSTD_COMPRESSION;
        capabilities.set(Capabilities::CONNECT_WITH_DB, database.is_some());
        let response = HandshakeResponse41 {
            capabilities,
            max_packet: 1 << 30,
            collation: 255,
            user: user.as_bytes(),
            auth_response: &auth,
            database: database.as_ref().map(|name| name.as_bytes()),
            auth_plugin: Some(b"caching_sha2_password"),
            attributes: &[],
            zstd_level,
        };
        let mut out = Vec::new();
        response.encode(&mut out);
        prop_assert_eq!(HandshakeResponse41::decode(&out), Ok(response));
    }
}
