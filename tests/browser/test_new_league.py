"""Form for a new league: three steps, errors beside the fields, and access for organisers only."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from people.person_roles import make_organiser
from tournaments.leagues.league_projection import load
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

WHAT = {"name": "Friday night", "slug": "", "game": "kings_court", "preset": "cup"}
HOW = {
    "format": "swiss",
    "seats": "6",
    "rounds": "3",
    "games": "1",
    "finalists": "8",
    "deals": "same",
    "scored": "blocks",
    "worth": "",
    "rest": "half",
    "tiebreaks": "opposition-2, lots",
    "move_seconds": "0.5",
    "bank_seconds": "2",
    "pace_ms": "0",
    "expected": "9",
    "option-fake": "on",
}
WHO = {
    "who": "anybody",
    "languages": ["python", "node"],
    "kinds": ["uploaded", "remote"],
    "mixed": "on",
    "per_author": "2",
    "late": "0",
    "granted": "none",
    "tries": "1",
    "ruling": "loss",
}
PAGE = "/leagues/new/"


@pytest.fixture
def organiser(client: Client) -> Client:
    ada = User.objects.create_user("ada")
    make_organiser(ada)
    client.force_login(ada)
    return client


def sent(client: Client, step: int, go: str, **said: Any) -> Any:
    return client.post(PAGE, {**said, "step": str(step), "go": go})


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_three_step_form_announces_a_league_with_the_given_terms(organiser: Client) -> None:
    assert "What is played" in text(organiser.get(PAGE))
    second = text(sent(organiser, 0, "next", **WHAT))
    assert 'name="option-fake"' in second
    assert 'name="finalists" value="8"' in second, "what the preset begins with"
    assert "Who enters, and when" in text(sent(organiser, 1, "next", **WHAT, **HOW))
    answer = sent(organiser, 2, "open", **WHAT, **HOW, **WHO)
    assert answer.status_code == 302, re.findall('class="error"[^<]*<', text(answer))
    assert answer.headers["Location"] == "/leagues/friday-night/"
    header = load(League.objects.get(slug="friday-night"))[1].header
    first, second_stage = header.stages
    assert (first.format, first.seats, first.rounds, first.games) == ("swiss", 6, 3, 1)
    assert (first.scored, first.rest, first.tiebreaks) == ("blocks", "half", ("opposition-2", "lots"))
    assert (second_stage.format, second_stage.qualify) == ("knockout", 8)
    assert '"fake":true' in header.options
    assert header.languages == ("python", "node")
    assert (header.kinds, header.mixed) == (("uploaded", "remote"), True)
    assert (header.move_ms, header.bank_ms) == (500, 2000)
    assert (header.per_author, header.tries, header.ruling, header.by) == (2, 1, "loss", "ada")


def test_going_back_a_step_in_the_league_form_preserves_the_input(organiser: Client) -> None:
    first = text(sent(organiser, 1, "back", **WHAT, **HOW))
    assert 'value="Friday night"' in first
    assert '<input type="hidden" name="tiebreaks" value="opposition-2, lots">' in first


@pytest.mark.parametrize(
    ("step", "go", "wrong", "said"),
    [
        (0, "next", {"game": "chess"}, "Select a valid choice"),
        (1, "next", {"rounds": "many"}, "Enter a whole number"),
        (2, "open", {"ruling": "coin"}, "Select a valid choice"),
        (2, "open", {"tiebreaks": "charm"}, "&#x27;charm&#x27; is not a tie-break; choose among"),
        (2, "open", {"deals": "fresh"}, "Only matches that share their deal can be blocks"),
        (2, "open", {"slug": "new"}, "and not the word new"),
        (2, "open", {"option-gifts": "99"}, "gifts"),
        (2, "open", {"entries_until": "2001-01-01T12:00"}, "that is past"),
        (2, "open", {"season": "Autumn!"}, "cannot be a season"),
        (2, "open", {"rated_from": "1600", "rated_to": "1500"}, "The maximum rating of entries must be"),
        (2, "open", {"who": "friends"}, "Select a valid choice"),
    ],
)
def test_an_invalid_league_form_shows_errors_and_announces_no_league(
    organiser: Client, step: int, go: str, wrong: dict[str, str], said: str
) -> None:
    answer = sent(organiser, step, go, **{**WHAT, **HOW, **WHO, **wrong})
    assert answer.status_code == 400
    assert said in text(answer)
    assert not League.objects.exists()


@pytest.mark.parametrize("step", ["0", "1", "2", "7", "x"])
@pytest.mark.parametrize("go", ["open", "next", "back", ""])
def test_an_incomplete_league_form_announces_no_league(organiser: Client, step: str, go: str) -> None:
    for said in ({}, WHAT, HOW, {**WHAT, **WHO}):
        answer = organiser.post(PAGE, {**said, "step": step, "go": go})
        assert answer.status_code in (200, 400)
    assert not League.objects.exists()


def test_the_league_form_shows_a_forecast_of_the_league(organiser: Client) -> None:
    told = text(organiser.post(PAGE + "outlook/", {**WHAT, **HOW, "finalists": "0"}))
    assert "The best bot is first" in told
    assert "Matches" in told
    large = {**WHAT, **HOW, "finalists": "0", "rounds": "100", "games": "100", "expected": "10000"}
    assert "not tried while you wait" in text(organiser.post(PAGE + "outlook/", large))
    few = {**WHAT, **HOW, "expected": "4"}
    assert "needs 6 entries or more" in text(organiser.post(PAGE + "outlook/", few))
    assert "nothing is missing" in text(organiser.post(PAGE + "outlook/", WHAT))
    assert "is not a tie-break; choose among" in text(
        organiser.post(PAGE + "outlook/", {**WHAT, **HOW, "tiebreaks": "charm"})
    )


def test_only_organisers_announce_leagues(client: Client) -> None:
    assert client.get(PAGE).headers["Location"] == "/sign-in/"
    client.force_login(User.objects.create_user("eve"))
    for answer in (
        client.get(PAGE),
        sent(client, 2, "open", **WHAT, **HOW, **WHO),
        client.post(PAGE + "outlook/", WHAT),
    ):
        assert answer.status_code == 403
    assert not League.objects.exists()
