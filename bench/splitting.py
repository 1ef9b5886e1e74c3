"""What read/write splitting costs and gains: sysbench through Anabranch over a MariaDB primary with
two replicas that really replicate, beside the primary alone, in one run.

The endpoints take turns; medians over the rounds are printed, and ratios are formed round by round
before their median is taken.

  direct       the primary itself
  through      the proxy over the primary, without a rule
  splitting    the proxy with a READWRITE_SPLITTING rule over all three

`--workload` runs with transactions, whose reads stay on the primary, and again with
`--skip-trx=on`, where they may go to replicas.
"""

import argparse
import statistics
import sys
import time

import measure
from setting import Endpoint, Setting, create_pass_through, run_sql, unit_definition

QUICK = {"rounds": 1, "time": 5, "size": 2_000}
REPLICAS = 2


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, prog="bench/splitting.sh",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--program", required=True, help="the anabranch program")
    add("--quick", action="store_true", help="small tables, one round")
    add("--workload", default="oltp_read_write")
    add("--rounds", type=int, default=5)
    add("--time", type=int, default=15)
    add("--threads", type=int, default=16)
    add("--tables", type=int, default=4)
    add("--size", type=int, default=20_000)
    add("--workers", type=int, default=0)
    options = parser.parse_args()
    if options.quick:
        for name, value in QUICK.items():
            setattr(options, name, value)
    options.cpus, options.wait, options.max_other = [], 30, 10
    return options


def start_group(setting):
    """A primary and its replicas. Returns ports and process ids, the primary's first."""
    servers = [setting.start_database(f"db{number}", replication=number + 1)
               for number in range(1 + REPLICAS)]
    for port, _ in servers[1:]:
        run_sql(port, "test", "test",
                "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_USER='test',"
                f" MASTER_PASSWORD='test', MASTER_PORT={servers[0][0]},"
                " MASTER_USE_GTID=slave_pos; START SLAVE; SET GLOBAL read_only=ON")
    return servers


def wait_for_replicas(servers):
    position = run_sql(servers[0][0], "test", "test", "SELECT @@gtid_binlog_pos").strip()
    for port, _ in servers[1:]:
        reached = run_sql(port, "test", "test", f"SELECT MASTER_GTID_WAIT('{position}', 600)")
        if reached.strip() != "0":
            raise RuntimeError(f"a replica did not reach {position}")


def wait_for_rotation(port):
    """Until every replica is read: the proxy has to look at each of them first."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        status = run_sql(port, "root", "root", "SHOW STATUS FROM READWRITE_SPLITTING RULES",
                         database="sbtest")
        if "lagging" not in status and "broken" not in status:
            return
        time.sleep(0.2)
    raise RuntimeError(f"replicas are not read:\n{status}")


def create_splitting(port, servers):
    units = ", ".join(unit_definition(i, unit) for i, (unit, _) in enumerate(servers))
    replicas = ", ".join(f"ds_{i}" for i in range(1, len(servers)))
    run_sql(port, "root", "root",
            f"CREATE DATABASE sbtest; USE sbtest; REGISTER STORAGE UNIT {units};"
            f" CREATE READWRITE_SPLITTING RULE g (WRITE_STORAGE_UNIT=ds_0,"
            f' READ_STORAGE_UNITS({replicas}), TYPE(NAME="ROUND_ROBIN"))')
    wait_for_rotation(port)


def endpoints(setting, servers, options):
    pids = [pid for _, pid in servers]
    through_port, through = setting.start_anabranch("through", options.program, options.workers)
    create_pass_through(through_port, servers[0][0])
    splitting_port, splitting = setting.start_anabranch("splitting", options.program,
                                                        options.workers)
    create_splitting(splitting_port, servers)
    return [
        Endpoint("direct", servers[0][0], "test", "test", "sbtest", [], pids),
        Endpoint("through", through_port, "root", "root", "sbtest", [through], pids),
        Endpoint("splitting", splitting_port, "root", "root", "sbtest", [splitting], pids),
    ]


def run(all_endpoints, servers, options, extra):
    """The figures of each endpoint, one list a figure, in the order of the rounds."""
    figures = {endpoint.name: [] for endpoint in all_endpoints}
    for number in range(options.rounds):
        for endpoint in all_endpoints[number % 3:] + all_endpoints[:number % 3]:
            wait_for_replicas(servers)
            result = measure.measure(endpoint, options.workload, measure.TEXT, options.threads, 0,
                                     options, extra)
            if "error" in result:
                raise RuntimeError(f"{endpoint.name}: {result['error']}")
            figures[endpoint.name].append(result)
    return figures


def report(title, figures):
    print(f"\n{title}")
    print(f"{'':12}{'TPS':>10}{'x direct':>10}{'p99 ms':>10}{'proxy us':>10}{'db us':>10}")
    for name, rounds in figures.items():
        def median(key, rounds=rounds):
            return statistics.median(one[key] for one in rounds)
        ratio = statistics.median(
            one["tps"] / direct["tps"] for one, direct in zip(rounds, figures["direct"]))
        print(f"{name:12}{median('tps'):>10.0f}{ratio:>10.2f}{median('p99_ms'):>10.2f}"
              f"{median('proxy_us'):>10.1f}{median('database_us'):>10.1f}")


def main():
    options = parse_arguments()
    setting = Setting("512M")
    servers = start_group(setting)
    direct = Endpoint("direct", servers[0][0], "test", "test", "sbtest", [], [])
    measure.load_tables(direct, options)
    wait_for_replicas(servers)
    all_endpoints = endpoints(setting, servers, options)
    report(f"{options.workload} in transactions", run(all_endpoints, servers, options, []))
    report(f"{options.workload} without transactions",
           run(all_endpoints, servers, options, ["--skip-trx=on"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
