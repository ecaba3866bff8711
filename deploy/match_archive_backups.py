"""Backup and restore of the folder with old match logs."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import psycopg

from replays.archive.archive_errors import ArchiveUnavailable
from replays.archive.archived_log_reading import path_of_block, path_of_dictionary
from replays.archive.block_storage import FolderBlockStorage

ARCHIVE = "archive.tar"
ARCHIVE_FILE_PATTERN = re.compile(r"(?:blocks/[0-9a-f]{2}|dictionaries)/([0-9a-f]{64})")
"""Paths of the files in the archive of old logs; each file is named by the SHA-256 of its content."""


class BackupError(Exception):
    """Raised when a backup or restore is impossible; the message says what to do."""


def owner_only(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Make a file in a backup readable by its owner only."""
    member.mode = 0o600
    return member


def read_file_names(conninfo: str) -> list[str]:
    """Return the paths, within the archive, of all match logs and compression dictionaries listed in the database."""
    with psycopg.connect(conninfo) as connection:
        blocks = connection.execute("SELECT DISTINCT name FROM replays_block ORDER BY name").fetchall()
        dictionaries = connection.execute("SELECT name FROM replays_dictionary ORDER BY name").fetchall()
    return [*(path_of_block(name) for (name,) in blocks), *(path_of_dictionary(name) for (name,) in dictionaries)]


def copy_archive(archive: Path | None, conninfo: str, target: Path) -> None:
    """Write the archive's files into a tar file. Raises BackupError if the database refers to a missing file."""
    # Call this after the database dump, so that the names include all those in the dump. The files are not searched
    # for: a search passes over folders that are missing, unreadable or symbolic links.
    if archive is None or not (names := read_file_names(conninfo)):
        return
    if missing := _list_missing(archive, names):
        raise BackupError(
            f"The match archive {archive} lacks {len(missing)} of its {len(names)} files (the first is {missing[0]}): "
            f"set FTK_ARCHIVE_URL to the folder that has them, or copy them back."
        )
    with tarfile.open(target, "w", dereference=True) as tar:
        for name in names:
            tar.add(archive / name, name, filter=owner_only)


def check_restored_archive(archive: Path | None, conninfo: str) -> None:
    """Raise BackupError if a restored database refers to files that the archive's folder lacks."""
    if archive and (missing := _list_missing(archive, names := read_file_names(conninfo))):
        raise BackupError(
            f"The database is restored, but the match archive {archive} lacks {len(missing)} of its {len(names)} files "
            f"(the first is {missing[0]}): copy them there from the old archive, or set FTK_ARCHIVE_URL to it."
        )


def _list_missing(archive: Path, names: list[str]) -> list[str]:
    return [name for name in names if not (archive / name).is_file()]


def _archived_files(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each log file in a backup. Raises BackupError if one is damaged."""
    if not source.exists():
        return
    with tarfile.open(source) as tar:
        for member in tar:
            named, body = ARCHIVE_FILE_PATTERN.fullmatch(member.name), tar.extractfile(member)
            content = body.read() if body else b""
            if not named or sha256(content).hexdigest() != named[1]:
                raise BackupError(f"{member.name!r} in {ARCHIVE} is not what its name says")
            yield member.name, content


def restore_archive(source: Path, archive: Path | None) -> None:
    """Write the match logs in a backup into the archive. Raises BackupError."""
    try:
        for name, body in _archived_files(source):
            FolderBlockStorage(archive or Path()).put(name, body)
    except ArchiveUnavailable as error:
        raise BackupError(f"the archive could not be restored; the database is still empty: {error}") from error


def check_archive(source: Path, archive: Path | None) -> None:
    """Raise BackupError if the match logs in a backup are damaged, or if this site has no folder for them."""
    if source.exists() and archive is None:
        raise BackupError(
            f"the backup holds an archive: restore with FTK_ARCHIVE_URL a folder, then copy {ARCHIVE} over"
        )
    for _ in _archived_files(source):
        pass
