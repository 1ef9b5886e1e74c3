//! COM_FIELD_LIST: the columns of a table, as old clients ask for them.

use kernel::error::StatementError;
use protocol::field::{Cursor, write_lenenc_bytes};
use protocol::frame::write_with;

use crate::execute::Failure;
use crate::session::Session;

/// Answers from the catalog: names and nothing else is what clients use it for.
pub(crate) async fn run(session: &mut Session, body: &[u8]) -> Result<(), Failure> {
    let name = Cursor::new(body).read_null_terminated_or_rest().to_vec();
    let name = String::from_utf8_lossy(&name).into_owned();
    let snapshot = session.worker.snapshot();
    let database = session.require_database(&snapshot)?;
    let unknown = || StatementError::unknown_table(&database.name, &name);
    let table = database.find_table(&name).ok_or_else(unknown)?;
    let metadata = table.metadata.clone().ok_or_else(unknown)?;
    for column in &metadata.columns {
        let definition = crate::answer::own_column(&column.name, column.is_integer());
        let mut payload = Vec::new();
        definition.encode(&mut payload, session.capabilities);
        write_lenenc_bytes(&mut payload, b"");
        let crate::answer::Outgoing { bytes, seq, .. } = &mut session.out;
        write_with(bytes, seq, |out| out.extend_from_slice(&payload));
        session.flush_when_full().await?;
    }
    let status = session.status();
    session.put_end_of_rows(0, status);
    Ok(())
}
