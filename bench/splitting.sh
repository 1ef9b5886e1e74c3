#!/usr/bin/env bash
# Measures read/write splitting beside the primary alone, in one command:
# installs what is missing (says so before), builds a release, starts everything, stops it again.
#   bench/splitting.sh --quick          a minute or two, to see that it works
#   bench/splitting.sh                  five rounds
#   bench/splitting.sh --help
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
    mariadbd:mariadb-server-core mariadb:mariadb-client \
    python3:python3 sysbench:sysbench
case " ${arguments[*]-} " in
*" --help "* | *" -h "*) ;;
*)
    if [ -z "$program" ]; then
        "$root/scripts/require-rust.sh"
        echo "Building a release …" >&2
        (cd "$root" && cargo build --release --locked --package anabranch)
        program=${CARGO_TARGET_DIR:-$root/target}/release/anabranch
    fi
    ;;
esac
exec python3 "$here/splitting.py" --program "$program" "${arguments[@]}"
