"""Disasters that befall the host of an arena: each lasts until its context ends."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import libfaketime
import psycopg

from tests.support.arena import STARTED, Arena
from tests.support.brokers import Broker
from tests.support.prepared import asked
from tests.support.waiting import until, wait_for

HOLD_SECONDS = 8.0
"""Duration of a disaster that does not pass by itself."""
DISK_MIB = 64
"""Free space on the disk of an arena that is about to be full."""
CHUNK = b"\0" * (1 << 16)


@dataclass(slots=True)
class Host:
    """One arena and the parts of its host that a disaster may reach."""

    arena: Arena
    clock: Path
    """A file read by every process: its offset from the true time, as libfaketime takes it."""
    broker: Broker | None = None

    @property
    def var(self) -> Path:
        return self.arena.var


Disaster = Callable[[Host], AbstractContextManager[None]]


@contextmanager
def full_disk(host: Host) -> Iterator[None]:
    """Fill the disk to the last byte, and again whenever something is freed."""
    ballast = host.var / "ballast"
    end = time.monotonic() + HOLD_SECONDS
    with ballast.open("wb", buffering=0) as file:
        while time.monotonic() < end:
            try:
                file.write(CHUNK)
            except OSError:
                until(time.monotonic() + 0.1)
    yield
    ballast.unlink()


@contextmanager
def jumped_clock(host: Host, offset: str) -> Iterator[None]:
    host.clock.write_text(offset)
    until(time.monotonic() + HOLD_SECONDS)
    yield
    host.clock.write_text("+0")


@contextmanager
def no_connections(host: Host) -> Iterator[None]:
    """Take every connection that the server has left, and those that others give back."""
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
    """Let no process of the league's worker map a page more."""
    limited = {pid: resource.prlimit(pid, resource.RLIMIT_AS) for pid in host.arena.processes("-Q\0league")}
    for pid, (_, hard) in limited.items():
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (1 << 20, hard))
    until(time.monotonic() + HOLD_SECONDS)
    yield
    for pid, before in limited.items():
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, before)


@contextmanager
def killed_listeners(host: Host) -> Iterator[None]:
    """End every connection that listens for notifications."""
    query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'"
    wait_for(lambda: asked(host.arena, query), "a connection that listens", STARTED)
    yield


@contextmanager
def restarted_postgresql(host: Host) -> Iterator[None]:
    """Shut the server down; the supervisor starts it again."""
    os.kill(int((host.var / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0]), signal.SIGINT)
    yield


@contextmanager
def absent_broker(host: Host) -> Iterator[None]:
    assert host.broker
    host.broker.kill()
    until(time.monotonic() + HOLD_SECONDS)
    yield
    host.broker.start()


DISASTERS: Mapping[str, Disaster] = {
    "disk full": full_disk,
    "clock an hour ahead": lambda host: jumped_clock(host, "+1h"),
    "clock an hour back": lambda host: jumped_clock(host, "-1h"),
    "out of connections": no_connections,
    "worker out of memory": worker_without_memory,
    "listener killed": killed_listeners,
    "PostgreSQL restarted": restarted_postgresql,
    "broker away": absent_broker,
}


@contextmanager
def small_disk(folder: Path, holds: int) -> Iterator[Path]:
    """Mount a disk that has room for so many bytes and `DISK_MIB` more."""
    folder.mkdir()
    size = f"size={holds + (DISK_MIB << 20)}"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def faked_clock(file: Path) -> dict[str, str]:
    """Return the environment of processes whose wall clock is off by what stands in a file."""
    file.write_text("+0")
    library = Path(libfaketime.__file__).parent / "vendor" / "libfaketime" / "src" / "libfaketime.so.1"
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(file),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
