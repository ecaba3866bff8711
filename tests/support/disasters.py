"""Disasters on the host of an arena; each lasts until its context ends."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.arena import STARTED, Arena
from tests.support.brokers import Broker
from tests.support.prepared_leagues import query_database
from tests.support.waiting import until, wait_for

ADDRESS_SPACE_BYTES = 1024 * 1024
"""Less than any process uses: the process keeps its memory and gets no more."""
HOLD_SECONDS = 8.0
"""Duration of a disaster that does not end by itself."""


@dataclass(slots=True)
class Host:
    """One arena and the parts of its host that disasters affect."""

    arena: Arena
    clock: Path
    """File with the offset, in seconds, of the wall clock of every process from the true time."""
    broker: Broker | None = None

    @property
    def var(self) -> Path:
        return self.arena.var


Disaster = Callable[[Host], AbstractContextManager[None]]


@contextmanager
def jumped_clock(host: Host, seconds: int) -> Iterator[None]:
    write_offset(host.clock, seconds)
    until(time.monotonic() + HOLD_SECONDS)
    yield
    write_offset(host.clock, 0)


@contextmanager
def no_connections(host: Host) -> Iterator[None]:
    """Occupy every free database connection, and those that other processes release."""
    held, end = list[psycopg.Connection[tuple[object, ...]]](), time.monotonic() + HOLD_SECONDS
    while time.monotonic() < end:
        try:
            held.append(psycopg.connect(host.arena.database, connect_timeout=5))
        except psycopg.OperationalError:
            until(time.monotonic() + 0.1)
    assert held, "the server had no connection left before"
    yield
    for connection in held:
        connection.close()


@contextmanager
def worker_without_memory(host: Host) -> Iterator[None]:
    """Limit the league worker to its current memory, so that it can start threads but not run them."""
    wait_for(lambda: host.arena.forked("matches@"), "a worker process", STARTED)
    end, before = time.monotonic() + HOLD_SECONDS, dict[int, tuple[int, int]]()
    while time.monotonic() < end:
        for process in host.arena.processes("matches@"):
            with suppress(ProcessLookupError):
                limits = resource.prlimit(process, resource.RLIMIT_AS)
                if limits[0] != ADDRESS_SPACE_BYTES:
                    before[process] = limits
                    resource.prlimit(process, resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, limits[1]))
        until(time.monotonic() + 0.1)
    for process, limits in before.items():
        with suppress(ProcessLookupError):
            resource.prlimit(process, resource.RLIMIT_AS, limits)
    yield


@contextmanager
def killed_worker(host: Host) -> Iterator[None]:
    """Kill the league's worker process like the kernel's OOM killer."""
    [process, *_] = wait_for(lambda: host.arena.forked("matches@"), "a worker process", STARTED)
    os.kill(process, signal.SIGKILL)
    yield


@contextmanager
def killed_listeners(host: Host) -> Iterator[None]:
    """Close every database connection that listens for notifications."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'"
    wait_for(lambda: query_database(host.arena, query), "a connection that listens", STARTED)
    yield


@contextmanager
def restarted_postgresql(host: Host) -> Iterator[None]:
    """Shut PostgreSQL down; the supervisor starts it again."""
    os.kill(int((host.var / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
    yield


DISK_SIZE = "400m"
FULL_SECONDS = 35.0
"""Duration of a full disk: so long that pauses which doubled after each failed start would reach half a minute."""


def on_small_disk(disk: Path, copy_of: Path) -> list[str]:
    """Return the command prefix that starts an arena on a small disk of its own, with a copy of another folder."""
    disk.mkdir()
    return [sys.executable, "-m", "tests.support.small_disk", DISK_SIZE, str(disk), str(copy_of)]


@contextmanager
def full_disk(host: Host) -> Iterator[None]:
    """Fill the disk while the database needs more of it for its write-ahead log, for longer than retry pauses grow."""
    disk = Path(f"/proc/{host.arena.process.pid}/root") / host.var.relative_to("/")
    log = disk / "postgres" / "postgres.log"
    with (disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(bytes(1024 * 1024))
    end = time.monotonic() + FULL_SECONDS
    while time.monotonic() < end:
        query_database(host.arena, "SELECT pg_switch_wal()")
        query_database(host.arena, "CREATE TABLE IF NOT EXISTS filling AS SELECT generate_series(1, 100000)")
        until(time.monotonic() + 0.1)
    assert "No space left on device" in log.read_text()
    yield
    (disk / "filler").unlink()


@contextmanager
def absent_broker(host: Host) -> Iterator[None]:
    assert host.broker
    host.broker.kill()
    until(time.monotonic() + HOLD_SECONDS)
    yield
    host.broker.start()


DISASTERS: Mapping[str, Disaster] = {
    "clock an hour ahead": lambda host: jumped_clock(host, 3600),
    "clock an hour back": lambda host: jumped_clock(host, -3600),
    "out of connections": no_connections,
    "worker out of memory": worker_without_memory,
    "worker killed": killed_worker,
    "listener killed": killed_listeners,
    "PostgreSQL restarted": restarted_postgresql,
    "broker away": absent_broker,
    "disk full": full_disk,
}


def faked_clock(file: Path) -> dict[str, str]:
    """Return the environment of processes whose wall clock is off by the contents of a file (`jumped_clock.c`)."""
    write_offset(file, 0)
    library = file.with_suffix(".so")
    source = Path(__file__).with_name("jumped_clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", str(library), str(source), "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "JUMPED_CLOCK": str(file)}


def write_offset(file: Path, seconds: int) -> None:
    """Let the clock jump, by writing to the file in place, because processes have it mapped."""
    with file.open("r+b" if file.exists() else "wb") as out:
        out.write(seconds.to_bytes(8, sys.byteorder, signed=True))
