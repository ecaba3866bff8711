"""The archive: nothing is let go before it was read back, and everything is read from there as it was before."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client, override_settings
from django.utils import timezone

from ftk_core.archive import unpack
from replays import tasks
from replays.archiving import NotArchived, archive_match, select_old
from replays.block_models import Block, Dictionary
from replays.blocks.packing import MAGIC
from replays.blocks.storage import FolderStorage
from replays.models import Match, MatchSeat
from replays.models import Page as PageRow
from replays.playing.runner import play_match
from replays.reports.numbers import read_numbers
from replays.store import pages_of
from tests.support.archived import (
    STEPS,
    all_that_is_told,
    block_of,
    file_of,
    kill_at,
    log_of,
    played_match,
    some_matches,
)
from tests.support.bucket import archive_at
from tests.support.factories import active_version, waiting_match
from tests.support.leagues import entrants, new_league, play_all
from tests.support.reviewable import closed_match
from tournaments import services

pytestmark = pytest.mark.django_db(transaction=True)


FALSE_PLACES = """
INSERT INTO replays_block (stream_id, name, size, length, head, root, excuses, at)
SELECT id, '', 1, length, 'another', '', '{}', now() FROM replays_stream ON CONFLICT DO NOTHING
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    """Where the archive is."""
    with archive_at(str(tmp_path / "archive")):
        yield tmp_path / "archive"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats"), [("pig", 2), ("for_the_king", 2), ("to_court_the_king", 2), ("kings_court", 6)]
)
def test_a_log_is_read_from_its_block_byte_for_byte(game: str, seats: int) -> None:
    matches = some_matches(game, seats)
    before = [log_of(match) for match in matches]
    call_command("archive", "--older-than", "0", stdout=io.StringIO())
    assert not PageRow.objects.exists()
    assert [log_of(match) for match in matches] == before
    assert sum(Block.objects.values_list("size", flat=True)) < sum(map(len, before)) / 8
    assert Dictionary.objects.get().game == game


@pytest.mark.slow
def test_every_way_of_reading_a_match_tells_the_same_as_before(client: Client) -> None:
    match = played_match()
    before = all_that_is_told(match, client)
    assert before["audit"] == [()]
    assert before["log"]
    archive_match(match)
    assert not PageRow.objects.filter(stream_id=match.stream_id).exists()
    assert all_that_is_told(match, client) == before


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
def test_what_only_its_author_may_read_goes_along(client: Client) -> None:
    noting, other = active_version(NOTING, slug="noting"), active_version()
    match = waiting_match([noting, other])
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


def test_a_page_is_shown_without_the_numbers_that_the_archive_does_not_give(client: Client, folder: Path) -> None:
    match = closed_match()
    MatchSeat.objects.filter(match=match, seat=0).update(notes=["question 1: heat=1"])
    archive_match(match)
    owner = match.seats.get(seat=0).version.bot.owner
    assert [row.key for row in read_numbers(match.pk, owner.pk)] == ["heat"]
    file_of(folder, match).unlink()
    assert read_numbers(match.pk, owner.pk) == []


def without_tokens(body: bytes) -> bytes:
    """Return a page without what is another one for each request."""
    return re.sub(rb'(csrfmiddlewaretoken" value|nonce|X-CSRFToken": ?)="[^"]*"', b"", body)


def test_a_reader_begins_behind_any_entry_of_a_block() -> None:
    match = closed_match()
    pages = [(page.first, page.last) for page in pages_of(match.stream_id)]
    archive_match(match)
    for after in (-1, 0, pages[0][1] - 1, pages[-1][1]):
        assert [(page.first, page.last) for page in pages_of(match.stream_id, after)] == [
            page for page in pages if page[1] > after
        ]


@pytest.mark.slow
def test_a_league_of_archived_matches_is_exported_as_before(tmp_path: Path) -> None:
    with override_settings(SIGNING_KEY=tmp_path / "signing-key"):
        play_all(new_league(entrants()))
        services.export_league("night", tmp_path / "before.tar")
        call_command("archive", "--older-than", "0d", stdout=io.StringIO())
        services.export_league("night", tmp_path / "after.tar")
    assert not PageRow.objects.filter(stream__id__startswith="match/").exists()
    with (tmp_path / "before.tar").open("rb") as one, (tmp_path / "after.tar").open("rb") as other:
        assert dict(unpack(one)) == dict(unpack(other))


def test_matches_go_once_they_are_old_enough_and_closed() -> None:
    old, young, void = some_matches(count=3)
    Match.objects.filter(pk=old.pk).update(closed_at=timezone.now() - timedelta(days=31))
    Match.objects.filter(pk=void.pk).update(status=Match.Status.VOID, closed_at=timezone.now() - timedelta(days=31))
    assert list(select_old(timezone.now() - timedelta(days=30))) == [old]
    tasks.archive()
    assert not Block.objects.exists(), "nothing goes by itself unless the settings say when"
    with override_settings(ARCHIVE_AFTER=30):
        tasks.archive()
    assert [block.pk for block in Block.objects.all()] == [old.stream_id]
    assert log_of(young)


@pytest.mark.slow
def test_a_new_dictionary_leaves_older_blocks_as_they_are() -> None:
    first, *rest = some_matches(count=9)
    archive_match(first)
    before, (name,) = log_of(first), Dictionary.objects.values_list("name", flat=True)
    some_matches(count=2)
    out = io.StringIO()
    call_command("archive", "--train", "pig", stdout=out)
    assert re.search("pig: packed with [0-9a-f]{64} from now on", out.getvalue())
    assert Dictionary.objects.exclude(name=name).count() == 1
    archive_match(rest[0])
    assert log_of(first) == before


def test_a_game_with_few_matches_is_packed_without_a_dictionary(folder: Path) -> None:
    match = closed_match()
    before = log_of(match)
    archive_match(match)
    assert file_of(folder, match).read_bytes().startswith(MAGIC + bytes(32))
    assert log_of(match) == before
    with pytest.raises(CommandError, match="pig has 1 closed matches; a dictionary is made from 8 or more"):
        call_command("archive", "--train", "pig")


@pytest.mark.parametrize("step", STEPS)
def test_who_is_killed_at_any_step_loses_nothing_and_goes_on(step: str) -> None:
    match, other = some_matches(count=2)
    before = log_of(match)
    kill_at(match, step)
    assert not Block.objects.exists()
    assert log_of(match) == before
    assert archive_match(match).stream_id == match.stream_id
    assert archive_match(match) == block_of(match), "done twice is done once"
    assert log_of(match) == before
    assert PageRow.objects.filter(stream_id=other.stream_id).exists()


def test_nothing_is_let_go_that_is_not_read_back_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = closed_match()
    before, put = log_of(match), FolderStorage.put
    monkeypatch.setattr(FolderStorage, "put", lambda self, name, body: put(self, name, body[:-1] + b"\0"))
    with pytest.raises(NotArchived, match=f"{match.stream_id} stays in the database: .*not what its name says"):
        archive_match(match)
    with pytest.raises(CommandError, match="1 matches stay in the database"):
        call_command("archive", "--older-than", "0", stdout=io.StringIO(), stderr=io.StringIO())
    assert not Block.objects.exists()
    assert log_of(match) == before


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
def test_the_database_lets_go_no_page_without_its_place_and_keeps_the_place(statement: str) -> None:
    match, other = some_matches(count=2)
    archive_match(match)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert log_of(match)
    assert PageRow.objects.filter(stream_id=other.stream_id).exists()
