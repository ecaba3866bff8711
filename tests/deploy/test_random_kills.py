"""Random kills: a league whose processes are killed at random moments has the same result as an undisturbed one."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.arena import STARTED, Arena
from tests.support.prepared_leagues import (
    LeagueSize,
    copy_folder,
    count_entries,
    is_league_closed,
    prepare_league,
    query_database,
    read_outcome,
)
from tests.support.waiting import wait_for

MANY = "FTK_TEST_KILLS" in os.environ
"""True if the league is disturbed twenty times, as in `make chaos`, else four times."""
SIZE = (
    LeagueSize(bots=6, rounds=4, games=2, seconds=0.02)
    if MANY
    else LeagueSize(bots=4, rounds=1, games=2, seconds=0.008)
)
PLAYED = 600.0 if MANY else 120.0
"""Maximum seconds for the disturbed league."""
Kill = Callable[[Arena], Arena]
_running: list[Arena] = []


def supervised(var: Path) -> Arena:
    """Start an arena in a folder, without measured times in its logs, so that logs can be compared."""
    _running.append(Arena(var, FTK_METERED="0", FTK_LEASE_SECONDS="2"))
    return _running[-1]


def _one(word: str, found: Callable[[Arena, str], list[int]] = Arena.started) -> Kill:
    def kill(arena: Arena) -> Arena:
        os.kill(wait_for(lambda: found(arena, word), f"{word} runs", STARTED)[0], signal.SIGKILL)
        return arena

    return kill


def _backend(arena: Arena) -> Arena:
    """Kill the server process of one connection; PostgreSQL then ends all connections and recovers."""
    query = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    with suppress(ProcessLookupError):
        os.kill(wait_for(lambda: query_database(arena, query), "a connection", STARTED)[0][0], signal.SIGKILL)
    return arena


def _supervisor(arena: Arena) -> Arena:
    """Kill the supervisor, with which all its children die, and start another one."""
    arena.process.kill()
    arena.process.wait()
    return supervised(arena.var)


NAMED: dict[str, Kill] = {
    "PostgreSQL": _one("bin/postgres"),
    "the web server": _one("deploy.web"),
    "the supervisor": _supervisor,
    "a worker": _one("matches@"),
}
OTHERS: dict[str, Kill] = {
    "a worker's process": _one("matches@", Arena.forked),
    "a connection": _backend,
    "the house": _one("house@"),
    "the couriers": _one("outside@"),
}


def victims(draw: Random) -> list[str]:
    """Return the processes to kill, in order: those named in the environment, or twenty drawn from all kinds."""
    who = [*NAMED] * 3 + [*OTHERS] * 2 if MANY else [*NAMED]
    return draw.sample(who, len(who))


def moments(draw: Random, entries: int, count: int) -> list[int]:
    """Return the moments of the kills, as numbers of log entries: one at random in each part of the league."""
    return [(number * entries + draw.randrange(entries)) // count for number in range(count)]


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    yield
    while _running:
        arena = _running.pop()
        arena.process.kill()
        arena.process.wait()


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare_league(tmp_path_factory.mktemp("league") / "var", SIZE)


def undisturbed(var: Path) -> tuple[dict[str, Any], int]:
    """Return the end of the undisturbed league, and the number of log entries of its matches."""
    calm = supervised(var)
    wait_for(lambda: is_league_closed(calm), "the end of the calm league", PLAYED)
    found = read_outcome(calm), count_entries(calm)
    calm.process.kill()
    calm.process.wait()
    return found


def test_a_league_has_the_same_result_whichever_processes_are_killed(league: Path, tmp_path: Path) -> None:
    expected, length = undisturbed(copy_folder(league, tmp_path / "calm"))
    assert [row[3] for row in expected["tables"]] == ["closed"] * 2 * SIZE.matches
    draw = Random()
    who = victims(draw)
    plan = list(zip(moments(draw, length, len(who)), who, strict=True))
    arena, until = supervised(copy_folder(league, tmp_path / "wild")), time.monotonic() + PLAYED
    for moment, name in plan:
        what = f"entry {moment} of {plan}"
        wait_for(lambda a=arena, at=moment: count_entries(a) >= at, what, until - time.monotonic())
        assert not is_league_closed(arena), f"the league was over before {name} was killed: {plan}"
        arena = (NAMED | OTHERS)[name](arena)
    what = f"the end of the league in spite of {plan}; {arena.read_output()}"
    wait_for(lambda: is_league_closed(arena), what, until - time.monotonic())
    found = read_outcome(arena)
    for part, value in expected.items():
        assert found[part] == value, plan
    arena.wait_until_open().process.terminate()
    assert arena.process.wait(STARTED) == 0, arena.read_output()
    arena.wait_until_gone()
