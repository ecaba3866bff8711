"""Form for a new league on one page: presets, errors beside the fields, and access for organisers only."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client

from frontend.pages.organisers.league_presets import is_copy_complete
from people.person_roles import make_organiser
from tournaments.leagues.league_event_projection import load
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

WHAT = {"name": "Friday night", "slug": "", "game": "kings_court", "preset": "cup", "filled": "cup kings_court"}
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


def send_form(client: Client, **changed: Any) -> Any:
    return client.post(PAGE, {**WHAT, **HOW, **WHO, **changed})


def read_value(page: str, name: str) -> str:
    """Return the value of an input of the form."""
    [field] = re.findall(rf'<input[^>]*name="{name}"[^>]*>', page)
    return "".join(re.findall(r'value="([^"]*)"', field))


def find_open_sections(page: str) -> list[str]:
    return re.findall(r'<details class="section" id="section-(\w+)" open>', page)


def text(answer: Any) -> str:
    return str(answer.content.decode())


def test_the_new_league_form_announces_a_league_with_the_submitted_terms(organiser: Client) -> None:
    answer = send_form(organiser)
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


def test_the_new_league_form_is_prefilled_from_the_first_preset_and_its_sections_are_collapsed(
    organiser: Client,
) -> None:
    page = text(organiser.get(PAGE))
    assert read_value(page, "filled") == "evening for_the_king"
    assert read_value(page, "rounds") == "5"
    assert "3 rounds of Swiss pairing, then a knockout of the first 8." in page
    assert find_open_sections(page) == []
    assert "option-" not in page, "the first game has no options"


def test_choosing_another_preset_or_game_replaces_only_the_form_values_that_nobody_changed(organiser: Client) -> None:
    opened = {"name": "Friday", "filled": "evening pig", "rounds": "5", "games": "1", "seats": "4", "tiebreaks": "lots"}
    page = text(organiser.post(PAGE, {**opened, "preset": "season", "game": "kings_court", "go": "fill"}))
    assert [read_value(page, name) for name in ("rounds", "games", "seats")] == ["11", "2", "6"]
    assert [read_value(page, name) for name in ("name", "tiebreaks")] == ["Friday", "lots"]
    assert read_value(page, "filled") == "season kings_court"
    assert 'name="option-cards-guard"' in page
    page = text(organiser.post(PAGE, {**opened, "rounds": "7", "preset": "season", "game": "pig", "go": "fill"}))
    assert [read_value(page, name) for name in ("rounds", "games")] == ["7", "2"]
    assert "option-" not in page
    assert not League.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "said", "section"),
    [
        ({"game": "chess"}, "Select a valid choice", "format"),
        ({"preset": "feast"}, "Select a valid choice", None),
        ({"name": ""}, "This field is required", None),
        ({"entries_until": "2001-01-01T12:00"}, "that is past", None),
        ({"rounds": "many"}, "Enter a whole number", "format"),
        ({"seats": "4"}, "greater than or equal to 6", "format"),
        ({"tiebreaks": "charm"}, "&#x27;charm&#x27; is not a tie-break; choose among", "format"),
        ({"option-gifts": "99"}, "less than or equal to 11", "clock"),
        ({"option-cards-guard": "2"}, "eep at least one Loyal Peasant", "clock"),
        ({"who": "friends"}, "Select a valid choice", "entrants"),
        ({"ruling": "coin"}, "Select a valid choice", "schedule"),
        ({"slug": "new"}, "and not the word new", "schedule"),
        ({"name": "國王"}, "is not a valid slug", "schedule"),
        ({"deals": "fresh"}, "Only matches that share their deal can be blocks", None),
        ({"season": "Autumn!"}, "cannot be a season", None),
        ({"rated_from": "1600", "rated_to": "1500"}, "The maximum rating of entries must be", None),
    ],
)
def test_an_invalid_league_form_expands_only_sections_with_errors_and_creates_no_league(
    organiser: Client, wrong: dict[str, str], said: str, section: str | None
) -> None:
    answer = send_form(organiser, **wrong)
    assert answer.status_code == 400
    page = text(answer)
    assert said in page
    assert find_open_sections(page) == ([section] if section else [])
    assert not League.objects.exists()


def test_an_invalid_league_form_keeps_the_submitted_values(organiser: Client) -> None:
    page = text(send_form(organiser, name="", entries_until="2001-01-01T12:00", **{"option-cards-guard": "2"}))
    names = ("entries_until", "tiebreaks", "expected", "option-cards-guard")
    assert [read_value(page, name) for name in names] == ["2001-01-01T12:00", "opposition-2, lots", "9", "2"]
    first, second = re.findall(r'<li id="tiebreak-([^"]*)"', page)[:2]
    assert (first, second) == ("opposition-2", "lots")


@pytest.mark.slow
@pytest.mark.parametrize("go", ["open", "fill", "next", ""])
def test_posting_an_incomplete_league_form_creates_no_league(organiser: Client, go: str) -> None:
    for said in ({}, WHAT, HOW, {**WHAT, **WHO}):
        answer = organiser.post(PAGE, {**said, "go": go})
        assert answer.status_code == (200 if go == "fill" else 400)
    assert not League.objects.exists()


def test_cards_chosen_in_the_league_form_are_stored_as_a_list_in_the_game_options(organiser: Client) -> None:
    cards = {"option-cards-peasant": "1", "option-cards-guard": "1", "option-gifts": "0"}
    assert send_form(organiser, **cards).status_code == 302
    header = load(League.objects.get())[1].header
    assert json.loads(header.options) == {"cards": ["peasant", "guard"], "fake": True, "gifts": 0}


@pytest.mark.slow
def test_copying_a_league_prefills_the_form_with_its_settings_and_increments_the_number_in_its_name(
    organiser: Client,
) -> None:
    cards = {"option-cards-peasant": "2", "option-gifts": "0"}
    assert send_form(organiser, name="Evening 3", **cards).status_code == 302
    assert 'href="/leagues/new/?like=evening-3"' in text(organiser.get("/leagues/evening-3/"))
    page = text(organiser.get(PAGE + "?like=evening-3"))
    assert read_value(page, "name") == "Evening 4"
    assert "Like Evening 3" in page
    assert "cannot copy all settings" not in page
    fields = organiser.get(PAGE + "?like=evening-3").context["form"]
    values = {name: fields[name].value() for name in fields.fields}
    sent = {name: value for name, value in values.items() if value is not None and value is not False}
    answer = organiser.post(PAGE, {**sent, "filled": fields.filled})
    assert answer.status_code == 302, re.findall('class="error"[^<]*<', text(answer))
    old, new = (load(League.objects.get(slug=slug))[1].header for slug in ("evening-3", "evening-4"))
    same = {"name": "", "slug": "", "secret_seal": "", "luck": "", "at": 0}
    assert msgspec.structs.replace(old, **same) == msgspec.structs.replace(new, **same)
    assert organiser.get(PAGE + "?like=nothing").status_code == 404


def test_copying_a_league_warns_of_an_incomplete_copy_if_stages_differ_in_a_setting_that_the_form_shows_once(
    organiser: Client,
) -> None:
    assert send_form(organiser, name="Evening 3").status_code == 302
    header = load(League.objects.get())[1].header
    first, knockout = header.stages
    assert is_copy_complete(header)
    for changed in ({"games": knockout.games + 2}, {"worth": "wins" if knockout.worth != "wins" else "points"}):
        stages = (first, msgspec.structs.replace(knockout, **changed))
        assert not is_copy_complete(msgspec.structs.replace(header, stages=stages))


@pytest.mark.slow
def test_the_league_form_shows_a_forecast_of_the_duration_and_fairness_of_the_league_in_sentences(
    organiser: Client,
) -> None:
    def forecast(**changed: str) -> str:
        return text(organiser.post(PAGE + "outlook/", {**WHAT, **HOW, **WHO, "finalists": "0", **changed}))

    told = forecast(name="", entries_until="2001-01-01T12:00")
    assert re.search(r"<p>About \d+ (minutes?|hours) on one worker\.</p>", told)
    assert re.search(r"<p>The best of 9 bots wins in \d+ of 100 leagues \(95 % sure: \d+ to \d+\)\.</p>", told)
    assert re.search(r"\d+ repeated pairings? cannot be avoided\.</p>|pairings? (are|is) repeated\.</p>", told)
    assert "Matches" in told
    assert "too many matches for a web request" in forecast(
        rounds="100", games="100", expected="10000", kinds="uploaded", mixed=""
    )
    assert "needs 6 entries or more" in forecast(expected="4", finalists="8")
    assert "There is no forecast yet. Rounds: Enter a whole number." in forecast(rounds="many")
    assert "is not a tie-break; choose among" in forecast(tiebreaks="charm")


def test_only_organisers_can_announce_leagues(client: Client) -> None:
    assert client.get(PAGE).headers["Location"] == f"/sign-in/?next={PAGE}"
    client.force_login(User.objects.create_user("eve"))
    for answer in (
        client.get(PAGE),
        send_form(client),
        client.post(PAGE + "outlook/", WHAT),
    ):
        assert answer.status_code == 403
    assert not League.objects.exists()
