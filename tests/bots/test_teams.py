"""A bot is shared with co-authors: they send it, enter it and read of its trials; nobody else does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from bots import queries
from bots.models import BotVersion, CoAuthor
from bots.services import take_in
from bots.team_models import FormerMember
from bots.teams import FORMER_MEMBER_DAYS, MOST, NotShared, accept, is_author, part, share
from ftk_core.kit.archive import BadUpload
from people.leaving import depart
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tests.support.leagues import entrants
from tournaments import services
from tournaments.desk import enter_own, propose_or_act
from tournaments.rights import SEE_UNRELEASED, may
from tournaments.roles import LeagueRole

pytestmark = pytest.mark.django_db(transaction=True)
SOURCE = b"from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"


@pytest.fixture
def ada() -> BotVersion:
    version = mine("ada")
    BotVersion.objects.filter(pk=version.pk).update(trial_log="a note to myself")
    return version


def friend(name: str = "fred") -> User:
    person: User = AuthorFactory.create(username=name)
    return person


def signed_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def post(client: Client, **said: str) -> str:
    return str(client.post("/bots/ada/team/", said, follow=True).content.decode())


def test_an_owner_invites_and_who_accepts_sends_enters_and_reads(ada: BotVersion) -> None:
    owner, fred = signed_in(ada.bot.owner), friend()
    assert "fred is invited to share ada." in post(owner, name="fred")
    assert not is_author(fred.pk, "ada"), "nobody is an author who has not accepted"
    assert "/bots/ada/team/" in signed_in(fred).get("/account/").content.decode()
    assert "You share ada now." in post(signed_in(fred), accept="yes")
    assert queries.read_trial("ada", 1, fred.pk).log == "a note to myself"
    assert take_in(fred, "pig", "ada", "bot.py", SOURCE).number == 2
    opened()
    fact = enter_own(fred, "night", "ada", 1)
    assert (fact.author, fact.by) == ("of-ada", "fred")


def test_nobody_else_sends_it_or_reads_of_it(ada: BotVersion) -> None:
    fred, eve = friend(), friend("eve")
    share(ada.bot.owner, "ada", "fred")
    for person in (fred, eve):
        with pytest.raises(BadUpload, match="belongs to somebody else"):
            take_in(person, "pig", "ada", "bot.py", SOURCE)
        assert queries.read_trial("ada", 1, person.pk).log == ""
    assert signed_in(eve).get("/bots/ada/team/").status_code == 404
    assert signed_in(fred).get("/bots/ada/team/").status_code == 200


def test_a_co_author_invites_nobody_and_takes_nobody_out_but_himself(ada: BotVersion) -> None:
    fred, gil = friend(), friend("gil")
    for person in (fred, gil):
        share(ada.bot.owner, "ada", person.get_username())
        accept(person, "ada")
    assert "only its owner shares ada." in post(signed_in(fred), name="eve")
    with pytest.raises(NotShared, match="you cannot take 'gil' out"):
        part(fred, "ada", "gil")
    part(fred, "ada", "fred")
    assert list(CoAuthor.objects.values_list("person__username", flat=True)) == ["gil"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"name": "nobody"}, "there is no other author called &#x27;nobody&#x27;."),
        ({"name": "of-ada"}, "there is no other author called"),
        ({"name": "a\x01b"}, "There is no such author."),
        ({"accept": "yes"}, "nobody waits for you to share ada."),
        ({"out": "fred"}, "you cannot take &#x27;fred&#x27; out of the team of ada."),
    ],
)
def test_what_a_team_does_not_do_is_told(ada: BotVersion, said: dict[str, Any], words: str) -> None:
    assert words in post(signed_in(ada.bot.owner), **said)


def test_a_team_has_a_size(ada: BotVersion) -> None:
    for number in range(MOST):
        friend(f"f{number}")
        share(ada.bot.owner, "ada", f"f{number}")
    friend()
    with pytest.raises(NotShared, match=f"ada has {MOST} co-authors; take one out first"):
        share(ada.bot.owner, "ada", "fred")


def test_a_teams_bot_in_a_league_binds_each_of_its_authors(ada: BotVersion) -> None:
    fred = friend()
    league = opened(by="fred")
    for version in (ada, *entrants(2)):
        services.enter_bot(league.pk, version)
    assert LeagueRole.objects.get().person == fred
    assert propose_or_act(fred, league, "pause", {}, "the hall is locked") is None
    share(ada.bot.owner, "ada", "fred")
    accept(fred, "ada")
    assert propose_or_act(fred, league, "resume", {}, "the hall is locked") is not None


@pytest.mark.parametrize("how", ["leaves", "is taken out", "its owner leaves"])
def test_a_former_co_author_is_bound_by_the_teams_bot_for_a_time(ada: BotVersion, how: str) -> None:
    fred = friend()
    league = opened(by="fred")
    for version in (ada, *entrants(2)):
        services.enter_bot(league.pk, version)
    share(ada.bot.owner, "ada", "fred")
    accept(fred, "ada")
    if how == "its owner leaves":
        depart(ada.bot.owner)
    else:
        part(fred if how == "leaves" else ada.bot.owner, "ada", "fred")
    assert not is_author(fred.pk, "ada")
    assert propose_or_act(fred, league, "pause", {}, "the hall is locked") is not None
    assert not may(SEE_UNRELEASED, fred, league)
    FormerMember.objects.update(left_at=timezone.now() - timedelta(days=FORMER_MEMBER_DAYS))
    assert propose_or_act(fred, league, "pause", {}, "the hall is locked") is None


def test_who_was_invited_and_never_accepted_is_bound_by_nothing(ada: BotVersion) -> None:
    share(ada.bot.owner, "ada", friend().get_username())
    part(User.objects.get(username="fred"), "ada", "fred")
    assert not FormerMember.objects.exists()


def test_when_the_owner_leaves_the_team_ends(ada: BotVersion) -> None:
    share(ada.bot.owner, "ada", friend().get_username())
    accept(User.objects.get(username="fred"), "ada")
    depart(ada.bot.owner)
    assert not is_author(User.objects.get(username="fred").pk, "ada")
