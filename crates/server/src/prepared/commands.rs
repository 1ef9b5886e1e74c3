//! COM_STMT_*: what a client does with prepared statements.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use kernel::error::StatementError;
use kernel::keys::{Keys, WithKeys};
use kernel::plan::{Plan, RouteUnit, StatementClass, Target, Text};
use kernel::values::ParamValues;
use protocol::packet::stmt_prepare_ok::ComStmtPrepareOk;
use protocol::response::ResponseKind;
use storage::statements::Definitions;
use telemetry::METRICS;

use super::answered::{answer, answered};
use super::cursor::{close_cursor, note_cursor};
use super::{Execution, PreparedPlan, direct, filled, gathered, place, put_execute};
use super::{statement_id, unknown_statement};
use crate::answer::{Encoding, Outcome};
use crate::client_statements::ClientStatement;
use crate::execute::{Failure, Passing, Ready, exchange, give_back, prepare_connection, settle};
use crate::fan_out::{self, FanOut, Part, PartCommand};
use crate::gather;
use crate::keys::Inserted;
use crate::plan_cache::Body;
use crate::receive::Command as Received;
use crate::session::Session;
use crate::session_statements;
use crate::statement;

/// COM_STMT_PREPARE.
pub(crate) async fn prepare(session: &mut Session, text: &[u8]) -> Result<(), Failure> {
    let most = session.worker.shared.options.limits.max_prepared_statements as usize;
    if session.statements.len() >= most {
        let text = format!(
            "Can't create more than max_prepared_stmt_count statements (current value: {most})"
        );
        return Err(StatementError::new(1461, "42000", text).into());
    }
    session.check_text(text)?;
    if session_statements::is_blank(text) {
        return Err(session_statements::empty_query().into());
    }
    let plan = plan(session, text)?;
    let answered = match &plan.cached.body {
        Body::Asking => Some(answer(session, text)?),
        Body::Routed(_) | Body::Session(_) => None,
    };
    let described = answered.as_ref().map_or((text, &plan), |(text, plan)| (&**text, plan));
    let (param_count, definitions) = match &described.1.cached.body {
        Body::Session(statement) => (statement.param_count as u16, Arc::default()),
        Body::Routed(routed) => describe(session, described.1, routed, described.0).await?,
        Body::Asking => return Err(StatementError::syntax("an answer asks again").into()),
    };
    let id = session.next_statement_id;
    session.next_statement_id = session.next_statement_id.wrapping_add(1).max(1);
    let relabel = match &described.1.cached.body {
        Body::Routed(routed) => routed.relabel.clone(),
        Body::Session(_) | Body::Asking => None,
    };
    put_prepare_ok(session, id, param_count, &definitions, relabel.as_ref())?;
    let statement = ClientStatement {
        text: text.into(),
        mode: session.mode,
        database: session.database.clone(),
        plan,
        answered,
        param_count,
        param_types: Vec::new(),
        long_data: BTreeMap::new(),
        known: definitions,
        cursor: None,
        _held: METRICS.client_prepared_statements.hold(),
    };
    session.statements.insert(id, statement);
    Ok(())
}

/// The plan of a prepared text, from the worker's cache if another client has prepared it, too: then
/// connections already know its statements.
fn plan(session: &Session, text: &[u8]) -> Result<Rc<PreparedPlan>, StatementError> {
    let snapshot = session.worker.snapshot();
    let mut prepared = session.worker.prepared.borrow_mut();
    let key = (text.to_vec(), session.database.clone(), session.mode);
    let is_shared = session.temporary_tables.is_empty();
    if let Some(found) = prepared.get(&key).and_then(std::rc::Weak::upgrade)
        && found.version == snapshot.version
        && is_shared
    {
        return Ok(found);
    }
    let cached = statement::plan(session, &snapshot, text, &[])?;
    let plan = PreparedPlan::new(Rc::new(cached), snapshot.version);
    if is_shared {
        if prepared.len() > 256 && prepared.len().is_power_of_two() {
            prepared.retain(|_, plan| plan.strong_count() > 0);
        }
        prepared.insert(key, Rc::downgrade(&plan));
    }
    Ok(plan)
}

