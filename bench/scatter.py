"""What statements over many data nodes cost through Anabranch, beside one MariaDB that holds the
same rows and does the same work, in one run.

Reads go by turns to one MariaDB and to ten data nodes (one server each) through the proxy. Batch
INSERT goes by turns to one MariaDB, through the proxy, and to the ten servers themselves by a
loader that has the same rows already split. Medians over the rounds are printed; a ratio is formed
round by round before its median is taken.

  direct ms, proxy ms    time from the first statement to the last row
  x direct               proxy ms divided by direct ms
  proxy us               CPU of the proxy process a statement
  ns a row               the same for each row that the data nodes sent it
  db x                   CPU of the servers behind the proxy, divided by that of the one server

Every reader is one `mariadb` client that throws the rows away.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from measure import cpu_seconds
from setting import Endpoint, Setting, create_sharded, run_sql

TABLE, INSERTED = "sbtest1", "sbtest2"
COLUMNS = "id INT NOT NULL PRIMARY KEY, k INT NOT NULL, c CHAR(120) NOT NULL, pad CHAR(60) NOT NULL"
QUICK = {"rows": 20_000, "rounds": 1, "batches": 20}
# Name, statement, and how many rows the nodes send for it: a number, or a function of the rows of
# the table and the nodes.
READS = [
    ("scan", "SELECT id, k, c FROM {t}", lambda rows, nodes: rows),
    ("ordered by number", "SELECT id, k, c FROM {t} ORDER BY id", lambda rows, nodes: rows),
    ("ordered by text", "SELECT c FROM {t} ORDER BY c, id", lambda rows, nodes: rows),
    ("ordered, LIMIT 100", "SELECT id, k FROM {t} ORDER BY k, id LIMIT 100",
     lambda rows, nodes: 100 * nodes),
    ("deep LIMIT", "SELECT id, k FROM {t} ORDER BY id LIMIT {half}, 10",
     lambda rows, nodes: rows // 2),
    ("COUNT, SUM", "SELECT COUNT(*), SUM(k), MAX(id) FROM {t}", lambda rows, nodes: nodes),
    ("GROUP BY, 100 groups", "SELECT k % 100 AS g, COUNT(*), SUM(k) FROM {t} GROUP BY g ORDER BY g",
     lambda rows, nodes: 100 * nodes),
    ("GROUP BY, many groups", "SELECT k, COUNT(*), SUM(id) FROM {t} GROUP BY k ORDER BY k",
     lambda rows, nodes: rows),
    ("COUNT(DISTINCT)", "SELECT COUNT(DISTINCT k) FROM {t}", lambda rows, nodes: rows),
    ("HAVING", "SELECT k % 100 AS g, COUNT(*) AS n FROM {t} GROUP BY g HAVING n > 10 ORDER BY n, g",
     lambda rows, nodes: 100 * nodes),
]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, prog="bench/scatter.sh",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--program", default="", help="the anabranch program (default: a release is built)")
    add("--quick", action="store_true", help="a small table, one round")
    add("--nodes", type=int, default=10)
    add("--rows", type=int, default=200_000)
    add("--rounds", type=int, default=5)
    add("--repeat-ms", type=int, default=300, help="statements are repeated for about this long")
    add("--batches", type=int, default=200, help="INSERT statements of a round")
    add("--batch-rows", type=int, default=1000)
    add("--clients", type=int, default=4, help="that send INSERT statements to the proxy")
    add("--only", default="", help="reads whose name has this in it, or insert")
    add("--workers", type=int, default=2, help="of the proxy")
    add("--buffer-pool", default="256M", help="of each database server")
    add("--pin", default="", help="put everything on these CPUs, such as 0 or 0,1")
    if "--quick" in sys.argv:
        parser.set_defaults(**QUICK)
    return parser.parse_args()


class Client:
    """The `mariadb` command line client on one endpoint."""

    def __init__(self, endpoint, cpus):
        pinned = ["taskset", "-c", cpus] if cpus else []
        self.command = [*pinned, "mariadb", "--no-defaults", "--protocol=tcp", "-h127.0.0.1",
                        f"-P{endpoint.port}", f"-u{endpoint.user}", "-BN", "--quick",
                        f"--database={endpoint.database}"]
        self.environment = {**os.environ, "MYSQL_PWD": endpoint.password}

    def feed(self, path):
        """Runs the statements of a file; returns the client's CPU seconds."""
        with open(path, "rb") as statements, open(os.devnull, "wb") as nowhere:
            process = subprocess.Popen(self.command, stdin=statements, stdout=nowhere,
                                       stderr=subprocess.PIPE, env=self.environment)
            problem = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(problem.decode(errors="replace"))
        return usage.ru_utime + usage.ru_stime


