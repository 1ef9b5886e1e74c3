//! SHOW COMPUTE NODES and SHOW AUTHORITY RULE.

use kernel::feature::TextTable;

use crate::AdminContext;

/// `SHOW COMPUTE NODES`, `SHOW COMPUTE NODE INFO` or `SHOW COMPUTE NODE MODE`.
///
/// # Source
/// Inventory 1.10.
pub(crate) fn show(context: &AdminContext<'_>, what: &str) -> TextTable {
    let node = context.node;
    let port = node.port.to_string();
    let row: &[(&str, &str)] = match what {
        "MODE" => &[("type", "Standalone"), ("repository", "redb"), ("props", "")],
        "INFO" => &[
            ("instance_id", &node.id),
            ("host", &node.host),
            ("port", &port),
            ("status", "OK"),
            ("mode_type", "Standalone"),
            ("worker_id", "0"),
            ("labels", ""),
            ("version", &node.version),
        ],
        _ => &[
            ("instance_id", &node.id),
            ("instance_type", "PROXY"),
            ("host", &node.host),
            ("port", &port),
            ("status", "OK"),
            ("mode_type", "Standalone"),
            ("worker_id", "0"),
            ("labels", ""),
            ("version", &node.version),
            ("database_name", ""),
        ],
    };
    one_row(row)
}

/// `SHOW AUTHORITY RULE`.
///
/// # Source
/// Inventory 1.10.
pub(crate) fn show_authority_rule(context: &AdminContext<'_>) -> TextTable {
    let snapshot = context.governance.current();
    let accounts = snapshot.users.iter().map(|user| format!("{}@{}", user.name, user.host));
    let users = accounts.collect::<Vec<_>>().join(", ");
    let mut mappings = Vec::new();
    for user in snapshot.users.iter() {
        let account = format!("{}@{}", user.name, user.host);
        match &user.databases {
            None => mappings.push(format!("{account}=*")),
            Some(names) => mappings.extend(names.iter().map(|name| format!("{account}={name}"))),
        }
    }
    if snapshot.users.iter().all(|user| user.databases.is_none()) {
        return one_row(&[("users", &users), ("provider", "ALL_PERMITTED"), ("props", "")]);
    }
    let props = serde_json::json!({ "user-database-mappings": mappings.join(", ") }).to_string();
    one_row(&[("users", &users), ("provider", "DATABASE_PERMITTED"), ("props", &props)])
}

fn one_row(cells: &[(&str, &str)]) -> TextTable {
    TextTable {
        columns: cells.iter().map(|(column, _)| (*column).to_owned()).collect(),
        rows: vec![cells.iter().map(|(_, value)| Some((*value).to_owned())).collect()],
    }
}
