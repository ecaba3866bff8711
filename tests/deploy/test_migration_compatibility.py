"""The previous release works on the schema of the new one: migrations remove and require nothing."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, models
from django.db.migrations import AddField, AlterField, Migration, RemoveField, RunSQL
from django.db.migrations.loader import MigrationLoader

from tests.support.upgrades import (
    ROOT,
    find_previous_release,
    list_breaking_operations,
    list_migrations,
    unpack_release,
)


@pytest.mark.nightly
@pytest.mark.django_db
def test_new_migrations_remove_no_column_or_table_that_the_previous_release_uses(tmp_path: Path) -> None:
    before = unpack_release(find_previous_release(), tmp_path / "before")
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
