"""While hosts are upgraded one by one, the release before this one works on this one's schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection, models
from django.db.migrations import AddField, AlterField, Migration, RemoveField
from django.db.migrations.loader import MigrationLoader

from tests.support.arena import Arena
from tests.support.fleet.ledger import compared
from tests.support.fleet.roles import Software
from tests.support.fleet.software import build
from tests.support.prepared import Size, asked, copied, ended, prepared
from tests.support.upgrades import ROOT, contracted, migrations_of, release_before, unpacked
from tests.support.waiting import wait_for

SIZE = Size(bots=6, rounds=2, games=2)
PATIENCE = 300.0
SERVED = {("replays", "0020_seats_of_bots"): "two triggers fill the columns, whoever writes"}
"""Migrations that demand something which the database fills by itself, and how."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the release before this one."""
    return unpacked(release_before(), tmp_path_factory.mktemp("release") / "before")


@contextmanager
def ended_league(arena: Arena) -> Iterator[Arena]:
    """Let an arena play its league to the end."""
    try:
        wait_for(lambda: ended(arena) or arena.process.poll() is not None, "the end of the league", PATIENCE)
        assert arena.process.poll() is None, arena.said()
        yield arena
    finally:
        arena.process.kill()
        arena.process.wait()


def test_the_release_before_plays_a_league_on_this_schema_to_the_same_end(before: Path, tmp_path: Path) -> None:
    newer = migrations_of(ROOT) - migrations_of(before)
    assert newer, "the release before knows all migrations: this tries nothing"
    league = prepared(tmp_path / "league", SIZE)
    with ended_league(Arena(copied(league, tmp_path / "ours"), FTK_METERED="0")) as ours:
        expected = compared(ours)
    with ended_league(Arena(copied(league, tmp_path / "theirs"), folder=before, FTK_METERED="0")) as theirs:
        assert set(asked(theirs, "SELECT app, name FROM django_migrations")) >= newer, "it had a schema of its own"
        found = compared(theirs, build=(build(Software(before)), build(Software(ROOT))))
    for part, value in expected.items():
        assert found[part] == value, part


@pytest.mark.django_db
def test_what_is_newer_takes_nothing_away_from_the_release_before(before: Path) -> None:
    newer = sorted(migrations_of(ROOT) - migrations_of(before) - set(SERVED))
    known = MigrationLoader(connection).disk_migrations
    assert contracted(known[key] for key in newer if key in known) == []


def named(*operations: object) -> Migration:
    migration = Migration("0099_spoilt", "replays")
    migration.operations = list(operations)
    return migration


@pytest.mark.parametrize(
    ("operation", "bad"),
    [
        (RemoveField("match", "reason"), True),
        (AddField("match", "weight", models.IntegerField(default=1)), True),
        (AlterField("match", "opened_at", models.DateTimeField()), True),
        (AddField("match", "weight", models.IntegerField(db_default=1)), False),
        (AddField("match", "weight", models.IntegerField(null=True)), False),
    ],
    ids=["a column is gone", "a default that only we know", "null no more", "the database's default", "may be null"],
)
def test_what_the_release_before_could_not_bear_is_found(operation: object, bad: bool) -> None:
    assert bool(contracted([named(operation)])) is bad
