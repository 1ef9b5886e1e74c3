//! One-off queries on a storage unit outside the pools: checks, metadata, discovery, KILL.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use kernel::error::StatementError;
use kernel::feature::TextTable;
use kernel::model::{StorageUnit, StorageUnitConfig, UnitId};

use crate::class::Class;
use crate::command;
use crate::connect::{ConnectOptions, connect};
use crate::error::StorageError;
use crate::pool::PoolLimit;

static OPTIONS: OnceLock<Arc<ConnectOptions>> = OnceLock::new();

/// Says how all probes of this process connect; the first call counts. Without one they connect with
/// the defaults, which know no authorities.
pub fn configure(options: ConnectOptions) {
    OPTIONS.get_or_init(|| Arc::new(options));
}

fn options() -> Arc<ConnectOptions> {
    OPTIONS.get().cloned().unwrap_or_default()
}

/// Connects, runs one text statement, reads its rows as text, disconnects.
///
/// # Errors
/// The unit cannot be reached or refuses the login (10110), or the server's own error.
pub async fn query(config: &StorageUnitConfig, sql: &str) -> Result<TextTable, StatementError> {
    let started = Instant::now();
    let result = run(config, sql).await;
    result.map_err(|error| {
        let elapsed_ms = started.elapsed().as_millis() as u64;
        tracing::warn!(%error, elapsed_ms, host = config.host, port = config.port, "probe");
        match &error {
            StorageError::Connect { reason, .. } => StatementError::new(
                10110,
                "08000",
                format!("Cannot connect to {}:{}: {reason}", config.host, config.port),
            ),
            other => other.to_statement_error(),
        }
    })
}

async fn run(config: &StorageUnitConfig, sql: &str) -> Result<TextTable, StorageError> {
    let mut config = config.clone();
    config.pool.max_size = 1;
    let unit = StorageUnit { id: UnitId(u32::MAX), name: "probe".into(), config: Arc::new(config) };
    let limit = Arc::new(PoolLimit::new(unit, options()));
    let Some(slot) = PoolLimit::try_slot(&limit) else {
        unreachable!("a new pool of one connection has room for one")
    };
    let mut connection = connect(slot, Class::own()).await?;
    let result = command::query(&mut connection, sql).await?;
    let text = |value: Vec<u8>| String::from_utf8_lossy(&value).into_owned();
    Ok(TextTable {
        columns: result.columns.into_iter().map(text).collect(),
        rows: result
            .rows
            .into_iter()
            .map(|row| row.into_iter().map(|value| value.map(text)).collect())
            .collect(),
    })
}
