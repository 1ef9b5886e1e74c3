"""What Anabranch costs beside a direct connection and HAProxy (TCP mode), measured in one run.

Four endpoints take turns (A B C D A B C D …), so that all of them meet the same moods of the
machine: one MariaDB direct; the same through HAProxy; the same through Anabranch without a rule;
four MariaDBs through Anabranch with every table spread by MOD. Medians over the rounds are
printed; a ratio is formed round by round, between neighbours in time, before its median is taken.

  proxy us    CPU microseconds of the proxy process a query
  x haproxy   that figure divided by HAProxy's of the same round
  db us       the same of the database servers
  other %     CPU that went to nobody who took part; a run above --max-other is repeated
              (--retries), and marked ! where it stays above
  MiB         the most memory the proxy held during a run

An absolute figure depends on the machine and its other tenants; a ratio of one run means
something, best with --pin, which puts client, proxy and database on one core.
"""

import argparse
import atexit
import json
import os
import statistics
import subprocess
import sys
import time

from measure import PREPARED, TEXT, load_tables, measure
from setting import UNIT_COUNT, Endpoint, Setting, create_pass_through, create_sharded

DIRECT, HAPROXY, PASS_THROUGH, SHARDED = "direct", "haproxy", "pass-through", "sharded"
QUICK = {"threads": "1,16", "rounds": 1, "time": 2, "size": 2000, "tables": 2, "wait": 0.0}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, prog="bench/compare.sh",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--program", default="", help="the anabranch program (default: a release is built)")
    add("--quick", action="store_true", help="small tables, one short round")
    add("--workload", default="oltp_point_select", help="sysbench tests, comma-separated")
    add("--threads", default="1,16,64,200", help="client counts, comma-separated")
    add("--protocols", default=f"{TEXT},{PREPARED}")
    add("--endpoints", default=",".join((DIRECT, HAPROXY, PASS_THROUGH, SHARDED)))
    add("--rounds", type=int, default=5)
    add("--time", type=int, default=10, help="seconds a run")
    add("--tables", type=int, default=4)
    add("--size", type=int, default=50_000, help="rows a table")
    add("--buffer-pool", default="512M", help="of each database server")
    add("--pin", default="", help="put everything on these CPUs, such as 1 or 0,1")
    add("--nbthread", type=int, default=0,
        help="threads of HAProxy and workers of Anabranch (default: as many as CPUs pinned to, or 2)")
    add("--rate-share", type=float, default=0.0,
        help="open loop: this share of HAProxy's TPS, measured first, is asked of each endpoint;"
             " then the percentiles mean something")
    add("--wait", type=float, default=15, help="seconds to wait for a quiet machine before a run")
    add("--max-other", type=float, default=6.0)
    add("--retries", type=int, default=2)
    add("--json", default="", help="append one line a run to this file")
    add("--report", default="", help="measure nothing: print the tables of such a file")
    if "--quick" in sys.argv:
        parser.set_defaults(**QUICK)
    options = parser.parse_args()
    options.cpus = options.pin.split(",") if options.pin else []
    options.nbthread = options.nbthread or len(options.cpus) or 2
    return options


def build_endpoints(setting, options):
    """Starts what the wanted endpoints need, loads the tables, and returns the endpoints."""
    wanted = options.endpoints.split(",")
    port, pid = setting.start_database("db")
    direct = Endpoint(DIRECT, port, "test", "test", "sbtest", [], [pid])
    say(f"loading {options.tables} tables of {options.size} rows")
    load_tables(direct, options)
    endpoints = [direct] if DIRECT in wanted else []
    if HAPROXY in wanted or options.rate_share:
        relay_port, relay_pid = setting.start_haproxy(port, options.nbthread)
        endpoints.append(
            Endpoint(HAPROXY, relay_port, "test", "test", "sbtest", [relay_pid], [pid]))
    if PASS_THROUGH in wanted:
        proxy_port, proxy_pid = setting.start_anabranch(
            PASS_THROUGH, options.program, options.nbthread)
        create_pass_through(proxy_port, port)
        endpoints.append(
            Endpoint(PASS_THROUGH, proxy_port, "root", "root", "sbtest", [proxy_pid], [pid]))
    if SHARDED in wanted:
        units = [setting.start_database(f"unit{i}") for i in range(UNIT_COUNT)]
        proxy_port, proxy_pid = setting.start_anabranch(
            SHARDED, options.program, options.nbthread)
        create_sharded(proxy_port, [unit[0] for unit in units], options.tables)
        endpoint = Endpoint(SHARDED, proxy_port, "root", "root", "sbtest", [proxy_pid],
                            [unit[1] for unit in units])
        load_tables(endpoint, options)
        endpoints.append(endpoint)
    return endpoints


