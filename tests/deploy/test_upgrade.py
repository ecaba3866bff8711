"""Upgrades host by host: the previous release works on the new release's schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.arena import Arena
from tests.support.prepared_leagues import LeagueSize, copy_folder, is_league_closed, prepare_league, query_database
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

SIZE = LeagueSize(bots=6, rounds=2, games=2)
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


def test_the_previous_release_plays_a_league_on_the_current_database_schema_with_the_same_result(
    before: Path, tmp_path: Path
) -> None:
    newer = list_migrations(ROOT) - list_migrations(before)
    assert newer, "the release before knows all migrations: this tries nothing"
    league = prepare_league(tmp_path / "league", SIZE)
    with ended_league(Arena(copy_folder(league, tmp_path / "ours"), FTK_METERED="0")) as ours:
        expected = comparable_outcome(ours)
    with ended_league(Arena(copy_folder(league, tmp_path / "theirs"), folder=before, FTK_METERED="0")) as theirs:
        assert set(query_database(theirs, "SELECT app, name FROM django_migrations")) >= newer, (
            "it had a schema of its own"
        )
        found = comparable_outcome(
            theirs, build=(read_build(SoftwareVersion(before)), read_build(SoftwareVersion(ROOT)))
        )
    for part, value in expected.items():
        assert found[part] == value, part
