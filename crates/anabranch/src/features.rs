//! Every feature of this build, in the order it acts on a statement.

use kernel::feature::FeatureEntry;

/// Sharding creates the data nodes that everything after it works on.
/// Broadcast tables are defined beside them. Read/write splitting sends what was routed to a unit on to
/// a replica of it.
pub(crate) const FEATURES: &[FeatureEntry] = &[
    feature_sharding::FEATURE,
    feature_broadcast::FEATURE,
    feature_readwrite_splitting::FEATURE,
];
