"""One sysbench run against one endpoint: rate, latency, and the CPU of everybody who took part."""

import os
import re
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
TEXT, PREPARED = "text", "prepared"


def cpu_seconds(pids):
    """CPU used so far, from each process's own clock (nanoseconds; ended threads included)."""
    total = 0.0
    for pid in pids:
        try:
            total += time.clock_gettime((~pid << 3) | 2)
        except OSError:
            pass
    return total


def machine_seconds(cpus):
    """Busy CPU seconds of the whole machine, or of these CPUs, since it started."""
    total = 0
    with open("/proc/stat") as stat:
        for line in stat:
            words = line.split()
            is_counted = words[0][3:] in cpus if cpus else words[0] == "cpu"
            if words[0].startswith("cpu") and is_counted:
                user, nice, system, _, _, irq, softirq, steal = map(int, words[1:9])
                total += user + nice + system + irq + softirq + steal
    return total / TICKS


def peak_memory_mib(pids):
    """The most memory these processes have held since `reset_peak_memory`."""
    kib = 0
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status") as status:
                kib += sum(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        except OSError:
            pass
    return kib / 1024


def reset_peak_memory(pids):
    for pid in pids:
        try:
            with open(f"/proc/{pid}/clear_refs", "w") as file:
                file.write("5")
        except OSError:
            pass


def percentile(histogram, share):
    """Of (value, count) pairs in order of value; `nan` where there are none."""
    wanted, seen = share * sum(count for _, count in histogram), 0
    for value, count in histogram:
        seen += count
        if seen >= wanted:
            return value
    return float("nan")


def wait_until_quiet(options):
    """Up to `--wait` seconds: others on this machine spoil a measurement."""
    cpus, count = options.cpus, len(options.cpus) or os.cpu_count()
    end = time.monotonic() + options.wait
    while time.monotonic() < end:
        busy, start = machine_seconds(cpus), time.monotonic()
        time.sleep(0.25)
        share = (machine_seconds(cpus) - busy) / ((time.monotonic() - start) * count)
        if 100 * share <= options.max_other:
            return


def sysbench_options(endpoint, options):
    return ["--db-driver=mysql", "--mysql-host=127.0.0.1", f"--mysql-port={endpoint.port}",
            f"--mysql-user={endpoint.user}", f"--mysql-password={endpoint.password}",
            f"--mysql-db={endpoint.database}", f"--tables={options.tables}",
            f"--table-size={options.size}"]


def load_tables(endpoint, options):
    for step in ("cleanup", "prepare"):
        done = subprocess.run(
            ["sysbench", "oltp_read_write", *sysbench_options(endpoint, options), "--threads=2",
             step], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"sysbench {step} on {endpoint.name}:\n{done.stdout}{done.stderr}")


def measure(endpoint, workload, protocol, threads, rate, options, extra=()):
    """Runs once, with `extra` options of sysbench. Returns the figures, or {'error': text}."""
    wait_until_quiet(options)
    command = ["stdbuf", "-oL", "sysbench", workload, *sysbench_options(endpoint, options),
               f"--threads={threads}", f"--time={options.time}", "--rand-type=uniform",
               "--histogram=on", "--percentile=99",
               f"--db-ps-mode={'auto' if protocol == PREPARED else 'disable'}"]
    command.extend(extra)
    if rate:
        command.append(f"--rate={rate}")
    if options.cpus:
        command = ["taskset", "-c", ",".join(options.cpus), *command]
    reset_peak_memory(endpoint.proxy_pids)
    process = subprocess.Popen([*command, "run"], stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)

    def snapshot():
        return {"time": time.monotonic(), "proxy": cpu_seconds(endpoint.proxy_pids),
                "database": cpu_seconds(endpoint.database_pids),
                "client": cpu_seconds([process.pid]), "all": machine_seconds(options.cpus)}

    # Connecting and preparing are left out: the clocks are read when the threads have started
    # and when the figures are printed.
    lines, before, after = [], None, None
    for line in process.stdout:
        lines.append(line)
        if before is None and "Threads started" in line:
            before = snapshot()
        elif after is None and ("Latency histogram" in line or "SQL statistics" in line):
            after = snapshot()
    process.wait()
    text = "".join(lines)
    if process.returncode or before is None or after is None:
        problems = [line.strip() for line in lines if "FATAL" in line or "rror" in line]
        return {"error": " | ".join(problems)[:300] or f"exit status {process.returncode}"}
    return figures(text, before, after, endpoint, options)


def figures(text, before, after, endpoint, options):
    def number(pattern):
        return float(re.search(pattern, text).group(1))

    queries, transactions = number(r"queries:\s+(\d+)"), number(r"transactions:\s+(\d+)")
    seconds = number(r"total time:\s+([\d.]+)s")
    lines = re.finditer(r"^\s*([\d.]+) \|[* ]*\s(\d+)\s*$", text, re.M)
    histogram = [(float(line.group(1)), int(line.group(2))) for line in lines]
    used = {key: after[key] - before[key] for key in before}
    cpus = len(options.cpus) or os.cpu_count()
    other = used["all"] - used["proxy"] - used["database"] - used["client"]
    return {
        "tps": transactions / seconds,
        "qps": queries / seconds,
        "mean_us": number(r"\n\s+sum:\s+([\d.]+)") * 1000 / max(transactions, 1),
        "p50_ms": percentile(histogram, 0.50),
        "p95_ms": percentile(histogram, 0.95),
        "p99_ms": percentile(histogram, 0.99),
        "proxy_us": used["proxy"] / queries * 1e6,
        "database_us": used["database"] / queries * 1e6,
        "client_us": used["client"] / queries * 1e6,
        "other_percent": 100 * other / (used["time"] * cpus),
        "errors": number(r"ignored errors:\s+(\d+)") + number(r"reconnects:\s+(\d+)"),
        "memory_mib": peak_memory_mib(endpoint.proxy_pids),
    }
