"""The supervised PostgreSQL: restarts after a death, and the limit of restarts."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from deploy.supervisor import postgres_supervisor
from deploy.supervisor.child_process_start_and_stop import MAX_PAUSE_SECONDS
from deploy.supervisor.postgres_binaries import EmbeddedPostgresError
from deploy.supervisor.postgres_supervisor import MAX_DEATHS, PostgresSupervisor
from tests.support.processes import list_cluster_processes
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "postgres"


@pytest.fixture
def messages() -> list[str]:
    return []


@pytest.fixture
def supervisor(folder: Path, messages: list[str]) -> Iterator[PostgresSupervisor]:
    supervisor = PostgresSupervisor(folder, messages.append)
    yield supervisor
    supervisor.stop()
    assert list_cluster_processes(folder) == []


def kill(supervisor: PostgresSupervisor, folder: Path, messages: list[str]) -> None:
    """Kill the server, and let the supervisor find it dead."""
    (pid,) = list_cluster_processes(folder)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: (supervisor.restart_due(0.0), messages)[1], "the death is noticed")


def test_a_killed_database_server_is_restarted_with_its_durable_data(
    supervisor: PostgresSupervisor, folder: Path, messages: list[str]
) -> None:
    with psycopg.connect(supervisor.url) as connection:
        connection.execute("CREATE TABLE durable AS SELECT 7 AS number")
    assert supervisor.restart_due(0.0) == MAX_PAUSE_SECONDS
    kill(supervisor, folder, messages)
    assert messages[0].startswith("PostgreSQL ended (-9); it starts again in 0 s")
    assert messages[1:] == ["PostgreSQL is back; what was durable is there."]
    with psycopg.connect(supervisor.url) as connection:
        assert connection.execute("SELECT number FROM durable").fetchall() == [(7,)]


def test_restarts_of_a_failing_database_server_back_off_and_then_stop(
    supervisor: PostgresSupervisor, folder: Path, messages: list[str]
) -> None:
    (folder / "cluster" / "postgresql.conf").write_text("no_such_setting = 1\n")
    kill(supervisor, folder, messages)
    waited: list[float] = []
    with pytest.raises(EmbeddedPostgresError, match=f"contains errors, {MAX_DEATHS + 1} times in a row"):
        waited.extend(supervisor.restart_due(now) for now in count(1000.0, MAX_PAUSE_SECONDS))
    assert waited == sorted(waited)
    assert waited[0] < waited[-1] == MAX_PAUSE_SECONDS
    assert len(waited) <= MAX_DEATHS


def test_a_database_server_on_a_full_disk_is_retried_without_limit(
    supervisor: PostgresSupervisor, folder: Path, messages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_supervisor, "DISK_FULL_BYTES", 2**62)
    settings = folder / "cluster" / "postgresql.conf"
    whole = settings.read_text()
    settings.write_text("no_such_setting = 1\n")
    (pid,) = list_cluster_processes(folder)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: (supervisor.restart_due(0.0), messages)[1], "the death is noticed")
    waited = {supervisor.restart_due(1000.0 + 10 * number) for number in range(MAX_DEATHS + 2)}
    assert waited == {postgres_supervisor.DISK_RETRY_SECONDS}
    settings.write_text(whole)
    supervisor.restart_due(2000.0)
    assert len(messages) == 2
    assert "is full; it starts again once there is room" in messages[0]
    assert messages[1] == "PostgreSQL is back; what was durable is there."


def test_a_database_server_stopped_on_purpose_is_not_restarted(
    supervisor: PostgresSupervisor, folder: Path, messages: list[str]
) -> None:
    supervisor.stop()
    supervisor.restart_due(1e9)
    assert messages == []
    assert list_cluster_processes(folder) == []
