//! `FIXED_REPLICA_ROUND_ROBIN`: as `ROUND_ROBIN`; one replica through a transaction.

use kernel::replicas::TransactionalReads;

use super::{Registration, round_robin};

pub(super) const ENTRY: Registration = Registration {
    type_name: "FIXED_REPLICA_ROUND_ROBIN",
    description: "The replicas in turn; one replica through a transaction",
    transactional_reads: TransactionalReads::Fixed,
    build: round_robin::build,
};
