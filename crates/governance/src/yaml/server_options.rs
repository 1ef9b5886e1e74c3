//! `anabranch.yaml`: what ShardingSphere's files have no key for.

use std::path::{Path, PathBuf};

use serde::de::{Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::replication_options::ReplicationOptions;

/// How the server behaves towards its clients and the storage units. Read once, at start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct ServerOptions {
    /// What the handshake and `VERSION()` say; without it, what the first storage unit says.
    pub server_version: Option<String>,
    /// How many workers, each a thread with its own connections; 0 for one a processor core.
    pub workers: usize,
    /// TLS towards clients.
    pub tls: TlsOptions,
    /// What one client, and all of them, may use.
    pub limits: Limits,
    /// Connections to storage units.
    pub backend: BackendOptions,
    /// Groups of a primary and its replicas.
    pub replication: ReplicationOptions,
}

/// TLS towards clients.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct TlsOptions {
    /// Whether clients may or must use it.
    pub mode: TlsMode,
    /// PEM file with the certificate chain; without it, a certificate is generated at first start.
    pub certificate: Option<PathBuf>,
    /// PEM file with the private key of the certificate.
    pub key: Option<PathBuf>,
    /// PEM file with the authorities of client certificates; without it, none are asked for.
    pub ca: Option<PathBuf>,
}

/// Whether clients may or must use TLS.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TlsMode {
    /// A client without TLS is refused.
    Required,
    /// A client may choose.
    #[default]
    Preferred,
    /// Not offered.
    Off,
}

/// What clients may use. Sizes in bytes, times in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Limits {
    /// Most client connections; 0 for no limit. The property `proxy-frontend-max-connections`
    /// counts when it is set and this is 0.
    pub max_connections: u32,
    /// Longest statement or row that is accepted of a client, up to 1 GiB.
    #[serde(deserialize_with = "bytes")]
    pub max_allowed_packet: u64,
    /// Plans kept by each worker.
    #[serde(deserialize_with = "bytes")]
    pub plan_cache_bytes: u64,
    /// What one statement may hold to sort or group rows.
    #[serde(deserialize_with = "bytes")]
    pub sort_memory_bytes: u64,
    /// What one statement may copy to one storage unit because its tables are on several nodes.
    #[serde(deserialize_with = "bytes")]
    pub gather_bytes: u64,
    /// The same in rows.
    pub gather_rows: u64,
    /// How many statements copy rows at a time; others wait. While one does, it holds a connection
    /// of a pool and needs further ones, so that there must be far fewer than a pool has.
    pub max_gathers: u32,
    /// Prepared statements a client may have open.
    pub max_prepared_statements: u32,
    /// A client that has not logged in by then is dropped.
    pub handshake_timeout_milliseconds: u64,
    /// A client that has sent nothing for so long is dropped, as by `wait_timeout`.
    pub idle_timeout_milliseconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_connections: 0,
            max_allowed_packet: 64 << 20,
            plan_cache_bytes: 8 << 20,
            sort_memory_bytes: 64 << 20,
            gather_bytes: 256 << 20,
            gather_rows: 10_000_000,
            max_gathers: 8,
            max_prepared_statements: 16_382,
            handshake_timeout_milliseconds: 10_000,
            idle_timeout_milliseconds: 28_800_000,
        }
    }
}

/// Connections to storage units. Times in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct BackendOptions {
    /// PEM file with the authorities that `sslMode=VERIFY_CA` checks against.
    pub ca: Option<PathBuf>,
    /// A server that has not answered by then counts as down.
    pub connect_timeout_milliseconds: u64,
    /// How often a unit that is down is tried again.
    pub retry_interval_milliseconds: u64,
    /// Prepared statements kept open on one connection; the least used is closed.
    pub max_prepared_statements: u32,
}

impl Default for BackendOptions {
    fn default() -> Self {
        Self {
            ca: None,
            connect_timeout_milliseconds: 5_000,
            retry_interval_milliseconds: 1_000,
            max_prepared_statements: 512,
        }
    }
}

