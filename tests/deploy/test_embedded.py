"""The embedded PostgreSQL: it starts in an empty folder, keeps its data, and leaves no process behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from deploy.config.database_address import socket_folder
from deploy.supervisor.embedded_postgres import EmbeddedPostgresError, start_server
from tests.support.processes import list_cluster_processes
from tests.support.waiting import wait_for

SUPERVISOR = """
import signal, sys
from pathlib import Path
from deploy.supervisor.embedded_postgres import start_server
server = start_server(Path(sys.argv[1]))
print(server.process.pid, flush=True)
signal.pause()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "postgres"
    socket = socket_folder(tmp_path / "postgres")
    wait_for(lambda: not list(socket.glob(".s.*")), "the socket is gone")


def alive(pid: int) -> bool:
    """Return True if a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def supervised(folder: Path) -> tuple[subprocess.Popen[str], int]:
    supervisor = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(folder)],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert supervisor.stdout
    return supervisor, int(supervisor.stdout.readline())


def killed(supervisor: subprocess.Popen[str]) -> None:
    supervisor.kill()
    supervisor.communicate()


@pytest.mark.slow
def test_the_embedded_database_keeps_its_data_across_starts(folder: Path) -> None:
    server = start_server(folder)
    with psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    server.stop()
    assert list_cluster_processes(folder) == []
    server = start_server(folder)
    with psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]
    server.stop()


@pytest.mark.slow
def test_the_embedded_server_is_postgresql_18_in_utf8_without_a_tcp_port(folder: Path) -> None:
    server = start_server(folder)
    with psycopg.connect(server.url) as connection:
        row = connection.execute(
            "SELECT current_setting('server_version_num')::int / 10000, current_setting('listen_addresses'),"
            " datlocprovider, pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()"
        ).fetchone()
    server.stop()
    assert row == (18, "", "b", "UTF8")


@pytest.mark.slow
def test_only_its_owner_can_reach_the_socket_of_the_embedded_database(folder: Path) -> None:
    server = start_server(folder)
    mode = socket_folder(folder).stat().st_mode & 0o777
    server.stop()
    assert mode == 0o700


@pytest.mark.slow
def test_kill_9_of_the_supervisor_leaves_no_process_and_loses_no_data(folder: Path) -> None:
    supervisor, pid = supervised(folder)
    with psycopg.connect(f"postgresql://postgres@/ftk?host={socket_folder(folder)}") as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    killed(supervisor)
    wait_for(lambda: not alive(pid) and not list_cluster_processes(folder), "PostgreSQL has ended")
    server = start_server(folder)
    with psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]
    server.stop()


@pytest.mark.slow
def test_a_start_right_after_kill_9_waits_for_the_old_server_to_end(folder: Path) -> None:
    supervisor, old = supervised(folder)
    killed(supervisor)
    server = start_server(folder)
    assert list_cluster_processes(folder) == [server.process.pid]
    assert not alive(old)
    server.stop()


@pytest.mark.slow
def test_the_embedded_database_recovers_from_kill_9(folder: Path) -> None:
    server = start_server(folder)
    with psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    server.process.kill()
    server.stop()
    server = start_server(folder)
    with psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]
    server.stop()


@pytest.mark.slow
def test_a_stale_pid_file_with_the_pid_of_another_process_is_ignored(folder: Path) -> None:
    start_server(folder).stop()
    lines = [str(os.getpid()), str(folder / "cluster"), "1", "5432", "", "", ""]
    (folder / "cluster" / "postmaster.pid").write_text("\n".join(lines))
    start_server(folder).stop()


def test_a_second_supervisor_of_the_same_folder_is_refused(folder: Path) -> None:
    server = start_server(folder)
    with pytest.raises(EmbeddedPostgresError, match="in use by another"):
        start_server(folder)
    server.stop()


def test_an_interrupted_initdb_is_repeated(folder: Path) -> None:
    (folder / "cluster.new").mkdir(parents=True)
    (folder / "cluster.new" / "PG_VERSION").write_text("18\n")
    start_server(folder).stop()


def test_a_database_server_that_cannot_start_is_reported_with_the_reason(folder: Path) -> None:
    start_server(folder).stop()
    (folder / "cluster" / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedPostgresError, match="no_such_setting"):
        start_server(folder)
