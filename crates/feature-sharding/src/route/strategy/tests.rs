//! Routing over explicit data nodes.
