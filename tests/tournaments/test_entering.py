"""Authors enter their bots, on the league's conditions, and withdraw them; the stream says who did, and when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from foundation.shell import Refusal
from ftk_core.kit.verify_league import verify_export
from ftk_core.league.acts import BotWithdrew, VersionRenewed
from ftk_core.league.facts import BotEntered, RoundPaired
from ftk_core.league.state import NotNow
from tests.support.entering import in_node, mine, newer, opened
from tests.support.factories import AuthorFactory, active_version
from tests.support.leagues import entrants, play_all
from tests.support.seats import by_hand_version, remote_version
from tournaments import services
from tournaments.models import CourtRating, League
from tournaments.projections import load, read_facts

pytestmark = pytest.mark.django_db(transaction=True)


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def entries(league: League) -> list[BotEntered]:
    return [fact for fact in read_facts(league) if isinstance(fact, BotEntered)]


def enter(client: Client, choice: str) -> Any:
    return client.post("/leagues/night/enter/", {"entrant": choice}, follow=True)


def test_an_author_enters_on_the_leagues_page_and_the_fact_says_who_and_when() -> None:
    league, version = opened(), mine()
    client = signed_in(version.bot.owner)
    assert b'href="/leagues/night/enter/">Enter' in client.get("/leagues/night/").content
    assert b"ada-1 has entered, for round 1." in enter(client, "ada 1").content
    (fact,) = entries(league)
    assert (fact.name, fact.author, fact.by, fact.newest) == ("ada-1", "of-ada", "of-ada", False)
    assert fact.at > 1_600_000_000


def test_who_has_no_bot_that_fits_is_offered_nothing_on_the_leagues_page() -> None:
    opened()
    stranger, other = AuthorFactory.create(), active_version(slug="elsewhere", game="for_the_king").bot.owner
    for client in (Client(), signed_in(stranger), signed_in(other)):
        assert b"/leagues/night/enter/" not in client.get("/leagues/night/").content
    assert b"You have no bot that plays this game" in signed_in(stranger).get("/leagues/night/enter/").content
    assert Client().get("/leagues/night/enter/").headers["Location"] == "/sign-in/?next=%2Fleagues%2Fnight%2Fenter%2F"


def test_an_entry_of_the_newest_version_is_renewed_until_its_round_is_paired_and_not_after(tmp_path: Path) -> None:
    league, version = opened(), mine()
    services.enter_bot(league.pk, mine("bob"))
    enter(signed_in(version.bot.owner), "ada newest")
    second = newer(version)
    services.start(league.pk)
    facts = read_facts(league)
    renewed = next(fact for fact in facts if isinstance(fact, VersionRenewed))
    assert (renewed.entry, renewed.version, renewed.old, renewed.name) == (2, second.pk, "ada-1", "ada-2")
    assert facts.index(renewed) < next(at for at, fact in enumerate(facts) if isinstance(fact, RoundPaired))
    newer(second)
    play_all(league)
    assert [e.name for e in load(league)[1].entrants] == ["bob-1", "ada-2"]
    assert {seat.version_id for table in league.tables.all() for seat in table.match.seats.all()} >= {second.pk}
    assert b"ada-1 plays as ada-2" in Client().get("/leagues/night/acts/").content
    services.rebuild(league.pk)
    assert [row.name for row in league.entrants.order_by("number")] == ["bob-1", "ada-2"]
    services.export_league("night", tmp_path / "night.tar")
    assert not verify_export(tmp_path / "night.tar", None).flaws


def test_a_version_that_another_entry_plays_already_replaces_none() -> None:
    league, first = opened(), mine()
    second = newer(first)
    services.enter_bot(league.pk, first, newest=True)
    services.enter_bot(league.pk, second)
    services.start(league.pk)
    assert [e.name for e in load(league)[1].entrants] == ["ada-1", "ada-2"]


def test_a_league_for_those_invited_takes_nobody_else() -> None:
    league, version = opened(who="invited"), mine()
    client = signed_in(version.bot.owner)
    shown = client.get("/leagues/night/enter/").content
    assert b"It is open to authors whom the organiser invited." in shown
    assert b"ada cannot enter: Night is for those who were invited; ask its organiser to invite of-ada." in shown
    assert enter(client, "ada 1").status_code == 400
    call_command("organise", "invite", "night", "of-ada", why="she asked")
    with pytest.raises(Refusal, match="of-ada is invited already"):
        call_command("organise", "invite", "night", "of-ada")
    enter(client, "ada 1")
    assert [fact.name for fact in entries(league)] == ["ada-1"]


def test_nobody_is_invited_where_anybody_may_enter() -> None:
    opened()
    with pytest.raises(Refusal, match="anybody may enter Night"):
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
def test_a_league_may_ask_for_a_rating(limits: tuple[int, int], rating: int | None, refused: str) -> None:
    league, version = opened(rated_from=limits[0], rated_to=limits[1]), mine()
    if rating is not None:
        CourtRating.objects.create(
            bot=version.bot, game="pig", version=1, value=rating * 100, low=0, high=0, provisional=False
        )
    if refused:
        with pytest.raises(NotNow, match=refused):
            services.enter_bot(league.pk, version)
    else:
        services.enter_bot(league.pk, version)


def test_a_league_may_be_for_bots_in_some_languages_and_its_newest_versions_stay_in_them() -> None:
    league, python = opened(languages=("python", "c")), mine()
    node = in_node(python)
    client = signed_in(python.bot.owner)
    assert b"It is for bots written in python or c." in client.get("/leagues/night/enter/").content
    with pytest.raises(NotNow, match="ada v2 is written in node; Night is for bots written in python or c"):
        services.enter_bot(league.pk, node)
    services.enter_bot(league.pk, python, newest=True)
    services.enter_bot(league.pk, mine("bob"))
    services.start(league.pk)
    assert [e.name for e in load(league)[1].entrants] == ["ada-1", "bob-1"]


def test_an_author_enters_no_more_bots_than_the_league_allows() -> None:
    opened(per_author=1)
    first = mine()
    mine("bob", first.bot.owner)
    client = signed_in(first.bot.owner)
    assert b"An author enters 1 bot at most." in client.get("/leagues/night/enter/").content
    enter(client, "ada 1")
    said = client.get("/leagues/night/enter/").content
    assert b"of-ada has entered ada-1; an author enters 1 in Night" in said
    assert b"<select" not in said


@pytest.mark.parametrize(("per_author", "told"), [(1, False), (2, True), (0, True)])
def test_the_page_says_where_bots_of_one_author_may_meet(per_author: int, *, told: bool) -> None:
    opened(per_author=per_author)
    client = signed_in(mine().bot.owner)
    told_to_enter = b"Bots of one author meet at a table where the pairing finds no other way."
    assert (told_to_enter in client.get("/leagues/night/enter/").content) is told
    assert (b"which may meet at a table" in client.get("/leagues/night/").content) is told


def test_late_entries_come_in_by_the_leagues_terms() -> None:
    league, version = opened(late=2), mine()
    for other in entrants(2):
        services.enter_bot(league.pk, other)
    services.start(league.pk)
    enter(signed_in(version.bot.owner), "ada newest")
    assert entries(league)[-1].round == 2


def test_nobody_enters_a_league_that_has_begun_without_late_entries() -> None:
    league, version = opened(), mine()
    for other in entrants(2):
        services.enter_bot(league.pk, other)
    services.start(league.pk)
    client = signed_in(version.bot.owner)
    assert b"/leagues/night/enter/" not in client.get("/leagues/night/").content
    assert b"Night has begun; enter the next league." in client.get("/leagues/night/enter/").content


def test_an_author_withdraws_before_the_start_and_during_the_league() -> None:
    league, version = opened(), mine()
    services.enter_bot(league.pk, version)
    late = mine("bob", version.bot.owner)
    for other in (late, *entrants(3)):
        services.enter_bot(league.pk, other)
    client = signed_in(version.bot.owner)
    assert b"ada-1 has withdrawn" in client.post("/leagues/night/enter/", {"withdraw": "1"}, follow=True).content
    services.start(league.pk)
    client.post("/leagues/night/enter/", {"withdraw": "2"})
    said = [fact for fact in read_facts(league) if isinstance(fact, BotWithdrew)]
    assert [(fact.entry, fact.by, fact.at > 1_600_000_000) for fact in said] == [
        (1, "of-ada", True),
        (2, "of-ada", True),
    ]
    assert (
        b"bob-1 has withdrawn already" in client.post("/leagues/night/enter/", {"withdraw": "2"}, follow=True).content
    )


@pytest.mark.parametrize("number", ["1", "7", "0", "-1", "x", "99999999999"])
def test_nobody_withdraws_what_is_anothers_or_not_there(number: str) -> None:
    league = opened()
    services.enter_bot(league.pk, mine("bob"))
    client = signed_in(mine().bot.owner)
    said = client.post("/leagues/night/enter/", {"withdraw": number}, follow=True).content.decode()
    assert "only organisers of Night do that" in said or "There is no such entry" in said
    assert not any(entry.withdrawn for entry in load(league)[1].entrants)


def test_a_league_is_for_uploaded_bots_unless_it_says_who_else_may_enter() -> None:
    afar = remote_version()
    with pytest.raises(NotNow, match=r"afar is remote; .* is for uploaded bots"):
        services.enter_bot(opened().pk, afar)
    league = opened(slug="open", kinds=("uploaded", "remote"))
    services.enter_bot(league.pk, afar)
    services.enter_bot(league.pk, mine())
    with pytest.raises(NotNow, match=r"is by hand; .* is for uploaded bots or remote bots"):
        services.enter_bot(league.pk, by_hand_version())


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({"kinds": ("ghost",)}, "there are no 'ghost' bots"),
        ({"kinds": ("remote",), "season": "2026"}, "begin its season '2026' with 'outside'"),
        ({"mixed": True}, "mixes nothing"),
        ({"season": "outside"}, "call it otherwise"),
    ],
)
def test_leagues_of_other_kinds_have_seasons_of_their_own(terms: dict[str, Any], said: str) -> None:
    with pytest.raises(NotNow, match=said):
        opened(**terms)
