//! `TRANSACTION_RANDOM`: as `RANDOM`; in a transaction, too.

use kernel::replicas::TransactionalReads;

use super::{Registration, random};

pub(super) const ENTRY: Registration = Registration {
    type_name: "TRANSACTION_RANDOM",
    description: "A random replica; in a transaction, too",
    transactional_reads: TransactionalReads::Dynamic,
    build: random::build,
};
