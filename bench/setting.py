"""Everything a comparison runs on: database servers, HAProxy and the proxy, on free loopback ports.

All of it lives in one scratch folder and ends with `Setting.stop`, which also runs at exit.
"""

import atexit
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

UNIT_COUNT = 4
READY_LIMIT_S = 60
GLOBAL_YAML = """\
authority:
  users:
    - user: root@%
      password: root
  privilege:
    type: ALL_PERMITTED
"""
HAPROXY_CONFIG = """\
global
    maxconn 4096
    nbthread {threads}
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
listen mysql
    bind 127.0.0.1:{port}
    server one 127.0.0.1:{backend}
"""


@dataclass
class Endpoint:
    """Something sysbench can be pointed at, and the processes behind it."""

    name: str
    port: int
    user: str
    password: str
    database: str
    proxy_pids: list = field(default_factory=list)
    database_pids: list = field(default_factory=list)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def greets(port):
    """Whether a MySQL server sends its first packet there."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as stream:
            stream.settimeout(5)
            return len(stream.recv(5)) > 0
    except OSError:
        return False


def run_sql(port, user, password, sql, database=""):
    """Statements through the command line client; raises with its text on an error."""
    done = subprocess.run(
        ["mariadb", "--no-defaults", "--protocol=tcp", "-h127.0.0.1", f"-P{port}", f"-u{user}",
         "-BN", f"--database={database}", "-e", sql],
        env={**os.environ, "MYSQL_PWD": password}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{sql}\n{done.stderr.strip()}")
    return done.stdout


class Setting:
    """Starts what is asked for and stops all of it."""

    def __init__(self, buffer_pool):
        self.folder = tempfile.mkdtemp(prefix="anabranch-bench-")
        self.buffer_pool = buffer_pool
        self.processes = []
        atexit.register(self.stop)
        # An exit, so that the line above holds for these two as well.
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: os._exit(self.stop() or 1))

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        self.processes.clear()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, name, command, is_ready):
        log_path = os.path.join(self.folder, f"{name}.log")
        with open(log_path, "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
        self.processes.append(process)
        end = time.monotonic() + READY_LIMIT_S
        while not is_ready(log_path):
            if process.poll() is not None or time.monotonic() > end:
                with open(log_path, errors="replace") as log:
                    raise RuntimeError(f"{name} did not start:\n" + log.read()[-2000:])
            time.sleep(0.05)
        return process.pid

    def start_database(self, name, replication=0):
        """A MariaDB with user test/test and database sbtest; with a number, one that can replicate
        under this server id. Returns its port and process id."""
        data, port = os.path.join(self.folder, name), free_port()
        user = [] if os.getuid() else ["--user=root"]
        subprocess.run(
            ["mariadb-install-db", "--no-defaults", *user, f"--datadir={data}", "--skip-test-db",
             "--auth-root-authentication-method=normal"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        binary_log = ["--skip-log-bin"]
        if replication:
            binary_log = [f"--server-id={replication}", "--log-bin=binlog", "--log-slave-updates"]
        init = data + ".sql"
        with open(init, "w") as file:
            # What every server makes for itself is in nobody's history.
            file.write("SET sql_log_bin = 0;\n"
                       "CREATE DATABASE IF NOT EXISTS sbtest;\n"
                       "CREATE USER IF NOT EXISTS 'test'@'%' IDENTIFIED BY 'test';\n"
                       "GRANT ALL ON *.* TO 'test'@'%';\n")
        command = [
            "mariadbd", "--no-defaults", *user, f"--datadir={data}", f"--socket={data}.sock",
            f"--pid-file={data}.pid", f"--port={port}", "--bind-address=127.0.0.1",
            f"--init-file={init}", "--skip-name-resolve", *binary_log,
            "--innodb-flush-log-at-trx-commit=0", "--innodb-log-file-size=256M",
            f"--innodb-buffer-pool-size={self.buffer_pool}", "--max-connections=2000",
            "--max-prepared-stmt-count=200000", "--table-open-cache=4000",
        ]
        return port, self.start(name, command, lambda _: greets(port))

    def start_haproxy(self, backend, threads):
        port = free_port()
        path = os.path.join(self.folder, "haproxy.cfg")
        with open(path, "w") as file:
            file.write(HAPROXY_CONFIG.format(threads=threads, port=port, backend=backend))
        pid = self.start("haproxy", ["haproxy", "-db", "-f", path], lambda _: greets(port))
        return port, pid

    def start_anabranch(self, name, program, workers):
        """A proxy with user root/root. Returns its port and process id."""
        conf, port = os.path.join(self.folder, name, "conf"), free_port()
        os.makedirs(conf)
        with open(os.path.join(conf, "global.yaml"), "w") as file:
            file.write(GLOBAL_YAML)
        with open(os.path.join(conf, "anabranch.yaml"), "w") as file:
            file.write(f"workers: {workers}\n")
        command = [program, "serve", "--conf", conf, "--data",
                   os.path.join(self.folder, name, "data"), "--port", str(port)]

        def is_ready(log_path):
            with open(log_path, errors="replace") as log:
                return " ready on " in log.read()

        return port, self.start(name, command, is_ready)


def unit_definition(index, port):
    return (f'ds_{index} (HOST="127.0.0.1", PORT={port}, DB="sbtest", USER="test",'
            f' PASSWORD="test", PROPERTIES("maxPoolSize"=300))')


def create_pass_through(proxy_port, unit_port):
    """A logical database over one storage unit, without any rule."""
    run_sql(proxy_port, "root", "root",
            f"CREATE DATABASE sbtest; USE sbtest; REGISTER STORAGE UNIT"
            f" {unit_definition(0, unit_port)}")


def create_sharded(proxy_port, unit_ports, tables):
    """A logical database whose tables are spread over the units by id modulo their number."""
    units = ", ".join(unit_definition(i, port) for i, port in enumerate(unit_ports))
    names = ", ".join(f"ds_{i}" for i in range(len(unit_ports)))
    rules = "; ".join(
        f"CREATE SHARDING TABLE RULE sbtest{n} (STORAGE_UNITS({names}), SHARDING_COLUMN=id,"
        f' TYPE(NAME="MOD", PROPERTIES("sharding-count"={len(unit_ports)})))'
        for n in range(1, tables + 1))
    run_sql(proxy_port, "root", "root",
            f"CREATE DATABASE sbtest; USE sbtest; REGISTER STORAGE UNIT {units}; {rules}")
