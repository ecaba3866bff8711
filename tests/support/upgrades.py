"""The release before this one: where it is found, its files, and what its code could not bear of a newer schema."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

from django.db import models
from django.db.migrations import Migration
from django.db.migrations.operations import AddField, AlterField, DeleteModel, RemoveField, RenameField, RenameModel
from django.db.migrations.operations.base import Operation

ROOT = Path(__file__).parents[2]
BUILT = ("frontend/static/ui",)
"""What is made and not kept with the sources; a release has it with it."""
NEWEST_MIGRATION = ("log", "--diff-filter=A", "--format=%H", "-1", "--", "*/migrations/0*.py")
GONE = (RemoveField, DeleteModel, RenameField, RenameModel)


class NoHistory(Exception):
    """Raised where the release before this one is not to be had: this is no clone with its history."""


def _git(*words: str) -> bytes:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"") or str(error).encode()
        raise NoHistory(f"git {words[0]}: {said.decode(errors='replace').strip()}") from error


def release_before() -> str:
    """Return the last tag or, before there is one, the last commit without the newest migration; raises NoHistory."""
    tags = _git("tag", "--merged", "HEAD~1", "--sort=-creatordate").decode().split()
    if tags:
        return tags[0]
    newest = _git(*NEWEST_MIGRATION).decode().strip()
    if not newest:
        raise NoHistory("no commit in this history adds a migration")
    return f"{newest}^"


def unpacked(release: str, to: Path) -> Path:
    """Write the files of a release into a folder, with what is built here; returns it. Raises NoHistory."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", release))) as archive:
        archive.extractall(to, filter="data")
    for folder in BUILT:
        shutil.copytree(ROOT / folder, to / folder)
    subprocess.run([sys.executable, "-m", "deploy.tongues", "compile"], cwd=to, capture_output=True, check=True)
    return to


def migrations_of(folder: Path) -> set[tuple[str, str]]:
    """Return the migrations that there are in a tree, by app and name."""
    return {(file.parts[-3], file.stem) for file in folder.glob("*/migrations/0*.py")}


def contracted(migrations: Iterable[Migration]) -> list[str]:
    """Return what code from before these migrations could not bear: what is gone, renamed, or must be filled by it."""
    return [
        f"{migration.app_label}.{migration.name}: {operation.describe()}"
        for migration in migrations
        for operation in migration.operations
        if isinstance(operation, GONE) or _must_be_filled(operation)
    ]


def _must_be_filled(operation: Operation) -> bool:
    """Tell whether a column is demanded of whoever writes rows: a default in Python is none that the database knows."""
    if not isinstance(operation, AddField | AlterField) or isinstance(operation.field, models.ManyToManyField):
        return False
    return not operation.field.null and not operation.field.has_db_default()
