"""Texts that bots wrote for their authors: in the data export, and erased with the account unless archived."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from bots.models import Bot
from ftk_core.kit.protocol.protocol_lines import MatchOverLine
from people.account_erasure import erase_person, export_person
from replays import match_archiving, tasks
from replays.archive.archive_errors import ArchiveStoreUnavailable, CompressionDictionaryMissing
from replays.archive.block_format import PrivateBotDiagnostics
from replays.match_archiving import ArchivingError, archive_match
from replays.models import Match, MatchSeat, SeatQuestionMailbox
from replays.playing.match_runner import play_match
from replays.private_bot_diagnostics import read_record
from replays.seats.seat_question_mailbox import close_mailbox
from tests.support.bucket import use_archive
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.reviewable import create_closed_match
from tests.support.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS: dict[str, Any] = {"faults": ["question 1: secret"], "notes": ["question 2: secret"], "stderr": "secret"}
WRITING = """
import sys
from ftk_core.kit.bot import run
print("secret", file=sys.stderr)
run(lambda ask: 0)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with use_archive(str(tmp_path / "archive")):
        yield tmp_path / "archive"


def create_match_with_texts() -> tuple[Match, User]:
    """Return a closed match with private texts at both seats, and the author of the first."""
    match = create_closed_match()
    match.seats.update(**TEXTS)
    return match, match.seats.get(seat=0).version.bot.owner


def read_texts(match: Match) -> list[PrivateBotDiagnostics]:
    return [read_record(seat) for seat in match.seats.order_by("seat")]


def export_texts(owner: User) -> list[Any]:
    with export_person(owner) as file, ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name.startswith("diagnostics/")]
        return [json.loads(archive.read(name)) for name in sorted(names)]


WRITTEN, EMPTY = PrivateBotDiagnostics(**TEXTS), PrivateBotDiagnostics()


def test_erasing_a_person_deletes_the_notes_and_stderr_of_their_bots_before_they_can_be_archived() -> None:
    match, owner = create_match_with_texts()
    erase_person(owner)
    assert not MatchSeat.objects.filter(match=match, seat=0).exclude(faults=[], notes=[], stderr="").exists()
    archive_match(match)
    assert read_texts(match) == [EMPTY, WRITTEN]


@pytest.mark.slow
def test_notes_and_stderr_of_a_bot_are_not_stored_if_its_author_was_erased_before_the_match_ended() -> None:
    versions = [create_active_version(WRITING, slug="gone"), create_active_version(WRITING, slug="here")]
    match = create_waiting_match(versions)
    erase_person(versions[0].bot.owner)
    assert play_match(match.pk)
    assert [seat.stderr.strip() for seat in match.seats.order_by("seat")] == ["", "secret"]


@pytest.mark.slow
def test_notes_and_stderr_of_a_bot_are_deleted_later_if_its_author_was_being_erased_when_the_match_ended() -> None:
    versions = [create_active_version(WRITING, slug="gone"), create_active_version(WRITING, slug="here")]
    match = create_waiting_match(versions)

    def play() -> bool:
        with closing(connection):
            return play_match(match.pk)

    with ThreadPoolExecutor(1) as threads, transaction.atomic():
        erase_person(versions[0].bot.owner)
        assert threads.submit(play).result(60)
    tasks.erase_late_texts()
    assert [seat.stderr.strip() for seat in match.seats.order_by("seat")] == ["", "secret"]


def test_the_last_answer_of_a_remote_bot_whose_author_was_erased_leaves_no_note_and_no_fault() -> None:
    match, owner = create_match_with_texts()
    seat = match.seats.get(seat=0)
    mailbox = SeatQuestionMailbox.objects.create(seat=seat, bot=seat.bot, note="secret", fault="secret")
    erase_person(owner)
    mailbox.refresh_from_db()
    assert (mailbox.note, mailbox.fault) == ("", "secret"), "the worker has not read the fault yet"
    close_mailbox(seat, MatchOverLine((1, 2)))
    mailbox.refresh_from_db()
    assert mailbox.fault == ""