def row_text(number):
    scrambled = number * 2654435761 % 2**32
    return f"({number}, {scrambled % 100_003}, '{scrambled:0120d}', '{number:060d}')"


def insert_text(table, numbers):
    return f"INSERT INTO {table} (id, k, c, pad) VALUES {', '.join(map(row_text, numbers))};\n"


def write_file(folder, name, statements):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.writelines(statements)
    return path


def start(options):
    """One server, and the proxy over the nodes, each with an empty table."""
    setting = Setting(options.buffer_pool)
    say(f"starting {options.nodes + 1} servers in {setting.folder}")
    port, pid = setting.start_database("db")
    direct = Endpoint("direct", port, "test", "test", "sbtest", [], [pid])
    tables = "; ".join(f"CREATE TABLE {name} ({COLUMNS}, KEY (k))" for name in (TABLE, INSERTED))
    run_sql(port, "test", "test", tables, "sbtest")
    units = [setting.start_database(f"unit{i}") for i in range(options.nodes)]
    proxy_port, proxy_pid = setting.start_anabranch("proxy", options.program, options.workers)
    create_sharded(proxy_port, [unit[0] for unit in units], 2)
    proxy = Endpoint("proxy", proxy_port, "root", "root", "sbtest", [proxy_pid],
                     [unit[1] for unit in units])
    run_sql(proxy_port, "root", "root", tables, "sbtest")
    straight = [Endpoint(f"unit{i}", unit[0], "test", "test", "sbtest", [], [unit[1]])
                for i, unit in enumerate(units)]
    if options.pin:
        for process in [pid, proxy_pid, *(unit[1] for unit in units)]:
            subprocess.run(["taskset", "-acp", options.pin, str(process)], check=True,
                           stdout=subprocess.DEVNULL)
    return setting, direct, proxy, straight


def load(setting, endpoints, options):
    say(f"loading {options.rows} rows")
    step = 1000
    path = write_file(setting.folder, "load.sql", (
        insert_text(TABLE, range(first, min(first + step, options.rows + 1)))
        for first in range(1, options.rows + 1, step)))
    for endpoint in endpoints:
        Client(endpoint, options.pin).feed(path)
        run_sql(endpoint.port, endpoint.user, endpoint.password, f"ANALYZE TABLE {TABLE}",
                endpoint.database)


def timed(work, endpoint):
    """Wall seconds, and the CPU seconds of proxy and servers."""
    before = (time.monotonic(), cpu_seconds(endpoint.proxy_pids), cpu_seconds(endpoint.database_pids))
    result = work()
    return {"seconds": time.monotonic() - before[0],
            "proxy": cpu_seconds(endpoint.proxy_pids) - before[1],
            "database": cpu_seconds(endpoint.database_pids) - before[2], "client": result}


def measure_read(setting, direct, proxy, statement, options):
    once = write_file(setting.folder, "once.sql", [statement + ";\n"])
    for endpoint in (direct, proxy):
        Client(endpoint, options.pin).feed(once)
    first = timed(lambda: Client(direct, options.pin).feed(once), direct)["seconds"]
    count = max(1, min(500, int(options.repeat_ms / 1000 / max(first, 1e-4))))
    path = write_file(setting.folder, "read.sql", [statement + ";\n"] * count)
    rounds = []
    for _ in range(options.rounds):
        rounds.append(tuple(timed(lambda: Client(endpoint, options.pin).feed(path), endpoint)
                            for endpoint in (direct, proxy)))
    return count, rounds


