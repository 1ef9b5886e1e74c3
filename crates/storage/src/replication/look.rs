//! One look at a server, over a connection that is kept from one look to the next.
//!
//! The unit's user needs the right to see replication: REPLICATION CLIENT on MySQL, SLAVE MONITOR
//! (or, before 10.5, REPLICATION CLIENT) on MariaDB.

use std::sync::Arc;
use std::time::Duration;

use kernel::model::StorageUnit;

use crate::class::Class;
use crate::command::{TextResult, query};
use crate::connect::{ConnectOptions, connect};
use crate::connection::Connection;
use crate::error::StorageError;
use crate::pool::PoolLimit;
use crate::replication::gtid::GtidPosition;
use crate::replication::observation::{Observation, channels, is_on};
use crate::settings::ServerKind;

/// MariaDB: a replica's position is what it has applied, a primary's what it has written.
const MARIADB_VARIABLES: &str = "SELECT @@global.read_only, '0', @@global.gtid_slave_pos, \
                                 @@global.gtid_binlog_pos";

/// MySQL has one variable for both.
const MYSQL_VARIABLES: &str =
    "SELECT @@global.read_only, @@global.super_read_only, @@global.gtid_executed, ''";

/// The server does not know the statement.
const ER_PARSE_ERROR: u16 = 1064;

/// Looks at one server.
#[derive(Debug)]
pub struct Look {
    limit: Arc<PoolLimit>,
    connection: Option<Connection>,
}

impl Look {
    /// At this unit's server.
    pub fn new(unit: &StorageUnit, options: &Arc<ConnectOptions>) -> Self {
        let mut unit = unit.clone();
        let mut config = (*unit.config).clone();
        // Beside the pool: a full one must not keep us from seeing why.
        config.pool.max_size = 1;
        unit.config = Arc::new(config);
        Self { limit: Arc::new(PoolLimit::new(unit, Arc::clone(options))), connection: None }
    }

    /// Looks once.
    ///
    /// # Errors
    /// The server cannot be reached, does not answer within `limit`, or does not let us look.
    pub async fn observe(&mut self, limit: Duration) -> Result<Observation, StorageError> {
        // Taken out: a look that is given up in the middle leaves no half-read connection behind.
        let kept = self.connection.take();
        let looked = tokio::time::timeout(limit, self.look(kept)).await;
        let (connection, observation) = looked.unwrap_or_else(|_| {
            Err(StorageError::Lost {
                unit: self.limit.unit.name.to_string(),
                reason: format!("no answer within {} ms", limit.as_millis()),
            })
        })?;
        self.connection = Some(connection);
        Ok(observation)
    }

    async fn look(
        &self,
        kept: Option<Connection>,
    ) -> Result<(Connection, Observation), StorageError> {
        if let Some(mut connection) = kept
            && let Ok(observation) = ask(&mut connection).await
        {
            return Ok((connection, observation));
        }
        // The kept connection may have died between two looks, which says nothing of the server.
        let Some(slot) = PoolLimit::try_slot(&self.limit) else {
            unreachable!("the one connection of this look was dropped above")
        };
        let mut connection = connect(slot, Class::own()).await?;
        let observation = ask(&mut connection).await?;
        Ok((connection, observation))
    }
}

async fn ask(connection: &mut Connection) -> Result<Observation, StorageError> {
    let kind = connection.server.kind;
    let (variables, status) = match kind {
        ServerKind::MariaDb => (
            query(connection, MARIADB_VARIABLES).await?,
            query(connection, "SHOW ALL SLAVES STATUS").await?,
        ),
        ServerKind::MySql => {
            let variables = query(connection, MYSQL_VARIABLES).await?;
            let status = match query(connection, "SHOW REPLICA STATUS").await {
                // MySQL before 8.0.22 knows it by its old name only.
                Err(StorageError::Server { code: ER_PARSE_ERROR, .. }) => {
                    query(connection, "SHOW SLAVE STATUS").await?
                }
                status => status?,
            };
            (variables, status)
        }
    };
    Ok(observation(kind, &variables, &status))
}

fn observation(kind: ServerKind, variables: &TextResult, status: &TextResult) -> Observation {
    let text = |index: usize| {
        let value = variables.rows.first().and_then(|row| row.get(index)?.as_deref());
        String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
    };
    let position = match kind {
        ServerKind::MySql => GtidPosition::parse_mysql(&text(2)),
        ServerKind::MariaDb => {
            let applied = GtidPosition::parse_mariadb(&text(2));
            let written = GtidPosition::parse_mariadb(&text(3));
            applied.zip(written).map(|(applied, written)| applied.united(written))
        }
    };
    Observation {
        is_read_only: is_on(&text(0)) || is_on(&text(1)),
        // A server that keeps no ids has an empty position, which would be among any other.
        position: position.filter(|position| !position.is_empty()),
        channels: channels(status),
    }
}
