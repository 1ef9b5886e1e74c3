#!/usr/bin/env bash
# Ends with a clear text where there is no Rust toolchain that can build this.
set -euo pipefail
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
if ! command -v cargo >/dev/null; then
    echo "Rust is missing: install Rust $wanted or later (https://rustup.rs), then run this again." >&2
    exit 1
fi
found=$(rustc --version | cut -d' ' -f2)
oldest=$(printf '%s\n' "$wanted" "$found" | sort -V | head -n 1)
if [ "$oldest" != "$wanted" ]; then
    echo "Rust $found is too old: install Rust $wanted or later, for instance by \`rustup update\`." >&2
    exit 1
fi
