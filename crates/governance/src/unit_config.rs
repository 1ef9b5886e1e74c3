//! A storage unit's configuration from what a user writes: DistSQL or the database file.

use std::collections::BTreeMap;

use kernel::model::{BackendTls, PoolConfig, Secret, StorageUnitConfig};

/// What a user writes of one unit.
#[derive(Clone, Copy)]
pub struct UnitParts<'a> {
    /// Host name or address.
    pub host: &'a str,
    /// TCP port.
    pub port: u16,
    /// The actual database.
    pub database: &'a str,
    /// Who logs in.
    pub user: &'a str,
    /// With what.
    pub password: &'a str,
    /// What stands behind `?` in the URL.
    pub url_parameters: &'a BTreeMap<String, String>,
    /// Pool properties, and others that are kept to be shown.
    pub properties: &'a BTreeMap<String, String>,
}

/// Builds a unit's configuration.
///
/// # Errors
/// A text for the user that names the property at fault and what it takes.
pub fn build_unit_config(parts: UnitParts<'_>) -> Result<StorageUnitConfig, String> {
    for (what, value) in [("host", parts.host), ("database", parts.database), ("user", parts.user)]
    {
        if value.is_empty() || value.contains('\0') {
            return Err(format!("{what} is missing"));
        }
    }
    if parts.port == 0 {
        return Err("port 0 cannot be connected to".to_owned());
    }
    let mut pool = PoolConfig::default();
    let mut other_properties = BTreeMap::new();
    for (name, value) in parts.properties {
        if !apply_pool_property(&mut pool, name, value)? {
            other_properties.insert(name.clone(), value.clone());
        }
    }
    if pool.max_size == 0 {
        return Err("maxPoolSize must be at least 1".to_owned());
    }
    if pool.min_size > pool.max_size {
        return Err(format!(
            "minPoolSize ({}) is greater than maxPoolSize ({})",
            pool.min_size, pool.max_size
        ));
    }
    let tls = read_tls(parts.url_parameters, parts.properties)?;
    for (name, value) in parts.url_parameters {
        other_properties.insert(name.clone(), value.clone());
    }
    Ok(StorageUnitConfig {
        host: parts.host.to_owned(),
        port: parts.port,
        database: parts.database.to_owned(),
        user: parts.user.to_owned(),
        password: Secret(parts.password.to_owned()),
        tls,
        pool,
        other_properties,
    })
}

/// Lower case without separators, so that `max-pool-size` and `maxPoolSize` are one name.
fn squeeze(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// False when the name is not one of the pool's. The names of the pool that ShardingSphere uses are
/// understood as well.
fn apply_pool_property(pool: &mut PoolConfig, name: &str, value: &str) -> Result<bool, String> {
    match squeeze(name).as_str() {
        "maxpoolsize" | "maximumpoolsize" => pool.max_size = number(name, value)?,
        "minpoolsize" | "minimumidle" => pool.min_size = number(name, value)?,
        "connectiontimeoutmilliseconds" | "connectiontimeout" => {
            pool.connection_timeout_ms = number(name, value)?;
        }
        "idletimeoutmilliseconds" | "idletimeout" => pool.idle_timeout_ms = number(name, value)?,
        "maxlifetimemilliseconds" | "maxlifetime" => pool.max_lifetime_ms = number(name, value)?,
        "readonly" => pool.read_only = boolean(name, value)?,
        _ => return Ok(false),
    }
    Ok(true)
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    value.trim().parse().map_err(|_| format!("{name} takes a whole number, not '{value}'"))
}

fn boolean(name: &str, value: &str) -> Result<bool, String> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(format!("{name} takes true or false, not '{value}'")),
    }
}

