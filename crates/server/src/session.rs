//! One client's session: what it has negotiated, set, begun and prepared.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::model::UnitId;
use kernel::snapshot::{LogicalDatabase, Snapshot};
use protocol::auth::Nonce;
use protocol::capability::Capabilities;
use protocol::response::ResponseWalker;
use sql::SqlMode;
use storage::class::Class;
use storage::settings::Settings;
use storage::stream::Stream;
use telemetry::Held;

use crate::answer::Outgoing;
use crate::client_statements::ClientStatement;
use crate::receive::Command;
use crate::registry::Entered;
use crate::session_statements::TextStatement;
use crate::transaction::Transaction;
use crate::worker::Worker;

/// A client that has logged in.
pub(crate) struct Session {
    /// The worker it lives on.
    pub(crate) worker: Rc<Worker>,
    /// Its place among all sessions.
    pub(crate) entered: Entered,
    /// The bytes to and from the client.
    pub(crate) client: Stream,
    /// Bytes received and not yet used.
    pub(crate) unread: Vec<u8>,
    /// The command at hand.
    pub(crate) command: Command,
    /// What client and proxy have agreed on.
    pub(crate) capabilities: Capabilities,
    /// Which backend connections answer with the same bytes.
    pub(crate) class: Class,
    /// `user@host` as matched.
    pub(crate) account: String,
    /// The user name as given.
    pub(crate) user: String,
    /// Which databases it may use; `None` for all.
    pub(crate) allowed_databases: Option<Vec<String>>,
    /// The current logical database.
    pub(crate) database: Option<Arc<str>>,
    /// What it has set and any backend connection can be given.
    pub(crate) settings: Arc<Settings>,
    /// The settings it started with, for RESET CONNECTION.
    pub(crate) initial_settings: Arc<Settings>,
    /// Current database and `sql_mode`, as plans depend on them.
    pub(crate) place: Place,
    /// What is asked of the settings at every statement.
    pub(crate) facts: Facts,
    /// How its text is read, from `sql_mode`.
    pub(crate) mode: SqlMode,
    /// Its transaction and the connections it holds.
    pub(crate) transaction: Transaction,
    /// Which replicas its reads go to.
    pub(crate) reads: crate::replicas::SessionReads,
    /// The statements it has prepared, by the id it was told.
    pub(crate) statements: HashMap<u32, ClientStatement>,
    /// The statements it has prepared by text, by name in lower case.
    pub(crate) text_statements: HashMap<String, TextStatement>,
    /// The id the next prepared statement gets.
    pub(crate) next_statement_id: u32,
    /// What the last statement left for LAST_INSERT_ID(), ROW_COUNT(), FOUND_ROWS(), SHOW WARNINGS.
    pub(crate) diagnostics: Diagnostics,
    /// The answer being written.
    pub(crate) out: Outgoing,
    /// A statement being written; kept for its memory.
    pub(crate) statement: Vec<u8>,
    /// Finds the end of relayed answers; kept for its memory.
    pub(crate) walker: ResponseWalker,
    /// A byte of the answer at hand has gone to the client by relay.
    pub(crate) is_answering: bool,
    /// The statement at hand is being stopped.
    pub(crate) is_stopping: bool,
    /// Statements may be separated by semicolons.
    pub(crate) multi_statements: bool,
    /// Temporary tables and the units they are on.
    pub(crate) temporary_tables: Vec<(String, UnitId)>,
    /// Cursors that are open; their connections are held.
    pub(crate) open_cursors: usize,
    /// The nonce of its greeting.
    pub(crate) nonce: Nonce,
    /// Answers are rebuilt, not relayed: they are part of a longer one.
    pub(crate) is_rebuilding: bool,
    /// The last statement's answer was an error of its storage unit.
    pub(crate) last_failed: bool,
    /// Sent before the statement at hand on each of its connections.
    pub(crate) statement_prelude: Option<String>,
    /// Read from the connection of the statement at hand when it has run.
    pub(crate) read_back: Option<crate::read_back::ReadBack>,
    /// What the statement at hand inserts with generated keys.
    pub(crate) inserted: Option<crate::keys::Inserted>,
    /// While set, the session keeps its own connection, and why.
    pub(crate) pin: Option<Pin>,
}

/// Current database and `sql_mode` in one number; two of them differ in practice and in 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Place(u64, u64);

impl Place {
    /// Half of the number.
    pub(crate) fn low(self) -> u64 {
        self.0
    }

    /// Of a session in this database that reads text this way.
    pub(crate) fn of(database: Option<&str>, mode: SqlMode) -> Self {
        use std::hash::{BuildHasher, Hash, Hasher};
        let hash = |seed| {
            let mut hasher = foldhash::quality::FixedState::with_seed(seed).build_hasher();
            database.hash(&mut hasher);
            mode.hash(&mut hasher);
            hasher.finish()
        };
        Self(hash(1), hash(2))
    }
}

/// What is asked of the settings at every statement.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    is_autocommit: bool,
    is_utf8: bool,
    /// Letters may have a second byte that is one of ASCII.
    has_ascii_trail_bytes: bool,
}

impl Facts {
    /// Of these settings.
    pub(crate) fn of(settings: &Settings) -> Self {
        let charset = settings.client_charset().map(|name| name.trim_matches(['\'', '"', '`']));
        Self {
            is_autocommit: settings.variables.get("autocommit").is_none_or(|value| value != "0"),
            is_utf8: matches!(charset, None | Some("utf8mb4" | "utf8mb3" | "utf8" | "ascii")),
            has_ascii_trail_bytes: matches!(
                charset,
                Some("gbk" | "gb18030" | "big5" | "sjis" | "cp932")
            ),
        }
    }
}

