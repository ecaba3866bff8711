"""Backup of the whole site in one tar file.

It holds the database, two key files and the folder with old match logs. Logs in an S3 bucket are not included.
"""
# pg_dump takes a consistent snapshot of a running site, and any later PostgreSQL can restore it. A copy of the
# cluster's files would need the very same build.

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tarfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from deploy.match_archive_backups import (
    ARCHIVE,
    BackupError,
    check_archive,
    check_restored_archive,
    copy_archive,
    owner_only,
    restore_archive,
)
from deploy.supervisor import embedded_postgres, postgres_binaries

DUMP, SUMS = "database.dump", "SHA256SUMS"
SECRET_KEY, SIGNING_KEY = "secret-key", "signing-key"
DEBIAN_CLIENTS = Path("/usr/lib/postgresql")
"""Folder in which Debian installs PostgreSQL's programs, one folder for each version."""
FIRST_WITH_NEW_PARAMETER = 17  # from this version on, pg_restore sets `transaction_timeout`, which older servers refuse
BARE_SERVER_COMMAND = (
    "systemd-run --pipe --wait --uid=ftk -p EnvironmentFile=/etc/ftk/arena.env /opt/ftk/deploy/backup FILE"
)
"""Command on a server of deploy/install that reads the environment file as the services do."""
WRONG_DATABASE_REMEDY = (
    "set DATABASE_URL or FTK_VAR as for the running site; on a server that deploy/install set up, run: "
    f"{BARE_SERVER_COMMAND}"
)
COUNT_TABLES_SQL = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"


@dataclass(frozen=True, slots=True)
class BackupContents:
    """Database, key files and archive folder of a site, for a backup or a restore."""

    conninfo: str
    """Connection string of the database for libpq."""
    keys: Mapping[str, Path]
    """Path of each key file, by its name in the backup."""
    cluster: Path | None = None
    """Folder of the embedded PostgreSQL; None for any other server."""
    archive: Path | None = None
    """Folder with the logs of old matches; None for a bucket, which its provider must back up."""


def back_up(ours: BackupContents, target: Path) -> None:
    """Write the database, key files and old match logs into a private tar file.

    Raises BackupError if the database lacks the site's tables, pg_dump fails or a match log is missing, and OSError if
    the file cannot be written.
    """
    _check_site_tables(ours.conninfo)
    # The file gets its final name when it is complete, so that `target` is never a partial backup.
    draft = target.with_name(f".{target.name}.part")
    with TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as name:
        folder = Path(name)
        _run_postgres_tool(
            "pg_dump", ours, "--format=custom", "--no-owner", "--no-privileges", f"--file={folder / DUMP}"
        )
        for key, file in ours.keys.items():
            if file.exists():
                shutil.copyfile(file, folder / key)
        copy_archive(ours.archive, ours.conninfo, folder / ARCHIVE)
        (folder / SUMS).write_text(_checksums(folder))
        try:
            draft.touch(mode=0o600)
            with tarfile.open(draft, "w") as tar:
                for file in sorted(folder.iterdir()):
                    tar.add(file, file.name, filter=owner_only)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)


def _check_site_tables(conninfo: str) -> None:
    """Raise BackupError if the database lacks the site's tables."""
    # It is another database if DATABASE_URL or FTK_VAR is wrong.
    with psycopg.connect(conninfo) as connection:
        if (connection.execute("SELECT to_regclass('replays_block')").fetchone() or (None,))[0] is None:
            parts = {
                name: value
                for name, value in conninfo_to_dict(conninfo).items()
                if name not in {"password", "sslpassword"}
            }
            raise BackupError(
                f"The database {make_conninfo('', **parts)} has no tables of the site: {WRONG_DATABASE_REMEDY}"
            )


def restore(source: Path, ours: BackupContents, data_folder: Path) -> None:
    """Restore a backup file into an empty database and the site's folders.

    The backup is unpacked in `data_folder`, because /tmp can be in memory and too small. Raises BackupError if the
    backup is damaged, cannot be unpacked or does not fit this site, if pg_restore fails, or if match logs of the
    restored database are missing.
    """
    # Every check of the backup comes before any change. The database is filled last, in one transaction, so that a
    # failed restore can be repeated.
    data_folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=data_folder, prefix=".restore-") as name:
        folder = Path(name)
        _unpack(source, folder)
        check_archive(folder / ARCHIVE, ours.archive)
        restored_keys = _list_keys_to_restore(folder, ours.keys)
        with psycopg.connect(ours.conninfo) as connection:
            if (connection.execute(COUNT_TABLES_SQL).fetchone() or (0,))[0]:
                raise BackupError("the database is not empty: restore into a new one, with another FTK_VAR")
        restore_archive(folder / ARCHIVE, ours.archive)
        for key, file in restored_keys.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_name(f".{file.name}.restored")
            draft.touch(mode=0o600)
            shutil.copyfile(folder / key, draft)
            draft.replace(file)
        _run_postgres_tool(
            "pg_restore", ours, "--exit-on-error", "--single-transaction", "--no-owner", str(folder / DUMP)
        )
        check_restored_archive(ours.archive, ours.conninfo)


