//! Users and what they may use, in `authority:` or `- !AUTHORITY`.

use std::collections::BTreeMap;

use kernel::config::UserConfig;
use serde::Deserialize;
use yaml_serde::Value;

use super::scalar::{Scalar, text_of};
use crate::users::{split_account, user_with_password};

/// The section, the keys of both generations together.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Authority {
    users: Option<Vec<Value>>,
    #[serde(alias = "provider")]
    privilege: Option<Privilege>,
    // Verifiers for every method are kept, so the choice of one changes nothing.
    #[serde(rename = "authenticators")]
    _authenticators: Option<Value>,
    #[serde(rename = "defaultAuthenticator")]
    _default_authenticator: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Privilege {
    #[serde(rename = "type")]
    kind: String,
    props: Option<BTreeMap<String, Scalar>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct UserEntry {
    user: Scalar,
    // No default: a forgotten password must not open a door.
    password: Value,
    #[serde(default)]
    admin: bool,
    #[serde(default, rename = "authenticationMethodName")]
    _authentication_method_name: Option<Value>,
}

/// The users of the section.
///
/// # Errors
/// A text that names the key and the user.
pub(super) fn read(authority: Authority) -> Result<Vec<UserConfig>, String> {
    let permitted = authority.privilege.map_or(Ok(Permitted::All), Permitted::read)?;
    let mut users: Vec<UserConfig> = Vec::new();
    for (index, entry) in authority.users.unwrap_or_default().into_iter().enumerate() {
        let user = read_user(entry, &permitted)
            .map_err(|message| format!("authority.users[{index}]: {message}"))?;
        if users.iter().any(|other| other.name == user.name && other.host == user.host) {
            return Err(format!(
                "authority.users[{index}]: {}@{} is given twice",
                user.name, user.host
            ));
        }
        users.push(user);
    }
    if let Permitted::Mapped(mapped) = &permitted {
        let is_known = |account: &str| {
            let (name, host) = split_account(account);
            users.iter().any(|user| user.name == name && user.host == host)
        };
        if let Some(account) = mapped.keys().find(|account| !is_known(account)) {
            return Err(format!("user-database-mappings: there is no user {account}"));
        }
    }
    Ok(users)
}

fn read_user(entry: Value, permitted: &Permitted) -> Result<UserConfig, String> {
    let (account, password, is_admin) = match entry {
        Value::String(text) => split_short_form(&text)?,
        entry => {
            let entry: UserEntry =
                yaml_serde::from_value(entry).map_err(|error| error.to_string())?;
            let password = text_of(&entry.password).map_err(|why| format!("password: {why}"))?;
            (entry.user.0, password, entry.admin)
        }
    };
    let (name, host) = split_account(&account);
    if name.is_empty() {
        return Err("user: a name must stand before the @".to_owned());
    }
    let databases = if is_admin { None } else { permitted.databases_of(name, host) };
    Ok(user_with_password(name, host, &password, databases))
}

/// `name@host:password`, the form of ShardingSphere up to 5.2.
fn split_short_form(text: &str) -> Result<(String, String, bool), String> {
    let behind_name = text.find('@').unwrap_or(0);
    let colon = text[behind_name..].find(':').ok_or("expected name@host:password")?;
    let (account, password) = text.split_at(behind_name + colon);
    Ok((account.to_owned(), password[1..].to_owned(), false))
}

/// Which databases users may use.
enum Permitted {
    All,
    /// By `name@host` with an explicit host.
    Mapped(BTreeMap<String, Option<Vec<String>>>),
}

impl Permitted {
    fn read(privilege: Privilege) -> Result<Self, String> {
        match privilege.kind.as_str() {
            "ALL_PERMITTED" | "ALL_PRIVILEGES_PERMITTED" => Ok(Self::All),
            "DATABASE_PERMITTED" | "SCHEMA_PRIVILEGES_PERMITTED" => {
                let props = privilege.props.unwrap_or_default();
                let mut mappings = None;
                for (name, value) in props {
                    match name.as_str() {
                        "user-database-mappings" | "user-schema-mappings" => mappings = Some(value),
                        _ => return Err(format!("authority.privilege.props: unknown key {name}")),
                    }
                }
                let mappings = mappings
                    .ok_or("authority.privilege.props: user-database-mappings is missing")?;
                read_mappings(&mappings.0).map(Self::Mapped)
            }
            other => Err(format!(
                "authority.privilege.type: unknown {other}: ALL_PERMITTED or DATABASE_PERMITTED"
            )),
        }
    }

    fn databases_of(&self, name: &str, host: &str) -> Option<Vec<String>> {
        match self {
            Self::All => None,
            Self::Mapped(mapped) => match mapped.get(&format!("{name}@{host}")) {
                Some(databases) => databases.clone(),
                None => Some(Vec::new()),
            },
        }
    }
}

/// `root@%=db_1, root@%=db_2, test@localhost=*`.
fn read_mappings(text: &str) -> Result<BTreeMap<String, Option<Vec<String>>>, String> {
    let mut mapped: BTreeMap<String, Option<Vec<String>>> = BTreeMap::new();
    for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
        let (account, database) = item.rsplit_once('=').ok_or_else(|| {
            format!("user-database-mappings: '{item}' must read user@host=database")
        })?;
        let (name, host) = split_account(account.trim());
        let databases = mapped.entry(format!("{name}@{host}")).or_insert_with(|| Some(Vec::new()));
        match (database.trim(), databases) {
            ("*", databases) => *databases = None,
            (database, Some(databases)) => databases.push(database.to_owned()),
            (_, None) => {}
        }
    }
    Ok(mapped)
}
