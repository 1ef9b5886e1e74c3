//! (crate documentation to come with its first code)
