"""Help for people who play by hand: hints during a match, and its review afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from bots.models import Quota
from bots.remote_bots import get_bot_by_hand
from replays.human_play.hints import find_hint
from replays.models import Match, MatchSeat
from replays.models.reviews import MatchReview
from replays.playing.match_django_signals import match_ended
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match
from tests.support.reviewable import create_closed_match
from tests.support.tables_by_hand import sit_down

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_hint_comes_from_a_search_or_without_native_rules_from_the_adviser(
    client: Client, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find_first(_table: Any, seat: int, budget: int, seed: int) -> tuple[int, list[tuple[float, int]]]:
        assert (seat, budget) == (0, 20_000)
        assert seed >= 0
        return 0, [(1.0, budget), (0.0, 0)]

    monkeypatch.setattr("ftk_core.native.native_match.NativeMatch.search", find_first)
    assert client.get(f"{asked}?hint=1").json()["hint"] == 0
    monkeypatch.setattr("replays.human_play.hints.has_native_rules", lambda _rules: False)
    assert client.get(f"{asked}?hint=1").json()["hint"] == 0, "the hint for a question is searched once"
    find_hint.cache_clear()
    assert client.get(f"{asked}?hint=1").json()["hint"] == 1, "hold20 does not bank nothing"


@pytest.mark.parametrize(("hand_ms", "seconds"), [("", None), ("30000", 30), ("86400000", 86400)])
def test_a_person_sees_how_much_time_is_left_for_the_choice(
    client: Client, ada: Any, settings: Any, hand_ms: str, seconds: int | None
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = sit_down(client, clock=hand_ms)
    play_match(match.pk)
    left = client.get(f"/matches/{match.pk}/seat/0/").json()["left_ms"]
    assert (left and round(left / 10_000) * 10) == seconds


@pytest.mark.slow
def test_an_arena_without_hints_offers_and_answers_none(client: Client, asked: str, settings: Any) -> None:
    assert client.get(asked).json()["hints"] is True
    settings.SEATS = {**settings.SEATS, "hints": 0}
    offer = client.get(f"{asked}?hint=1").json()
    assert (offer["asked"], offer["hints"], offer["hint"]) == (True, False, None)


def test_the_review_of_a_match_by_hand_is_requested_at_its_end_while_half_of_the_quota_is_left(
    client: Client, ada: Any
) -> None:
    match, other = create_closed_match(), create_closed_match()
    with transaction.atomic():
        own = get_bot_by_hand(ada, "pig")
    MatchSeat.objects.filter(match__in=(match, other), seat=0).update(version=own)
    match_ended.send(sender=Match, match_id=other.pk, by_hand=True)
    match_ended.send(sender=Match, match_id=other.pk, by_hand=True)
    (review,) = MatchReview.objects.all()
    assert (review.match_id, review.eyes, review.asked_by) == (other.pk, "own", ada)
    Quota.objects.create(person=ada, reviews=1)
    match_ended.send(sender=Match, match_id=match.pk, by_hand=True)
    assert MatchReview.objects.count() == 1


def test_a_match_between_bots_requests_no_review_at_its_end() -> None:
    play_match(create_waiting_match([create_active_version() for _ in range(2)]).pk)
    assert Match.objects.get().status == Match.Status.CLOSED
    assert not MatchReview.objects.exists()
