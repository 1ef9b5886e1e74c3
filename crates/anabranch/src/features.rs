//! Every feature of this build, in the order it acts on a statement.

use kernel::feature::FeatureEntry;

/// Sharding creates the data nodes that everything after it works on.
pub(crate) const FEATURES: &[FeatureEntry] = &[feature_sharding::FEATURE];
