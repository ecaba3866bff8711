"""Upgrades host by host: the previous release works on the new release's schema."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations import AddField, AlterField, Migration, RemoveField, RunSQL
from django.db.migrations.loader import MigrationLoader

from tests.support.arena import Arena
from tests.support.prepared_leagues import LeagueSize, copy_folder, is_league_closed, prepare_league, query_database
from tests.support.upgrades import (
    ROOT,
    find_previous_release,
    list_breaking_operations,
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


@pytest.mark.django_db
def test_new_migrations_remove_no_column_or_table_that_the_previous_release_uses(before: Path) -> None:
    previous, known = list_migrations(before), MigrationLoader(connection).disk_migrations
    ours = (known.keys() & list_migrations(ROOT)) - previous
    newer = {key for key in ours if not previous >= {*(known[key].replaces or [key])}}
    assert newer, "the release before knows all migrations: this tries nothing"
    assert list_breaking_operations(known[key] for key in sorted(newer) if list_sql(*key)) == []


def list_sql(app: str, name: str) -> list[str]:
    """Return the SQL statements of a migration; none if it renames models and fields, but no table and no column."""
    lines = call_command("sqlmigrate", app, name, stdout=StringIO()).splitlines()
    return [line for line in lines if not line.startswith(("--", "BEGIN", "COMMIT"))]


@pytest.mark.django_db
def test_sql_of_a_migration_is_listed_only_if_the_migration_changes_the_database() -> None:
    assert list_sql("people", "0004_stored_language") == []
    assert list_sql("people", "0003_squashed_preferred_language")


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
        (AddField("match", "parent", models.ForeignKey("match", models.CASCADE, null=True)), True),
    ],
    ids=[
        "removed column",
        "new column with a Python default",
        "column becomes NOT NULL",
        "new column with a database default",
        "new nullable column",
        "new foreign key",
    ],
)
def test_migrations_that_break_the_previous_release_are_detected(operation: object, bad: bool) -> None:
    assert bool(list_breaking_operations([named(operation)])) is bad


def test_a_new_foreign_key_with_on_delete_in_the_database_breaks_no_older_release() -> None:
    parent = AddField("match", "parent", models.ForeignKey("match", models.CASCADE, null=True))
    cascade = RunSQL("ALTER TABLE replays_match ADD FOREIGN KEY (parent_id) REFERENCES replays_match ON DELETE CASCADE")
    assert list_breaking_operations([named(parent), named(cascade)]) == []
