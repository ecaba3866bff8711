"""Matches by hand: the form for a new match, and the view of a seat."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from bots.models import Bot
from bots.models.worker_reports_and_usage import WorkerSandboxReport
from bots.worker_sandbox_report_queries import ENGINE
from ftk_core.kit.built_in_bots import list_search_bots
from people.staff_audit_trail import make_shell_actor
from replays.models import Match, SeatQuestionMailbox
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.tables_by_hand import TABLE, sit_down
from tournaments.organisers import author_and_bot_bans

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_person_can_start_a_friendly_match_against_built_in_and_uploaded_bots(client: Client, ada: Any) -> None:
    create_active_version(slug="grace", game="pig")
    match = sit_down(client, seats="4", seat="2", bots="grace")
    assert (match.kind, match.hand_ms, match.asked_by) == (Match.Kind.FRIENDLY, None, ada)
    names = [seat.version.bot.slug for seat in match.seats.all()]
    assert names == ["house-pig-hold20", "grace", "ada-by-hand", "house-pig-hold20"]
    assert b"Go on" in client.get("/play/").content
    page = client.get(f"/matches/{match.pk}/").content
    assert b'hand="2"' in page
    assert b'data-onward="again" href="/play/pig/"' in page


def test_more_opponents_than_free_seats_are_refused(client: Client, ada: Any) -> None:
    create_active_version(slug="grace", game="pig")
    answer = client.post("/play/pig/", TABLE | {"bots": "grace"})
    assert (answer.status_code, Match.objects.count()) == (400, 0)
    assert "You chose 2 opponents, but a table with 2 seats has room for only 1." in answer.content.decode()


def test_a_built_in_bot_is_stored_once_for_several_matches(client: Client, ada: Any) -> None:
    sit_down(client, clock="30000")
    assert sit_down(client, seat="any").seats.count() == 2
    assert Bot.objects.get(slug="house-pig-hold20").versions.count() == 1
    assert Match.objects.filter(hand_ms=30_000).count() == 1


@pytest.mark.parametrize("offers_engine", [False, True])
def test_search_bots_are_offered_as_opponents_only_if_a_worker_runs_them(
    client: Client, ada: Any, offers_engine: bool
) -> None:
    if list_search_bots("pig") and offers_engine:
        WorkerSandboxReport.objects.create(
            worker="one", tier="bwrap", held=True, languages={ENGINE: "0123", "python": "3"}
        )
    offered = b'value="master"' in client.get("/play/pig/").content
    assert offered == (offers_engine and bool(list_search_bots("pig")))
    if offered:
        names = [seat.version.bot.slug for seat in sit_down(client, house=["master"]).seats.all()]
        assert names == ["ada-by-hand", "house-pig-master"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"seat": "3"}, "A table of 2 has the seats 0 to 1"),
        ({"house": []}, "Choose one opponent"),
        ({"house": [], "bots": "nobody"}, "no version of a bot &#x27;nobody&#x27; is active"),
        ({"house": [], "bots": "courtly"}, "courtly plays to_court_the_king, not pig"),
        ({"seats": "9"}, "9 is not one of the available choices"),
    ],
)
def test_an_invalid_form_for_a_match_against_bots_is_refused_with_the_reason(
    client: Client, ada: Any, said: dict[str, Any], why: str
) -> None:
    create_active_version(slug="courtly", game="to_court_the_king")
    answer = client.post("/play/pig/", TABLE | said)
    assert answer.status_code == 400
    assert why in answer.content.decode()
    assert not Match.objects.exists()


@pytest.mark.slow
def test_the_form_for_a_match_against_bots_has_a_field_for_each_option_of_the_game(client: Client, ada: Any) -> None:
    page = client.get("/play/kings_court/").content.decode()
    assert '<label for="id_option-cards-guard">Guard in the box</label>' in page
    assert "option-" not in client.get("/play/pig/").content.decode()
    court = {"seats": "7", "house": ["sleuth"], "option-cards-peasant": "2", "option-cards-guard": "1"}
    match = sit_down(client, "kings_court", **court, **{"option-fake": "on", "option-gifts": "2"})
    assert json.loads(match.options) == {"cards": ["peasant", "peasant", "guard"], "fake": True, "gifts": 2}
    assert sit_down(client, "kings_court", seats="6", house=["sleuth"]).options == ""


def test_impossible_game_options_of_a_match_against_bots_are_refused_beside_their_form_field(
    client: Client, ada: Any
) -> None:
    answer = client.post("/play/kings_court/", TABLE | {"seats": "6", "house": ["sleuth"], "option-cards-guard": "2"})
    assert answer.status_code == 400
    assert 'id="id_option-cards-peasant_error">with 6 players the box holds 3 cards' in answer.content.decode()
    answer = client.post("/play/kings_court/", TABLE | {"seats": "6", "house": ["sleuth"], "option-gifts": "many"})
    assert 'id="id_option-gifts_error">Enter a whole number.' in answer.content.decode()
    assert not Match.objects.exists()


@pytest.mark.slow
def test_a_rematch_repeats_the_seats_opponents_options_and_clock_of_the_previous_match(
    client: Client, ada: Any
) -> None:
    court = {"seats": "7", "seat": "3", "house": ["sleuth", "random"], "clock": "30000", "option-gifts": "2"}
    match = sit_down(client, "kings_court", **court)
    answer = client.post(f"/matches/{match.pk}/rematch/", follow=True)
    assert "still goes on; play it to its end" in answer.content.decode()
    assert Match.objects.count() == 1
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED, move_ms=700, bank_ms=9000)
    match.refresh_from_db()
    assert b'data-onward="rematch">' in client.get(f"/matches/{match.pk}/").content
    answer = client.post(f"/matches/{match.pk}/rematch/")
    again = Match.objects.get(pk=answer["Location"].strip("/").split("/")[-1])
    slugs = [[seat.version.bot.slug for seat in one.seats.order_by("seat")] for one in (match, again)]
    assert slugs[0] == slugs[1]
    assert slugs[0][3] == "ada-by-hand"
    assert (again.hand_ms, again.options, again.clock) == (30_000, match.options, match.clock)
    assert (again.pk, bytes(again.seed)) != (match.pk, bytes(match.seed))


def test_a_rematch_shortens_a_clock_that_is_too_long_for_friendly_matches(client: Client, ada: Any) -> None:
    match = sit_down(client)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED, move_ms=700, bank_ms=3_600_000)
    client.post(f"/matches/{match.pk}/rematch/")
    again = Match.objects.exclude(pk=match.pk).get()
    assert (again.move_ms, again.bank_ms) == (700, 600_000)


def test_only_the_human_player_of_a_match_can_order_a_rematch(client: Client, ada: Any) -> None:
    match = sit_down(client)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED)
    stranger = Client()
    stranger.force_login(AuthorFactory.create())
    assert b"rematch" not in stranger.get(f"/matches/{match.pk}/").content
    assert stranger.post(f"/matches/{match.pk}/rematch/").status_code == 404
    assert Client().post(f"/matches/{match.pk}/rematch/")["Location"] == f"/sign-in/?next=/matches/{match.pk}/"
    assert Match.objects.count() == 1


@pytest.mark.slow
def test_matches_of_a_person_against_bots_are_limited_by_quota(client: Client, ada: Any, settings: Any) -> None:
    settings.SEATS = {**settings.SEATS, "by_hand_each": 1}
    match = sit_down(client)
    answer = client.post("/play/pig/", TABLE)
    assert answer.status_code == 400
    assert "finish one of them first" in answer.content.decode()
    Match.objects.filter(pk=match.pk).update(status=Match.Status.CLOSED)
    assert sit_down(client)


@pytest.mark.slow
def test_a_person_asked_to_move_gets_the_rules_and_a_description_of_each_option(client: Client, asked: str) -> None:
    offer = client.get(asked).json()
    assert offer["asked"] is True
    assert offer["items"] == [
        {"say": "Hold: bank what this turn has gathered", "on": ["seat-0"], "kind": "hold"},
        {"say": "Roll the die", "on": ["die"], "kind": "roll"},
    ]
    assert offer["guide"][1]["say"].startswith("A 2 to 6 is gathered.")
    assert client.get(f"{asked}?lang=zh-Hant").json()["items"][1]["say"] == "擲骰"
    assert "hint" not in offer
    assert client.get(f"{asked}?hint=1").json()["hint"] == 1


@pytest.mark.slow
def test_a_persons_answer_is_accepted_once_and_an_unexpected_answer_is_refused(client: Client, asked: str) -> None:
    number = client.get(asked).json()["number"]
    assert client.post(asked, {"number": number, "index": 7}).json()["code"] == "not_on_the_menu"
    assert client.post(asked, {"number": number, "index": "x"}).status_code == 400
    assert client.post(asked, {"number": number, "index": 0}).status_code == 200
    again = client.post(asked, {"number": number, "index": 0})
    assert (again.status_code, again.json()["code"]) == (409, "not_asked")
    assert client.get(asked).json()["asked"] is False
    assert SeatQuestionMailbox.objects.get().choice == 0


@pytest.mark.slow
def test_only_the_person_playing_a_seat_can_read_and_answer_its_questions(client: Client, asked: str) -> None:
    for visitor in (Client(), Client()):
        assert visitor.get(asked).status_code == visitor.post(asked, {"number": 1, "index": 0}).status_code == 404
        visitor.force_login(AuthorFactory.create())
        assert visitor.get(asked).status_code == visitor.post(asked, {"number": 1, "index": 0}).status_code == 404
    assert client.get(asked.replace("seat/0", "seat/1")).status_code == 404
    page = asked.removesuffix("seat/0/")
    assert b"hand=" not in Client().get(page).content


@pytest.mark.slow
def test_a_person_plays_in_the_browser_although_the_replay_of_the_match_is_not_released(
    client: Client, asked: str
) -> None:
    url = asked.removesuffix("seat/0/")
    Match.objects.update(released=False)
    page = client.get(url)
    assert b'<ftk-replay match="' in page.content
    assert b' eyes="0" hand="0"' in page.content
    assert "you see it from your seat only" in page.content.decode()
    assert "private" in page["Cache-Control"]
    Match.objects.update(status=Match.Status.CLOSED)
    ended = client.get(url).content
    assert b' eyes="0"' in ended
    assert b'data-onward="review"' not in ended
    assert b"<ftk-replay" not in client.get(url.replace("/matches/", "/embed/")).content
    assert b"<ftk-replay" not in Client().get(url).content


def test_a_person_whose_bot_by_hand_is_banned_is_refused_with_the_reason(client: Client, ada: Any) -> None:
    sit_down(client)
    author_and_bot_bans.ban_bot(make_shell_actor("root", "rude remarks"), Bot.objects.get(owner=ada).slug)
    answer = client.post("/play/pig/", TABLE)
    assert (answer.status_code, "rude remarks" in answer.content.decode(), Match.objects.count()) == (400, True, 1)
