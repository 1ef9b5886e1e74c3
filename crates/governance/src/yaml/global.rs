//! `global.yaml` (ShardingSphere 5.4 and later) and `server.yaml` (before).

use std::collections::BTreeMap;

use kernel::config::UserConfig;
use serde::Deserialize;
use yaml_serde::Value;

use super::authority::{self, Authority};
use super::scalar::Scalar;
use crate::properties::find_property;

/// What the file says.
#[derive(Debug, Default)]
pub(super) struct Global {
    pub(super) users: Vec<UserConfig>,
    pub(super) properties: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct GlobalFile {
    mode: Option<Mode>,
    authority: Option<Authority>,
    rules: Option<Vec<GlobalRule>>,
    transaction: Option<Transaction>,
    #[serde(rename = "sqlParser")]
    _sql_parser: Option<SqlParser>,
    #[serde(rename = "sqlFederation")]
    _sql_federation: Option<SqlFederation>,
    sql_translator: Option<SqlTranslator>,
    global_clock: Option<GlobalClock>,
    #[serde(rename = "logging")]
    _logging: Option<Logging>,
    props: Option<BTreeMap<String, Scalar>>,
}

/// The list form of the older generation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum GlobalRule {
    Authority(Authority),
    Transaction(Transaction),
    SqlParser(#[expect(dead_code, reason = "read so that its keys are checked")] SqlParser),
    SqlFederation(#[expect(dead_code, reason = "as above")] SqlFederation),
    SqlTranslator(SqlTranslator),
    GlobalClock(GlobalClock),
    Logging(#[expect(dead_code, reason = "as above")] Logging),
    Traffic(#[expect(dead_code, reason = "refused as a whole")] Value),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Mode {
    #[serde(rename = "type")]
    kind: String,
    // Only the cluster mode needs it: a standalone node keeps its state under --data.
    #[serde(default, rename = "repository")]
    _repository: Option<Value>,
    #[serde(default, rename = "overwrite")]
    _overwrite: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Transaction {
    default_type: Option<String>,
    #[serde(rename = "providerType")]
    _provider_type: Option<Value>,
    #[serde(rename = "props")]
    _props: Option<Value>,
}

/// Caches are sized in `anabranch.yaml`; comments are always read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct SqlParser {
    #[serde(rename = "sqlStatementCache")]
    _sql_statement_cache: Option<Value>,
    #[serde(rename = "parseTreeCache")]
    _parse_tree_cache: Option<Value>,
    #[serde(rename = "sqlCommentParseEnabled")]
    _sql_comment_parse_enabled: Option<Value>,
}

/// A statement that would need it is refused on its own.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct SqlFederation {
    #[serde(rename = "sqlFederationEnabled")]
    _sql_federation_enabled: Option<Value>,
    #[serde(rename = "allQueryUseSQLFederation")]
    _all_query_use_sql_federation: Option<Value>,
    #[serde(rename = "executionPlanCache")]
    _execution_plan_cache: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct SqlTranslator {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(rename = "props")]
    _props: Option<Value>,
    #[serde(rename = "useOriginalSQLWhenTranslatingFailed")]
    _use_original_sql_when_translating_failed: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct GlobalClock {
    enabled: bool,
    #[serde(rename = "type")]
    _kind: Option<Value>,
    #[serde(rename = "provider")]
    _provider: Option<Value>,
    #[serde(rename = "props")]
    _props: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Logging {
    #[serde(rename = "loggers")]
    _loggers: Option<Value>,
    #[serde(rename = "appenders")]
    _appenders: Option<Value>,
}

/// Reads the file.
///
/// # Errors
/// A text that names the key.
pub(super) fn read(text: &str) -> Result<Global, String> {
    let file: GlobalFile = super::parse(text)?.unwrap_or_default();
    if let Some(mode) = &file.mode
        && !mode.kind.eq_ignore_ascii_case("Standalone")
    {
        return Err(format!("mode.type: {} is not supported yet: use Standalone", mode.kind));
    }
    let mut authority = file.authority;
    check_transaction(file.transaction.as_ref())?;
    check_translator(file.sql_translator.as_ref())?;
    check_clock(file.global_clock.as_ref())?;
    for rule in file.rules.unwrap_or_default() {
        match rule {
            GlobalRule::Authority(_) if authority.is_some() => {
                return Err("rules: !AUTHORITY is given twice".to_owned());
            }
            GlobalRule::Authority(rule) => authority = Some(rule),
            GlobalRule::Transaction(rule) => check_transaction(Some(&rule))?,
            GlobalRule::SqlTranslator(rule) => check_translator(Some(&rule))?,
            GlobalRule::GlobalClock(rule) => check_clock(Some(&rule))?,
            GlobalRule::Traffic(_) => return Err("rules: !TRAFFIC is not supported yet".to_owned()),
            GlobalRule::SqlParser(_) | GlobalRule::SqlFederation(_) | GlobalRule::Logging(_) => {}
        }
    }
    Ok(Global {
        users: authority.map_or(Ok(Vec::new()), authority::read)?,
        properties: read_properties(file.props.unwrap_or_default())?,
    })
}

fn check_transaction(transaction: Option<&Transaction>) -> Result<(), String> {
    match transaction.and_then(|transaction| transaction.default_type.as_deref()) {
        Some(kind) if !kind.eq_ignore_ascii_case("LOCAL") => {
            Err(format!("transaction.defaultType: {kind} is not supported yet: use LOCAL"))
        }
        _ => Ok(()),
    }
}

fn check_translator(translator: Option<&SqlTranslator>) -> Result<(), String> {
    match translator.and_then(|translator| translator.kind.as_deref()) {
        Some(kind) if !kind.eq_ignore_ascii_case("NATIVE") => {
            Err(format!("sqlTranslator.type: {kind} is not supported yet: leave it out"))
        }
        _ => Ok(()),
    }
}

fn check_clock(clock: Option<&GlobalClock>) -> Result<(), String> {
    if clock.is_some_and(|clock| clock.enabled) {
        return Err("globalClock.enabled: true is not supported yet".to_owned());
    }
    Ok(())
}

fn read_properties(props: BTreeMap<String, Scalar>) -> Result<BTreeMap<String, String>, String> {
    let mut properties = BTreeMap::new();
    for (name, Scalar(value)) in props {
        let property =
            find_property(&name).ok_or_else(|| format!("props: unknown property {name}"))?;
        let value = property
            .check(&value)
            .map_err(|expected| format!("props.{name}: expected {expected}, found '{value}'"))?;
        properties.insert(property.name.to_owned(), value);
    }
    Ok(properties)
}

#[cfg(test)]
mod tests;
