//! SHOW PROCESSLIST: the sessions of this node.
//!
//! # Source
//! MySQL manual, "SHOW PROCESSLIST Statement" and "Accessing the Process List".

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use kernel::feature::TextTable;
use protocol::command::Command;

use super::show::table;
use crate::registry::{IDLE, SessionHandle};
use crate::session::Session;
use crate::statement_text::shown;

/// The sessions that the user may see.
pub(super) fn rows(session: &Session, is_full: bool) -> TextTable {
    let mut table = table(&["Id", "User", "Host", "db", "Command", "Time", "State", "Info"]);
    let registry = &session.worker.shared.registry;
    let now = registry.seconds();
    for handle in registry.all() {
        if session.allowed_databases.is_some() && handle.user.get() != Some(&session.account) {
            continue;
        }
        table.rows.push(row(&handle, session, now, is_full));
    }
    table
}

fn row(handle: &SessionHandle, session: &Session, now: u64, is_full: bool) -> Vec<Option<String>> {
    let user = handle.user.get().map(String::as_str);
    let database = handle.database.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let byte = handle.command.load(Relaxed);
    let command = if user.is_none() { "Connect" } else { command_name(byte) };
    let has_text = matches!(command, "Query" | "Execute");
    let state = match command {
        "Sleep" => "",
        "Connect" => "login",
        _ if handle.id == session.entered.handle().id => "init",
        _ => "executing",
    };
    let info = if has_text { handle.text.read() } else { None };
    vec![
        Some(handle.id.to_string()),
        Some(user.unwrap_or("unauthenticated user").split('@').next().unwrap_or("").to_owned()),
        Some(handle.host.clone()),
        database.map(|name| name.to_string()),
        Some(command.to_owned()),
        Some(now.saturating_sub(handle.since.load(Relaxed)).to_string()),
        Some(state.to_owned()),
        info.map(|text| shown(&text, is_full)),
    ]
}

/// As servers call the commands.
fn command_name(byte: u8) -> &'static str {
    if byte == IDLE {
        return "Sleep";
    }
    match Command::from_byte(byte) {
        Some(Command::Quit) => "Quit",
        Some(Command::InitDb) => "Init DB",
        Some(Command::FieldList) => "Field List",
        Some(Command::Statistics) => "Statistics",
        Some(Command::ProcessInfo) => "Processlist",
        Some(Command::ProcessKill) => "Kill",
        Some(Command::Ping) => "Ping",
        Some(Command::ChangeUser) => "Change user",
        Some(Command::StmtPrepare) => "Prepare",
        Some(Command::StmtExecute) => "Execute",
        Some(Command::StmtSendLongData) => "Long Data",
        Some(Command::StmtClose) => "Close stmt",
        Some(Command::StmtReset) => "Reset stmt",
        Some(Command::StmtFetch) => "Fetch",
        Some(Command::SetOption) => "Set option",
        Some(Command::ResetConnection) => "Reset Connection",
        _ => "Query",
    }
}