/// Reads the file. Paths are relative to `folder`.
///
/// # Errors
/// A text that names the key.
pub(super) fn read(text: &str, folder: &Path) -> Result<ServerOptions, String> {
    let mut options: ServerOptions = super::parse(text)?.unwrap_or_default();
    let TlsOptions { certificate, key, ca, .. } = &mut options.tls;
    for path in [certificate, key, ca, &mut options.backend.ca].into_iter().flatten() {
        *path = folder.join(&*path);
    }
    check(&options)?;
    Ok(options)
}

fn check(options: &ServerOptions) -> Result<(), String> {
    if options.tls.certificate.is_some() != options.tls.key.is_some() {
        return Err("tls: certificate and key belong together: give both or none".to_owned());
    }
    if options.limits.max_gathers == 0 {
        return Err("limits.maxGathers: 0 would let no statement over several nodes run".to_owned());
    }
    options.replication.check()?;
    let packet = options.limits.max_allowed_packet;
    if !(1024..=1 << 30).contains(&packet) {
        return Err(format!("limits.maxAllowedPacket: {packet} is not from 1KiB to 1GiB"));
    }
    if options.server_version.as_deref().is_some_and(|version| {
        version.is_empty() || version.len() > 64 || !version.bytes().all(|b| b.is_ascii_graphic())
    }) {
        return Err("serverVersion: up to 64 letters, digits and signs, no spaces".to_owned());
    }
    Ok(())
}

/// A number of bytes, or a number with KiB, MiB or GiB.
fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(SizeVisitor)
}

/// Fails inside the value, so that the error carries its key.
struct SizeVisitor;

impl Visitor<'_> for SizeVisitor {
    type Value = u64;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a size: e.g. 4096, 16KiB, 64MiB")
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<u64, E> {
        let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
        let (digits, factor) = units
            .iter()
            .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?.trim_end(), *factor)))
            .unwrap_or((text, 1));
        let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
        number.ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_a_default() {
        assert_eq!(read("# nothing\n", Path::new("c")).unwrap(), ServerOptions::default());
        assert_eq!(
            read("limits:\n  maxConnections: 5\n", Path::new("c")).unwrap().limits,
            Limits { max_connections: 5, ..Limits::default() }
        );
    }

    #[test]
    fn sizes_and_paths() {
        let text = "
serverVersion: 8.0.36-anabranch
tls: { mode: required, certificate: a.pem, key: /k/b.pem }
limits: { maxAllowedPacket: 1GiB, sortMemoryBytes: 512 KiB, planCacheBytes: 1000 }
";
        let options = read(text, Path::new("conf")).unwrap();
        assert_eq!(options.tls.mode, TlsMode::Required);
        assert_eq!(options.tls.certificate.unwrap(), Path::new("conf/a.pem"));
        assert_eq!(options.tls.key.unwrap(), Path::new("/k/b.pem"));
        let limits = options.limits;
        assert_eq!(limits.max_allowed_packet, 1 << 30);
        assert_eq!((limits.sort_memory_bytes, limits.plan_cache_bytes), (512 << 10, 1000));
    }

    #[test]
    fn errors_name_the_key() {
        let cases = [
            ("worker: 2", "worker"),
            ("limits: { maxConnection: 1 }", "maxConnection"),
            ("limits: { maxGathers: 0 }", "limits.maxGathers"),
            ("replication: { lookIntervalMilliseconds: 0 }", "lookIntervalMilliseconds"),
            ("replication: { health: good }", "replication.health"),
            ("limits: { maxAllowedPacket: 2GiB }", "limits.maxAllowedPacket"),
            (
                "limits: { maxAllowedPacket: lots }",
                "limits.maxAllowedPacket: invalid value: string \"lots\"",
            ),
            ("tls: { mode: sometimes }", "tls.mode"),
            ("tls: { key: a.pem }", "tls: certificate and key"),
            ("serverVersion: my server", "serverVersion"),
        ];
        for (text, expected) in cases {
            let error = read(text, Path::new("c")).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
