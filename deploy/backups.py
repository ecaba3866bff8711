"""Backup of an arena in one file: its database, its two keys, and its archive if that is a folder.

The database is dumped by PostgreSQL's own ``pg_dump``, which comes with the embedded server. A dump is a consistent
snapshot of a running arena, restores into any later PostgreSQL (a copy of the cluster's files would need the very same
build), and recreates the triggers that keep logs append-only. Uploaded bots are rows of the database, by their SHA-256;
``bots/`` under FTK_VAR is unpacked from them on demand. Matches that are unfinished in the dump resume from there, as
after a worker's death.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from deploy.supervisor import embedded
from replays.blocks.storage import FolderStorage

DUMP, SUMS, ARCHIVE = "database.dump", "SHA256SUMS", "archive.tar"
KEPT = re.compile(r"(?:blocks/[0-9a-f]{2}|dictionaries)/([0-9a-f]{64})")
"""Paths of the files in an archive, each with its SHA-256."""
SECRET_KEY, SIGNING_KEY = "secret-key", "signing-key"
PEOPLES = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"


class BackupError(Exception):
    """Raised when a backup or restore is impossible; the message names the remedy."""


@dataclass(frozen=True, slots=True)
class BackupContents:
    """Sources of a backup and targets of a restore."""

    conninfo: str
    """Connection string of the database, in libpq's form."""
    keys: Mapping[str, Path]
    """Key files, by their names in the backup."""
    cluster: Path | None = None
    """Folder of the embedded PostgreSQL; None for any other server."""
    archive: Path | None = None
    """Folder with the logs of old matches; None for a bucket, which its provider must back up."""


def back_up(ours: BackupContents, target: Path) -> None:
    """Write the database and the keys into a tar that only its owner may read; it appears once complete.

    Raises BackupError, or OSError.
    """
    draft = target.with_name(f".{target.name}.part")
    with TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as name:
        folder = Path(name)
        _postgres("pg_dump", ours, "--format=custom", "--no-owner", "--no-privileges", f"--file={folder / DUMP}")
        for key, file in ours.keys.items():
            if file.exists():
                shutil.copyfile(file, folder / key)
        _copy_archive(ours.archive, folder / ARCHIVE)
        (folder / SUMS).write_text(_sums(folder))
        draft.touch(mode=0o600)
        with tarfile.open(draft, "w") as tar:
            for file in sorted(folder.iterdir()):
                tar.add(file, file.name, filter=_owners)
    draft.replace(target)


