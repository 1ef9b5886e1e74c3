//! `TRANSACTION_ROUND_ROBIN`: as `ROUND_ROBIN`; in a transaction, too.

use kernel::replicas::TransactionalReads;

use super::{Registration, round_robin};

pub(super) const ENTRY: Registration = Registration {
    type_name: "TRANSACTION_ROUND_ROBIN",
    description: "The replicas in turn; in a transaction, too",
    transactional_reads: TransactionalReads::Dynamic,
    build: round_robin::build,
};
