"""Files on disk: readable by their owner alone, and limited in size."""

from __future__ import annotations

import logging
import os
import stat
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bots.bot_folder_cache import bot_folder
from deploy.backups import BackupContents, back_up
from deploy.config import logs
from deploy.config.database import conninfo_of
from deploy.supervisor.child_process_start_and_stop import start
from ftk_core.kit.trial_match import MAX_NOTES_BYTES, stored_notes
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(autouse=True)
def open_handed() -> Any:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.django_db
def test_uploaded_files_are_readable_by_the_operating_system_user_of_the_server_only(
    settings: Any, tmp_path: Path
) -> None:
    settings.BOTS_FOLDER = tmp_path / "bots"
    settings.BOTS_FOLDER.mkdir(mode=0o755)
    assert (bot_folder(create_active_version().package) / "bot.py").exists()
    assert mode(settings.BOTS_FOLDER) == 0o700


def test_log_files_are_made_readable_by_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir(mode=0o755)
    (folder / "old.log").touch(mode=0o644)
    for name in ("old.log", "new.log"):
        assert start(["/bin/true"], log=folder / name).wait() == 0
        assert mode(folder / name) == 0o600
    assert mode(folder) == 0o700


def test_a_large_log_file_is_rotated_and_a_limited_number_of_old_files_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "MAX_LOG_BYTES", 10)
    with closing((tmp_path / "web.log").open("ab", buffering=0)) as held:
        for number in range(6):
            held.write(b"%d" % number * 11)
            logs.rotate(tmp_path)
        held.write(b"end")
        logs.rotate(tmp_path)
    said = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert said == {"web.log": "end", "web.log.1": "5" * 11, "web.log.2": "4" * 11, "web.log.3": "3" * 11}
    assert mode(tmp_path / "web.log.1") == 0o600


def test_routine_celery_messages_are_not_logged() -> None:
    for name in ("celery.beat", "celery.worker.strategy", "celery.app.trace"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)
        assert logging.getLogger(name).isEnabledFor(logging.WARNING)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_file_of_a_backup_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    from django.db import connection

    key = tmp_path / "secret-key"
    key.write_text("secret")
    key.chmod(0o644)
    back_up(BackupContents(conninfo_of(connection.settings_dict), {"secret-key": key}), tmp_path / "arena.tar")
    assert mode(tmp_path / "arena.tar") == 0o600
    with tarfile.open(tmp_path / "arena.tar") as tar:
        assert {member.mode for member in tar} == {0o600}


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 999), st.text(max_size=30).map(lambda text: text * 1000)), max_size=20))
def test_at_most_64_kib_of_the_notes_of_a_bot_are_stored(notes: list[tuple[int, str]]) -> None:
    kept = stored_notes(notes)
    assert MAX_NOTES_BYTES == 64 * 1024
    assert sum(len(line.encode()) for line in kept) <= MAX_NOTES_BYTES + 100
    assert len(kept) <= len(notes)


CHATTY = """
from ftk_core.kit.bot import run
def choose(ask):
    ask.note = "x" * 3000
    return 0
run(choose)
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_notes_of_a_bot_stored_with_a_match_are_truncated_with_a_message() -> None:
    match = create_waiting_match([create_active_version(CHATTY), create_active_version(CHATTY)])
    assert play_match(match.pk)
    assert Match.objects.get(pk=match.pk).status == Match.Status.CLOSED
    for seat in match.seats.all():
        assert sum(map(len, seat.notes)) <= MAX_NOTES_BYTES + 100
        assert "bytes are kept" in seat.notes[-1], len(seat.notes)