/// What a server says of the statement: it is prepared on the first unit it may go to.
async fn describe(
    session: &mut Session,
    plan: &PreparedPlan,
    routed: &Plan,
    text: &[u8],
) -> Result<(u16, Arc<Definitions>), Failure> {
    if let Some(gather) = routed.gather.as_deref().filter(|gather| gather.is_apart) {
        let values = ParamValues { params: &[], is_utf8: true };
        let written = Text { bytes: text, literals: &[], values: &values };
        let statement = gather::render(&gather.statement, written);
        let known = gather::describe(session, &plan.cached, gather, &statement).await?;
        return Ok((routed.param_count, known));
    }
    let unit = any_route_unit(session, plan, routed)?;
    let storage_unit = statement::find_unit(session, &plan.cached, &unit)?;
    let values = ParamValues { params: &[], is_utf8: true };
    let values = WithKeys { values: &values, keys: &Keys::default(), as_params: true };
    let mut sql = Vec::new();
    routed.single.render(Text { bytes: text, literals: &[], values: &values }, &unit, &mut sql);
    let mut ready = prepare_connection(session, storage_unit).await?;
    let begun = run_prelude(&mut ready).await;
    let key = (plan.single_id, unit.node);
    let placed = match begun {
        Ok(()) => place(session, &mut ready.connection, key, &sql).await,
        Err(failure) => Err(failure),
    };
    let known = ready.connection.statements.find(key).map(|known| Arc::clone(&known.definitions));
    give_back(session, ready, true);
    placed?;
    let known = known.unwrap_or_default();
    let kept = routed.single.kept_params(&unit, routed.param_count, &values);
    let Some(kept) = kept.filter(|_| !routed.keys.is_empty()) else {
        return Ok((routed.param_count, known));
    };
    // Parameters that were added for generated keys are none of the client's.
    let own = known.params.iter().zip(&kept).filter(|(_, kept)| **kept < routed.param_count);
    let params = own.map(|(definition, _)| definition.clone()).collect();
    let columns = known.columns.clone();
    Ok((routed.param_count, Arc::new(Definitions { params, columns })))
}

async fn run_prelude(ready: &mut Ready) -> Result<(), Failure> {
    for text in std::mem::take(&mut ready.prelude) {
        storage::command::run(&mut ready.connection, &text).await?;
    }
    Ok(())
}

/// A route unit to prepare on before the values are known.
fn any_route_unit(
    session: &Session,
    plan: &PreparedPlan,
    routed: &Plan,
) -> Result<RouteUnit, StatementError> {
    let nodes = match &routed.target {
        Target::Nodes { nodes, .. } | Target::Rows { nodes, .. } | Target::AllNodes(nodes) => {
            nodes.first()
        }
        Target::Unit(_) | Target::AnyOf(_) | Target::AnyUnit => None,
    };
    if let Some(node) = nodes {
        return Ok(RouteUnit { unit: node.unit, node: 0, rows: Default::default() });
    }
    let values = ParamValues { params: &[], is_utf8: true };
    let units = statement::route(session, &plan.cached, routed, &values)?;
    units.into_iter().next().ok_or_else(|| StatementError::unsupported("no unit to prepare on"))
}

