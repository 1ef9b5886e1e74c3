#!/usr/bin/env bash
# Installs the Debian packages of programs that are missing, after saying which.
# Usage: install-packages.sh PROGRAM:PACKAGE... =PACKAGE...
# A package without a program, such as a library, is asked for where there is a dpkg.
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin

packages=()
is_installed() {
    ! command -v dpkg-query >/dev/null ||
        dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed'
}
for pair in "$@"; do
    case $pair in
    =*) is_installed "${pair#=}" || packages+=("${pair#=}") ;;
    *) command -v "${pair%%:*}" >/dev/null || packages+=("${pair#*:}") ;;
    esac
done
[ ${#packages[@]} -gt 0 ] || exit 0

manual="apt-get install --no-install-recommends ${packages[*]}"
echo "Missing here: the Debian packages ${packages[*]} (none of them starts a system service)."
if ! command -v apt-get >/dev/null; then
    echo "This machine has no apt-get. Install the programs by hand, then run this again." >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    printf 'Only root may install them. Run\n  sudo %s\nthen run this again.\n' "$manual" >&2
    exit 1
fi
echo "Installing them: $manual"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { apt-get update -q && apt-get install -q -y --no-install-recommends "${packages[@]}"; } >"$log" 2>&1; then
    tail -n 15 "$log" >&2
    exit 1
fi
