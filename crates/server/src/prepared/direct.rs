//! The short way of an execution: the client's packet goes on with the four bytes of the statement
//! id changed. It is taken when nothing else must be: one route unit, the statement prepared on its
//! connection, no values sent ahead, parameter types the connection knows or the packet brings.

use eval::Value;
use kernel::plan::{Plan, RouteUnit, StatementClass};
use kernel::predicate::{ValueRef, ValueSource};
use protocol::binary;
use protocol::capability::Capabilities;
use protocol::column_type::ValueType;
use protocol::field::Cursor;
use protocol::frame::HEADER_LEN;
use protocol::response::ResponseKind;
use storage::connection::Connection;

use super::commands::knows_metadata;
use super::cursor::note_cursor;
use super::execution::routing_value;
use super::{PreparedPlan, StatementKey};
use crate::client_statements::ClientStatement;
use crate::execute::{Failure, Passing, exchange, prepare_connection, settle, was_dead};
use crate::keys::Inserted;
use crate::receive::Command as Received;
use crate::session::Session;
use crate::statement;

/// Command byte, statement id, flags, iteration count.
const NULLS_AT: usize = 10;

/// Where things stand in a packet with parameters.
///
/// # Source
/// `page_protocol_com_stmt_execute`.
#[derive(Debug, Clone, Copy)]
struct Layout {
    /// Behind the NULL bitmap: 1 when types follow.
    bound_at: usize,
    /// The first value.
    values_at: usize,
    has_types: bool,
}

impl Layout {
    fn of(payload: &[u8], param_count: usize) -> Option<Self> {
        if param_count == 0 {
            return Some(Self { bound_at: NULLS_AT, values_at: NULLS_AT, has_types: false });
        }
        let bound_at = NULLS_AT + param_count.div_ceil(8);
        let has_types = match payload.get(bound_at)? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let values_at = bound_at + 1 + if has_types { param_count * 2 } else { 0 };
        (values_at <= payload.len()).then_some(Self { bound_at, values_at, has_types })
    }

    fn types<'p>(&self, payload: &'p [u8]) -> &'p [u8] {
        if self.has_types { &payload[self.bound_at + 1..self.values_at] } else { &[] }
    }
}

/// Parameters read from the packet as they are asked for.
struct PacketParams<'a> {
    nulls: &'a [u8],
    types: &'a [u8],
    values: &'a [u8],
    is_utf8: bool,
}

impl PacketParams<'_> {
    fn param(&self, wanted: u16) -> Option<Value<'_>> {
        if binary::is_null(self.nulls, wanted.into()) {
            return Some(Value::Null);
        }
        let mut cursor = Cursor::new(self.values);
        for index in 0..wanted {
            if !binary::is_null(self.nulls, index.into()) {
                binary::skip_value(&mut cursor, self.value_type(index)?.column_type).ok()?;
            }
        }
        let value_type = self.value_type(wanted)?;
        let value = binary::read_value(&mut cursor, value_type).ok()?;
        Some(routing_value(value, value_type))
    }

    fn value_type(&self, index: u16) -> Option<ValueType> {
        let at = usize::from(index) * 2;
        Some(ValueType::from_bytes([*self.types.get(at)?, *self.types.get(at + 1)?]))
    }
}

impl ValueSource for PacketParams<'_> {
    fn value<'v>(&'v self, value: &'v ValueRef) -> Value<'v> {
        match value {
            ValueRef::Const(value) => kernel::predicate::borrowed(value),
            ValueRef::Param(index) => self.param(*index).unwrap_or(Value::Null),
            ValueRef::Literal { .. } => Value::Null,
            ValueRef::Key { given, .. } => kernel::predicate::given(self, given),
            ValueRef::Computed(computed) => computed.evaluate(self),
        }
    }

    fn is_utf8(&self) -> bool {
        self.is_utf8
    }
}

/// Where the short way leads.
pub(crate) struct Direct {
    unit: RouteUnit,
    layout: Layout,
    /// The rows have keys of their own.
    inserted: Option<Inserted>,
}

