"""Matches of earlier rules versions: resumed, audited and shown by the rules they were played with."""

from __future__ import annotations

import pytest
from django.utils import timezone

from ftk_core.hash_chained_log import lines_of
from ftk_core.log_entries import ChoiceMade, MatchFinished, read
from replays.event_stream_storage import EventAppender
from replays.models import Match
from replays.playing.match_runner import play_match
from replays.queries import read_story
from replays.reports.bot_decision_report import read_decision
from replays.reports.key_moments import find_first_moments, find_key_moments
from replays.reports.match_audits import audit_matches, select_ended
from replays.services import verify_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.older_rules import OLD_SENTENCE, SEED, register_older_rules

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def waiting() -> Match:
    """Return a waiting match of Pig, with the seed of an older match."""
    row = create_waiting_match([create_active_version(), create_active_version()])
    row.seed = SEED
    row.save()
    return row


@pytest.fixture
def older(waiting: Match, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Return the entries of that match as played by an earlier version of the rules, which is registered."""
    return [line + b"\n" for line in lines_of(register_older_rules(monkeypatch, waiting.stream_id))]


@pytest.fixture
def match(waiting: Match, older: list[bytes]) -> Match:
    """Return the match with its complete stored data."""
    EventAppender(waiting.stream_id).append(older, 0)
    closed = read(older[-1])
    assert isinstance(closed, MatchFinished)
    Match.objects.update(status=Match.Status.CLOSED, closed_at=timezone.now())
    for seat in waiting.seats.all():
        seat.place, seat.score = closed.places[seat.seat], closed.scores[seat.seat]
        seat.save()
    return waiting


def test_a_match_of_an_earlier_rules_version_is_audited_and_verified_by_that_version(match: Match) -> None:
    (finding,) = audit_matches(select_ended())
    assert (finding.differences, finding.skipped) == ((), "")
    assert verify_match(match.pk).game == "pig"


def test_a_match_of_an_earlier_rules_version_is_shown_by_that_version(match: Match, older: list[bytes]) -> None:
    assert {said for _, said in read_story(match.pk)[1:-1]} == {OLD_SENTENCE}
    choices = [entry for line in older if isinstance(entry := read(line), ChoiceMade)]
    menu = read_decision(match.pk, "all", choices[0].seq, None).menu
    assert b"roll" in bytes(menu[0]), "the menu of version 0 is turned round"


def test_key_moments_of_a_match_of_an_earlier_rules_version_are_described_by_that_version(match: Match) -> None:
    assert [(moment.kind, moment.say) for moment in find_first_moments(match.pk)] == [("Turn banked", OLD_SENTENCE)]
    assert find_key_moments("pig", [match.pk]) == [], "today's rules mark nothing of the kind"


@pytest.mark.slow
def test_a_match_started_with_an_earlier_rules_version_is_finished_by_that_version(
    waiting: Match, older: list[bytes]
) -> None:
    begun = older[: len(older) // 2]
    EventAppender(waiting.stream_id).append(begun, 0)
    assert play_match(waiting.pk)
    entries = list(lines_of(EventAppender(waiting.stream_id)))
    assert [line + b"\n" for line in entries[: len(begun)]] == begun
    assert verify_match(waiting.pk).game == "pig"
