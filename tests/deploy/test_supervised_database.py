"""The embedded PostgreSQL comes back under its supervisor, and is given up when it cannot."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from deploy.supervisor import supervised_database
from deploy.supervisor.embedded import EmbeddedError
from deploy.supervisor.processes import LONGEST_PAUSE_SECONDS
from deploy.supervisor.supervised_database import MOST_DEATHS, SupervisedDatabase
from tests.support.processes import of_cluster
from tests.support.waiting import wait_for


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "postgres"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def kept(folder: Path, said: list[str]) -> Iterator[SupervisedDatabase]:
    kept = SupervisedDatabase(folder, said.append)
    yield kept
    kept.stop()
    assert of_cluster(folder) == []


def kill(kept: SupervisedDatabase, folder: Path, said: list[str]) -> None:
    """Kill the server, and have it found dead."""
    (pid,) = of_cluster(folder)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: (kept.tend(0.0), said)[1], "the death is noticed")


@pytest.mark.slow
def test_a_server_that_is_killed_is_started_again_and_has_what_was_durable(
    kept: SupervisedDatabase, folder: Path, said: list[str]
) -> None:
    with psycopg.connect(kept.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    assert kept.tend(0.0) == LONGEST_PAUSE_SECONDS
    kill(kept, folder, said)
    assert said[0].startswith("PostgreSQL ended (-9); it starts again in 0 s")
    assert said[1:] == ["PostgreSQL is back; what was durable is there."]
    with psycopg.connect(kept.url) as connection:
        assert connection.execute("SELECT number FROM kept").fetchall() == [(7,)]


@pytest.mark.slow
def test_a_server_that_does_not_come_up_is_tried_less_and_less_often_and_then_given_up(
    kept: SupervisedDatabase, folder: Path, said: list[str]
) -> None:
    (folder / "cluster" / "postgresql.conf").write_text("no_such_setting = 1\n")
    kill(kept, folder, said)
    waited: list[float] = []
    with pytest.raises(EmbeddedError, match=f"contains errors, {MOST_DEATHS + 1} times in a row"):
        waited.extend(kept.tend(now) for now in count(1000.0, LONGEST_PAUSE_SECONDS))
    assert waited == sorted(waited)
    assert waited[-1] == LONGEST_PAUSE_SECONDS
    assert len(waited) <= MOST_DEATHS


@pytest.mark.slow
def test_a_server_on_a_full_disk_is_tried_again_soon_and_for_ever(
    kept: SupervisedDatabase, folder: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervised_database, "FULL_BYTES", 2**62)
    settings = folder / "cluster" / "postgresql.conf"
    whole = settings.read_text()
    settings.write_text("no_such_setting = 1\n")
    (pid,) = of_cluster(folder)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: (kept.tend(0.0), said)[1], "the death is noticed")
    waited = {kept.tend(1000.0 + 10 * number) for number in range(MOST_DEATHS + 2)}
    assert waited == {supervised_database.ROOM_SECONDS}
    settings.write_text(whole)
    kept.tend(2000.0)
    assert len(said) == 2
    assert "is full; it starts again once there is room" in said[0]
    assert said[1] == "PostgreSQL is back; what was durable is there."


@pytest.mark.slow
def test_a_server_that_is_stopped_for_good_is_not_started_again(kept: SupervisedDatabase, folder: Path) -> None:
    kept.stop()
    assert of_cluster(folder) == []