/// Finds out whether the short way can be taken, as far as that can be told without a connection;
/// `None` when it cannot, or when the packet is malformed.
pub(crate) fn find(
    session: &Session,
    statement: &ClientStatement,
    plan: &PreparedPlan,
    routed: &Plan,
    received: &Received,
) -> Option<Direct> {
    let is_simple = !received.is_joined
        && statement.long_data.is_empty()
        && statement.cursor.is_none()
        && !session.capabilities.contains(Capabilities::QUERY_ATTRIBUTES);
    if !is_simple {
        return None;
    }
    let payload = received.payload();
    let layout = Layout::of(payload, statement.param_count.into())?;
    let types = if layout.has_types { layout.types(payload) } else { &statement.param_types };
    if types.len() != usize::from(statement.param_count) * 2 {
        return None;
    }
    let params = PacketParams {
        nulls: &payload[NULLS_AT..layout.bound_at],
        types,
        values: &payload[layout.values_at..],
        is_utf8: session.is_utf8(),
    };
    let mut units = statement::route(session, &plan.cached, routed, &params).ok()?;
    let unit = units.pop().filter(|_| units.is_empty())?;
    let is_counted = routed.counted.as_ref().is_some_and(|column| column.are_all_given(&params));
    let inserted = match routed.keys.is_empty() {
        true => is_counted.then(Inserted::given),
        false => Some(crate::keys::all_given(session, routed, &params)?),
    };
    Some(Direct { unit, layout, inserted })
}

/// Goes the short way; `None` when the connection does not allow it, and nothing was done then but
/// to find the connection, which is kept for the long way.
pub(crate) async fn run(
    session: &mut Session,
    id: u32,
    plan: &PreparedPlan,
    routed: &Plan,
    direct: Direct,
    received: &mut Received,
) -> Result<bool, Failure> {
    let Direct { unit, layout, inserted } = direct;
    let storage_unit = crate::replicas::find_unit(session, &plan.cached, routed, &unit)?;
    let mut ready = prepare_connection(session, storage_unit).await?;
    let key = (plan.single_id, unit.node);
    let Some(statement) = session.statements.get_mut(&id) else { return Ok(false) };
    let Some(backend_id) = claim(&mut ready.connection, key, statement, layout, received.payload())
    else {
        crate::execute::give_back(session, ready, true);
        return Ok(false);
    };
    let id_at = HEADER_LEN + 1;
    received.bytes[id_at..id_at + 4].copy_from_slice(&backend_id.to_le_bytes());
    let has_cursor = received.payload()[5] != 0;
    let passing = Passing {
        kind: ResponseKind::StmtExecute,
        relabel: routed.relabel.as_ref(),
        is_ddl: false,
        definitions: knows_metadata(session, id, &mut ready, key),
        is_read: routed.class == StatementClass::Read,
        row_names: routed.row_names,
    };
    let may_repeat = passing.is_read && passing.definitions.is_none();
    let result = exchange(session, &mut ready, &received.bytes, &passing).await;
    if may_repeat && was_dead(session, &ready, &result) {
        received.bytes[id_at..id_at + 4].copy_from_slice(&id.to_le_bytes());
        return Ok(false);
    }
    if has_cursor && let Ok(summary) = &result {
        note_cursor(session, id, summary, &ready, backend_id, has_cursor);
    }
    session.inserted = inserted;
    let settled = settle(session, ready, result).await.map(drop);
    if session.inserted.is_some() {
        crate::keys::settle(session, &settled);
    }
    settled.map(|()| true)
}

/// The server's id of the statement, if its connection knows the parameter types or the packet
/// brings them; both sides take note of those.
fn claim(
    connection: &mut Connection,
    key: StatementKey,
    statement: &mut ClientStatement,
    layout: Layout,
    payload: &[u8],
) -> Option<u32> {
    let known = connection.statements.find(key)?;
    let brought = layout.types(payload);
    if layout.has_types {
        if statement.param_types != brought {
            statement.param_types.clear();
            statement.param_types.extend_from_slice(brought);
        }
        if known.bound_types != brought {
            known.bound_types.clear();
            known.bound_types.extend_from_slice(brought);
        }
        return Some(known.id);
    }
    (known.bound_types == statement.param_types).then_some(known.id)
}