def pin(endpoints, cpus):
    if not cpus:
        return
    pids = {pid for endpoint in endpoints for pid in endpoint.proxy_pids + endpoint.database_pids}
    for pid in pids:
        subprocess.run(["taskset", "-acp", ",".join(cpus), str(pid)], check=True,
                       stdout=subprocess.DEVNULL)


def find_rate(endpoints, workload, protocol, threads, options):
    """Transactions a second to ask for: a share of what HAProxy reaches in a closed loop."""
    if not options.rate_share:
        return 0
    relay = next(endpoint for endpoint in endpoints if endpoint.name == HAPROXY)
    found = measure(relay, workload, protocol, threads, 0, options)
    if "error" in found:
        raise RuntimeError(found["error"])
    return max(1, int(found["tps"] * options.rate_share))


def run_rounds(endpoints, workload, protocol, threads, options, log):
    rate = find_rate(endpoints, workload, protocol, threads, options)
    runs = {endpoint.name: [] for endpoint in endpoints}
    for number in range(options.rounds):
        for endpoint in endpoints:
            for _ in range(options.retries + 1):
                found = measure(endpoint, workload, protocol, threads, rate, options)
                if "error" in found or found["other_percent"] <= options.max_other:
                    break
            found.update(endpoint=endpoint.name, workload=workload, protocol=protocol,
                         threads=threads, rate=rate, round=number, pin=options.pin,
                         nbthread=options.nbthread, stamp=int(time.time()))
            runs[endpoint.name].append(found)
            if log:
                log.write(json.dumps(found) + "\n")
                log.flush()
    return runs


def print_table(runs, max_other):
    some = next(run for of_one in runs.values() for run in of_one)
    at = f", {some['rate']} transactions/s asked for" if some["rate"] else ""
    where = f"pinned to CPU {some['pin']}" if some["pin"] else "all CPUs"
    print(f"\n### {some['workload']}, {some['protocol']}, {some['threads']} threads{at}"
          f" ({where}, nbthread {some['nbthread']})")
    print("| endpoint | TPS | x direct | mean us | p95 ms | p99 ms | proxy us | x haproxy"
          " | db us | MiB | errors | other % |")
    print("|---" * 12 + "|")
    for name, of_one in runs.items():
        good = [run for run in of_one if "error" not in run]
        if not good:
            print(f"| {name} | FAILED: {of_one[0]['error']} |" + " |" * 10)
            continue

        def median(key):
            return statistics.median(run[key] for run in good)

        def ratio(key, base):
            others = {run["round"]: run for run in runs.get(base, []) if "error" not in run}
            pairs = [(run[key], others[run["round"]][key]) for run in good
                     if run["round"] in others]
            ratios = [own / other for own, other in pairs if other]
            return f"{statistics.median(ratios):.2f}" if ratios else "-"

        is_proxy = name != DIRECT
        failed = len(of_one) - len(good)
        mark = "!" if max(run["other_percent"] for run in good) > max_other else ""
        cells = [
            name + (f" ({failed} runs failed)" if failed else ""), f"{median('tps'):.0f}",
            ratio("tps", DIRECT), f"{median('mean_us'):.0f}", f"{median('p95_ms'):.2f}",
            f"{median('p99_ms'):.2f}", f"{median('proxy_us'):.1f}" if is_proxy else "-",
            ratio("proxy_us", HAPROXY) if is_proxy else "-", f"{median('database_us'):.1f}",
            f"{max(run['memory_mib'] for run in good):.1f}" if is_proxy else "-",
            f"{sum(run['errors'] for run in good):.0f}", f"{median('other_percent'):.1f}{mark}",
        ]
        print("| " + " | ".join(cells) + " |")
    sys.stdout.flush()


def print_report(path, max_other):
    groups = {}
    with open(path) as file:
        for line in file:
            run = json.loads(line)
            key = tuple(run[k] for k in ("workload", "protocol", "threads", "pin", "nbthread"))
            groups.setdefault(key + (bool(run["rate"]),), {}).setdefault(
                run["endpoint"], []).append(run)
    for runs in groups.values():
        # Rounds of several comparisons follow each other.
        for of_one in runs.values():
            for number, run in enumerate(of_one):
                run["round"] = number
        print_table(runs, max_other)


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    options = parse_arguments()
    if options.report:
        return print_report(options.report, options.max_other)
    if not os.access(options.program, os.X_OK):
        sys.exit("name the program with --program, or run bench/compare.sh, which builds it")
    setting = Setting(options.buffer_pool)
    say(f"starting everything in {setting.folder}")
    endpoints = build_endpoints(setting, options)
    pin(endpoints, options.cpus)
    log = open(options.json, "a") if options.json else None
    if log:
        atexit.register(log.close)
    failed = False
    for workload in options.workload.split(","):
        for protocol in options.protocols.split(","):
            for threads in map(int, options.threads.split(",")):
                runs = run_rounds(endpoints, workload, protocol, threads, options, log)
                print_table(runs, options.max_other)
                failed |= any("error" in run for of_one in runs.values() for run in of_one)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
