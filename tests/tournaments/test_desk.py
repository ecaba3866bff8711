"""Nobody acts on a league without a right to, or alone on one in which his own bot sits; every refusal is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ftk_core.facts import OMNISCIENT
from ftk_core.league.acts import BotWithdrew, LeaguePaused
from ftk_core.league.facts import LeagueFact
from ftk_core.league.state import NotNow
from replays.access import EyesClosed, admitted
from replays.models import Match
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tests.support.leagues import entrants
from tournaments import services
from tournaments.desk import Refused, approve, decline, enter_own, propose_or_act, withdraw_entry
from tournaments.models import League
from tournaments.projections import read_facts
from tournaments.rights import ACT, RIGHTS, may
from tournaments.roles import LeagueRole, Proposal, Refusal

pytestmark = pytest.mark.django_db(transaction=True)
Role = LeagueRole.Role


def somebody(name: str, league: League | None = None, role: str = "", **more: Any) -> User:
    person: User = AuthorFactory.create(username=name, **more)
    if league:
        LeagueRole.objects.create(league=league, person=person, role=role)
    return person


@pytest.fixture
def league() -> League:
    somebody("olga")
    begun = opened(by="olga")
    for version in entrants(2):
        services.enter_bot(begun.pk, version)
    return begun


def olga() -> User:
    return User.objects.get(username="olga")


def done(league: League, kind: type[LeagueFact]) -> list[Any]:
    return [fact for fact in read_facts(league) if isinstance(fact, kind)]


def enter_bot_of(person: User, league: League) -> None:
    services.enter_bot(league.pk, mine(f"bot-of-{person.get_username()}", person))


def test_who_opens_a_league_is_its_organiser_and_acts_on_it(league: League) -> None:
    assert LeagueRole.objects.get().person == olga()
    assert propose_or_act(olga(), league, "pause", {}, "the hall is locked") is None
    (fact,) = done(league, LeaguePaused)
    assert (fact.by, fact.why, fact.approved) == ("olga", "the hall is locked", "")


def test_a_shells_user_without_an_account_opens_a_league_that_nobody_organises() -> None:
    opened(by="root")
    assert not LeagueRole.objects.exists()


@pytest.mark.parametrize("staff", [False, True])
def test_staff_may_do_what_organisers_may_and_the_stream_says_who_did(league: League, *, staff: bool) -> None:
    person = somebody("stan", is_staff=staff)
    if not staff:
        with pytest.raises(Refused, match="only organisers of Night do that"):
            propose_or_act(person, league, "pause", {}, "the hall is locked")
        return
    propose_or_act(person, league, "pause", {}, "the hall is locked")
    assert done(league, LeaguePaused)[0].by == "stan"


def test_an_organiser_of_another_league_and_a_judge_are_refused_and_that_is_kept(league: League) -> None:
    for person in (somebody("ana", opened(slug="other"), Role.ORGANISER), somebody("jo", league, Role.JUDGE)):
        with pytest.raises(Refused):
            propose_or_act(person, league, "withdraw", {"entry": 1}, "because")
    kept = [(row.person.get_username(), row.what, row.why) for row in Refusal.objects.order_by("pk")]
    assert kept == [(name, "withdraw entry=1", "only organisers of Night do that") for name in ("ana", "jo")]
    assert done(league, BotWithdrew) == []


def test_whoever_would_enter_a_bot_of_others_is_refused_and_that_is_kept(league: League) -> None:
    mine("bob")
    with pytest.raises(Refused, match="bob is somebody else's bot; its authors enter it"):
        enter_own(somebody("eve"), "night", "bob")
    assert str(Refusal.objects.get()) == "eve, enter bot=bob: bob is somebody else's bot; its authors enter it"


def test_a_reason_has_a_length(league: League) -> None:
    with pytest.raises(NotNow, match="a reason has at most 200 characters, not 201"):
        propose_or_act(olga(), league, "pause", {}, "x" * 201)


def test_the_desks_page_gives_roles_decides_and_says_what_is_wrong(league: League) -> None:
    somebody("fred")
    enter_bot_of(somebody("carl", league, Role.CO_ORGANISER), league)
    proposal = propose_or_act(User.objects.get(username="carl"), league, "pause", {}, "the hall is locked")
    assert proposal is not None
    client = Client()
    client.force_login(olga())
    said = [
        ({"person": "fred", "role": "judge"}, "The role is given."),
        ({"person": "nobody", "role": "judge"}, "nobody is called &#x27;nobody&#x27;."),
        ({"dismiss": "fr\0ed"}, "The role is taken back."),
        ({"approve": str(proposal.pk)}, "It is approved, and done."),
        ({"approve": str(proposal.pk)}, "somebody has decided on it already."),
        ({"decline": "x"}, "nothing of the number &#x27;x&#x27; was proposed for Night."),
    ]
    for body, words in said:
        assert words in client.post("/leagues/night/desk/", body, follow=True).content.decode(), body
    assert done(league, LeaguePaused)[0].approved == "olga"


@pytest.mark.slow
def test_of_the_refusals_of_one_person_the_newest_hundred_are_kept(league: League) -> None:
    person = somebody("ana")
    for entry in range(103):
        with pytest.raises(Refused):
            propose_or_act(person, league, "withdraw", {"entry": entry})
    assert Refusal.objects.count() == 100
    assert not Refusal.objects.filter(what="withdraw entry=2").exists()


def test_an_act_of_somebody_whose_bot_is_in_the_league_waits_for_a_second_organiser(league: League) -> None:
    enter_bot_of(olga(), league)
    second = somebody("carl", league, Role.CO_ORGANISER)
    proposal = propose_or_act(olga(), league, "withdraw", {"entry": 1}, "it was copied")
    assert proposal is not None
    assert done(league, BotWithdrew) == []
    approve(second, league, proposal.pk)
    (fact,) = done(league, BotWithdrew)
    assert (fact.entry, fact.reason, fact.by, fact.approved) == (1, "it was copied", "olga", "carl")
    with pytest.raises(NotNow, match="somebody has decided on it already"):
        approve(second, league, proposal.pk)


def test_who_proposes_does_not_approve_nor_does_another_with_a_bot_in_the_league(league: League) -> None:
    enter_bot_of(olga(), league)
    second = somebody("carl", league, Role.CO_ORGANISER)
    enter_bot_of(second, league)
    proposal = propose_or_act(olga(), league, "pause", {}, "the hall is locked")
    assert proposal is not None
    for person, why in ((olga(), "somebody else"), (second, "a bot of whoever approves")):
        with pytest.raises(Refused, match=why):
            approve(person, league, proposal.pk)
    with pytest.raises(Refused, match="only organisers"):
        approve(somebody("eve"), league, proposal.pk)
    assert done(league, LeaguePaused) == []
    assert Refusal.objects.count() == 3
    approve(somebody("stan", is_staff=True), league, proposal.pk)
    assert done(league, LeaguePaused)[0].approved == "stan"


def test_a_proposal_that_is_declined_is_never_done(league: League) -> None:
    enter_bot_of(olga(), league)
    proposal = propose_or_act(olga(), league, "pause", {}, "the hall is locked")
    assert proposal is not None
    decline(olga(), league, proposal.pk)
    with pytest.raises(NotNow, match="somebody has decided"):
        approve(somebody("stan", is_staff=True), league, proposal.pk)
    assert done(league, LeaguePaused) == []


def test_what_cannot_be_done_any_more_is_told_and_the_proposal_still_waits(league: League) -> None:
    enter_bot_of(olga(), league)
    proposal = propose_or_act(olga(), league, "pause", {}, "the hall is locked")
    stan = somebody("stan", is_staff=True)
    propose_or_act(stan, league, "pause", {}, "the hall is locked")
    assert proposal is not None
    with pytest.raises(NotNow, match="paused already"):
        approve(stan, league, proposal.pk)
    assert Proposal.objects.get().status == Proposal.Status.WAITING
    with pytest.raises(NotNow, match="paused already"):
        propose_or_act(olga(), league, "pause", {}, "the hall is locked")


def test_an_author_withdraws_his_own_entry_at_once_and_an_organiser_that_of_others(league: League) -> None:
    enter_bot_of(olga(), league)
    assert withdraw_entry(olga(), "night", 3) == ("bot-of-olga-1", None)
    with pytest.raises(NotNow, match="say who acts and why"):
        withdraw_entry(olga(), "night", 1)
    name, proposal = withdraw_entry(olga(), "night", 1, "it was copied")
    assert (name, proposal and proposal.verb) == ("b0-1", "withdraw")
    with pytest.raises(Refused):
        withdraw_entry(somebody("eve"), "night", 1)
    assert [fact.entry for fact in done(league, BotWithdrew)] == [3]


def test_who_appoints_a_second_organiser_for_a_league_of_his_own_bot_needs_one_for_that(league: League) -> None:
    friend, told = somebody("fred"), {"person": "fred", "role": Role.CO_ORGANISER}
    enter_bot_of(olga(), league)
    assert propose_or_act(olga(), league, "appoint", told) is not None
    assert not may(ACT, friend, league)


def test_an_organiser_appoints_and_dismisses_helpers_who_appoint_nobody(league: League) -> None:
    friend = somebody("fred")
    propose_or_act(olga(), league, "appoint", {"person": "fred", "role": Role.CO_ORGANISER})
    assert may(ACT, friend, league)
    with pytest.raises(Refused):
        propose_or_act(friend, league, "appoint", {"person": "b", "role": Role.JUDGE})
    with pytest.raises(NotNow, match="olga is the organiser of Night, and stays that"):
        propose_or_act(olga(), league, "dismiss", {"person": "olga"})
    propose_or_act(olga(), league, "dismiss", {"person": "fred"})
    assert not may(ACT, friend, league)


def test_a_judge_rejudges_and_does_nothing_else(league: League) -> None:
    judge = somebody("jo", league, Role.JUDGE)
    services.start(league.pk)
    match = Match.objects.get()
    with pytest.raises(NotNow, match="has no result that counts"):
        propose_or_act(judge, league, "overrule", {"match": match.pk, "places": [1, 2]})
    propose_or_act(judge, league, "void", {"match": match.pk}, "a worker died")
    assert [fact.by for fact in read_facts(league) if fact.__class__.__name__ == "MatchVoided"] == ["jo"]
    with pytest.raises(Refused):
        propose_or_act(judge, league, "pause", {}, "the hall is locked")


def test_a_judge_sees_everything_of_a_match_that_is_played_unless_his_bot_is_in_the_league(league: League) -> None:
    judge, biased = somebody("jo", league, Role.JUDGE), somebody("bea", league, Role.JUDGE)
    elsewhere = somebody("el", opened(slug="other"), Role.JUDGE)
    enter_bot_of(biased, league)
    services.start(league.pk)
    match = Match.objects.first()
    assert match is not None
    assert admitted(match.pk, "all", judge.pk)[1] == OMNISCIENT
    for person in (olga(), biased, elsewhere, somebody("stan", is_staff=True)):
        with pytest.raises(EyesClosed):
            admitted(match.pk, "all", person.pk)


def test_a_right_that_nobody_wrote_down_nobody_has(league: League) -> None:
    assert "delete" not in RIGHTS
    assert not may("delete", somebody("stan", is_staff=True, is_superuser=True), league)
    assert not may(ACT, None, league)
    assert not may(ACT, somebody("gone", league, Role.CO_ORGANISER, is_active=False), league)
