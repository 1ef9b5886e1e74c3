//! Every feature of this build, in the order it acts on a statement.

use kernel::feature::FeatureEntry;

/// Sharding creates the data nodes that everything after it works on.
/// Broadcast tables are defined beside them.
pub(crate) const FEATURES: &[FeatureEntry] =
    &[feature_sharding::FEATURE, feature_broadcast::FEATURE];
