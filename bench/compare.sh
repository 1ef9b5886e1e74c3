#!/usr/bin/env bash
# Measures what Anabranch costs beside a direct connection and HAProxy, in one command:
# installs what is missing (says so before), builds a release, starts everything, stops it again.
#   bench/compare.sh --quick          a few minutes, to see that it works
#   bench/compare.sh                  the figures of docs/performance.md
#   bench/compare.sh --help
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$here")

program=
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
    --program) program=$2; shift 2 ;;
    *) arguments+=("$1"); shift ;;
    esac
done

"$root/scripts/install-packages.sh" \
    mariadbd:mariadb-server-core mariadb:mariadb-client sysbench:sysbench haproxy:haproxy \
    python3:python3 taskset:util-linux
case " ${arguments[*]-} " in
*" --help "* | *" -h "* | *" --report "*) ;;
*)
    if [ -z "$program" ]; then
        "$root/scripts/require-rust.sh"
        echo "Building a release …" >&2
        (cd "$root" && cargo build --release --locked --package anabranch)
        program=${CARGO_TARGET_DIR:-$root/target}/release/anabranch
    fi
    ;;
esac
exec python3 "$here/compare.py" --program "$program" "${arguments[@]}"
