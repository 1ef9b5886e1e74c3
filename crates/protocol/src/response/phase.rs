//! Which packet may come next in a response.

use super::ResponseKind;

/// Which packet may come next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// OK, ERR, a file request or a column count.
    ResultHead,
    /// OK or ERR after the client's file.
    AfterInfile,
    ColumnDefinitions,
    ColumnsEof,
    /// Rows, until EOF, OK or ERR.
    Rows,
    PrepareHead,
    ParamDefinitions,
    ParamsEof,
    PreparedColumnDefinitions,
    PreparedColumnsEof,
    /// Definitions of COM_FIELD_LIST, until EOF, OK or ERR.
    FieldList,
    /// One OK, EOF or ERR.
    Simple,
    Statistics,
    /// Nothing more.
    Done,
}

impl Phase {
    pub(super) const fn first_of(kind: ResponseKind) -> Self {
        match kind {
            ResponseKind::Query | ResponseKind::StmtExecute => Self::ResultHead,
            ResponseKind::StmtPrepare => Self::PrepareHead,
            ResponseKind::StmtFetch => Self::Rows,
            ResponseKind::FieldList => Self::FieldList,
            ResponseKind::Simple => Self::Simple,
            ResponseKind::Statistics => Self::Statistics,
        }
    }
}