@pytest.mark.slow
def test_an_erasure_while_a_match_is_being_archived_leaves_no_text_in_the_archive(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    match, owner = create_match_with_texts()
    record_block = match_archiving._record_block

    def erase_first(*arguments: Any) -> Any:
        erase_person(owner)
        return record_block(*arguments)

    monkeypatch.setattr(match_archiving, "_record_block", erase_first)
    with pytest.raises(ArchivingError, match="private texts have changed"):
        archive_match(match)
    assert not [file for file in (folder / "blocks").rglob("*") if file.is_file()]
    monkeypatch.undo()
    archive_match(match)
    assert read_texts(match) == [EMPTY, WRITTEN]


def is_a_transaction_blocked() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone() is not None


@pytest.mark.slow
def test_an_archiver_waits_for_an_erasure_that_is_not_committed_and_records_no_text() -> None:
    match, owner = create_match_with_texts()

    def archive() -> None:
        with closing(connection):
            archive_match(match)

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            erase_person(owner)
            archiving = threads.submit(archive)
            wait_for(lambda: is_a_transaction_blocked() or archiving.done(), "the archiver waits")
        with pytest.raises(ArchivingError, match="private texts have changed"):
            archiving.result(60)
    archive_match(match)
    assert read_texts(match) == [EMPTY, WRITTEN]


@pytest.mark.parametrize("archived", [False, True])
def test_the_data_export_of_a_person_contains_the_notes_and_stderr_of_their_bots(archived: bool) -> None:
    match, owner = create_match_with_texts()
    if archived:
        archive_match(match)
    bot = match.seats.get(seat=0).version.label
    assert export_texts(owner) == [{"match": match.pk, "seat": 0, "bot": bot, **TEXTS}]


def test_the_data_export_contains_the_notes_of_matches_without_a_result() -> None:
    match, owner = create_match_with_texts()
    Match.objects.filter(pk=match.pk).update(status=Match.Status.VOID)
    assert [(text["match"], text["notes"]) for text in export_texts(owner)] == [(match.pk, TEXTS["notes"])]


def test_the_data_export_reads_a_bounded_number_of_archived_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    match, owner = create_match_with_texts()
    archive_match(match)
    monkeypatch.setattr("replays.personal_data_export.MAX_ARCHIVED_SEATS", 0)
    assert export_texts(owner) == []


@pytest.mark.parametrize("lost", ["a block", "a dictionary"])
def test_the_data_export_names_the_archived_matches_that_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    match, owner = create_match_with_texts()
    archive_match(match)
    if lost == "a dictionary":

        def lose(_seat: MatchSeat) -> None:
            raise CompressionDictionaryMissing("dictionary 7 cannot be read now")

        monkeypatch.setattr("replays.personal_data_export.read_record", lose)
    for file in (folder / "blocks").rglob("*"):
        if file.is_file():
            file.unlink()
    (exported,) = export_texts(owner)
    assert "cannot be read now" in exported["unavailable"]


def test_the_data_export_asks_an_unreachable_archive_once(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = [create_closed_match() for _ in range(2)]
    owner = matches[0].seats.get(seat=0).version.bot.owner
    Bot.objects.filter(pk__in=MatchSeat.objects.values("bot")).update(owner=owner)
    for match in matches:
        archive_match(match)
    attempts = []

    def fail(seat: MatchSeat) -> None:
        attempts.append(seat)
        raise ArchiveStoreUnavailable("the store does not answer")

    monkeypatch.setattr("replays.personal_data_export.read_record", fail)
    exported = export_texts(owner)
    assert [text["unavailable"] for text in exported] == ["the store does not answer"] * 4
    assert len(attempts) == 1


def test_the_data_export_lacks_the_notes_and_stderr_of_matches_that_are_not_released() -> None:
    match, owner = create_match_with_texts()
    Match.objects.filter(pk=match.pk).update(released=False)
    assert export_texts(owner) == []


def test_notes_and_stderr_of_a_bot_are_kept_for_its_owner_when_a_co_author_leaves() -> None:
    match, _ = create_match_with_texts()
    bot = match.seats.get(seat=0).version.bot
    co_author = User.objects.create_user("cora")
    bot.co_authors.create(person=co_author, accepted_at=match.closed_at)
    erase_person(co_author)
    assert read_texts(match) == [WRITTEN, WRITTEN]
