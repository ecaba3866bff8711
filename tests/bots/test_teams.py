"""Teams: only co-authors of a bot upload it, enter it and read its trials."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from bots import queries
from bots.access.teams import (
    FORMER_MEMBER_DAYS,
    MAX_CO_AUTHORS,
    InvalidTeamActionError,
    accept_invitation,
    invite_co_author,
    is_author,
    read_team,
    remove_co_author,
)
from bots.models import BotVersion, CoAuthor
from bots.models.teams import FormerMember
from bots.services import accept_upload
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from people.account_erasure import erase_person
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants
from tests.support.people import open_session
from tournaments.leagues import services
from tournaments.models.organiser_roles import LeagueRole
from tournaments.organisers.league_access_rights import SEE_UNRELEASED, may
from tournaments.organisers.organiser_action_submission import enter_own, propose_or_act

pytestmark = pytest.mark.django_db(transaction=True)
SOURCE = b"from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"


@pytest.fixture
def ada() -> BotVersion:
    version = create_own_version("ada")
    BotVersion.objects.filter(pk=version.pk).update(trial_log="a note to myself")
    return version


def friend(name: str = "fred") -> User:
    person: User = AuthorFactory.create(username=name)
    return person


def post_team_form(client: Client, **said: str) -> str:
    return str(client.post("/bots/ada/team/", said, follow=True).content.decode())


def test_a_co_author_who_accepted_can_read_trial_logs_upload_versions_and_enter_leagues(ada: BotVersion) -> None:
    owner, fred = open_session(ada.bot.owner), friend()
    assert "fred is invited to share ada." in post_team_form(owner, name="fred")
    assert not is_author(fred.pk, "ada"), "nobody is an author who has not accepted"
    assert [member.accepted for member in read_team(fred, "ada").members] == [False]
    assert "/bots/ada/team/" in open_session(fred).get("/account/").content.decode()
    assert "You share ada now." in post_team_form(open_session(fred), accept="yes")
    assert [member.accepted for member in read_team(fred, "ada").members] == [True]
    assert queries.read_trial("ada", 1, fred.pk).log == "a note to myself"
    assert accept_upload(fred, "pig", "ada", "bot.py", SOURCE).number == 2
    open_league()
    fact = enter_own(fred, "night", "ada", 1)
    assert (fact.author, fact.by) == ("of-ada", "fred")


def test_only_team_members_can_upload_or_read_a_team_bot(ada: BotVersion) -> None:
    fred, eve = friend(), friend("eve")
    invite_co_author(ada.bot.owner, "ada", "fred")
    for person in (fred, eve):
        with pytest.raises(InvalidUploadError, match="belongs to somebody else"):
            accept_upload(person, "pig", "ada", "bot.py", SOURCE)
        assert queries.read_trial("ada", 1, person.pk).log == ""
    assert open_session(eve).get("/bots/ada/team/").status_code == 404
    assert open_session(fred).get("/bots/ada/team/").status_code == 200


def test_a_co_author_can_leave_a_team_but_cannot_invite_or_remove_others(ada: BotVersion) -> None:
    fred, gil = friend(), friend("gil")
    for person in (fred, gil):
        invite_co_author(ada.bot.owner, "ada", person.get_username())
        accept_invitation(person, "ada")
    assert "only its owner shares ada." in post_team_form(open_session(fred), name="eve")
    with pytest.raises(InvalidTeamActionError, match="you cannot take 'gil' out"):
        remove_co_author(fred, "ada", "gil")
    remove_co_author(fred, "ada", "fred")
    assert list(CoAuthor.objects.values_list("person__username", flat=True)) == ["gil"]


def test_after_removing_a_co_author_the_owner_sees_the_team_and_after_leaving_a_person_the_own_account(
    ada: BotVersion,
) -> None:
    fred, zoe = friend(), friend("zoe")
    for person in (fred, zoe):
        invite_co_author(ada.bot.owner, "ada", person.get_username())
        accept_invitation(person, "ada")
    owner, team = open_session(ada.bot.owner), "/bots/ada/team/"
    assert [owner.post(team, {"out": name}).url for name in ("fred", "zoe")] == [team, team]
    invite_co_author(ada.bot.owner, "ada", "fred")
    assert open_session(fred).post(team, {"out": "fred"}).url == "/account/"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"name": "nobody"}, "there is no other author called &#x27;nobody&#x27;."),
        ({"name": "of-ada"}, "there is no other author called"),
        ({"name": "a\x01b"}, "There is no such author."),
        ({"accept": "yes"}, "nobody waits for you to share ada."),
        ({"out": "fred"}, "you cannot take &#x27;fred&#x27; out of the team of ada."),
    ],
)
def test_a_refused_team_action_is_explained_with_the_reason(
    ada: BotVersion, said: dict[str, Any], message: str
) -> None:
    assert message in post_team_form(open_session(ada.bot.owner), **said)


def test_the_size_of_a_team_is_limited(ada: BotVersion) -> None:
    for number in range(MAX_CO_AUTHORS):
        friend(f"f{number}")
        invite_co_author(ada.bot.owner, "ada", f"f{number}")
    friend()
    with pytest.raises(InvalidTeamActionError, match=f"ada has {MAX_CO_AUTHORS} co-authors; take one out first"):
        invite_co_author(ada.bot.owner, "ada", "fred")


def test_entering_a_team_bot_in_a_league_makes_each_co_author_a_participant(ada: BotVersion) -> None:
    fred = friend()
    league = open_league(by="fred")
    for version in (ada, *create_entrants(2)):
        services.enter_bot(league.pk, version)
    assert LeagueRole.objects.get().person == fred
    assert propose_or_act(fred, league, "pause", {}, "the hall is locked") is None
    invite_co_author(ada.bot.owner, "ada", "fred")
    accept_invitation(fred, "ada")
    assert propose_or_act(fred, league, "resume", {}, "the hall is locked") is not None


@pytest.mark.parametrize("how", ["leaves", "is taken out", "its owner leaves"])
def test_a_former_co_author_counts_as_a_league_participant_for_a_limited_time(ada: BotVersion, how: str) -> None:
    fred = friend()
    league = open_league(by="fred")
    for version in (ada, *create_entrants(2)):
        services.enter_bot(league.pk, version)
    invite_co_author(ada.bot.owner, "ada", "fred")
    accept_invitation(fred, "ada")
    if how == "its owner leaves":
        erase_person(ada.bot.owner)
    else:
        remove_co_author(fred if how == "leaves" else ada.bot.owner, "ada", "fred")
    assert not is_author(fred.pk, "ada")
    assert propose_or_act(fred, league, "pause", {}, "the hall is locked") is not None
    assert not may(SEE_UNRELEASED, fred, league)
    FormerMember.objects.update(left_at=timezone.now() - timedelta(days=FORMER_MEMBER_DAYS))
    assert propose_or_act(fred, league, "pause", {}, "the hall is locked") is None


def test_an_invitation_that_was_never_accepted_creates_no_former_team_member(ada: BotVersion) -> None:
    invite_co_author(ada.bot.owner, "ada", friend().get_username())
    remove_co_author(User.objects.get(username="fred"), "ada", "fred")
    assert not FormerMember.objects.exists()


def test_a_team_ends_when_its_owner_leaves(ada: BotVersion) -> None:
    invite_co_author(ada.bot.owner, "ada", friend().get_username())
    accept_invitation(User.objects.get(username="fred"), "ada")
    erase_person(ada.bot.owner)
    assert not is_author(User.objects.get(username="fred").pk, "ada")
