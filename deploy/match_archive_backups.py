"""Backup and restore of the folder with old match logs."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from replays.archive.archive_errors import ArchiveUnavailable
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


def copy_archive(archive: Path | None, target: Path) -> None:
    """Write the archive's files into a tar file."""
    # Call this after the database dump: the dump refers to these files by name.
    names = [file.relative_to(archive) for file in sorted(archive.rglob("*"))] if archive else []
    if archive and (names := [name for name in names if ARCHIVE_FILE_PATTERN.fullmatch(str(name))]):
        with tarfile.open(target, "w") as tar:
            for name in names:
                tar.add(archive / name, str(name), filter=owner_only)


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
    """Raise BackupError if the match logs in a backup are damaged or cannot be restored here."""
    if source.exists() and archive is None:
        raise BackupError(
            f"the backup holds an archive: restore with FTK_ARCHIVE_URL a folder, then copy {ARCHIVE} over"
        )
    for _ in _archived_files(source):
        pass