@contextmanager
def running_database(ours: BackupContents, *, may_create: bool = False) -> Iterator[None]:
    """Run the embedded PostgreSQL during the `with` block, unless it already runs or the site uses another server.

    Raises EmbeddedPostgresError if the start fails. Raises BackupError if the data folder has no database, unless
    `may_create` is True.
    """
    if ours.cluster and not may_create and not embedded_postgres.has_cluster(ours.cluster):
        raise BackupError(f"No database exists in {ours.cluster}: {WRONG_DATABASE_REMEDY}")
    try:
        server = embedded_postgres.start_server(ours.cluster) if ours.cluster else None
    except embedded_postgres.DatabaseFolderInUseError:  # `manage.py up` already runs it
        server = None
    try:
        yield
    finally:
        if server:
            server.stop()


def _list_keys_to_restore(folder: Path, keys: Mapping[str, Path]) -> dict[str, Path]:
    """Map each key file in the backup that must be restored to its path on the site.

    A key file must be restored if it is missing or different on the site. Raises BackupError if the site has another
    signing key.
    """
    # A file that is there already may be in a folder that only root may change, such as /etc/ftk.
    restored_keys = {}
    for key, file in keys.items():
        if not (folder / key).exists() or (file.exists() and file.read_bytes() == (folder / key).read_bytes()):
            continue
        if key == SIGNING_KEY and file.exists():
            raise BackupError(f"{file} is another key than the one in the backup: move it away first")
        restored_keys[key] = file
    return restored_keys


def _checksums(folder: Path) -> str:
    """Return the checksums of the files in a folder, in the format of `sha256sum`."""
    lines = []
    for file in sorted(folder.iterdir()):
        if file.name != SUMS:
            with file.open("rb") as body:
                lines.append(f"{file_digest(body, 'sha256').hexdigest()}  {file.name}\n")
    return "".join(lines)


def _unpack(source: Path, folder: Path) -> None:
    """Unpack a backup file into a folder and verify its checksums; raises BackupError."""
    try:
        with tarfile.open(source) as tar:
            for member in tar:
                _extract(tar, member, source, folder)
        sound = (folder / SUMS).read_text() == _checksums(folder) and (folder / DUMP).exists()
    except (tarfile.TarError, OSError, UnicodeDecodeError) as error:
        raise BackupError(f"{source} is no backup: {error}") from error
    if not sound:
        raise BackupError(f"{source} is damaged: its files are not what {SUMS} says")


def _extract(tar: tarfile.TarFile, member: tarfile.TarInfo, source: Path, folder: Path) -> None:
    # Python 3.11.2, as in Debian 12, has no extraction filters that would refuse links and folders.
    body = tar.extractfile(member) if member.isfile() and "/" not in member.name else None
    if body is None:
        raise tarfile.ExtractError(f"there is no place in one for {member.name!r}")
    try:
        with body, (folder / member.name).open("wb") as file:
            shutil.copyfileobj(body, file)
    except OSError as error:
        raise BackupError(
            f"{member.name} of {source} cannot be unpacked in {folder.parent}, which needs space for the whole backup: "
            f"{error}"
        ) from error


def _run_postgres_tool(program: str, ours: BackupContents, *words: str) -> None:
    """Run pg_dump or pg_restore on the database; raises BackupError with the program's error output."""
    parts = conninfo_to_dict(ours.conninfo)
    password = parts.pop("password", None)
    env = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}  # all users can read a command line
    command = [_find_tool(program, ours.conninfo), f"--dbname={make_conninfo('', **parts)}", *words]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BackupError(f"{program} failed: {done.stderr.strip()}")


def _find_tool(program: str, conninfo: str) -> str:
    """Return the path of the oldest pg_dump or pg_restore that suits the server; raises BackupError if none does."""
    # A newer pg_restore sets parameters that the server may not know, and an older one cannot read its backups.
    with psycopg.connect(conninfo) as connection:
        server, encrypted = connection.info.server_version // 10_000, connection.pgconn.ssl_in_use
    wheel_folders = () if encrypted else postgres_binaries.list_wheel_folders()  # these programs do not support TLS
    tools = [shutil.which(program), *DEBIAN_CLIENTS.glob(f"*/bin/{program}"), *(at / program for at in wheel_folders)]
    versions = {str(tool): _read_version(tool) for tool in tools if tool}
    tool = min((tool for tool in versions if versions[tool] >= server), key=versions.__getitem__, default=None)
    remedy = f"install PostgreSQL's client programs of version {server} (Debian: postgresql-client-{server})"
    if tool is None:
        reason = f", and the connection uses TLS, which our own {program} does not support" if encrypted else ""
        raise BackupError(f"no {program} of version {server} or newer is installed{reason}: {remedy}")
    if server < FIRST_WITH_NEW_PARAMETER <= versions[tool]:
        problem = f"only PostgreSQL {FIRST_WITH_NEW_PARAMETER} or newer accepts backups of {tool}: {remedy}"
        if program == "pg_restore":
            raise BackupError(problem)
        warnings.warn(problem, stacklevel=2)
    return tool


def _read_version(tool: str | Path) -> int:
    return int(re.findall(r"\d+", subprocess.check_output([tool, "--version"], text=True))[0])
