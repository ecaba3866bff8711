"""Upgrades: a league goes on through an upgrade and back, when the previous release works on the new schema."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.arena import Arena
from tests.support.prepared_leagues import (
    LeagueSize,
    copy_folder,
    count_entries,
    is_league_closed,
    prepare_league,
    query_database,
)
from tests.support.upgrades import (
    ROOT,
    find_previous_release,
    list_migrations,
    unpack_release,
)
from tests.support.waiting import wait_for
from tools.multi_host_fleet.fleet_database_queries import comparable_outcome
from tools.multi_host_fleet.fleet_processes import SoftwareVersion
from tools.multi_host_fleet.upgrade_test_version import read_build

SIZE = LeagueSize(bots=6, rounds=3, games=2, pace_ms=20)
PATIENCE = 300.0


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the previous release."""
    return unpack_release(find_previous_release(), tmp_path_factory.mktemp("release") / "before")


@contextmanager
def ended_league(arena: Arena) -> Iterator[Arena]:
    """Let an arena play its league to the end."""
    try:
        wait_for(lambda: is_league_closed(arena) or arena.process.poll() is not None, "the end of the league", PATIENCE)
        assert arena.process.poll() is None, arena.read_output()
        yield arena
    finally:
        arena.process.kill()
        arena.process.wait()


def play_until(arena: Arena, entries: int) -> None:
    """Let an arena play until its matches have this number of entries; stop it while its league is going on."""
    wait_for(lambda: count_entries(arena) >= entries or arena.process.poll() is not None, "new entries", PATIENCE)
    assert arena.process.poll() is None, arena.read_output()
    assert not is_league_closed(arena)
    arena.process.terminate()
    assert arena.process.wait(PATIENCE) in {0, -signal.SIGTERM}, arena.read_output()
    arena.wait_until_gone()


def test_a_league_of_the_previous_release_goes_on_through_an_upgrade_and_back_with_the_same_result(
    before: Path, tmp_path: Path
) -> None:
    newer = list_migrations(ROOT) - list_migrations(before)
    assert newer, "the release before knows all migrations: this tries nothing"
    league = prepare_league(tmp_path / "league", SIZE, before)
    with ended_league(Arena(copy_folder(league, tmp_path / "calm"), folder=before, FTK_METERED="0")) as calm:
        expected = comparable_outcome(calm)
        entries = count_entries(calm)
    var = copy_folder(league, tmp_path / "upgraded")
    for part, folder in enumerate((before, ROOT), 1):
        play_until(Arena(var, folder=folder, FTK_METERED="0"), part * entries // 4)
    with ended_league(Arena(var, folder=before, FTK_METERED="0")) as back:
        assert set(query_database(back, "SELECT app, name FROM django_migrations")) >= newer
        builds = (read_build(SoftwareVersion(ROOT)), read_build(SoftwareVersion(before)))
        found = comparable_outcome(back, build=builds)
    for part, value in expected.items():
        assert found[part] == value, part
