//! Checked rules: nodes, groups, what is refused.
