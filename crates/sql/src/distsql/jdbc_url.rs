//! `jdbc:mysql://host:port/database?parameters`.

use std::collections::BTreeMap;

/// What a URL says.
#[derive(Debug, PartialEq, Eq)]
pub struct JdbcUrl {
    /// Host name or address, without the brackets of an IPv6 address.
    pub host: String,
    /// MySQL's port, where the URL names none.
    pub port: u16,
    /// The database on that server.
    pub database: String,
    /// What stands behind `?`.
    pub parameters: BTreeMap<String, String>,
}

/// MySQL's port, where a URL names none.
const DEFAULT_PORT: u16 = 3306;

/// Reads a URL; None when it is not of this form with one host.
pub fn parse(url: &str) -> Option<JdbcUrl> {
    let rest = ["jdbc:mysql://", "jdbc:mariadb://"].iter().find_map(|scheme| {
        let start = url.get(..scheme.len())?;
        start.eq_ignore_ascii_case(scheme).then(|| &url[scheme.len()..])
    })?;
    let (address, rest) = rest.split_once('/')?;
    let (database, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, port) = split_address(address)?;
    if host.is_empty() || database.is_empty() || host.contains([',', '@', '(']) {
        return None;
    }
    let parameters = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode_percent(key), decode_percent(value))
    });
    Some(JdbcUrl {
        host: host.to_owned(),
        port,
        database: decode_percent(database),
        parameters: parameters.collect(),
    })
}

/// `host`, `host:port`, `[v6]:port`.
fn split_address(address: &str) -> Option<(&str, u16)> {
    let (host, port) = match address.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => match address.find(':') {
            Some(colon) => address.split_at(colon),
            None => (address, ""),
        },
    };
    match port.strip_prefix(':') {
        Some(port) => Some((host, port.parse().ok()?)),
        None if port.is_empty() => Some((host, DEFAULT_PORT)),
        None => None,
    }
}

/// `%41` → `A`; what is no such code stays.
fn decode_percent(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = match tail {
            [high, low, ..] if *first == b'%' => hex_byte(*high, *low),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart() {
        let cases = [
            ("jdbc:mysql://h:3307/db", "h", 3307, "db", vec![]),
            ("JDBC:MySQL://127.0.0.1/db?", "127.0.0.1", 3306, "db", vec![]),
            (
                "jdbc:mariadb://[::1]:5/a%20b?x=1&y=%26",
                "::1",
                5,
                "a b",
                vec![("x", "1"), ("y", "&")],
            ),
            (
                "jdbc:mysql://h/db?serverTimezone=UTC&useSSL",
                "h",
                3306,
                "db",
                vec![("serverTimezone", "UTC"), ("useSSL", "")],
            ),
        ];
        for (url, host, port, database, parameters) in cases {
            let parameters =
                parameters.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
            let expected = JdbcUrl {
                host: host.to_owned(),
                port,
                database: database.to_owned(),
                parameters: parameters.collect(),
            };
            assert_eq!(parse(url), Some(expected), "{url}");
        }
    }

    #[test]
    fn other_urls_are_none() {
        for url in [
            "",
            "jdbc:postgresql://h/db",
            "jdbc:mysql://h",
            "jdbc:mysql://h/",
            "jdbc:mysql:///db",
            "jdbc:mysql://h:x/db",
            "jdbc:mysql://h:70000/db",
            "jdbc:mysql://a,b/db",
            "jdbc:mysql://u@h/db",
            "jdbc:mysql://[::1/db",
        ] {
            assert_eq!(parse(url), None, "{url}");
        }
    }
}
