"""Resident memory of the proxy: with many clients, and while a slow client reads a large result."""

import struct
import sys
import threading
import time

import pymysql

from setting import Setting, create_sharded

FIRST, FURTHER = 200, 800
RESULT_GIB = 2
ROW_BYTES = 1 << 20


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def connect(port):
    return pymysql.connect(host="127.0.0.1", port=port, user="root", password="root",
                           database="sbtest", autocommit=True)


def work(clients, rounds=20):
    """All clients at a time, on one table over all units and on one table of one unit."""
    def run(client, number):
        with client.cursor() as cursor:
            for turn in range(rounds):
                cursor.execute(f"SELECT c FROM sbtest1 WHERE id = {number * 31 + turn}")
                cursor.execute(f"SELECT id, c FROM sbtest1 WHERE k < {turn} ORDER BY id LIMIT 5")
                cursor.execute("SELECT COUNT(*) FROM plain")
                cursor.fetchall()
    threads = [threading.Thread(target=run, args=pair) for pair in zip(clients, range(10**6))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def watch_slow_reader(port, pid, sql):
    """How far the memory rises while a client takes its rows slowly; a slow read, a pause, a read."""
    client = connect(port)
    before = resident_kib(pid)
    stream = client._sock
    text = sql.encode()
    stream.sendall(struct.pack("<I", len(text) + 1) + b"\x03" + text)
    most, received, wanted = before, 0, RESULT_GIB << 30
    time.sleep(2)
    while received < wanted:
        chunk = stream.recv(1 << 20)
        if not chunk:
            raise RuntimeError("the connection ended early")
        received += len(chunk)
        if received % (64 << 20) < len(chunk):
            time.sleep(0.1)
        most = max(most, resident_kib(pid))
    stream.close()
    return (most - before) / 1024


def report(what, figure, target, unit):
    is_met = figure <= target
    print(f"{what:<66} {figure:8.1f} {unit:<4} target {target:g}: {'met' if is_met else 'MISSED'}",
          flush=True)
    return is_met


def fill(port):
    client = connect(port)
    with client.cursor() as cursor:
        cursor.execute("CREATE TABLE sbtest1 (id INT PRIMARY KEY, k INT, c VARCHAR(120))")
        cursor.execute("CREATE TABLE plain (id INT PRIMARY KEY)")
        cursor.execute("INSERT INTO plain VALUES " + ", ".join(f"({n})" for n in range(2100)))
        rows = ", ".join(f"({n}, {n % 50}, '{'c' * 100}')" for n in range(2100))
        cursor.execute(f"INSERT INTO sbtest1 VALUES {rows}")
    client.close()


def main(program):
    setting = Setting("64M")
    databases = [setting.start_database(f"unit{index}") for index in range(2)]
    port, pid = setting.start_anabranch("proxy", program, workers=1)
    create_sharded(port, [database for database, _ in databases], 1)
    fill(port)
    clients = [connect(port) for _ in range(FIRST)]
    time.sleep(1)
    work(clients)
    time.sleep(1)
    first = resident_kib(pid)
    met = [report(f"resident with {FIRST} clients that were idle, then busy", first / 1024, 64, "MiB")]
    # Not all at a time: what they need while they run is bounded by the pools, not by their number.
    for _ in range(FURTHER // FIRST):
        more = [connect(port) for _ in range(FIRST)]
        work(more, 5)
        clients += more
    time.sleep(1)
    each = (resident_kib(pid) - first) / FURTHER
    met.append(report(f"each of {FURTHER} further clients", each, 16, "KiB"))
    for client in clients:
        client.close()
    for what, sql in [
        ("one unit", f"SELECT REPEAT('x', {ROW_BYTES}) FROM plain"),
        ("two units, merged in order", f"SELECT id, REPEAT('x', {ROW_BYTES}) FROM sbtest1 ORDER BY id"),
    ]:
        rise = watch_slow_reader(port, pid, sql)
        met.append(report(f"rise while {RESULT_GIB} GiB go to a slow client ({what})", rise, 16, "MiB"))
    setting.stop()
    sys.exit(0 if all(met) else 1)


main(sys.argv[1])
