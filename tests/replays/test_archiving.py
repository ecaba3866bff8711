"""The archive: nothing is deleted before its copy was read back, and archived matches read as before."""

from __future__ import annotations

import io
import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client, override_settings
from django.utils import timezone

from ftk_core.tar_files import unpack
from replays import tasks
from replays.archive.block_format import MAGIC
from replays.archive.block_storage import FolderBlockStorage
from replays.event_stream_storage import pages_of
from replays.match_archiving import ArchivingError, archive_match, select_old
from replays.models import EventStreamPage as PageRow, Match, MatchSeat
from replays.models.archive_blocks import ArchivedMatchLog, CompressionDictionary
from replays.playing.match_runner import play_match
from replays.reports.bot_reported_numbers import read_numbers
from tests.support.archived_matches import (
    STEPS,
    create_closed_matches,
    create_played_match,
    export_log,
    find_block,
    find_block_file,
    kill_archiver_at,
    read_everything,
)
from tests.support.bucket import use_archive
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.reviewable import create_closed_match
from tournaments.leagues import finished_league_export

pytestmark = pytest.mark.django_db(transaction=True)


FALSE_PLACES = """
INSERT INTO replays_block (stream_id, name, size, length, head, root, excuses, at)
SELECT id, '', 1, length, 'another', '', '{}', now() FROM replays_stream ON CONFLICT DO NOTHING
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """The folder of the archive."""
    with use_archive(str(tmp_path / "archive")):
        yield tmp_path / "archive"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats"), [("pig", 2), ("for_the_king", 2), ("to_court_the_king", 2), ("kings_court", 6)]
)
def test_an_archived_log_is_read_back_byte_for_byte(game: str, seats: int) -> None:
    matches = create_closed_matches(game, seats)
    before = [export_log(match) for match in matches]
    call_command("archive", "--older-than", "0", stdout=io.StringIO())
    assert not PageRow.objects.exists()
    assert [export_log(match) for match in matches] == before
    assert sum(ArchivedMatchLog.objects.values_list("size", flat=True)) < sum(map(len, before)) / 8
    assert CompressionDictionary.objects.get().game == game


@pytest.mark.slow
def test_an_archived_match_looks_the_same_in_api_viewer_and_verification(client: Client) -> None:
    match = create_played_match()
    before = read_everything(match, client)
    assert before["audit"] == [()]
    assert before["log"]
    archive_match(match)
    assert not PageRow.objects.filter(stream_id=match.stream_id).exists()
    assert read_everything(match, client) == before


NOTING = """
import sys
from ftk_core.kit.bot import run
print("a word of its author's", file=sys.stderr)
def choose(ask):
    ask.note = "heat=1"
    return 0