/// TLS as JDBC URLs ask for it. `sslMode` wins over the older switches.
///
/// # Source
/// MySQL Connector/J developer guide, "Security" connection properties.
fn read_tls(
    url_parameters: &BTreeMap<String, String>,
    properties: &BTreeMap<String, String>,
) -> Result<BackendTls, String> {
    let (mut use_ssl, mut require, mut verify) = (None, false, false);
    let mut mode = None;
    for (name, value) in url_parameters.iter().chain(properties) {
        match squeeze(name).as_str() {
            "sslmode" | "tlsmode" => mode = Some(tls_mode(name, value)?),
            "usessl" | "ssl" | "tls" | "usetls" => use_ssl = Some(boolean(name, value)?),
            "requiressl" => require = boolean(name, value)?,
            "verifyservercertificate" => verify = boolean(name, value)?,
            _ => {}
        }
    }
    if let Some(mode) = mode {
        return Ok(mode);
    }
    Ok(match use_ssl {
        Some(false) => BackendTls::Disabled,
        _ if verify => BackendTls::VerifyCa,
        _ if require => BackendTls::Required,
        Some(true) => BackendTls::Preferred,
        None => BackendTls::Disabled,
    })
}

fn tls_mode(name: &str, value: &str) -> Result<BackendTls, String> {
    match squeeze(value).as_str() {
        "disabled" | "disable" => Ok(BackendTls::Disabled),
        "preferred" => Ok(BackendTls::Preferred),
        "required" | "trust" => Ok(BackendTls::Required),
        "verifyca" => Ok(BackendTls::VerifyCa),
        "verifyidentity" | "verifyfull" => {
            Err(format!("{name}={value} is not supported yet: use VERIFY_CA"))
        }
        _ => Err(format!("{name} takes DISABLED, PREFERRED, REQUIRED or VERIFY_CA, not '{value}'")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn build(
        url: &[(&str, &str)],
        properties: &[(&str, &str)],
    ) -> Result<StorageUnitConfig, String> {
        build_unit_config(UnitParts {
            host: "h",
            port: 3306,
            database: "d",
            user: "u",
            password: "p",
            url_parameters: &map(url),
            properties: &map(properties),
        })
    }

    #[test]
    fn pool_properties_have_several_spellings() {
        let config = build(
            &[],
            &[
                ("maxPoolSize", "10"),
                ("min-pool-size", "2"),
                ("connectionTimeout", "5000"),
                ("idle_timeout_milliseconds", "7"),
                ("readOnly", "true"),
                ("cachePrepStmts", "true"),
            ],
        )
        .unwrap();
        assert_eq!((config.pool.max_size, config.pool.min_size), (10, 2));
        assert_eq!((config.pool.connection_timeout_ms, config.pool.idle_timeout_ms), (5000, 7));
        assert_eq!(config.pool.max_lifetime_ms, 1_800_000);
        assert!(config.pool.read_only);
        assert_eq!(config.other_properties, map(&[("cachePrepStmts", "true")]));
    }

    #[test]
    fn bad_values_are_named() {
        let cases = [
            (("maxPoolSize", "many"), "maxPoolSize takes a whole number, not 'many'"),
            (("maxPoolSize", "0"), "maxPoolSize must be at least 1"),
            (("minPoolSize", "51"), "minPoolSize (51) is greater than maxPoolSize (50)"),
            (("readOnly", "yes"), "readOnly takes true or false, not 'yes'"),
            (
                ("sslMode", "VERIFY_IDENTITY"),
                "sslMode=VERIFY_IDENTITY is not supported yet: use VERIFY_CA",
            ),
        ];
        for (property, message) in cases {
            assert_eq!(build(&[], &[property]).unwrap_err(), message);
        }
    }

    #[test]
    fn tls_follows_the_url() {
        let cases: [(&[(&str, &str)], BackendTls); 7] = [
            (&[], BackendTls::Disabled),
            (&[("useSSL", "false")], BackendTls::Disabled),
            (&[("useSSL", "true")], BackendTls::Preferred),
            (&[("useSSL", "true"), ("requireSSL", "true")], BackendTls::Required),
            (&[("useSSL", "true"), ("verifyServerCertificate", "true")], BackendTls::VerifyCa),
            (&[("useSSL", "true"), ("sslMode", "REQUIRED")], BackendTls::Required),
            (&[("sslMode", "verify-ca")], BackendTls::VerifyCa),
        ];
        for (url, expected) in cases {
            assert_eq!(build(url, &[]).unwrap().tls, expected, "{url:?}");
        }
    }
}
