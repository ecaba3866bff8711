"""A friendly match is ordered, looked at and answered over REST."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from bots.models import Bot
from replays.models import Match
from replays.playing.runner import play_match
from tests.support.factories import AuthorFactory, active_version
from tests.support.seats import remote_version

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ada() -> APIClient:
    client = APIClient()
    client.force_login(AuthorFactory.create(username="ada"))
    return client


def ordered(client: APIClient, *bots: str, **more: Any) -> Any:
    return client.post("/api/v1/matches/friendly/", {"game": "pig", "bots": list(bots), **more}, format="json")


def test_a_person_orders_a_match_sits_down_and_answers(ada: APIClient, settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    active_version(slug="rival")
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
def test_a_match_without_a_seat_of_ones_own_is_not_ordered(ada: APIClient, bots: list[str], code: str) -> None:
    active_version(slug="rival")
    person = Bot.objects.get(pk=remote_version("bens").bot.pk)
    Bot.objects.filter(pk=person.pk).update(kind="person")
    answer = ordered(ada, *bots)
    assert (answer.status_code, answer.data["code"]) == (400, code)
    assert not Match.objects.exists()


@pytest.mark.parametrize(("quota", "mine", "other"), [("by_hand_each", "", "afar"), ("friendlies_each", "afar", "")])
def test_nobody_has_too_many_matches_of_a_kind_that_are_not_over(
    ada: APIClient, settings: Any, quota: str, mine: str, other: str
) -> None:
    settings.SEATS = {**settings.SEATS, quota: 1}
    active_version(slug="rival")
    ada.post("/api/v1/bots/remote/", {"game": "pig", "bot": "afar"}, format="json")
    assert ordered(ada, "rival", mine).status_code == 201
    assert ordered(ada, "rival", mine).data["code"] == "too_many"
    assert ordered(ada, "rival", other).status_code == 201


def test_a_remote_bot_is_registered_once_and_its_name_is_nobody_elses(ada: APIClient) -> None:
    remote_version("bens")
    for _ in range(2):
        answer = ada.post("/api/v1/bots/remote/", {"game": "pig", "bot": "mine"}, format="json")
        assert (answer.status_code, answer.data["status"], answer.data["number"]) == (201, "active", 1)
    assert ada.get("/api/v1/bots/mine/").data["kind"] == "remote"
    answer = ada.post("/api/v1/bots/remote/", {"game": "pig", "bot": "bens"}, format="json")
    assert (answer.status_code, answer.data["code"]) == (400, "taken")