def _owners(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Restrict a tar member to its owner, whatever the mode of the file was."""
    member.mode = 0o600
    return member


def restore(source: Path, ours: BackupContents) -> None:
    """Fill an empty database and put the keys in place; raises BackupError before anything is changed."""
    with TemporaryDirectory(prefix="ftk-restore-") as name:
        folder = Path(name)
        _unpack(source, folder)
        _check_archive(folder / ARCHIVE, ours.archive)
        given = {key: file for key, file in ours.keys.items() if (folder / key).exists()}
        _check_signing_key(folder, given)
        with psycopg.connect(ours.conninfo) as connection:
            if (connection.execute(PEOPLES).fetchone() or (0,))[0]:
                raise BackupError("the database is not empty: restore into a new one, with another FTK_VAR")
        _postgres("pg_restore", ours, "--exit-on-error", "--single-transaction", "--no-owner", str(folder / DUMP))
        for kept, body in _archived(folder / ARCHIVE):
            FolderStorage(ours.archive or Path()).put(kept, body)
        for key, file in given.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_name(f".{file.name}.restored")
            draft.touch(mode=0o600)
            shutil.copyfile(folder / key, draft)
            draft.replace(file)


def _copy_archive(archive: Path | None, target: Path) -> None:
    """Write the archive's files into a tar, if any exist.

    The dump was taken before, so all that it refers to is included.
    """
    names = [file.relative_to(archive) for file in sorted(archive.rglob("*"))] if archive else []
    if archive and (names := [name for name in names if KEPT.fullmatch(str(name))]):
        with tarfile.open(target, "w") as tar:
            for name in names:
                tar.add(archive / name, str(name), filter=_owners)


def _archived(source: Path) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of the files in an archive's tar; nothing without one. Raises BackupError."""
    if not source.exists():
        return
    with tarfile.open(source) as tar:
        for member in tar:
            named, body = KEPT.fullmatch(member.name), tar.extractfile(member)
            content = body.read() if body else b""
            if not named or sha256(content).hexdigest() != named[1]:
                raise BackupError(f"{member.name!r} in {ARCHIVE} is not what its name says")
            yield member.name, content


def _check_archive(source: Path, archive: Path | None) -> None:
    """Raise BackupError for a damaged archive, or one without a target folder."""
    if source.exists() and archive is None:
        raise BackupError(
            f"the backup holds an archive: restore with FTK_ARCHIVE_URL a folder, then copy {ARCHIVE} over"
        )
    for _ in _archived(source):
        pass


@contextmanager
def running(ours: BackupContents) -> Iterator[None]:
    """Run the embedded PostgreSQL during the block, if it is ours and not running; raises embedded.EmbeddedError."""
    try:
        server = embedded.start(ours.cluster) if ours.cluster else None
    except embedded.InUse:  # by `manage.py up`
        server = None
    try:
        yield
    finally:
        if server:
            server.stop()


def _check_signing_key(folder: Path, given: Mapping[str, Path]) -> None:
    there = given.get(SIGNING_KEY)
    if there and there.exists() and there.read_bytes() != (folder / SIGNING_KEY).read_bytes():
        raise BackupError(f"{there} is another key than the one in the backup: move it away first")


def _sums(folder: Path) -> str:
    """Return the output of ``sha256sum`` for a folder's files."""
    lines = []
    for file in sorted(folder.iterdir()):
        if file.name != SUMS:
            with file.open("rb") as body:
                lines.append(f"{file_digest(body, 'sha256').hexdigest()}  {file.name}\n")
    return "".join(lines)


def _unpack(source: Path, folder: Path) -> None:
    """Unpack a backup and check its sums; raises BackupError."""
    try:
        with tarfile.open(source) as tar:
            for member in tar:
                _take(tar, member, folder)
        sound = (folder / SUMS).read_text() == _sums(folder) and (folder / DUMP).exists()
    except (tarfile.TarError, OSError, UnicodeDecodeError) as error:
        raise BackupError(f"{source} is no backup: {error}") from error
    if not sound:
        raise BackupError(f"{source} is damaged: its files are not what {SUMS} says")


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Unpack one file (Python 3.11.2, as in Debian 12, has no extraction filters); raises tarfile.TarError."""
    body = tar.extractfile(member) if member.isfile() and "/" not in member.name else None
    if body is None:
        raise tarfile.ExtractError(f"there is no place in one for {member.name!r}")
    with body, (folder / member.name).open("wb") as file:
        shutil.copyfileobj(body, file)


def _postgres(program: str, ours: BackupContents, *words: str) -> None:
    """Run a PostgreSQL program on the database; raises BackupError with its output."""
    parts = conninfo_to_dict(ours.conninfo)
    password = parts.pop("password", None)
    env = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}  # all users can read a command line
    command = [_path_of(program, ours.conninfo), f"--dbname={make_conninfo('', **parts)}", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BackupError(f"{program} failed: {done.stderr.strip()}")


def _path_of(program: str, conninfo: str) -> str:
    """Return the machine's own program, which supports TLS, unless it is older than the server; then the wheel's."""
    if found := shutil.which(program):
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        with psycopg.connect(conninfo) as connection:
            newest = connection.info.server_version // 10_000
        if int(re.findall(r"\d+", said)[0]) >= newest:
            return found
    return str(embedded.binaries() / program)
