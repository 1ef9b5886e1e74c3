//! Command bytes: the first byte of what a client sends after the handshake.

/// What a client asks for.
///
/// # Source
/// `page_protocol_command_phase` and `enum_server_command` of the MySQL server documentation;
/// 0xFA (COM_STMT_BULK_EXECUTE) of the MariaDB knowledge base.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the protocol's own")]
pub enum Command {
    Sleep = 0x00,
    Quit = 0x01,
    InitDb = 0x02,
    Query = 0x03,
    FieldList = 0x04,
    CreateDb = 0x05,
    DropDb = 0x06,
    Refresh = 0x07,
    Shutdown = 0x08,
    Statistics = 0x09,
    ProcessInfo = 0x0A,
    Connect = 0x0B,
    ProcessKill = 0x0C,
    Debug = 0x0D,
    Ping = 0x0E,
    Time = 0x0F,
    DelayedInsert = 0x10,
    ChangeUser = 0x11,
    BinlogDump = 0x12,
    TableDump = 0x13,
    ConnectOut = 0x14,
    RegisterSlave = 0x15,
    StmtPrepare = 0x16,
    StmtExecute = 0x17,
    StmtSendLongData = 0x18,
    StmtClose = 0x19,
    StmtReset = 0x1A,
    SetOption = 0x1B,
    StmtFetch = 0x1C,
    Daemon = 0x1D,
    BinlogDumpGtid = 0x1E,
    ResetConnection = 0x1F,
    StmtBulkExecute = 0xFA,
}

/// Commands 0x00 to 0x1F in order.
const IN_ORDER: [Command; 32] = [
    Command::Sleep,
    Command::Quit,
    Command::InitDb,
    Command::Query,
    Command::FieldList,
    Command::CreateDb,
    Command::DropDb,
    Command::Refresh,
    Command::Shutdown,
    Command::Statistics,
    Command::ProcessInfo,
    Command::Connect,
    Command::ProcessKill,
    Command::Debug,
    Command::Ping,
    Command::Time,
    Command::DelayedInsert,
    Command::ChangeUser,
    Command::BinlogDump,
    Command::TableDump,
    Command::ConnectOut,
    Command::RegisterSlave,
    Command::StmtPrepare,
    Command::StmtExecute,
    Command::StmtSendLongData,
    Command::StmtClose,
    Command::StmtReset,
    Command::SetOption,
    Command::StmtFetch,
    Command::Daemon,
    Command::BinlogDumpGtid,
    Command::ResetConnection,
];

impl Command {
    /// The command that `byte` stands for; None for a byte that names none.
    pub fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0xFA => Some(Self::StmtBulkExecute),
            other => IN_ORDER.get(usize::from(other)).copied(),
        }
    }

    /// Whether the server sends nothing back.
    pub const fn has_no_response(self) -> bool {
        matches!(self, Self::Quit | Self::StmtSendLongData | Self::StmtClose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_commands_agree() {
        for byte in 0..=0x1F {
            assert_eq!(Command::from_byte(byte).map(|command| command as u8), Some(byte));
        }
        assert_eq!(Command::from_byte(0xFA), Some(Command::StmtBulkExecute));
        assert_eq!(Command::from_byte(0x20), None);
        assert_eq!(Command::from_byte(0xFF), None);
    }
}
