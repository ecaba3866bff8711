"""The previous release: its version, its files, and operations of newer migrations that would break its code."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from django.db import models
from django.db.migrations import Migration
from django.db.migrations.operations import (
    AddField,
    AlterField,
    DeleteModel,
    RemoveField,
    RenameField,
    RenameModel,
    RunSQL,
)
from django.db.migrations.operations.base import Operation

ROOT = Path(__file__).parents[2]
BUILT = ("frontend/static/ui",)
"""Build results that git ignores, but a release contains."""
SQUASHED = ("*_squashed_*", "foundation/ratelimits/migrations/*")
"""Files that create the schema of release 1.0.0 anew, in which its own migrations are replaced."""
NEWEST_MIGRATION = ("log", "--diff-filter=A", "--format=%H", "-1", "--", "*/migrations/0*.py")
REMOVING_OPERATIONS = (RemoveField, DeleteModel, RenameField, RenameModel)


class NoHistory(Exception):
    """Raised if the previous release is unavailable, because the source tree is not a git clone with its history."""


def _git(*words: str) -> bytes:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or str(error).encode()
        raise NoHistory(f"git {words[0]}: {said.decode(errors='replace').strip()}") from error


def find_previous_release() -> str:
    """Return the last tag, or else the last commit before the newest migration; raises NoHistory."""
    tags = _git("tag", "--merged", "HEAD~1", "--sort=-creatordate").decode().split()
    if tags:
        return tags[0]
    newest = _git(*NEWEST_MIGRATION, *(f":(exclude){files}" for files in SQUASHED)).decode().strip()
    if not newest:
        raise NoHistory("no commit in this history adds a migration")
    return f"{newest}^"


def unpack_release(release: str, to: Path) -> Path:
    """Write the files of a release and our built files into a folder; return it. Raises NoHistory."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", release))) as archive:
        archive.extractall(to, filter="data")
    for folder in BUILT:
        shutil.copytree(ROOT / folder, to / folder)
    module = "deploy.tongues" if (to / "deploy/tongues.py").exists() else "deploy.i18n.site_catalogue"
    subprocess.run([sys.executable, "-m", module, "compile"], cwd=to, capture_output=True, check=True)
    return to


def list_migrations(folder: Path) -> set[tuple[str, str]]:
    """Return the migrations of a source tree, by app and name."""
    return {(file.parts[-3], file.stem) for file in folder.glob("*/migrations/0*.py")}


def list_breaking_operations(migrations: Iterable[Migration]) -> list[str]:
    """Return the operations that break older code.

    These are removed or renamed columns and models, new required columns, and new foreign keys without ON DELETE.
    """
    operations = [(migration, operation) for migration in migrations for operation in migration.operations]
    statements = [str(operation.sql) for _, operation in operations if isinstance(operation, RunSQL)]
    return [
        f"{migration.app_label}.{migration.name}: {operation.describe()}"
        for migration, operation in operations
        if isinstance(operation, REMOVING_OPERATIONS)
        or _must_be_filled(operation)
        or _forbids_deletions(migration.app_label, operation, statements)
    ]


def _forbids_deletions(app: str, operation: Operation, statements: Sequence[str]) -> bool:
    """Return True if a new foreign key keeps older code from deleting rows that newer code refers to."""
    # Django deletes the referring rows, or sets them to null, but only in releases that know the column. One of
    # `statements`, the SQL of the migrations, can make the database do it.
    if not isinstance(operation, AddField) or not isinstance(operation.field, models.ForeignKey):
        return False
    table = f"{app}_{operation.model_name_lower}"
    return not any(table in sql and "ON DELETE" in sql for sql in statements)


def _must_be_filled(operation: Operation) -> bool:
    """Return True if writers must set a column: the database does not know Python defaults."""
    if not isinstance(operation, AddField | AlterField) or isinstance(operation.field, models.ManyToManyField):
        return False
    return not operation.field.null and not operation.field.has_db_default()
