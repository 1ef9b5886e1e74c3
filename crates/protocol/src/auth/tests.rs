//! Scrambles against known values, and both state machines against each other.

use std::sync::LazyLock;

use rsa::rand_core::{TryCryptoRng, TryRng};

use super::*;

const NONCE: Nonce = *b"abcdefghijklmnopqrst";

/// Repeatable bytes: tests need no secrets.
struct Counter(u64);

impl TryRng for Counter {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|value| value as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Ok(self.0 ^ (self.0 >> 33))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for byte in bytes {
            *byte = (self.try_next_u64()? >> 24) as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

static KEY: LazyLock<RsaKey> = LazyLock::new(|| RsaKey::generate(&mut Counter(7), 1024).unwrap());

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn known_hashes() {
    // SELECT PASSWORD('test') on MariaDB, and the same from OpenSSL's digests.
    assert_eq!(
        hex(&native_password::verifier(b"test")),
        "94bdcebe19083ce2a1f959fd02f964c7af4cfc29"
    );
    assert_eq!(
        hex(&native_password::scramble(b"test", &NONCE)),
        "4d8847d0b59d4dfcb928346949a431666b9e6fef"
    );
    assert_eq!(
        hex(&caching_sha2::scramble(b"test", &NONCE)),
        "b0d0ed29958595896b168b61c34a5b3782965719f9004b0c1f907bffe6a63ce8"
    );
}

#[test]
fn checks() {
    for password in [&b"test"[..], b"", b"p\xc3\xa4ss word"] {
        let native = native_password::verifier(password);
        let sha2 = caching_sha2::verifier(password);
        let right = native_password::scramble(password, &NONCE);
        assert!(native_password::check(&right, &NONCE, &native));
        let right = caching_sha2::scramble(password, &NONCE);
        assert!(caching_sha2::check(&right, &NONCE, &sha2));
        for wrong in [&b"other"[..], b"Test", b"test\0"] {
            assert!(!native_password::check(
                &native_password::scramble(wrong, &NONCE),
                &NONCE,
                &native
            ));
            assert!(!caching_sha2::check(&caching_sha2::scramble(wrong, &NONCE), &NONCE, &sha2));
        }
        assert!(!native_password::check(&right, &NONCE, &native) || password.is_empty());
    }
    let sha2 = caching_sha2::verifier(b"test");
    let native = native_password::verifier(b"test");
    for garbage in [&[][..], &[0], &[1; 19], &[1; 20], &[1; 21], &[1; 32], &[1; 33]] {
        assert!(!native_password::check(garbage, &NONCE, &native));
        assert!(!caching_sha2::check(garbage, &NONCE, &sha2));
    }
    let other_nonce = *b"tsrqponmlkjihgfedcba";
    let replayed = caching_sha2::scramble(b"test", &other_nonce);
    assert!(!caching_sha2::check(&replayed, &NONCE, &sha2));
}

/// Lets both sides talk until one of them decides; gives the packets the server sent.
fn run(
    client: &mut ClientAuth<'_>,
    server: &mut ServerAuth<'_>,
) -> Result<(bool, Vec<Vec<u8>>), AuthError> {
    let plugin = client.plugin().name().as_bytes();
    let mut step = server.begin(Some(plugin), &client.response());
    let mut sent = Vec::new();
    loop {
        let payload = match step {
            ServerStep::Denied => return Ok((false, sent)),
            ServerStep::Accepted(before) => {
                if let Some(payload) = before {
                    assert_eq!(client.receive(&payload)?, ClientStep::Wait);
                    sent.push(payload);
                }
                assert_eq!(client.receive(&[0, 0, 0, 2, 0, 0, 0])?, ClientStep::Accepted);
                return Ok((true, sent));
            }
            ServerStep::Send(payload) => payload,
        };
        step = match client.receive(&payload)? {
            ClientStep::Send(answer) => server.receive(&answer),
            other => panic!("{other:?} after {payload:?}"),
        };
        sent.push(payload);
        assert!(sent.len() < 5);
    }
}

const NATIVE: &[u8] = b"mysql_native_password";
const SHA2: &[u8] = b"caching_sha2_password";

#[test]
fn exchanges() {
    let both = Verifiers::from_password(b"test");
    let native_only = Verifiers { sha2: None, ..both };
    let sha2_only = Verifiers { native: None, ..both };
    // (verifiers, client's first plugin, secure, packets of the server before OK)
    let cases: [(Verifiers, &[u8], bool, usize); 9] = [
        (both, SHA2, false, 1),
        (both, SHA2, true, 1),
        (both, NATIVE, false, 0),
        (sha2_only, SHA2, false, 1),
        (sha2_only, NATIVE, false, 2),
        (native_only, NATIVE, false, 0),
        (native_only, SHA2, true, 1),
        (native_only, SHA2, false, 2),
        (both, b"client_ed25519", false, 0),
    ];
    for (verifiers, plugin, is_secure, packets) in cases {
        for password in [&b"test"[..], b"Test", b""] {
            let mut client = ClientAuth::new(plugin, NONCE, password, is_secure, true);
            let mut server = ServerAuth::new(NONCE, Some(verifiers), is_secure, Some(&KEY));
            let (accepted, sent) = run(&mut client, &mut server).unwrap();
            assert_eq!(accepted, password == b"test", "{plugin:?} {is_secure}");
            if accepted {
                assert_eq!(sent.len(), packets, "{plugin:?} {is_secure}");
            }
            assert!(matches!(server.receive(b"more"), ServerStep::Denied));
        }
        let mut client = ClientAuth::new(plugin, NONCE, b"test", is_secure, true);
        let mut server = ServerAuth::new(NONCE, None, is_secure, Some(&KEY));
        assert!(!run(&mut client, &mut server).unwrap().0, "a user that does not exist");
    }
}

#[test]
fn empty_passwords() {
    let empty = Verifiers::from_password(b"");
    for verifiers in [empty, Verifiers { sha2: None, ..empty }, Verifiers { native: None, ..empty }]
    {
        for plugin in [NATIVE, SHA2] {
            for (password, right) in [(&b""[..], true), (b"x", false)] {
                let mut client = ClientAuth::new(plugin, NONCE, password, true, false);
                let mut server = ServerAuth::new(NONCE, Some(verifiers), true, None);
                assert_eq!(run(&mut client, &mut server).unwrap().0, right);
            }
        }
    }
    let mut server = ServerAuth::new(NONCE, Some(empty), false, None);
    assert_eq!(server.begin(Some(SHA2), &[0]), ServerStep::Accepted(None));
    let mut server = ServerAuth::new(NONCE, Some(Verifiers::default()), true, None);
    assert!(matches!(server.begin(Some(SHA2), &[0]), ServerStep::Denied));
}

#[test]
fn without_tls_or_key() {
    let native_only = Verifiers { sha2: None, ..Verifiers::from_password(b"test") };
    // The server falls back to the plugin that needs neither.
    let mut client = ClientAuth::new(SHA2, NONCE, b"test", false, false);
    let mut server = ServerAuth::new(NONCE, Some(native_only), false, None);
    assert!(run(&mut client, &mut server).unwrap().0);
    assert_eq!(client.plugin(), AuthPlugin::NativePassword);
    // The client does not fetch a key unless it is allowed to.
    let mut client = ClientAuth::new(SHA2, NONCE, b"test", false, false);
    let mut server = ServerAuth::new(NONCE, Some(native_only), false, Some(&KEY));
    assert_eq!(run(&mut client, &mut server), Err(AuthError::NeedsPublicKey));
}

#[test]
fn what_a_server_may_not_ask() {
    let client = || ClientAuth::new(SHA2, NONCE, b"test", false, true);
    let clear = b"\xFEmysql_clear_password\0";
    assert_eq!(client().receive(clear), Err(AuthError::NeedsTls));
    let mut secure = ClientAuth::new(SHA2, NONCE, b"test", true, true);
    assert_eq!(secure.receive(clear), Ok(ClientStep::Send(b"test\0".to_vec())));
    assert_eq!(
        client().receive(b"\xFEclient_ed25519\0abc"),
        Err(AuthError::UnknownPlugin("client_ed25519".into()))
    );
    for garbage in [&b""[..], b"\xFE", b"\xFEcaching_sha2_password\0short", b"\x01\x09", b"\x07"] {
        assert!(client().receive(garbage).is_err());
    }
    assert_eq!(client().receive(b"\xFF\x15\x04no"), Ok(ClientStep::Refused));
    let mut asks = client();
    assert!(asks.receive(b"\x01\x04").is_ok());
    assert!(matches!(asks.receive(b"\x01not a key"), Err(AuthError::Rsa(_))));
}

#[test]
fn keys_survive_their_pem() {
    let pem = KEY.to_pem().unwrap();
    let again = RsaKey::from_pem(&pem).unwrap();
    assert_eq!(again.public_pem(), KEY.public_pem());
    assert!(KEY.public_pem().starts_with("-----BEGIN PUBLIC KEY-----\n"));
    let sent =
        rsa_exchange::encrypt_password(b"test", &NONCE, KEY.public_pem().as_bytes()).unwrap();
    assert_eq!(again.decrypt_password(&sent, &NONCE).unwrap(), b"test");
    assert!(again.decrypt_password(&sent[1..], &NONCE).is_err());
    assert!(RsaKey::from_pem("nonsense").is_err());
    let long = vec![b'x'; 200];
    assert!(rsa_exchange::encrypt_password(&long, &NONCE, KEY.public_pem().as_bytes()).is_err());
}

#[test]
fn nothing_secret_in_debug_output() {
    let client = ClientAuth::new(SHA2, NONCE, b"secret", true, true);
    assert!(!format!("{client:?}").contains("115"));
    assert_eq!(format!("{:?}", Verifiers::from_password(b"secret")), "Verifiers(..)");
}
