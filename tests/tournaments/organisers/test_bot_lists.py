"""Entries of many bots at once by an organiser: lists, the effect of each line, page and API."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.league_state import CommandRejected
from tests.support.factories import AuthorFactory
from tests.support.league_entries import add_newer_version, create_own_version, open_league
from tests.support.leagues import play_all
from tests.support.people import open_session
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.bulk_league_entry import MAX_LINES, MAX_LIST_BYTES, parse_bot_list
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.models.organiser_roles import Proposal, Refusal
from tournaments.organisers.action_proposal_decisions import approve
from tournaments.organisers.organiser_action_submission import propose_or_act

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/leagues/night/desk/entries/"
API = "/api/v1/leagues/night/acts/enlist/"


@pytest.fixture
def olga() -> User:
    olga: User = AuthorFactory.create(username="olga")
    open_league(by="olga", per_author=1)
    return olga


def names() -> list[str]:
    """Return the names of the entries in the league."""
    return [entrant.name for entrant in load(League.objects.get())[1].entrants]


def list_outcomes(lines: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(line["bot"], line["outcome"]) for line in lines]


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("bot\nada\nbob\n", ["ada", "bob"]),
        ("\ufeffTeam;Bot\r\nNorth;ada\r\n\r\nSouth; bob \r\n", ["ada", "bob"]),
        ('note\tbot\n"two\nlines"\tada', ["ada"]),
        ("bot\n" + "ada\n" * MAX_LINES, ["ada"] * MAX_LINES),
    ],
)
def test_a_bot_list_is_read_from_the_bot_column_of_a_csv_file_with_any_separator(text: str, bots: list[str]) -> None:
    assert parse_bot_list(text) == bots


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the first line must name the columns, one of them bot (got '')"),
        ("ada\nbob", "the first line must name the columns, one of them bot (got 'ada')"),
        ("bot\n", "a list has from 1 to 1000 bots (got 0)"),
        ("bot\n" + "ada\n" * (MAX_LINES + 1), "a list has from 1 to 1000 bots (got 1001)"),
        ("x" * (MAX_LIST_BYTES + 1), "the list has 200001 bytes; at most 200000 are possible, so send it in parts"),
        ('bot\n"ada', "the list is not a CSV text: unexpected end of data"),
    ],
)
def test_a_bot_list_that_cannot_be_read_or_is_too_long_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(CommandRejected) as refusal:
        parse_bot_list(text)
    assert str(refusal.value) == reason


@pytest.mark.slow
def test_submitting_a_bot_list_previews_each_line_and_confirming_it_enters_the_bots(olga: User) -> None:
    ada = create_own_version("ada")
    add_newer_version(ada)
    create_own_version("adas-second", ada.bot.owner)
    services.enter_bot(League.objects.get().pk, create_own_version("bob"))
    client = open_session(olga)
    assert f'href="{PAGE}"' in client.get("/leagues/night/desk/").content.decode()
    assert client.get(PAGE).status_code == 200
    form = {"bots": "bot\nada\nbob\nnobody\nadas-second\nada", "why": "they came on paper"}
    shown = client.post(PAGE, form).content.decode()
    effects = re.findall(r'<tr><td class="num">(\d)</td><th scope="row" class="name">(.*?)</th>.*?">(.*?)</td>', shown)
    told = [(line, bot, re.sub("<.*?>", "", effect)) for line, bot, effect in effects]
    assert told == [
        ("1", "ada", "enters ada-2, for round 1"),
        ("2", "bob", "already entered bob-1 has entered already"),
        ("3", "nobody", "refused no version of a bot &#x27;nobody&#x27; is active"),
        ("4", "adas-second", "refused of-ada has entered ada-2; an author enters 1 in Night"),
        ("5", "ada", "already entered ada-2 has entered already"),
    ]
    assert "1 bot enters. 2 lines are refused." in shown
    assert names() == ["bob-1"]
    digest = re.search('name="confirm" value="([0-9a-f]+)"', shown)
    assert digest
    answer = client.post(PAGE, form | {"confirm": digest[1]}, follow=True)
    assert "The bots have entered." in answer.content.decode()
    assert names() == ["bob-1", "ada-2"]


@pytest.mark.slow
def test_an_uploaded_bot_list_is_confirmed_only_with_a_reason_and_an_unchanged_preview(olga: User) -> None:
    create_own_version("ada")
    client = open_session(olga)
    shown = client.post(PAGE, {"file": SimpleUploadedFile("bots.csv", "bot,名\nada,愛達\n".encode())}).content.decode()
    assert "bot,名\nada,愛達</textarea>" in shown
    digest = re.search('name="confirm" value="([0-9a-f]+)"', shown)
    assert digest
    nameless = client.post(PAGE, {"bots": "bot\nada", "confirm": digest[1]})
    assert (nameless.status_code, names()) == (400, [])
    outdated = client.post(PAGE, {"bots": "bot\nada\nbob", "why": "because", "confirm": digest[1]}).content.decode()
    assert "The effects have changed since they were shown" in outdated
    assert names() == []
    unknown = client.post(PAGE, {"bots": "bot\nnobody", "why": "because", "confirm": digest[1]}).content.decode()
    assert "The effects have changed since they were shown" in unknown
    assert "no version of a bot &#x27;nobody&#x27; is active" in unknown
    latin = client.post(PAGE, {"file": SimpleUploadedFile("bots.csv", "bot\nad\xe9".encode("latin-1"))})
    assert "The file is not a text in UTF-8." in latin.content.decode()


def test_the_api_returns_an_outcome_for_each_bot_in_a_list_and_enters_no_bot_in_a_preview(olga: User) -> None:
    create_own_version("ada")
    create_own_version("bob")
    client, body = open_session(olga), {"bots": ["ada", "nobody", "bob"], "why": "they came on paper"}
    preview = client.post(API, body | {"preview": True}, content_type="application/json")
    assert (preview.status_code, names()) == (200, [])
    outcomes = [("ada", "enters"), ("nobody", "refused"), ("bob", "enters")]
    assert list_outcomes(preview.json()["lines"]) == outcomes
    done = client.post(API, body, content_type="application/json")
    assert (done.status_code, list_outcomes(done.json()["lines"])) == (201, outcomes)
    assert names() == ["ada-1", "bob-1"]
    again = client.post(API, body, content_type="application/json")
    assert (again.status_code, again.json()["detail"]) == (
        409,
        "none of the bots enters; the first: ada-1 has entered already",
    )
    for bad in ([], ["ada"] * 1001):
        assert client.post(API, body | {"bots": bad}, content_type="application/json").status_code == 400
    silent = client.post(API, {"bots": ["ada"]}, content_type="application/json")
    assert (silent.status_code, "say who acts and why" in silent.json()["detail"]) == (409, True)


@pytest.mark.slow
def test_a_bot_list_of_an_organiser_who_plays_becomes_a_proposal_and_a_list_of_a_stranger_is_refused(
    olga: User,
) -> None:
    league = League.objects.get()
    services.enter_bot(league.pk, create_own_version("olgas", olga))
    create_own_version("ada")
    body = {"bots": ["ada"], "why": "they came on paper"}
    answer = open_session(olga).post(API, body, content_type="application/json")
    assert (answer.status_code, names()) == (202, ["olgas-1"])
    refused = open_session(olga).post(API, body | {"bots": ["nobody"]}, content_type="application/json")
    assert (refused.status_code, Proposal.objects.count()) == (409, 1)
    staff: User = AuthorFactory.create(username="staff", is_staff=True)
    approve(staff, league, Proposal.objects.get().pk)
    assert names() == ["olgas-1", "ada-1"]
    stranger = open_session(AuthorFactory.create(username="eve"))
    assert stranger.post(API, body, content_type="application/json").status_code == 403
    assert stranger.post(PAGE, {"bots": "bot\nada"}).status_code == 403
    assert Refusal.objects.filter(person__username="eve").count() == 2


def test_a_bot_list_is_refused_as_a_whole_once_entries_are_closed(olga: User) -> None:
    league = League.objects.get()
    for slug in ("ada", "bob"):
        services.enter_bot(league.pk, create_own_version(slug))
    services.start(league.pk)
    create_own_version("late")
    with pytest.raises(CommandRejected, match="Night has begun; enter the next league"):
        propose_or_act(olga, league, "enlist", {"bots": ["late"]}, "they came late")


@pytest.mark.slow
def test_a_league_whose_bots_were_entered_by_a_bot_list_passes_verification(olga: User, tmp_path: Path) -> None:
    league, bots = League.objects.get(), ["ada", "bob", "cleo"]
    for slug in bots:
        create_own_version(slug)
    propose_or_act(olga, league, "enlist", {"bots": bots}, "they came on paper")
    services.start(league.pk)
    play_all(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_entering_a_bot_list_of_the_maximum_length_takes_few_database_queries(
    olga: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        create_own_version(f"bot-{number}")
    bots = [f"bot-{number}" for number in range(8)]
    with django_assert_max_num_queries(60):
        propose_or_act(olga, League.objects.get(), "enlist", {"bots": bots + ["nobody"] * 992}, "they came on paper")
    assert len(names()) == 8
