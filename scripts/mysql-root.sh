#!/usr/bin/env bash
# Makes a folder with a real MySQL server, for the tests that need one beside MariaDB.
#
# Usage: scripts/mysql-root.sh DIR
#   then  export ANABRANCH_MYSQL_ROOT=DIR  and run the tests.
#
# Debian 12 itself has no MySQL, Debian unstable has: so DIR becomes a small Debian unstable with
# the package mysql-server-core, and the tests run its mysqld by chroot, each on a data folder of
# its own below DIR/srv. Needs root, about 1 GB and some minutes. Does nothing where DIR has a
# mysqld already.
set -euo pipefail

root=${1:?usage: scripts/mysql-root.sh DIR}
if [ -x "$root/usr/sbin/mysqld" ]; then
    echo "$root has a mysqld already."
    exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "This needs root: a chroot is made." >&2
    exit 1
fi

"$(dirname "$0")/install-packages.sh" debootstrap:debootstrap
root=$(mkdir -p "$root" && cd "$root" && pwd)
log=$root.log

fail() {
    echo "That did not work; the end of $log:" >&2
    tail -n 10 "$log" >&2
    exit 1
}

echo "Making a Debian unstable in $root …"
debootstrap --variant=minbase sid "$root" >"$log" 2>&1 || fail

# The new system reaches the package mirror the way this one does.
cp -a /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || true

echo "Installing MySQL in it …"
chroot "$root" sh -eu >>"$log" 2>&1 <<'INSIDE' || fail
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends mysql-server-core mysql-client-core
mkdir -p /srv
INSIDE

chroot "$root" /usr/sbin/mysqld --version
echo "Now: export ANABRANCH_MYSQL_ROOT=$root"