/// Why a session keeps its connection.
pub(crate) struct Pin {
    /// Counts it.
    pub(crate) _held: Held,
}

/// Level, code and text of a warning.
pub(crate) type Warning = (String, u16, String);

/// What can be asked about the last statement.
#[derive(Debug, Clone, Default)]
pub(crate) struct Diagnostics {
    /// LAST_INSERT_ID().
    pub(crate) last_insert_id: u64,
    /// FOUND_ROWS().
    pub(crate) found_rows: u64,
    /// ROW_COUNT().
    pub(crate) row_count: i64,
    /// SHOW WARNINGS: level, code, message; at most [`Diagnostics::MAX_WARNINGS`].
    pub(crate) warnings: Vec<Warning>,
    /// The number of warnings, which may be more than are kept.
    pub(crate) warning_count: u64,
}

impl Diagnostics {
    /// MySQL's default of `max_error_count`.
    pub(crate) const MAX_WARNINGS: usize = 64;

    /// A new statement begins.
    pub(crate) fn clear_warnings(&mut self) {
        self.warnings.clear();
        self.warning_count = 0;
    }

    /// A statement ended with this error.
    pub(crate) fn note_error(&mut self, code: u16, message: &str) {
        self.clear_warnings();
        self.warnings.push(("Error".to_owned(), code, message.to_owned()));
        self.warning_count = 1;
        self.row_count = -1;
    }
}

impl Session {
    /// The current database in this snapshot.
    ///
    /// # Errors
    /// None is chosen (1046), or it was dropped (1049).
    pub(crate) fn require_database(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Arc<LogicalDatabase>, StatementError> {
        let name = self.database.as_ref().ok_or_else(StatementError::no_database)?;
        snapshot
            .databases
            .get(&**name)
            .cloned()
            .ok_or_else(|| StatementError::unknown_database(name))
    }

    /// The current database in this snapshot, if one is chosen and exists.
    pub(crate) fn find_database(&self, snapshot: &Snapshot) -> Option<Arc<LogicalDatabase>> {
        snapshot.databases.get(&**self.database.as_ref()?).cloned()
    }

    /// Makes `name` the current database.
    ///
    /// # Errors
    /// It does not exist (1049), or the user may not use it (1044).
    pub(crate) fn use_database(
        &mut self,
        name: &str,
        snapshot: &Snapshot,
    ) -> Result<(), StatementError> {
        let known = snapshot.databases.get(name).map(|database| Arc::clone(&database.name));
        let name: Arc<str> = known
            .or_else(|| system_database(name).map(Arc::from))
            .ok_or_else(|| StatementError::unknown_database(name))?;
        if !self.may_use(&name) {
            return Err(StatementError::new(
                1044,
                "42000",
                format!("Access denied for user {} to database '{name}'", self.account),
            ));
        }
        *self.entered.handle().database.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
            Some(Arc::clone(&name));
        self.set_database(Some(name));
        Ok(())
    }

    /// True when the user may use this database.
    pub(crate) fn may_use(&self, database: &str) -> bool {
        system_database(database).is_some()
            || self
                .allowed_databases
                .as_ref()
                .is_none_or(|allowed| allowed.iter().any(|name| name == database || name == "*"))
    }

    /// True when the session's text is UTF-8 (or ASCII).
    pub(crate) fn is_utf8(&self) -> bool {
        self.facts.is_utf8
    }

    /// True with autocommit on.
    pub(crate) fn is_autocommit(&self) -> bool {
        self.facts.is_autocommit
    }

    /// Changes what backend connections are brought to.
    pub(crate) fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = (*self.settings).clone();
        change(&mut settings);
        self.set_settings(settings.intern());
    }

    /// Takes these settings over.
    pub(crate) fn set_settings(&mut self, settings: Arc<Settings>) {
        self.facts = Facts::of(&settings);
        self.settings = settings;
    }

    /// In some character sets a backslash or a backtick can be the second byte of a letter.
    ///
    /// # Errors
    /// This text has such a letter: where its strings end cannot be told for certain.
    pub(crate) fn check_text(&self, text: &[u8]) -> Result<(), StatementError> {
        let is_ambiguous = |pair: &[u8]| pair[0] >= 0x80 && matches!(pair[1], b'\\' | b'`');
        if self.facts.has_ascii_trail_bytes && text.windows(2).any(is_ambiguous) {
            return Err(StatementError::unsupported(
                "A letter of this character set ends with the byte of a backslash or backtick, \
                 which is not supported in statements: use parameters, or SET NAMES utf8mb4",
            ));
        }
        Ok(())
    }

    /// The insert id that the client is told, where a storage unit has told `own`.
    pub(crate) fn insert_id(&self, own: u64, affected: u64) -> u64 {
        self.inserted.as_ref().map_or(own, |inserted| inserted.told(own, affected))
    }

    /// Takes over how text is read.
    pub(crate) fn set_mode(&mut self, mode: SqlMode) {
        self.mode = mode;
        self.place = Place::of(self.database.as_deref(), mode);
    }

    /// Takes over another current database, or none.
    pub(crate) fn set_database(&mut self, database: Option<Arc<str>>) {
        self.place = Place::of(database.as_deref(), self.mode);
        self.database = database;
    }

    /// Keeps the session on its own connections from now on.
    pub(crate) fn pin(&mut self, reason: &'static str) {
        if self.pin.is_none() {
            tracing::debug!(account = self.account, reason, "session keeps its connection");
            self.pin = Some(Pin { _held: telemetry::METRICS.pinned_sessions.hold() });
        }
    }
}

/// The system databases every server has.
pub(crate) fn system_database(name: &str) -> Option<&'static str> {
    ["information_schema", "performance_schema", "mysql", "sys"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(name))
}
