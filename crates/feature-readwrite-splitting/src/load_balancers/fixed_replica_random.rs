//! `FIXED_REPLICA_RANDOM`: as `RANDOM`; one replica through a transaction.

use kernel::replicas::TransactionalReads;

use super::{Registration, random};

pub(super) const ENTRY: Registration = Registration {
    type_name: "FIXED_REPLICA_RANDOM",
    description: "A random replica; one replica through a transaction",
    transactional_reads: TransactionalReads::Fixed,
    build: random::build,
};
