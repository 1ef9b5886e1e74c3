//! Which order a collation gives, as far as bytes or sort keys tell.

/// How values of a collation compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollationOrder {
    /// By their own bytes; with `pad_space` the shorter one is padded with spaces.
    Bytes {
        /// PAD SPACE.
        pad_space: bool,
    },
    /// By `WEIGHT_STRING(x)`; the shorter key is padded with `pad`.
    SortKey {
        /// Empty for NO PAD.
        pad: &'static [u8],
    },
    /// Not known here.
    Unknown,
}

/// The order of a collation, by name in any case.
pub fn order_of(collation: &str) -> CollationOrder {
    if collation.eq_ignore_ascii_case("binary") {
        return CollationOrder::Bytes { pad_space: false };
    }
    CollationOrder::Unknown
}
