//! `FIXED_REPLICA_WEIGHT`: as `WEIGHT`; one replica through a transaction.

use kernel::replicas::TransactionalReads;

use super::{Registration, weight};

pub(super) const ENTRY: Registration = Registration {
    type_name: "FIXED_REPLICA_WEIGHT",
    description: "A random replica by weight; one replica through a transaction",
    transactional_reads: TransactionalReads::Fixed,
    build: weight::build,
};