fn put_prepare_ok(
    session: &mut Session,
    id: u32,
    params: u16,
    definitions: &Definitions,
    relabel: Option<&kernel::plan::Relabel>,
) -> Result<(), Failure> {
    let ok = ComStmtPrepareOk {
        statement_id: id,
        columns: definitions.columns.len() as u16,
        params,
        warnings: 0,
        has_metadata: true,
    };
    let capabilities = session.capabilities;
    let mut payload = Vec::new();
    ok.encode(&mut payload, capabilities);
    session.put_payload(&payload);
    for index in 0..usize::from(params) {
        match definitions.params.get(index) {
            Some(definition) => session.put_payload(definition),
            None => session.put_own_column("?", false),
        }
    }
    if params > 0 {
        session.put_end_of_metadata();
    }
    for definition in &definitions.columns {
        crate::rebuild::put_definition(session, definition, relabel)?;
    }
    if !definitions.columns.is_empty() {
        session.put_end_of_metadata();
    }
    Ok(())
}

/// COM_STMT_EXECUTE.
pub(crate) async fn execute(session: &mut Session, received: &mut Received) -> Result<(), Failure> {
    METRICS.statements_total.increment();
    if let Some(done) = execute_directly(session, received).await? {
        return Ok(done);
    }
    Box::pin(execute_at_length(session, received)).await
}

/// The short way, where it can be gone.
async fn execute_directly(
    session: &mut Session,
    received: &mut Received,
) -> Result<Option<()>, Failure> {
    let Some(id) = received.payload().get(1..5) else { return Ok(None) };
    let id = u32::from_le_bytes([id[0], id[1], id[2], id[3]]);
    refresh_plan(session, id)?;
    let Some(statement) = session.statements.get(&id) else { return Ok(None) };
    session.entered.handle().text.note(&statement.text);
    let plan = Rc::clone(&statement.plan);
    let Body::Routed(routed) = &plan.cached.body else { return Ok(None) };
    if !crate::effects::is_free(routed) {
        return Ok(None);
    }
    let Some(found) = direct::find(session, statement, &plan, routed, received) else {
        return Ok(None);
    };
    let is_done = direct::run(session, id, &plan, routed, found, received).await?;
    Ok(is_done.then_some(()))
}

/// The long way: values are read, parts made, types and values sent ahead added.
async fn execute_at_length(session: &mut Session, received: &Received) -> Result<(), Failure> {
    let body = &received.payload()[1..];
    let id = statement_id(body)?;
    let unknown = || unknown_statement(id, "mysqld_stmt_execute");
    close_cursor(session, id).await?;
    refresh_plan(session, id)?;
    let capabilities = session.capabilities;
    let statement = session.statements.get_mut(&id).ok_or_else(unknown)?;
    let long_data = std::mem::take(&mut statement.long_data);
    let execution = Execution::decode(
        body,
        statement.param_count,
        &statement.param_types,
        long_data,
        capabilities,
    )?;
    statement.param_types.clone_from(&execution.types);
    let plan = Rc::clone(&statement.plan);
    let text = Rc::clone(&statement.text);
    match &plan.cached.body {
        Body::Session(statement) => {
            if execution.param_count > 0 {
                return Box::pin(filled::run(session, &text, &execution)).await;
            }
            let snapshot = session.worker.snapshot();
            let asked = session_statements::Asked {
                statement,
                text: &text,
                snapshot: &snapshot,
                encoding: Encoding::Binary,
            };
            Box::pin(session_statements::run(session, asked)).await
        }
        Body::Routed(_) | Body::Asking => {
            let (text, plan) = answered(session, id, text, plan)?;
            let Body::Routed(routed) = &plan.cached.body else {
                return Err(StatementError::syntax("an answer changed the statement").into());
            };
            crate::effects::before(session, routed).await?;
            let result = run_with_keys(session, id, &text, &plan, routed, execution).await;
            crate::effects::after(session, &plan.cached, routed, result).await
        }
    }
}

