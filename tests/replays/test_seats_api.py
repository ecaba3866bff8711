"""Friendly matches over the REST API: order, read the question, answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from bots.models import Bot, CoAuthor
from ftk_core.league.league_state import CommandRejected
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.seats import create_remote_version
from tournaments.challenges.services import ChallengeRequest, challenge

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada() -> APIClient:
    client = APIClient()
    client.force_login(AuthorFactory.create(username="ada"))
    return client


def ordered(client: APIClient, *bots: str, **more: Any) -> Any:
    return client.post("/api/v1/matches/friendly/", {"game": "pig", "bots": list(bots), **more}, format="json")


@pytest.mark.slow
def test_a_person_can_request_a_match_take_a_seat_and_answer_questions_through_the_api(
    ada: APIClient, settings: Any
) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    create_active_version(slug="rival")
    answer = ordered(ada, "rival", "")
    assert answer.status_code == 201, answer.data
    match = Match.objects.get(pk=answer.data["id"])
    play_match(match.pk)
    door = f"/api/v1/matches/{match.pk}/seats/1/"
    asked = ada.get(door).data
    assert (asked["number"], asked["answered"], asked["over"], asked["due_at"]) == (1, False, False, None)
    assert asked["question"]["menu"] == [{"kind": "hold"}, {"kind": "roll"}]
    assert ada.post(door, {"number": 1, "choose": 1}, format="json").status_code == 204
    assert ada.get(door).data["answered"]
    again = ada.post(door, {"number": 1, "choose": 1}, format="json")
    assert (again.status_code, again.data["code"]) == (409, "not_asked")


@pytest.mark.parametrize(
    ("bots", "code"),
    [
        (["rival", "rival"], "not_yours"),
        (["", "nobody"], "not_playable"),
        ([""], "not_playable"),
        (["", "bens"], "not_yours"),
    ],
)
def test_a_friendly_match_without_a_seat_for_its_requester_or_with_unplayable_bots_is_refused(
    ada: APIClient, bots: list[str], code: str
) -> None:
    create_active_version(slug="rival")
    person = Bot.objects.get(pk=create_remote_version("bens").bot.pk)
    Bot.objects.filter(pk=person.pk).update(kind="person")
    answer = ordered(ada, *bots)
    assert (answer.status_code, answer.data["code"]) == (400, code)
    assert not Match.objects.exists()


def test_a_co_author_can_order_a_friendly_match_with_a_shared_remote_bot(ada: APIClient) -> None:
    create_active_version(slug="rival")
    bot = create_remote_version("shared").bot
    assert ordered(ada, "shared", "rival").data["code"] == "not_yours"
    CoAuthor.objects.create(bot=bot, person=User.objects.get(username="ada"), accepted_at=timezone.now())
    assert ordered(ada, "shared", "rival").status_code == 201


@pytest.mark.parametrize("part", ["move_ms", "bank_ms"])
def test_the_bots_of_a_friendly_match_have_at_most_ten_minutes_a_move_and_in_the_bank(
    ada: APIClient, part: str
) -> None:
    create_active_version(slug="rival")
    assert ordered(ada, "rival", "", **{part: 600_001}).status_code == 400
    assert ordered(ada, "rival", "", **{part: 600_000}).status_code == 201
    assert ordered(ada, "rival", "", hand_ms=24 * 60 * 60 * 1000).status_code == 201, "a person may take a day"


@pytest.mark.parametrize(("quota", "mine", "other"), [("by_hand_each", "", "afar"), ("friendlies_each", "afar", "")])
def test_unfinished_matches_of_one_kind_per_person_are_limited(
    ada: APIClient, settings: Any, quota: str, mine: str, other: str
) -> None:
    settings.SEATS = {**settings.SEATS, quota: 1}
    create_active_version(slug="rival")
    ada.post("/api/v1/bots/remote/", {"game": "pig", "bot": "afar"}, format="json")
    assert ordered(ada, "rival", mine).status_code == 201
    assert ordered(ada, "rival", mine).data["code"] == "too_many"
    assert ordered(ada, "rival", other).status_code == 201
    Match.objects.update(status=Match.Status.CLOSED)
    assert ordered(ada, "rival", mine).status_code == 201, "those have ended"


def test_a_bot_that_accepts_no_challenges_plays_only_friendly_matches_requested_by_its_authors(ada: APIClient) -> None:
    rival, own = (
        create_active_version(slug="rival"),
        create_active_version(slug="own", owner=User.objects.get(username="ada")),
    )
    Bot.objects.filter(pk__in=(rival.bot.pk, own.bot.pk)).update(challenged=False)
    answer = ordered(ada, "rival", "")
    assert (answer.status_code, answer.data["code"]) == (400, "not_challenged")
    assert "rival takes no challenges" in answer.data["detail"]
    assert ordered(ada, "own", "").status_code == 201


def test_friendly_matches_and_challenges_share_one_daily_quota(ada: APIClient, settings: Any) -> None:
    settings.UPLOAD_ROOM = {**settings.UPLOAD_ROOM, "challenges_each": 3}
    person = User.objects.get(username="ada")
    create_active_version(slug="rival")
    create_active_version(slug="own", owner=person)
    challenge(person, ChallengeRequest(bot="own", against=("rival",), matches=2))
    assert ordered(ada, "rival", "").status_code == 201
    Match.objects.update(status=Match.Status.CLOSED)
    answer = ordered(ada, "rival", "")
    assert (answer.status_code, answer.data["code"]) == (400, "quota")
    assert "you may ask for 3 matches within 24 hours" in answer.data["detail"]
    with pytest.raises(CommandRejected, match="3 matches within 24 hours, and 0 are left"):
        challenge(person, ChallengeRequest(bot="own", against=("rival",), matches=1))
    Match.objects.update(created_at=timezone.now() - timedelta(days=1))
    assert ordered(ada, "rival", "").status_code == 201


def test_a_remote_bot_is_registered_once_under_a_unique_name(ada: APIClient) -> None:
    create_remote_version("bens")
    for _ in range(2):
        answer = ada.post("/api/v1/bots/remote/", {"game": "pig", "bot": "mine"}, format="json")
        assert (answer.status_code, answer.data["status"], answer.data["number"]) == (201, "active", 1)
    assert ada.get("/api/v1/bots/mine/").data["kind"] == "remote"
    answer = ada.post("/api/v1/bots/remote/", {"game": "pig", "bot": "bens"}, format="json")
    assert (answer.status_code, answer.data["code"]) == (400, "taken")
