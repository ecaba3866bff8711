"""Backup and restore: a restored arena has the same logs under the same roots, and the same rules about them."""

from __future__ import annotations

import io
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from deploy.backups import BackupContents, _checksums as sums, restore as restore_backup
from deploy.config.database import conninfo_of
from deploy.match_archive_backups import BackupError
from deploy.supervisor import embedded_postgres
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.tar_files import unpack
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.bucket import use_archive
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.prepared_leagues import build_environment
from tournaments.leagues import finished_league_export, services
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

STANDINGS = "SELECT number, place, points, tiebreaks, played FROM tournaments_entrant ORDER BY 1"
RATINGS = "SELECT bot_id, season, value, matches, wins, last_delta FROM tournaments_rating ORDER BY 1, 2"
PLAY_ON = """
import django
django.setup()
from tests.support.leagues import play_all
from tournaments.models import League
play_all(League.objects.get())
"""


@pytest.fixture(autouse=True)
def _keys(tmp_path: Path) -> Iterator[None]:
    with override_settings(SIGNING_KEY=tmp_path / "signing-key"):
        yield


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Path of the backup file."""
    return tmp_path / "arena.tar"


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """An empty folder for a new arena."""
    return tmp_path / "fresh"


def run(var: Path, *command: str | Path) -> str:
    done = subprocess.run(
        list(map(str, command)),
        env=build_environment(var, PYTHON=sys.executable, PYTHONPATH="."),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def restored(fresh: Path) -> Iterator[list[embedded_postgres.EmbeddedPostgres]]:
    """A list for the server that a test starts on the restored data."""
    servers: list[embedded_postgres.EmbeddedPostgres] = []
    yield servers
    for server in servers:
        server.stop()


def restore(backup: Path, fresh: Path, servers: list[embedded_postgres.EmbeddedPostgres]) -> psycopg.Connection:
    """Restore by the script, start the server there, and return a connection to it."""
    assert "restored" in run(fresh, "deploy/restore", backup)
    servers.append(embedded_postgres.start_server(fresh / "postgres"))
    return psycopg.connect(servers[-1].url, autocommit=True)


def conninfo() -> str:
    return conninfo_of(connection.settings_dict)


def asked(server: psycopg.Connection, question: str) -> list[tuple[object, ...]]:
    return server.execute(question.encode()).fetchall()


@pytest.mark.nightly
def test_a_league_restored_from_a_backup_equals_the_original_league(
    backup: Path, fresh: Path, restored: list[embedded_postgres.EmbeddedPostgres]
) -> None:
    play_all(start_league(create_entrants()))
    finished_league_export.export_league("night", backup.with_name("before.tar"))
    call_command("backup", backup, verbosity=0)
    with psycopg.connect(conninfo(), autocommit=True) as here, restore(backup, fresh, restored) as there:
        assert asked(there, STANDINGS) == (standings := asked(here, STANDINGS))
        run(fresh, sys.executable, "manage.py", "rebuild")
        assert asked(there, STANDINGS) == standings
        assert asked(there, RATINGS) == asked(here, RATINGS)
    after = backup.with_name("after.tar")
    run(fresh, sys.executable, "manage.py", "export", "night", "--to", after)
    with after.open("rb") as one, backup.with_name("before.tar").open("rb") as other:
        assert dict(unpack(one)) == dict(unpack(other)), "streams, roots, signatures, matches"
    assert not verify_export(after).flaws
    assert "4 matches audited, 0 differ" in run(fresh, sys.executable, "manage.py", "audit", "--again", "--jobs", "1")


@pytest.mark.nightly
def test_a_league_backed_up_during_play_continues_after_the_restore(
    backup: Path, fresh: Path, restored: list[embedded_postgres.EmbeddedPostgres]
) -> None:
    start_league(create_entrants())
    first = Match.objects.first()
    assert first
    assert play_match(first.pk)
    assert services.record_match(first.pk)
    call_command("backup", backup, verbosity=0)
    with restore(backup, fresh, restored) as there:
        run(fresh, sys.executable, "-c", PLAY_ON)
        assert asked(there, "SELECT status, round FROM tournaments_league") == [("closed", 2)]
    assert League.objects.get().status == League.Status.RUNNING


@pytest.mark.nightly
def test_restoring_a_backup_restores_archived_matches_too(
    backup: Path, fresh: Path, restored: list[embedded_postgres.EmbeddedPostgres], tmp_path: Path
) -> None:
    with use_archive(str(tmp_path / "archive")):
        play_all(start_league(create_entrants()))
        finished_league_export.export_league("night", backup.with_name("before.tar"))
        call_command("archive", "--older-than", "0", verbosity=0)
        call_command("backup", backup, verbosity=0)
    with restore(backup, fresh, restored) as there:
        assert asked(there, "SELECT count(*) FROM replays_page WHERE stream_id LIKE 'match/%'") == [(0,)]
    after = backup.with_name("after.tar")
    run(fresh, sys.executable, "manage.py", "export", "night", "--to", after)
    with after.open("rb") as one, backup.with_name("before.tar").open("rb") as other:
        assert dict(unpack(one)) == dict(unpack(other))


@pytest.mark.slow
def test_a_backup_with_a_damaged_archive_is_refused_before_any_change(backup: Path, fresh: Path) -> None:
    keys = {name: fresh / name for name in ("secret-key", "signing-key")}
    start_league(create_entrants(2))
    call_command("backup", backup, verbosity=0)
    folder = backup.with_name("unpacked")
    with tarfile.open(backup) as tar:
        tar.extractall(folder)
    block = folder / "block"
    block.write_bytes(b"another")
    with tarfile.open(folder / "archive.tar", "w") as tar:
        tar.add(block, f"blocks/00/{64 * '0'}")
    block.unlink()
    (folder / "SHA256SUMS").write_text(sums(folder))
    with tarfile.open(backup, "w") as tar:
        for file in sorted(folder.iterdir()):
            tar.add(file, file.name)
    with pytest.raises(BackupError, match="is not what its name says"):
        restore_backup(backup, BackupContents("dbname=nosuch", keys, archive=fresh / "archive"), backup.parent)
    assert not fresh.exists()


@pytest.mark.nightly
def test_match_logs_in_a_restored_database_are_append_only(
    backup: Path, fresh: Path, restored: list[embedded_postgres.EmbeddedPostgres]
) -> None:
    start_league(create_entrants(2))
    call_command("backup", backup, verbosity=0)
    with restore(backup, fresh, restored) as there:
        for statement in ("UPDATE replays_page SET body = ''", "DELETE FROM replays_page", "TRUNCATE replays_page"):
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                there.execute(statement.encode())


@pytest.mark.nightly
def test_a_backup_file_is_readable_by_its_owner_only_and_contains_the_secret_and_signing_keys(
    backup: Path, tmp_path: Path
) -> None:
    play_all(start_league(create_entrants(2)))
    call_command("backup", backup, verbosity=0)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with tarfile.open(backup) as tar:
        assert tar.getnames() == ["SHA256SUMS", "database.dump", "secret-key", "signing-key"]
        key = tar.extractfile("signing-key")
        assert key
        assert key.read() == (tmp_path / "signing-key").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["arena.tar", "signing-key"]


@pytest.mark.slow
def test_a_restore_into_a_database_with_data_is_refused(backup: Path) -> None:
    call_command("backup", backup, verbosity=0)
    with pytest.raises(CommandError, match="the database is not empty"):
        call_command("restore", backup)


@pytest.mark.slow
def test_a_restore_into_a_folder_with_a_different_signing_key_is_refused(backup: Path, tmp_path: Path) -> None:
    play_all(start_league(create_entrants(2)))
    call_command("backup", backup, verbosity=0)
    (tmp_path / "signing-key").write_text("another")
    with pytest.raises(CommandError, match="is another key than the one in the backup"):
        call_command("restore", backup)


@pytest.mark.slow
def test_a_damaged_backup_is_refused(backup: Path) -> None:
    call_command("backup", backup, verbosity=0)
    with tarfile.open(backup) as tar:
        start = tar.getmember("database.dump").offset_data
    body = backup.read_bytes()
    for forged in (body[:start] + b"?" + body[start + 1 :], body[: start + 1], b"", b"PGDMP"):
        backup.write_bytes(forged)
        with pytest.raises(CommandError, match=r"is damaged|is no backup"):
            call_command("restore", backup)


def test_a_backup_with_paths_outside_its_folder_is_refused(backup: Path) -> None:
    for name, kind in (("../outside", tarfile.REGTYPE), ("/outside", tarfile.REGTYPE), ("link", tarfile.SYMTYPE)):
        with tarfile.open(backup, "w") as tar:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/outside"
            tar.addfile(member, io.BytesIO())
        with pytest.raises(CommandError, match="is no backup: there is no place"):
            call_command("restore", backup)


def test_a_backup_that_cannot_be_written_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No such file"):
        call_command("backup", tmp_path / "nowhere" / "arena.tar")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "arena.tar").mkdir()
    with pytest.raises(CommandError, match="Is a directory"):
        call_command("backup", tmp_path / "arena.tar")
    assert [file.name for file in tmp_path.iterdir()] == ["arena.tar"]
