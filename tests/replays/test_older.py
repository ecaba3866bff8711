"""What was played by earlier rules is resumed, audited and shown by them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from ftk_core.entries import Chose, Closed, read
from ftk_core.log import lines_of
from replays.models import Match
from replays.playing.runner import play_match
from replays.queries import read_story
from replays.reports.audit import audit_matches, select_ended
from replays.reports.decisions import read_decision
from replays.reports.key_moments import find_first, find_key_moments
from replays.services import verify_match
from replays.store import StreamLog
from tests.support.factories import active_version, waiting_match
from tests.support.older import OLD, SEED, older_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waiting() -> Match:
    """Return a match of Pig that nobody has begun, with the seed of an older one."""
    row = waiting_match([active_version(), active_version()])
    row.seed = SEED
    row.save()
    return row


@pytest.fixture
def older(waiting: Match, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the entries of that match as it was played by an older version, which is on the shelf."""
    return [line + b"\n" for line in lines_of(older_match(monkeypatch, waiting.stream_id))]


@pytest.fixture
def match(waiting: Match, older: list[bytes]) -> Match:
    """Return the match with all that is stored of it once it is over."""
    StreamLog(waiting.stream_id).append(older, 0)
    closed = read(older[-1])
    assert isinstance(closed, Closed)
    Match.objects.update(status=Match.Status.CLOSED, closed_at=timezone.now())
    for seat in waiting.seats.all():
        seat.place, seat.score = closed.places[seat.seat], closed.scores[seat.seat]
        seat.save()
    return waiting


def test_a_match_of_an_earlier_version_is_audited_and_verified_by_it(match: Match) -> None:
    (finding,) = audit_matches(select_ended())
    assert (finding.differences, finding.skipped) == ((), "")
    assert verify_match(match.pk).game == "pig"


def test_a_match_of_an_earlier_version_is_told_and_laid_open_by_it(match: Match, older: list[bytes]) -> None:
    assert {said for _, said in read_story(match.pk)[1:-1]} == {OLD}
    choices = [entry for line in older if isinstance(entry := read(line), Chose)]
    menu = read_decision(match.pk, "all", choices[0].seq, None).menu
    assert b"roll" in bytes(menu[0]), "the menu of version 0 is turned round"


def test_moments_of_an_earlier_version_are_found_by_its_own_marks_and_words(match: Match) -> None:
    assert [(moment.kind, moment.say) for moment in find_first(match.pk)] == [("Turn banked", OLD)]
    assert find_key_moments("pig", [match.pk]) == [], "today's rules mark nothing of the kind"


def test_a_match_that_was_begun_by_an_earlier_version_is_played_to_its_end_by_it(
    waiting: Match, older: list[bytes]
) -> None:
    begun = older[: len(older) // 2]
    StreamLog(waiting.stream_id).append(begun, 0)
    assert play_match(waiting.pk)
    entries = list(lines_of(StreamLog(waiting.stream_id)))
    assert [line + b"\n" for line in entries[: len(begun)]] == begun
    assert verify_match(waiting.pk).game == "pig"
