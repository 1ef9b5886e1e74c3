//! `TRANSACTION_WEIGHT`: as `WEIGHT`; in a transaction, too.

use kernel::replicas::TransactionalReads;

use super::{Registration, weight};

pub(super) const ENTRY: Registration = Registration {
    type_name: "TRANSACTION_WEIGHT",
    description: "A random replica by weight; in a transaction, too",
    transactional_reads: TransactionalReads::Dynamic,
    build: weight::build,
};