/// The plan under the catalog as it is now.
fn refresh_plan(session: &mut Session, id: u32) -> Result<(), Failure> {
    let version = session.worker.snapshot().version;
    let Some(statement) = session.statements.get(&id) else {
        return Err(unknown_statement(id, "mysqld_stmt_execute"));
    };
    if statement.plan.version == version {
        return Ok(());
    }
    let text = Rc::clone(&statement.text);
    let asked = (statement.mode, statement.database.clone());
    let kept = (session.mode, session.database.clone());
    (session.mode, session.database) = asked;
    let planned = plan(session, &text);
    (session.mode, session.database) = kept;
    let planned = planned?;
    if let Some(statement) = session.statements.get_mut(&id) {
        statement.plan = planned;
    }
    Ok(())
}

/// Makes the keys that an INSERT lacks, and runs it.
async fn run_with_keys(
    session: &mut Session,
    id: u32,
    text: &[u8],
    plan: &Rc<PreparedPlan>,
    routed: &Plan,
    execution: Execution,
) -> Result<(), Failure> {
    if routed.keys.is_empty() {
        return run(session, id, text, plan, routed, (execution, Keys::default())).await;
    }
    let needs = {
        let params = execution.decode_values()?;
        let values = ParamValues { params: &params, is_utf8: session.is_utf8() };
        crate::keys::needs(routed, &values)?
    };
    let keys = Box::pin(crate::keys::make(session, &plan.cached, routed, needs)).await?;
    run(session, id, text, plan, routed, (execution, keys)).await
}

async fn run(
    session: &mut Session,
    id: u32,
    text: &[u8],
    plan: &Rc<PreparedPlan>,
    routed: &Plan,
    (execution, keys): (Execution, Keys),
) -> Result<(), Failure> {
    let params = execution.decode_values()?;
    let values = ParamValues { params: &params, is_utf8: session.is_utf8() };
    let values = WithKeys { values: &values, keys: &keys, as_params: true };
    let units = statement::route(session, &plan.cached, routed, &values)?;
    let written = Text { bytes: text, literals: &[], values: &values };
    if let Some(column) = &routed.counted
        && column.are_all_given(&values)
    {
        session.inserted = Some(Inserted::given());
    }
    let with_keys = match keys.columns.is_empty() {
        true => None,
        false => Some(execution.with_keys(&keys)?),
    };
    let count = execution.param_count;
    let execution = with_keys.as_ref().unwrap_or(&execution);
    let [unit] = units.as_slice() else {
        if let Some(gather) = gather::over_several(routed) {
            crate::replicas::note_change(session, routed);
            return gathered::run(session, plan, routed, gather, written, execution).await;
        }
        crate::effects::check_several(routed)?;
        let fan_out = make_parts(session, plan, routed, &units, written, (execution, count))?;
        return Box::pin(fan_out::run(session, fan_out)).await;
    };
    let kept = match keys.columns.is_empty() {
        true => None,
        false => routed.single.kept_params(unit, count, written.values),
    };
    let kept = kept.map(|kept| execution.keep(&kept)).transpose()?;
    let execution = kept.as_ref().unwrap_or(execution);
    let storage_unit = crate::replicas::find_unit(session, &plan.cached, routed, unit)?;
    let mut ready = prepare_connection(session, storage_unit).await?;
    let key = (plan.single_id, unit.node);
    let placed = match ready.connection.statements.find(key) {
        Some(known) => Ok(known.id),
        None => {
            let mut sql = Vec::new();
            routed.single.render(written, unit, &mut sql);
            match run_prelude(&mut ready).await {
                Ok(()) => place(session, &mut ready.connection, key, &sql).await,
                Err(failure) => Err(failure),
            }
        }
    };
    let backend_id = match placed {
        Ok(backend_id) => backend_id,
        Err(failure) => return settle(session, ready, Err(failure)).await.map(drop),
    };
    let mut packet = std::mem::take(&mut session.statement);
    packet.clear();
    put_execute(&mut ready.connection, key, backend_id, execution, &mut packet);
    let knows = knows_metadata(session, id, &mut ready, key);
    let passing = Passing {
        kind: ResponseKind::StmtExecute,
        relabel: routed.relabel.as_ref(),
        is_ddl: routed.class == StatementClass::Ddl,
        definitions: knows,
        is_read: false,
        row_names: routed.row_names,
    };
    let has_cursor = execution.flags != 0;
    let result = exchange(session, &mut ready, &packet, &passing).await;
    session.statement = packet;
    if let Ok(summary) = &result {
        note_cursor(session, id, summary, &ready, backend_id, has_cursor);
    }
    settle(session, ready, result).await.map(drop)
}

