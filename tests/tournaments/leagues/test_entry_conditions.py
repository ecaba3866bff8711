"""Entry conditions of leagues: authors enter and withdraw bots, and facts name the author and the time."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.intervention_facts import BotWithdrew, EntrantBotVersionUpdated
from ftk_core.league.league_facts import BotEntered, RoundPaired
from ftk_core.league.league_state import CommandRejected
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.league_entries import add_newer_version, add_node_version, create_own_version, open_league
from tests.support.leagues import create_entrants, end_matches, play_all
from tests.support.people import open_session
from tests.support.seats import create_person_version, create_remote_version
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.models import CourtRating, League

pytestmark = pytest.mark.django_db(transaction=True)


def entries(league: League) -> list[BotEntered]:
    return [fact for fact in read_facts(league) if isinstance(fact, BotEntered)]


def enter(client: Client, choice: str) -> Any:
    return client.post("/leagues/night/enter/", {"entrant": choice}, follow=True)


def test_an_entry_made_on_the_page_of_a_league_is_recorded_with_author_and_time() -> None:
    league, version = open_league(), create_own_version()
    client = open_session(version.bot.owner)
    assert b'href="/leagues/night/enter/">Enter' in client.get("/leagues/night/").content
    assert b"ada-1 has entered, for round 1." in enter(client, "ada 1").content
    (fact,) = entries(league)
    assert (fact.name, fact.author, fact.by, fact.newest) == ("ada-1", "of-ada", "of-ada", False)
    assert fact.at > 1_600_000_000


def test_the_page_of_a_league_offers_no_entry_to_an_author_without_a_suitable_bot() -> None:
    open_league()
    stranger, other = AuthorFactory.create(), create_active_version(slug="elsewhere", game="for_the_king").bot.owner
    for client in (Client(), open_session(stranger), open_session(other)):
        assert b"/leagues/night/enter/" not in client.get("/leagues/night/").content
    assert b"You have no bot that plays this game" in open_session(stranger).get("/leagues/night/enter/").content
    assert Client().get("/leagues/night/enter/").headers["Location"] == "/sign-in/?next=/leagues/night/enter/"


@pytest.mark.slow
def test_an_entry_is_updated_to_new_bot_versions_until_the_first_round_is_paired(tmp_path: Path) -> None:
    league, version = open_league(), create_own_version()
    services.enter_bot(league.pk, create_own_version("bob"))
    enter(open_session(version.bot.owner), "ada newest")
    second = add_newer_version(version)
    services.start(league.pk)
    facts = read_facts(league)
    renewed = next(fact for fact in facts if isinstance(fact, EntrantBotVersionUpdated))
    assert (renewed.entry, renewed.version, renewed.old, renewed.name) == (2, second.pk, "ada-1", "ada-2")
    assert facts.index(renewed) < next(at for at, fact in enumerate(facts) if isinstance(fact, RoundPaired))
    add_newer_version(second)
    play_all(league)
    assert [e.name for e in load(league)[1].entrants] == ["bob-1", "ada-2"]
    assert {seat.version_id for table in league.tables.all() for seat in table.match.seats.all()} >= {second.pk}
    assert b"ada-1 plays as ada-2" in Client().get("/leagues/night/acts/").content
    services.rebuild(league.pk)
    assert [row.name for row in league.entrants.order_by("number")] == ["bob-1", "ada-2"]
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert not verify_export(tmp_path / "night.tar", None).flaws


def test_an_entry_is_not_updated_to_a_version_that_is_already_entered() -> None:
    league, first = open_league(), create_own_version()
    second = add_newer_version(first)
    services.enter_bot(league.pk, first, newest=True)
    services.enter_bot(league.pk, second)
    services.start(league.pk)
    assert [e.name for e in load(league)[1].entrants] == ["ada-1", "ada-2"]


def test_a_league_by_invitation_refuses_authors_who_are_not_invited() -> None:
    league, version = open_league(who="invited"), create_own_version()
    client = open_session(version.bot.owner)
    shown = client.get("/leagues/night/enter/").content
    assert b"It is open to authors whom the organiser invited." in shown
    assert b"ada cannot enter: Night is for those who were invited; ask its organiser to invite of-ada." in shown
    assert enter(client, "ada 1").status_code == 400
    call_command("organise", "invite", "night", "of-ada", why="she asked")
    with pytest.raises(InvalidCommandInputError, match="of-ada is invited already"):
        call_command("organise", "invite", "night", "of-ada")
    enter(client, "ada 1")
    assert [fact.name for fact in entries(league)] == ["ada-1"]


def test_inviting_to_an_open_league_is_refused() -> None:
    open_league()
    with pytest.raises(InvalidCommandInputError, match="anybody may enter Night"):
        call_command("organise", "invite", "night", "ada")


@pytest.mark.parametrize(
    ("limits", "rating", "refused"),
    [
        ((1500, 0), None, "ada has no court rating yet; Night is for bots with a court rating of 1500 or more"),
        ((1500, 0), 1499, "ada has a court rating of 1499"),
        ((1500, 0), 1500, ""),
        ((0, 1500), None, ""),
        ((0, 1500), 1501, "Night is for bots without a court rating, or with one of 1500 at most"),
        ((1400, 1500), 1450, ""),
        ((1400, 1500), 1501, "Night is for bots with a court rating from 1400 to 1500"),
    ],
)
def test_a_league_can_require_a_minimum_or_maximum_rating(
    limits: tuple[int, int], rating: int | None, refused: str
) -> None:
    league, version = open_league(rated_from=limits[0], rated_to=limits[1]), create_own_version()
    if rating is not None:
        CourtRating.objects.create(
            bot=version.bot, game="pig", version=1, value=rating * 100, low=0, high=0, provisional=False
        )
    if refused:
        with pytest.raises(CommandRejected, match=refused):
            services.enter_bot(league.pk, version)
    else:
        services.enter_bot(league.pk, version)


def test_a_league_that_restricts_languages_ignores_newer_bot_versions_in_other_languages() -> None:
    league, python = open_league(languages=("python", "c")), create_own_version()
    node = add_node_version(python)
    client = open_session(python.bot.owner)
    assert b"It is for bots written in python or c." in client.get("/leagues/night/enter/").content
    with pytest.raises(CommandRejected, match="ada v2 is written in node; Night is for bots written in python or c"):
        services.enter_bot(league.pk, node)
    services.enter_bot(league.pk, python, newest=True)
    services.enter_bot(league.pk, create_own_version("bob"))
    services.start(league.pk)
    assert [e.name for e in load(league)[1].entrants] == ["ada-1", "bob-1"]


@pytest.mark.slow
def test_an_author_cannot_enter_more_bots_than_the_league_allows() -> None:
    open_league(per_author=1)
    first = create_own_version()
    create_own_version("bob", first.bot.owner)
    client = open_session(first.bot.owner)
    assert b"An author enters 1 bot at most." in client.get("/leagues/night/enter/").content
    enter(client, "ada 1")
    said = client.get("/leagues/night/enter/").content
    assert b"of-ada has entered ada-1; an author enters 1 in Night" in said
    assert b"<select" not in said


@pytest.mark.parametrize(("per_author", "told"), [(1, False), (2, True), (0, True)])
def test_the_page_of_a_league_says_whether_bots_of_one_author_may_meet(per_author: int, *, told: bool) -> None:
    open_league(per_author=per_author)
    client = open_session(create_own_version().bot.owner)
    told_to_enter = b"Bots of one author meet at a table where the pairing finds no other way."
    assert (told_to_enter in client.get("/leagues/night/enter/").content) is told
    assert (b"which may meet at a table" in client.get("/leagues/night/").content) is told


def test_a_league_accepts_late_entries_up_to_the_round_that_its_settings_name() -> None:
    league, version = open_league(rounds=3, late=2), create_own_version()
    for other in create_entrants(2):
        services.enter_bot(league.pk, other)
    services.start(league.pk)
    enter(open_session(version.bot.owner), "ada newest")
    assert entries(league)[-1].round == 2
    end_matches(league, Random(1))
    with pytest.raises(CommandRejected, match="Night has begun"):
        services.enter_bot(league.pk, create_own_version("bob"))


@pytest.mark.slow
def test_a_running_league_without_late_entries_refuses_entries() -> None:
    league, version = open_league(), create_own_version()
    for other in create_entrants(2):
        services.enter_bot(league.pk, other)
    services.start(league.pk)
    client = open_session(version.bot.owner)
    assert b"/leagues/night/enter/" not in client.get("/leagues/night/").content
    assert b"Night has begun; enter the next league." in client.get("/leagues/night/enter/").content


def test_an_author_can_withdraw_before_and_during_the_league() -> None:
    league, version = open_league(), create_own_version()
    services.enter_bot(league.pk, version)
    late = create_own_version("bob", version.bot.owner)
    for other in (late, *create_entrants(3)):
        services.enter_bot(league.pk, other)
    client = open_session(version.bot.owner)
    assert b"ada-1 has withdrawn" in client.post("/leagues/night/enter/", {"withdraw": "1"}, follow=True).content
    services.start(league.pk)
    client.post("/leagues/night/enter/", {"withdraw": "2"})
    said = [fact for fact in read_facts(league) if isinstance(fact, BotWithdrew)]
    assert [(fact.entry, fact.by) for fact in said] == [(1, "of-ada"), (2, "of-ada")]
    assert all(fact.at > 1_600_000_000 for fact in said)
    again = client.post("/leagues/night/enter/", {"withdraw": "2"}, follow=True)
    assert b"bob-1 has withdrawn already" in again.content


@pytest.mark.slow
@pytest.mark.parametrize("number", ["1", "7", "0", "-1", "x", "99999999999"])
def test_an_author_cannot_withdraw_an_unknown_entry_or_an_entry_of_another_author(number: str) -> None:
    league = open_league()
    services.enter_bot(league.pk, create_own_version("bob"))
    client = open_session(create_own_version().bot.owner)
    said = client.post("/leagues/night/enter/", {"withdraw": number}, follow=True).content.decode()
    assert "only organisers of Night do that" in said or "There is no such entry" in said
    assert not any(entry.withdrawn for entry in load(league)[1].entrants)


def test_a_league_accepts_only_uploaded_bots_by_default() -> None:
    afar = create_remote_version()
    with pytest.raises(CommandRejected, match=r"afar is remote; .* is for uploaded bots"):
        services.enter_bot(open_league().pk, afar)
    league = open_league(slug="open", kinds=("uploaded", "remote"))
    services.enter_bot(league.pk, afar)
    services.enter_bot(league.pk, create_own_version())
    with pytest.raises(CommandRejected, match=r"is by hand; .* is for uploaded bots or remote bots"):
        services.enter_bot(league.pk, create_person_version())


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"kinds": ("ghost",)}, "there are no 'ghost' bots"),
        ({"kinds": ("remote",), "season": "2026"}, "whose name begins with 'outside'"),
        ({"mixed": True}, "cannot be mixed"),
        ({"season": "outside"}, "choose another name"),
    ],
)
def test_a_league_whose_season_name_contradicts_its_admitted_kinds_of_bots_is_refused(
    terms: dict[str, Any], said: str
) -> None:
    with pytest.raises(CommandRejected, match=said):
        open_league(**terms)
