# Everything a developer does. `just` alone lists it.

[private]
default:
    @just --list

# Format, lints, documentation, tests: what the continuous integration runs.
check:
    ./run-tests

# The tests of one crate, or those whose names contain FILTER.
test crate filter="":
    cargo test --package {{ crate }} {{ filter }}

# The statements compared with one MariaDB.
oracle:
    cargo test --package anabranch --test oracle

# Random statements compared with one MariaDB for so many minutes, from a seed (default: the time).
# Prints what was compared, refused and different.
fuzz-oracle minutes="10" seed="":
    ANABRANCH_FUZZ_MINUTES={{ minutes }} {{ if seed == "" { "" } else { "ANABRANCH_SEED=" + seed } }} \
        cargo test --package anabranch --test random -- --ignored --nocapture

# Rewrite the expected parts of the golden cases; read the diff afterwards.
bless:
    BLESS=1 cargo test --workspace

# sysbench through Anabranch over four private servers.
demo *arguments:
    ./anabranch-demo {{ arguments }}

# The cost beside a direct connection and HAProxy.
bench *arguments:
    bench/compare.sh {{ arguments }}

# A real MySQL for the tests, in DIR.
mysql-root dir:
    scripts/mysql-root.sh {{ dir }}

# Serve with the sample configuration.
serve:
    cargo run --release --package anabranch -- serve --conf conf --data data