def print_reads(setting, direct, proxy, options):
    wanted = [read for read in READS if options.only in read[0]]
    if not wanted:
        return
    print(f"\n### Reads of {options.rows} rows on {options.nodes} data nodes")
    print("| read | direct ms | proxy ms | x direct | proxy us | ns a row | db x |")
    print("|---" * 7 + "|")
    for name, statement, sent in wanted:
        statement = statement.format(t=TABLE, half=options.rows // 2)
        count, rounds = measure_read(setting, direct, proxy, statement, options)
        rows = sent(options.rows, options.nodes)

        def median(figure):
            return statistics.median(figure(one, other) for one, other in rounds)

        print("| " + " | ".join([
            name, f"{median(lambda a, b: a['seconds']) / count * 1e3:.2f}",
            f"{median(lambda a, b: b['seconds']) / count * 1e3:.2f}",
            f"{median(lambda a, b: b['seconds'] / a['seconds']):.2f}",
            f"{median(lambda a, b: b['proxy']) / count * 1e6:.0f}",
            f"{median(lambda a, b: b['proxy']) / count / rows * 1e9:.0f}",
            f"{median(lambda a, b: b['database'] / max(a['database'], 1e-6)):.2f}"]) + " |",
            flush=True)


def insert_files(setting, options):
    """The same rows for each of the three ways: the files of their clients."""
    batches = [range(n * options.batch_rows, (n + 1) * options.batch_rows)
               for n in range(options.batches)]
    whole = [write_file(setting.folder, f"insert{client}.sql",
                        (insert_text(INSERTED, batch) for batch in batches[client::options.clients]))
             for client in range(options.clients)]
    split = [write_file(setting.folder, f"split{node}.sql", (
        insert_text(f"{INSERTED}_{node}", [n for n in batch if n % options.nodes == node])
        for batch in batches)) for node in range(options.nodes)]
    return whole, split


def feed_all(pairs, options):
    with ThreadPoolExecutor(len(pairs)) as pool:
        return sum(pool.map(lambda pair: Client(pair[0], options.pin).feed(pair[1]), pairs))


def print_inserts(setting, direct, proxy, straight, options):
    if options.only not in "insert":
        return
    whole, split = insert_files(setting, options)
    ways = {
        "direct": (direct, [(direct, path) for path in whole]),
        "loader": (proxy, list(zip(straight, split))),
        "proxy": (proxy, [(proxy, path) for path in whole]),
    }
    rows = options.batches * options.batch_rows
    runs = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, (endpoint, pairs) in ways.items():
            runs[name].append(timed(lambda: feed_all(pairs, options), endpoint))
            # Each way gets an empty table, and no work that is left over.
            run_sql(endpoint.port, endpoint.user, endpoint.password, f"TRUNCATE TABLE {INSERTED}",
                    endpoint.database)
            time.sleep(1)

    def cpu(run):
        return run["proxy"] + run["database"] + run["client"]

    print(f"\n### Batch INSERT, {options.batches} statements of {options.batch_rows} rows")
    print("| way | clients | rows/s | x direct | x loader | proxy us a row | servers us a row"
          " | CPU us a row | CPU x loader |")
    print("|---" * 9 + "|")
    for name, (_, pairs) in ways.items():
        own = runs[name]

        def speed(other):
            return statistics.median(b["seconds"] / a["seconds"] for a, b in zip(own, runs[other]))

        print("| " + " | ".join([
            name, str(len(pairs)), f"{rows / statistics.median(r['seconds'] for r in own):.0f}",
            f"{speed('direct'):.2f}", f"{speed('loader'):.2f}",
            f"{statistics.median(r['proxy'] for r in own) / rows * 1e6:.2f}",
            f"{statistics.median(r['database'] for r in own) / rows * 1e6:.2f}",
            f"{statistics.median(map(cpu, own)) / rows * 1e6:.2f}",
            f"{statistics.median(cpu(a) / cpu(b) for a, b in zip(own, runs['loader'])):.2f}"])
            + " |", flush=True)


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    options = parse_arguments()
    if not os.access(options.program, os.X_OK):
        sys.exit("name the program with --program, or run bench/scatter.sh, which builds it")
    setting, direct, proxy, straight = start(options)
    load(setting, (direct, proxy), options)
    print_reads(setting, direct, proxy, options)
    print_inserts(setting, direct, proxy, straight, options)


if __name__ == "__main__":
    main()