/// The parts of an execution on several nodes.
fn make_parts<'p>(
    session: &mut Session,
    plan: &Rc<PreparedPlan>,
    routed: &'p Plan,
    units: &[RouteUnit],
    written: Text<'_>,
    (execution, count): (&Execution, u16),
) -> Result<FanOut<'p>, StatementError> {
    let multi = routed.multi.as_ref().map_err(Clone::clone)?;
    let values = multi.merge.values(written.values)?;
    let mut parts = Vec::with_capacity(units.len());
    let mut choices = crate::replicas::Choices::default();
    for unit in units {
        let mut sql = Vec::new();
        multi.template.render(written, unit, &mut sql);
        let own = match multi.template.kept_params(unit, count, written.values) {
            Some(kept) => execution.keep(&kept)?,
            None => execution.clone(),
        };
        parts.push(Part {
            unit: choices.find(session, &plan.cached, routed, unit)?.clone(),
            command: PartCommand::Execute {
                key: plan.part_key(unit, &sql),
                sql,
                execution: Rc::new(Execution { flags: 0, ..own }),
            },
        });
    }
    Ok(FanOut {
        class: routed.class,
        merge: &multi.merge,
        values,
        relabel: routed.relabel.as_ref(),
        encoding: Encoding::Binary,
        parts,
        rows: statement::inserted_rows(routed),
    })
}

/// The definitions the client lacks, if the server will not repeat them: a server that caches
/// metadata sends definitions only when they have changed since it sent them last on this
/// connection, which may not be what this client was given.
pub(super) fn knows_metadata(
    session: &mut Session,
    id: u32,
    ready: &mut Ready,
    key: (u64, u32),
) -> Option<Arc<Definitions>> {
    let on_connection = Arc::clone(&ready.connection.statements.find(key)?.definitions);
    let statement = session.statements.get_mut(&id)?;
    if Arc::ptr_eq(&statement.known, &on_connection) || *statement.known == *on_connection {
        return None;
    }
    statement.known = Arc::clone(&on_connection);
    Some(on_connection)
}

/// COM_STMT_RESET.
pub(crate) async fn reset(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let id = statement_id(body)?;
    close_cursor(session, id).await?;
    let statement = session.statements.get_mut(&id);
    let statement = statement.ok_or_else(|| unknown_statement(id, "mysqld_stmt_reset"))?;
    statement.long_data.clear();
    session.put_ok(&Outcome::default());
    Ok(())
}

/// COM_STMT_CLOSE: without an answer.
pub(crate) async fn close(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let Ok(id) = statement_id(body) else { return Ok(()) };
    close_cursor(session, id).await?;
    session.statements.remove(&id);
    Ok(())
}

/// COM_STMT_SEND_LONG_DATA: without an answer; what is wrong with it, EXECUTE says.
pub(crate) fn send_long_data(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let limit = session.worker.shared.options.limits.max_allowed_packet as usize;
    let (Ok(id), Some(param)) = (statement_id(body), body.get(4..6)) else { return Ok(()) };
    let param = u16::from_le_bytes([param[0], param[1]]);
    let Some(statement) = session.statements.get_mut(&id) else { return Ok(()) };
    let held: usize = statement.long_data.values().map(Vec::len).sum();
    let data = &body[6..];
    if param < statement.param_count && held + data.len() <= limit {
        statement.long_data.entry(param).or_default().extend_from_slice(data);
    }
    Ok(())
}
