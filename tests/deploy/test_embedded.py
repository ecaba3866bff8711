"""The embedded PostgreSQL: it starts in an empty folder, keeps its data, and leaves no process behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from deploy import postgres_version_check
from deploy.config.database_address import socket_folder
from deploy.supervisor.embedded_postgres import start_server
from deploy.supervisor.postgres_binaries import (
    MIN_MACHINE_VERSION,
    EmbeddedPostgresError,
    PostgresInstallation,
    find_programs,
    list_programs,
)
from tests.support.processes import list_cluster_processes
from tests.support.temporary_postgres import temporary_server
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
def test_the_socket_folder_of_the_embedded_database_is_accessible_to_its_owner_only(folder: Path) -> None:
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


@pytest.mark.slow
def test_a_second_supervisor_of_the_same_data_folder_is_refused(folder: Path) -> None:
    server = start_server(folder)
    with pytest.raises(EmbeddedPostgresError, match="in use by another"):
        start_server(folder)
    server.stop()


@pytest.mark.slow
def test_an_interrupted_initdb_is_repeated(folder: Path) -> None:
    (folder / "cluster.new").mkdir(parents=True)
    (folder / "cluster.new" / "PG_VERSION").write_text("18\n")
    start_server(folder).stop()


@pytest.mark.slow
def test_a_database_server_that_cannot_start_is_reported_with_the_reason(folder: Path) -> None:
    start_server(folder).stop()
    (folder / "cluster" / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(EmbeddedPostgresError, match="no_such_setting"):
        start_server(folder)


def put_postgres(folder: Path, version: int) -> None:
    """Create programs that report this version."""
    for name in ("postgres", "initdb"):
        (folder / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}.1'\n")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize("version", [MIN_MACHINE_VERSION - 1, MIN_MACHINE_VERSION])
def test_a_recent_postgresql_on_path_is_preferred_to_the_one_in_the_python_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: int
) -> None:
    put_postgres(tmp_path, version)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (find_programs().folder == tmp_path) is (version >= MIN_MACHINE_VERSION)


def test_a_data_folder_is_opened_only_by_the_postgresql_major_version_that_wrote_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_postgres(tmp_path, 40)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_programs().version == 40
    wheel = min(list_programs())
    assert find_programs(wheel).version == wheel
    with pytest.raises(EmbeddedPostgresError, match="written by PostgreSQL 39, which is not installed"):
        find_programs(39)


@pytest.mark.nightly
@pytest.mark.parametrize("programs", list_programs().values(), ids=lambda programs: f"PostgreSQL {programs.version}")
def test_each_installed_postgresql_version_runs_the_migrations_and_sorts_by_code_points(
    programs: PostgresInstallation,
) -> None:
    with temporary_server(programs=programs) as server, psycopg.connect(server.url, autocommit=True) as connection:
        env = {**os.environ, "DATABASE_URL": server.url}
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], env=env, check=True)
        assert connection.info.server_version // 10_000 == programs.version
        names = connection.execute("SELECT name FROM unnest(ARRAY['b', 'A', 'a', 'é', 'B']) name ORDER BY 1").fetchall()
        assert [name for (name,) in names] == ["A", "B", "a", "b", "é"]


@pytest.mark.django_db
def test_a_postgresql_server_older_than_the_oldest_supported_version_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgres_version_check, "OLDEST_POSTGRES", 40)
    with pytest.raises(SystemCheckError, match=r"PostgreSQL must be version 40 or newer \(the server has \d+\)"):
        call_command("migrate", plan=True, skip_checks=False)
