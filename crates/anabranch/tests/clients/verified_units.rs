//! Storage units whose certificate is checked: `sslMode=VERIFY_CA` with `backend.ca`.

use std::path::Path;

use protocol::capability::Capabilities;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use testkit::{Proxy, ProxyOptions, ServerOptions, start_mariadb};

use crate::wire::Wire;

fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
}

fn start_proxy(authority: &str) -> (Proxy, Wire) {
    let options = ProxyOptions {
        files: vec![
            ("ca.pem".to_owned(), authority.to_owned()),
            ("anabranch.yaml".to_owned(), "backend: { ca: ca.pem }\n".to_owned()),
        ],
        arguments: Vec::new(),
    };
    let proxy = Proxy::start(Path::new(env!("CARGO_BIN_EXE_anabranch")), &options).unwrap();
    let mut client = Wire::connect(proxy.address(), "", Capabilities::NONE);
    client.must("CREATE DATABASE verified");
    client.must("USE verified");
    (proxy, client)
}

#[test]
fn a_unit_is_registered_when_its_certificate_is_vouched_for() {
    let authority_of_unit = authority();
    let key = KeyPair::generate().unwrap();
    // Not the name it is reached by: VERIFY_CA does not ask for that.
    let params = CertificateParams::new(vec!["elsewhere.example".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &authority_of_unit).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let arguments = vec![
        format!("--ssl-cert={}", write("cert.pem", certificate.pem())),
        format!("--ssl-key={}", write("key.pem", key.serialize_pem())),
    ];
    let databases = vec!["secret".to_owned()];
    let mut unit = start_mariadb(&ServerOptions { databases, arguments, ..ServerOptions::default() });
    let register = format!(
        "REGISTER STORAGE UNIT u (HOST=\"127.0.0.1\", PORT={}, DB=\"secret\", USER=\"test\", \
         PASSWORD=\"test\", PROPERTIES(\"sslMode\"=\"VERIFY_CA\"))",
        unit.port()
    );
    let (_proxy, mut client) = start_proxy(&authority_of_unit.pem());
    client.must(&register);
    client.must("CREATE TABLE t (id INT PRIMARY KEY)");
    assert_eq!(client.line("SELECT COUNT(*) FROM t"), "0");
    client.must("REFRESH DATABASE METADATA verified");
    // The idle connection has died: a write meets it, which is not sent twice.
    unit.restart().unwrap();
    client.must("INSERT INTO t VALUES (1)");
    assert_eq!(client.line("SELECT COUNT(*) FROM t"), "1");
    let (_other_proxy, mut other) = start_proxy(&authority().pem());
    assert_eq!(other.one(&register).code(), 10110);
}
