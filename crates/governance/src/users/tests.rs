//! Verifiers and host patterns.

use super::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn verifiers_are_those_of_mysql() {
    // SELECT PASSWORD('root') gives this, without the star.
    assert_eq!(hex(&native_verifier(b"root")), "81f5e21e35407d884a6cd4a731aebfb6af209e1b");
    assert_eq!(
        hex(&sha2_verifier(b"root")),
        hex(&Sha256::digest(
            // SHA256('root')
            [
                0x48, 0x13, 0x49, 0x4d, 0x13, 0x7e, 0x16, 0x31, 0xbb, 0xa3, 0x01, 0xd5, 0xac, 0xab,
                0x6e, 0x7b, 0xb7, 0xaa, 0x74, 0xce, 0x11, 0x85, 0xd4, 0x56, 0x56, 0x5e, 0xf5, 0x1d,
                0x73, 0x76, 0x77, 0xb2,
            ]
        ))
    );
    assert!(native_verifier(b"").is_empty());
    assert!(sha2_verifier(b"").is_empty());
}

#[test]
fn the_most_specific_host_wins() {
    let hosts = [
        "%",
        "10.%",
        "10.0.%",
        "10.0.0.5",
        "10.0.0.0/255.255.255.0",
        "10.0.0.0/16",
        "localhost",
        "192.168.1.0/24",
        "fe80::/10",
        "127.0.0._",
    ];
    let users: Vec<_> =
        hosts.iter().map(|host| user_with_password("root", host, "x", None)).collect();
    let cases = [
        ("10.0.0.5", "10.0.0.5"),
        ("10.0.0.6", "10.0.0.0/255.255.255.0"),
        ("10.0.1.6", "10.0.0.0/16"),
        ("10.1.0.0", "10.%"),
        ("10.1.1.6", "10.%"),
        ("192.168.1.77", "192.168.1.0/24"),
        ("192.168.2.77", "%"),
        ("127.0.0.1", "localhost"),
        ("::1", "localhost"),
        ("::ffff:10.0.0.5", "10.0.0.5"),
        ("fe80::1", "fe80::/10"),
        ("2001:db8::1", "%"),
    ];
    for (peer, host) in cases {
        let user = find_user(&users, "root", peer.parse().unwrap());
        assert_eq!(user.unwrap().host, host, "client at {peer}");
    }
}

#[test]
fn a_client_without_an_account_finds_none() {
    let users = [
        user_with_password("root", "localhost", "", None),
        user_with_password("app", "10.0.0.0/banana", "", None),
        user_with_password("any", "", "", None),
    ];
    let peer = "10.0.0.1".parse().unwrap();
    assert!(find_user(&users, "root", peer).is_none(), "not from there");
    assert!(find_user(&users, "app", peer).is_none(), "an unreadable mask matches nobody");
    assert!(find_user(&users, "ROOT", "127.0.0.1".parse().unwrap()).is_none(), "case counts");
    assert!(find_user(&users, "any", peer).is_some(), "the empty host is any");
}

#[test]
fn accounts_split_at_the_last_at_sign() {
    assert_eq!(split_account("root@%"), ("root", "%"));
    assert_eq!(split_account("root@"), ("root", "%"));
    assert_eq!(split_account("root"), ("root", "%"));
    assert_eq!(split_account("a@b.c@localhost"), ("a@b.c", "localhost"));
}

#[test]
fn random_passwords_differ() {
    assert_eq!(random_password().len(), 24);
    assert_ne!(random_password(), random_password());
}
