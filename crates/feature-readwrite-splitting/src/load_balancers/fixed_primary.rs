//! `FIXED_PRIMARY`: replicas are never read.

use kernel::replicas::TransactionalReads;

use super::Registration;

pub(super) const ENTRY: Registration = Registration {
    type_name: "FIXED_PRIMARY",
    description: "The primary",
    transactional_reads: TransactionalReads::Primary,
    build: |_| Ok(None),
};
