//! A client that runs statements in either protocol and keeps everything it was told.

use std::net::SocketAddr;
use std::time::Duration;

use mysql_async::prelude::{Protocol as WireProtocol, Queryable};
use mysql_async::{Conn, Error, OptsBuilder, Params, QueryResult, Value};

use crate::outcome::{ColumnShape, Outcome};

/// How long a statement may take. Hanging is a failure, not a reason to wait for ever.
const STATEMENT_LIMIT: Duration = Duration::from_secs(60);

/// MariaDB's default, which the servers under test have.
const MAX_ALLOWED_PACKET_BYTES: usize = 16 * 1024 * 1024;
/// The default of both servers.
const WAIT_TIMEOUT_SECONDS: usize = 28_800;

/// Where and as whom to connect.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address.
    pub address: SocketAddr,
    /// The user.
    pub user: String,
    /// The password.
    pub password: String,
    /// The database, empty for none.
    pub database: String,
}

impl Endpoint {
    /// An endpoint.
    #[must_use]
    pub fn new(address: SocketAddr, user: &str, password: &str, database: &str) -> Self {
        Self {
            address,
            user: user.to_owned(),
            password: password.to_owned(),
            database: database.to_owned(),
        }
    }

    /// Connection options of the client library.
    #[must_use]
    pub fn options(&self) -> OptsBuilder {
        let database = (!self.database.is_empty()).then_some(self.database.clone());
        OptsBuilder::default()
            .ip_or_hostname(self.address.ip().to_string())
            .tcp_port(self.address.port())
            .user(Some(&self.user))
            .pass(Some(&self.password))
            .db_name(database)
            .prefer_socket(false)
            // Given here, they are not asked for: a comparison begins with its first statement.
            .max_allowed_packet(Some(MAX_ALLOWED_PACKET_BYTES))
            .wait_timeout(Some(WAIT_TIMEOUT_SECONDS))
            // Every run prepares anew and closes, as most programs do.
            .stmt_cache_size(0)
    }
}

/// How a statement is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// COM_QUERY.
    Text,
    /// COM_STMT_PREPARE, COM_STMT_EXECUTE, COM_STMT_CLOSE.
    Binary,
}

/// One connection, opened at first use and again after it broke.
#[derive(Debug)]
pub struct Client {
    endpoint: Endpoint,
    connection: Option<Conn>,
}

impl Client {
    /// A client of this endpoint; connects later.
    #[must_use]
    pub fn new(endpoint: Endpoint) -> Self {
        Self { endpoint, connection: None }
    }

    /// Where it connects to.
    #[must_use]
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Runs a statement and returns its results, one after another; the list is never empty.
    pub async fn run(&mut self, sql: &str, protocol: Protocol) -> Vec<Outcome> {
        self.run_with(sql, protocol, Vec::new()).await
    }

    /// Runs a statement with parameters (binary protocol), or without.
    pub async fn run_with(
        &mut self,
        sql: &str,
        protocol: Protocol,
        parameters: Vec<Value>,
    ) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let work = self.collect(sql, protocol, parameters, &mut outcomes);
        let end = tokio::time::timeout(STATEMENT_LIMIT, work).await;
        match end {
            Ok(Ok(())) => {}
            Ok(Err(Error::Server(error))) => outcomes.push(Outcome::Error {
                code: error.code,
                state: error.state,
                message: error.message,
            }),
            Ok(Err(error)) => {
                self.connection = None;
                outcomes.push(Outcome::Lost(error.to_string()));
            }
            Err(_) => {
                self.connection = None;
                outcomes.push(Outcome::Lost(format!("nothing after {STATEMENT_LIMIT:?}")));
            }
        }
        outcomes
    }

    /// Runs a statement in the text protocol and expects it to succeed.
    ///
    /// # Panics
    /// When any of its results is an error. For the set-up of tests.
    pub async fn must(&mut self, sql: &str) -> Vec<Outcome> {
        let outcomes = self.run(sql, Protocol::Text).await;
        for outcome in &outcomes {
            assert!(
                !matches!(outcome, Outcome::Error { .. } | Outcome::Lost(_)),
                "{sql}: {}",
                outcome.summary()
            );
        }
        outcomes
    }

    /// Closes the connection; the next statement opens another one.
    pub async fn disconnect(&mut self) {
        if let Some(connection) = self.connection.take() {
            // A connection that breaks while it is closed is closed too.
            let _ = connection.disconnect().await;
        }
    }

    async fn collect(
        &mut self,
        sql: &str,
        protocol: Protocol,
        parameters: Vec<Value>,
        outcomes: &mut Vec<Outcome>,
    ) -> Result<(), Error> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => self.connection.insert(Conn::new(self.endpoint.options()).await?),
        };
        match protocol {
            Protocol::Text => drain(connection.query_iter(sql).await?, outcomes).await,
            Protocol::Binary => {
                let statement = connection.prep(sql).await?;
                let parameters = match parameters.is_empty() {
                    true => Params::Empty,
                    false => Params::Positional(parameters),
                };
                let ended = match connection.exec_iter(&statement, parameters).await {
                    Ok(result) => drain(result, outcomes).await,
                    Err(error) => Err(error),
                };
                let closed = connection.close(statement).await;
                ended.and(closed)
            }
        }
    }
}

async fn drain<P: WireProtocol>(
    mut result: QueryResult<'_, '_, P>,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Error> {
    while let Some(columns) = result.columns() {
        let columns: Vec<ColumnShape> = columns.iter().map(ColumnShape::of).collect();
        if columns.is_empty() {
            // Read before the next result replaces it.
            outcomes.push(Outcome::Done {
                affected: result.affected_rows(),
                last_insert_id: result.last_insert_id(),
                warnings: result.warnings(),
                info: result.info().into_owned(),
            });
        }
        let mut rows = Vec::new();
        while let Some(row) = result.next().await? {
            rows.push(row.unwrap());
        }
        if !columns.is_empty() {
            outcomes.push(Outcome::Rows { columns, rows, warnings: result.warnings() });
        }
    }
    Ok(())
}
