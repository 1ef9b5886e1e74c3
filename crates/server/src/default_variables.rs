//! System variables as a new server has them: what clients ask for when they connect, while no
//! storage unit is there to be asked.
//!
//! # Source
//! MySQL 8.0 manual, "Server System Variables": name and default.

/// What a variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VariableKind {
    /// Digits.
    Number,
    /// 0 or 1; ON or OFF in SHOW.
    Switch,
    /// Anything else.
    Text,
}

use VariableKind::{Number, Switch, Text};

/// Name, kind and default, sorted by name.
pub(crate) const VARIABLES: &[(&str, VariableKind, &str)] = &[
    ("auto_increment_increment", Number, "1"),
    ("auto_increment_offset", Number, "1"),
    ("autocommit", Switch, "1"),
    ("big_tables", Switch, "0"),
    ("character_set_client", Text, "utf8mb4"),
    ("character_set_connection", Text, "utf8mb4"),
    ("character_set_database", Text, "utf8mb4"),
    ("character_set_filesystem", Text, "binary"),
    ("character_set_results", Text, "utf8mb4"),
    ("character_set_server", Text, "utf8mb4"),
    ("character_set_system", Text, "utf8mb3"),
    ("collation_connection", Text, "utf8mb4_general_ci"),
    ("collation_database", Text, "utf8mb4_general_ci"),
    ("collation_server", Text, "utf8mb4_general_ci"),
    ("connect_timeout", Number, "10"),
    ("default_authentication_plugin", Text, "caching_sha2_password"),
    ("default_storage_engine", Text, "InnoDB"),
    ("default_week_format", Number, "0"),
    ("div_precision_increment", Number, "4"),
    ("event_scheduler", Text, "OFF"),
    ("foreign_key_checks", Switch, "1"),
    ("group_concat_max_len", Number, "1024"),
    ("gtid_mode", Text, "OFF"),
    ("have_query_cache", Text, "NO"),
    ("have_ssl", Text, "YES"),
    ("identity", Number, "0"),
    ("init_connect", Text, ""),
    ("innodb_lock_wait_timeout", Number, "50"),
    ("insert_id", Number, "0"),
    ("interactive_timeout", Number, "28800"),
    ("last_insert_id", Number, "0"),
    ("lc_time_names", Text, "en_US"),
    ("license", Text, "Apache-2.0"),
    ("local_infile", Switch, "1"),
    ("lock_wait_timeout", Number, "31536000"),
    ("log_bin", Switch, "0"),
    ("lower_case_file_system", Switch, "0"),
    ("lower_case_table_names", Number, "0"),
    ("max_allowed_packet", Number, "67108864"),
    ("max_connections", Number, "151"),
    ("max_error_count", Number, "64"),
    ("max_execution_time", Number, "0"),
    ("net_buffer_length", Number, "16384"),
    ("net_read_timeout", Number, "30"),
    ("net_write_timeout", Number, "60"),
    ("performance_schema", Switch, "0"),
    ("protocol_version", Number, "10"),
    ("query_cache_size", Number, "0"),
    ("query_cache_type", Text, "OFF"),
    ("read_only", Switch, "0"),
    ("sql_auto_is_null", Switch, "0"),
    ("sql_big_selects", Switch, "1"),
    ("sql_log_bin", Switch, "1"),
    (
        "sql_mode",
        Text,
        "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,\
         ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
    ),
    ("sql_notes", Switch, "1"),
    ("sql_quote_show_create", Switch, "1"),
    ("sql_safe_updates", Switch, "0"),
    ("sql_select_limit", Number, "18446744073709551615"),
    ("sql_warnings", Switch, "0"),
    ("storage_engine", Text, "InnoDB"),
    ("super_read_only", Switch, "0"),
    ("system_time_zone", Text, "UTC"),
    ("time_zone", Text, "SYSTEM"),
    ("transaction_isolation", Text, "REPEATABLE-READ"),
    ("transaction_read_only", Switch, "0"),
    ("tx_isolation", Text, "REPEATABLE-READ"),
    ("tx_read_only", Switch, "0"),
    ("unique_checks", Switch, "1"),
    ("version_comment", Text, "Anabranch"),
    ("version_compile_machine", Text, std::env::consts::ARCH),
    ("version_compile_os", Text, "Linux"),
    ("wait_timeout", Number, "28800"),
];

/// A variable by its name in lower case.
pub(crate) fn find(name: &str) -> Option<(VariableKind, &'static str)> {
    let at = VARIABLES.binary_search_by_key(&name, |(known, ..)| known).ok()?;
    let (_, kind, default) = VARIABLES[at];
    Some((kind, default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_defaults_are_of_their_kind() {
        assert!(VARIABLES.is_sorted_by_key(|(name, ..)| *name));
        for (name, kind, default) in VARIABLES {
            match kind {
                Number => assert!(default.parse::<u64>().is_ok(), "{name}"),
                Switch => assert!(matches!(*default, "0" | "1"), "{name}"),
                Text => {}
            }
            assert_eq!(find(name), Some((*kind, *default)));
        }
        assert_eq!(find("no_such_variable"), None);
    }
}
