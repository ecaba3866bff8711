"""Several machines: the same league with an external PostgreSQL, broker and channel layer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deploy.supervisor import embedded_postgres
from deploy.supervisor.child_process_start_and_stop import start, stop
from tests.support.arena import Arena, children_of
from tests.support.brokers import RABBITMQ, Broker, RabbitServer, RedisServer
from tests.support.prepared_leagues import (
    LeagueSize,
    build_environment,
    copy_folder,
    count_entries,
    is_league_closed,
    prepare_league,
    query_database,
    read_outcome,
)
from tests.support.waiting import wait_for

SIZE = LeagueSize(bots=6, rounds=2, games=2, seconds=0.01)
PLAYED = 120.0
PLAYERS = "SELECT DISTINCT split_part(holder, ':', 2)::int FROM replays_match"
"""Query for the processes that played."""
PLAYING = "SELECT count(*) FROM replays_match WHERE status = 'playing'"
ATTEMPTS = "SELECT DISTINCT attempts FROM replays_match"
WORKER = ("worker", "-Q", "league,friendly", "-P", "prefork", "-c", "1", "--without-mingle", "--without-gossip")


@dataclass(frozen=True, slots=True)
class Case:
    """A failure and the machine that it affects."""

    made_by: type[Broker]
    killed: bool
    """True if the broker is killed in the middle of the league and comes back empty."""

    def __str__(self) -> str:
        return f"{self.made_by.__name__}{' killed' * self.killed}"


CASES = [
    Case(made_by, killed) for made_by in (RedisServer, RabbitServer)[: 2 if RABBITMQ else 1] for killed in (False, True)
]


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that waits for workers."""
    return prepare_league(tmp_path_factory.mktemp("league") / "var", SIZE)


@pytest.fixture(scope="module")
def expected(league: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Outcome of the league on one machine with only the embedded PostgreSQL."""
    calm = Arena(copy_folder(league, tmp_path_factory.mktemp("calm") / "var"), FTK_METERED="0")
    try:
        wait_for(lambda: is_league_closed(calm), "the end of the calm league", PLAYED)
        return read_outcome(calm)
    finally:
        calm.process.kill()
        calm.process.wait()


@pytest.fixture
def broker(case: Case, tmp_path: Path) -> Iterator[Broker]:
    broker = case.made_by(tmp_path / "broker")
    yield broker
    broker.close()


class Site:
    """One league on three URLs: the machine with the web server, and any number of machines with workers."""

    def __init__(self, var: Path, stack: ExitStack, broker: Broker, pokes: RedisServer) -> None:
        self._stack = stack
        self.server = embedded_postgres.start_server(var / "postgres")
        stack.callback(self.server.stop)
        self.urls = {
            "DATABASE_URL": self.server.url,
            "CELERY_BROKER_URL": broker.url,
            "CHANNEL_LAYER_URL": pokes.url,
            "FTK_METERED": "0",
        }
        self.arena = Arena(var, **self.urls)
        stack.callback(self._end)

    def add_machine(self, var: Path) -> int:
        """Add a machine with workers; it has its own folder and shares only the URLs."""
        command = [sys.executable, "-m", "celery", "--quiet", "-A", "deploy.celery:app", *WORKER, "-n", "other@%h"]
        worker = start(command, log=var / "worker.log", env=build_environment(var, **self.urls), folder=Path.cwd())
        self._stack.callback(stop, worker, [])
        return worker.pid

    def _end(self) -> None:
        self.arena.process.kill()
        self.arena.process.wait()


@pytest.fixture
def site(league: Path, tmp_path: Path, broker: Broker, pokes: RedisServer) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(copy_folder(league, tmp_path / "var"), stack, broker, pokes)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_league_on_two_machines_has_the_same_result_as_on_one_machine(
    case: Case, site: Site, broker: Broker, expected: dict[str, Any], tmp_path: Path
) -> None:
    other = site.add_machine(tmp_path / "other")
    if case.killed:
        wait_for(lambda: count_entries(site.arena) > 20, "the middle of a match", PLAYED)
        broker.kill()
        wait_for(lambda: query_database(site.arena, PLAYING) == [(0,)], "the end of what is being played", PLAYED)
        assert not is_league_closed(site.arena)
        broker.start()
    wait_for(lambda: is_league_closed(site.arena), lambda: f"the end of the league; {site.arena.read_output()}", PLAYED)
    assert read_outcome(site.arena) == expected
    assert query_database(site.arena, ATTEMPTS) == [(1,)], "a match was cut off or played twice"
    if not case.killed:
        players, there = {pid for (pid,) in query_database(site.arena, PLAYERS)}, set(children_of(other))
        assert players & there
        assert players - there