run(choose)
"""


@pytest.mark.slow
def test_private_notes_and_stderr_of_bots_are_archived_too(client: Client) -> None:
    noting, other = create_active_version(NOTING, slug="noting"), create_active_version()
    match = create_waiting_match([noting, other])
    assert play_match(match.pk)
    client.force_login(noting.bot.owner)
    paths = f"/api/v1/matches/{match.pk}/decision/?eyes=0&at=3", f"/matches/{match.pk}/"
    before = [client.get(path).content for path in paths]
    assert b"heat=1" in before[0]
    assert b"a word of its author" in before[0]
    archive_match(match)
    seat = MatchSeat.objects.get(match=match, seat=0)
    assert (seat.notes, seat.faults, seat.stderr) == ([], [], "")
    assert [without_tokens(client.get(path).content) for path in paths] == [without_tokens(body) for body in before]
    client.force_login(other.bot.owner)
    assert b"heat=1" not in client.get(paths[0]).content
    client.logout()
    assert b"heat=1" not in client.get(paths[0]).content + client.get(f"/api/v1/matches/{match.pk}/log/").content


@pytest.mark.slow
def test_the_numbers_logged_by_a_bot_are_omitted_if_their_archive_block_is_missing(
    client: Client, folder: Path
) -> None:
    match = create_closed_match()
    MatchSeat.objects.filter(match=match, seat=0).update(notes=["question 1: heat=1"])
    archive_match(match)
    owner = match.seats.get(seat=0).version.bot.owner
    assert [row.key for row in read_numbers(match.pk, owner.pk)] == ["heat"]
    find_block_file(folder, match).unlink()
    assert read_numbers(match.pk, owner.pk) == []


def without_tokens(body: bytes) -> bytes:
    """Return a page without the tokens that differ in each request."""
    return re.sub(rb'(csrfmiddlewaretoken" value|nonce|X-CSRFToken": ?)="[^"]*"', b"", body)


def test_an_archived_log_can_be_read_from_any_entry() -> None:
    match = create_closed_match()
    pages = [(page.first, page.last) for page in pages_of(match.stream_id)]
    archive_match(match)
    for after in (-1, 0, pages[0][1] - 1, pages[-1][1]):
        assert [(page.first, page.last) for page in pages_of(match.stream_id, after)] == [
            page for page in pages if page[1] > after
        ]


@pytest.mark.slow
def test_the_export_of_a_league_is_the_same_after_archiving(tmp_path: Path) -> None:
    with override_settings(SIGNING_KEY=tmp_path / "signing-key"):
        play_all(start_league(create_entrants()))
        finished_league_export.export_league("night", tmp_path / "before.tar")
        call_command("archive", "--older-than", "0d", stdout=io.StringIO())
        finished_league_export.export_league("night", tmp_path / "after.tar")
    assert not PageRow.objects.filter(stream__id__startswith="match/").exists()
    with (tmp_path / "before.tar").open("rb") as one, (tmp_path / "after.tar").open("rb") as other:
        assert dict(unpack(one)) == dict(unpack(other))


def test_only_old_closed_matches_are_archived() -> None:
    old, young, void = create_closed_matches(count=3)
    Match.objects.filter(pk=old.pk).update(closed_at=timezone.now() - timedelta(days=31))
    Match.objects.filter(pk=void.pk).update(status=Match.Status.VOID, closed_at=timezone.now() - timedelta(days=31))
    assert list(select_old(timezone.now() - timedelta(days=30))) == [old]
    tasks.archive()
    assert not ArchivedMatchLog.objects.exists(), "nothing goes by itself unless the settings say when"
    with override_settings(ARCHIVE_AFTER=30):
        tasks.archive()
    assert [block.pk for block in ArchivedMatchLog.objects.all()] == [old.stream_id]
    assert export_log(young)


@pytest.mark.slow
def test_archive_blocks_compressed_with_an_older_dictionary_remain_readable() -> None:
    first, *rest = create_closed_matches(count=9)
    archive_match(first)
    before, (name,) = export_log(first), CompressionDictionary.objects.values_list("name", flat=True)
    create_closed_matches(count=2)
    out = io.StringIO()
    call_command("archive", "--train", "pig", stdout=out)
    assert re.search("pig: packed with [0-9a-f]{64} from now on", out.getvalue())
    assert CompressionDictionary.objects.exclude(name=name).count() == 1
    archive_match(rest[0])
    assert export_log(first) == before


def test_matches_of_a_game_with_few_matches_are_compressed_without_a_dictionary(folder: Path) -> None:
    match = create_closed_match()
    before = export_log(match)
    archive_match(match)
    assert find_block_file(folder, match).read_bytes().startswith(MAGIC + bytes(32))
    assert export_log(match) == before
    with pytest.raises(CommandError, match="pig has 1 closed matches; a dictionary is made from 8 or more"):
        call_command("archive", "--train", "pig")


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_archiving_resumes_without_loss_after_the_process_is_killed_at_any_step(step: str) -> None:
    match, other = create_closed_matches(count=2)
    before = export_log(match)
    kill_archiver_at(match, step)
    assert not ArchivedMatchLog.objects.exists()
    assert export_log(match) == before
    assert archive_match(match).stream_id == match.stream_id
    assert archive_match(match) == find_block(match), "done twice is done once"
    assert export_log(match) == before
    assert PageRow.objects.filter(stream_id=other.stream_id).exists()


def test_new_folders_of_the_archive_have_the_permissions_of_the_archive_itself(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    archive.chmod(0o750)
    FolderBlockStorage(archive).put("blocks/ab/abc", b"")
    assert [stat.S_IMODE((archive / name).stat().st_mode) for name in ("blocks", "blocks/ab")] == [0o750, 0o750]


def test_a_match_is_not_deleted_if_its_archived_copy_differs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = create_closed_match()
    before, put = export_log(match), FolderBlockStorage.put
    monkeypatch.setattr(FolderBlockStorage, "put", lambda self, name, body: put(self, name, body[:-1] + b"\0"))
    with pytest.raises(ArchivingError, match=f"{match.stream_id} stays in the database: .*not what its name says"):
        archive_match(match)
    with pytest.raises(CommandError, match="1 matches stay in the database"):
        call_command("archive", "--older-than", "0", stdout=io.StringIO(), stderr=io.StringIO())
    assert not ArchivedMatchLog.objects.exists()
    assert export_log(match) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM replays_page",
        "TRUNCATE replays_page",
        "UPDATE replays_block SET name = ''",
        "DELETE FROM replays_block",
        "TRUNCATE replays_block",
        FALSE_PLACES + "; DELETE FROM replays_page",
    ],
)
def test_the_database_refuses_to_delete_archived_blocks_and_logs_outside_the_archive(statement: str) -> None:
    match, other = create_closed_matches(count=2)
    archive_match(match)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert export_log(match)
    assert PageRow.objects.filter(stream_id=other.stream_id).exists()
