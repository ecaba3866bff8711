"""Backups of the wrong database or without the match archive are refused; restores report missing files of it."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import make_conninfo

from deploy import backups
from deploy.backups import BackupContents, back_up, restore
from deploy.config.database import conninfo_of
from deploy.match_archive_backups import BackupError
from deploy.supervisor.postgres_binaries import (
    PostgresInstallation,
    find_binaries,
    list_programs,
    list_wheel_folders,
)
from replays.match_archiving import archive_match
from replays.models.archive_blocks import ArchivedMatchLog, CompressionDictionary
from tests.support.archived_matches import create_closed_matches
from tests.support.bucket import use_archive
from tests.support.empty_databases import create_empty_database
from tests.support.prepared_leagues import build_environment
from tests.support.temporary_postgres import temporary_server

pytestmark = pytest.mark.django_db(transaction=True)


def install_client(folder: Path, version: int) -> str:
    """Install client programs of a version as Debian does, which only print their version; return their folder."""
    programs = folder / str(version) / "bin"
    programs.mkdir(parents=True)
    for name in ("pg_dump", "pg_restore"):
        (programs / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}.4'\n")
        (programs / name).chmod(0o755)
    return str(programs)


def connect_to(monkeypatch: pytest.MonkeyPatch, version: int, clients: Path, *, encrypted: bool) -> None:
    """Pretend that the database is a server of this version, and that the machine has only these client programs."""
    connected = MagicMock()
    connected.return_value.__enter__.return_value = SimpleNamespace(
        info=SimpleNamespace(server_version=version * 10_000 + 2), pgconn=SimpleNamespace(ssl_in_use=encrypted)
    )
    monkeypatch.setattr(backups.psycopg, "connect", connected)
    monkeypatch.setattr(backups.shutil, "which", lambda _: None)
    monkeypatch.setattr(backups, "DEBIAN_CLIENTS", clients)


@pytest.mark.parametrize("encrypted", [True, False])
def test_a_database_connection_with_tls_is_backed_up_only_by_programs_that_support_tls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, encrypted: bool
) -> None:
    connect_to(monkeypatch, 17, tmp_path, encrypted=encrypted)
    install_client(tmp_path, 15)
    if encrypted:
        with pytest.raises(BackupError, match="postgresql-client-17"):
            backups._find_tool("pg_dump", "")
    else:
        assert Path(backups._find_tool("pg_dump", "")).parent == find_binaries()
    newer = install_client(tmp_path, 18)
    assert backups._find_tool("pg_dump", "") == f"{newer}/pg_dump"


@pytest.mark.parametrize("program", ["pg_dump", "pg_restore"])
def test_the_oldest_programs_that_are_not_older_than_the_server_make_and_restore_a_backup(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
) -> None:
    connect_to(monkeypatch, 16, tmp_path, encrypted=False)
    assert Path(backups._find_tool(program, "")).parent == list_wheel_folders()[0], "the one of PostgreSQL 16"
    clients = {version: install_client(tmp_path, version) for version in (18, 17, 16, 15)}
    assert backups._find_tool(program, "") == f"{clients[16]}/{program}"


def test_a_backup_of_an_old_server_by_newer_programs_warns_that_only_a_newer_server_can_restore_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    connect_to(monkeypatch, 16, tmp_path, encrypted=True)
    install_client(tmp_path, 17)
    with pytest.warns(UserWarning, match=r"only PostgreSQL 17 or newer accepts .*: install .*postgresql-client-16"):
        backups._find_tool("pg_dump", "")
    with pytest.raises(BackupError, match="postgresql-client-16"):
        backups._find_tool("pg_restore", "")


@pytest.mark.slow
@pytest.mark.parametrize("programs", list_programs().values(), ids=lambda programs: f"PostgreSQL {programs.version}")
def test_a_backup_of_each_installed_postgresql_version_can_be_restored_into_that_version(
    programs: PostgresInstallation, tmp_path: Path
) -> None:
    with temporary_server(programs=programs) as server:
        with psycopg.connect(server.url, autocommit=True) as database:
            database.execute("CREATE TABLE replays_block AS SELECT 7 AS number")
            database.execute("CREATE DATABASE restored")
        back_up(BackupContents(server.url, {}), tmp_path / "arena.tar")
        restored = make_conninfo(server.url, dbname="restored")
        restore(tmp_path / "arena.tar", BackupContents(restored, {}), tmp_path)
        with psycopg.connect(restored) as database:
            assert database.execute("SELECT number FROM replays_block").fetchall() == [(7,)]


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Path]:
    """Folder of an archive with one block and its dictionary."""
    with use_archive(str(tmp_path / "archive")):
        archive_match(create_closed_matches()[0])
        yield tmp_path / "archive"


def list_archived_files(backup: Path) -> list[str]:
    with tarfile.open(backup) as tar, tarfile.open(fileobj=tar.extractfile("archive.tar")) as archived:
        assert all(member.isfile() for member in archived)
        return archived.getnames()


def expected_files() -> list[str]:
    block, dictionary = ArchivedMatchLog.objects.get().name, CompressionDictionary.objects.get().name
    return [f"blocks/{block[:2]}/{block}", f"dictionaries/{dictionary}"]


@pytest.mark.slow
def test_a_backup_without_the_folder_of_the_match_archive_is_refused(archive: Path, tmp_path: Path) -> None:
    archive.rename(tmp_path / "renamed")
    refusal = rf"The match archive {archive} lacks 2 of its 2 files \(the first is {expected_files()[0]}\): set FTK"
    with pytest.raises(CommandError, match=refusal):
        call_command("backup", tmp_path / "arena.tar")
    assert not (tmp_path / "arena.tar").exists()


@pytest.mark.slow
def test_a_backup_without_one_file_of_the_match_archive_is_refused(archive: Path, tmp_path: Path) -> None:
    (archive / expected_files()[1]).unlink()
    with pytest.raises(CommandError, match=rf"lacks 1 of its 2 files \(the first is {expected_files()[1]}\)"):
        call_command("backup", tmp_path / "arena.tar")


@pytest.mark.slow
def test_a_backup_follows_symbolic_links_in_the_match_archive(archive: Path, tmp_path: Path) -> None:
    (archive / "blocks").rename(tmp_path / "bigger-disk")
    (archive / "blocks").symlink_to(tmp_path / "bigger-disk")
    dictionary = archive / expected_files()[1]
    dictionary.rename(tmp_path / "dictionary")
    dictionary.symlink_to(tmp_path / "dictionary")
    call_command("backup", tmp_path / "arena.tar", verbosity=0)
    assert list_archived_files(tmp_path / "arena.tar") == expected_files()


@pytest.mark.slow
def test_a_restore_without_the_match_archive_names_the_first_missing_file_and_the_number_of_missing_files(
    archive: Path, tmp_path: Path
) -> None:
    # The backup of an arena with its archive in a bucket is restored into an arena with a folder.
    back_up(BackupContents(conninfo_of(connection.settings_dict), {}), tmp_path / "arena.tar")
    with create_empty_database() as restored:
        ours = BackupContents(restored, {}, archive=tmp_path / "other")
        with pytest.raises(BackupError, match=rf"{tmp_path}/other lacks 2 of its 2 files.*{expected_files()[0]}"):
            restore(tmp_path / "arena.tar", ours, tmp_path)


@pytest.mark.slow
def test_a_backup_with_a_wrong_data_folder_is_refused_and_creates_no_database(tmp_path: Path) -> None:
    var, backup = tmp_path / "nothing", tmp_path / "arena.tar"
    command = [sys.executable, "manage.py", "backup", str(backup)]
    done = subprocess.run(command, env=build_environment(var), capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout
    assert f"No database exists in {var}/postgres: set DATABASE_URL or FTK_VAR" in done.stderr
    assert "EnvironmentFile=/etc/ftk/arena.env" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (var / "postgres").exists()
    assert not backup.exists()


def test_a_backup_of_a_database_without_tables_of_the_site_is_refused(tmp_path: Path) -> None:
    with create_empty_database() as conninfo:
        ours = BackupContents(f"{conninfo} password=secret", {})
        with pytest.raises(BackupError, match=r"dbname=\w+_empty.* has no tables of the site") as refusal:
            back_up(ours, tmp_path / "arena.tar")
    assert "secret" not in str(refusal.value)
    assert list(tmp_path.iterdir()) == []
