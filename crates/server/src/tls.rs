//! Certificates and keys: those that are configured, or those made at first start and kept under
//! `--data`.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use governance::yaml::TlsOptions;
use protocol::auth::RsaKey;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use tokio_rustls::TlsAcceptor;

/// Bits of the RSA key of caching_sha2_password, as MySQL makes them.
const RSA_BITS: usize = 2048;

/// TLS towards clients.
pub(crate) fn acceptor(options: &TlsOptions, data: &Path) -> Result<TlsAcceptor, String> {
    let (certificate, key) = match (&options.certificate, &options.key) {
        (Some(certificate), Some(key)) => (certificate.clone(), key.clone()),
        _ => own_certificate(data)?,
    };
    let chain = CertificateDer::pem_file_iter(&certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| format!("{}: {error}", certificate.display()))?;
    let key = PrivateKeyDer::from_pem_file(&key)
        .map_err(|error| format!("{}: {error}", key.display()))?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = rustls::ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = match &options.ca {
        Some(path) => {
            let authorities = Arc::new(authorities(path)?);
            let verifier = WebPkiClientVerifier::builder_with_provider(authorities, provider)
                .allow_unauthenticated()
                .build()
                .map_err(|error| error.to_string())?;
            builder.with_client_cert_verifier(verifier)
        }
        None => builder.with_no_client_auth(),
    };
    let config = builder.with_single_cert(chain, key).map_err(|error| error.to_string())?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// The authorities of a PEM file.
pub(crate) fn authorities(path: &Path) -> Result<rustls::RootCertStore, String> {
    let mut store = rustls::RootCertStore::empty();
    let certificates = CertificateDer::pem_file_iter(path)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    for certificate in certificates {
        store.add(certificate).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(store)
}

fn own_certificate(data: &Path) -> Result<(std::path::PathBuf, std::path::PathBuf), String> {
    let (certificate, key) = (data.join("server-cert.pem"), data.join("server-key.pem"));
    if !certificate.exists() || !key.exists() {
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).map_err(|error| error.to_string())?;
        write_private(&key, &made.signing_key.serialize_pem())?;
        fs::write(&certificate, made.cert.pem()).map_err(|error| error.to_string())?;
    }
    Ok((certificate, key))
}

/// The RSA key of caching_sha2_password without TLS.
pub(crate) fn rsa_key(data: &Path) -> Result<RsaKey, String> {
    let path = data.join("private_key.pem");
    if let Ok(pem) = fs::read_to_string(&path) {
        return RsaKey::from_pem(&pem).map_err(|error| format!("{}: {error}", path.display()));
    }
    let key = RsaKey::generate(&mut rand::rng(), RSA_BITS).map_err(|error| error.to_string())?;
    write_private(&path, &key.to_pem().map_err(|error| error.to_string())?)?;
    Ok(key)
}

fn write_private(path: &Path, text: &str) -> Result<(), String> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| format!("{}: {error}", path.display()))
}
