"""Requests to act on a league: rights, proposals by organisers with an own bot, and recorded refusals."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ftk_core.facts import OMNISCIENT
from ftk_core.league.intervention_facts import BotWithdrew, LeaguePaused
from ftk_core.league.league_facts import LeagueFact
from ftk_core.league.league_state import CommandRejected
from replays.match_access import MatchViewForbiddenError, admitted_viewer
from replays.models import Match
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import read_facts
from tournaments.models import League
from tournaments.models.organiser_roles import LeagueRole, Proposal, Refusal
from tournaments.organisers.action_proposal_decisions import approve, decline, preview_proposal
from tournaments.organisers.league_access_rights import ACT, RIGHTS, may
from tournaments.organisers.organiser_action_submission import enter_own, propose_or_act, withdraw_entry
from tournaments.organisers.organiser_permission_checks import MissingRightError

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
    begun = open_league(by="olga")
    for version in create_entrants(2):
        services.enter_bot(begun.pk, version)
    return begun


def olga() -> User:
    return User.objects.get(username="olga")


def done(league: League, kind: type[LeagueFact]) -> list[Any]:
    return [fact for fact in read_facts(league) if isinstance(fact, kind)]


def enter_bot_of(person: User, league: League) -> None:
    services.enter_bot(league.pk, create_own_version(f"bot-of-{person.get_username()}", person))


def test_the_person_who_opened_a_league_is_its_organiser_and_may_pause_it(league: League) -> None:
    assert LeagueRole.objects.get().person == olga()
    assert propose_or_act(olga(), league, "pause", {}, "the hall is locked") is None
    (fact,) = done(league, LeaguePaused)
    assert (fact.by, fact.why, fact.approved) == ("olga", "the hall is locked", "")


def test_a_league_opened_from_the_shell_without_an_account_has_no_organiser() -> None:
    open_league(by="root")
    assert not LeagueRole.objects.exists()


@pytest.mark.parametrize("staff", [False, True])
def test_staff_can_act_as_organisers_and_are_named_in_the_event_of_the_action(league: League, *, staff: bool) -> None:
    person = somebody("stan", is_staff=staff)
    if not staff:
        with pytest.raises(MissingRightError, match="only organisers of Night do that"):
            propose_or_act(person, league, "pause", {}, "the hall is locked")
        return
    propose_or_act(person, league, "pause", {}, "the hall is locked")
    assert done(league, LeaguePaused)[0].by == "stan"


def test_a_refused_withdrawal_by_a_judge_or_by_an_organiser_of_another_league_is_recorded(league: League) -> None:
    for person in (somebody("ana", open_league(slug="other"), Role.ORGANISER), somebody("jo", league, Role.JUDGE)):
        with pytest.raises(MissingRightError):
            propose_or_act(person, league, "withdraw", {"entry": 1}, "because")
    kept = [(row.person.get_username(), row.what, row.why) for row in Refusal.objects.order_by("pk")]
    assert kept == [(name, "withdraw entry=1", "only organisers of Night do that") for name in ("ana", "jo")]
    assert done(league, BotWithdrew) == []


def test_entering_the_bot_of_another_author_in_a_league_is_refused_and_recorded(league: League) -> None:
    create_own_version("bob")
    with pytest.raises(MissingRightError, match="bob is somebody else's bot; its authors enter it"):
        enter_own(somebody("eve"), "night", "bob")
    assert str(Refusal.objects.get()) == "eve, enter bot=bob: bob is somebody else's bot; its authors enter it"


def test_an_organiser_action_with_a_too_long_reason_is_refused(league: League) -> None:
    with pytest.raises(CommandRejected, match="a reason has at most 200 characters, not 201"):
        propose_or_act(olga(), league, "pause", {}, "x" * 201)


@pytest.mark.slow
def test_roles_and_proposals_can_be_managed_on_the_organisers_page_with_error_messages(league: League) -> None:
    somebody("fred")
    enter_bot_of(somebody("carl", league, Role.CO_ORGANISER), league)
    proposal = propose_or_act(User.objects.get(username="carl"), league, "pause", {}, "the hall is locked")
    assert proposal is not None
    effects, client = preview_proposal(olga(), league, proposal.pk).effects, Client()
    client.force_login(olga())
    said = [
        ({"person": "fred", "role": "judge"}, "The role is given."),
        ({"person": "nobody", "role": "judge"}, "nobody is called &#x27;nobody&#x27;."),
        ({"dismiss": "fred"}, "The role is taken back."),
        ({"approve": str(proposal.pk)}, "Approve this act"),
        ({"approve": str(proposal.pk), "confirm": effects.digest}, "It is approved, and done."),
        ({"approve": str(proposal.pk)}, "somebody has decided on it already."),
        ({"decline": "x"}, "Night has no proposed act with the number &#x27;x&#x27;."),
    ]
    for body, words in said:
        assert words in client.post("/leagues/night/desk/", body, follow=True).content.decode(), body
    assert done(league, LeaguePaused)[0].approved == "olga"


@pytest.mark.slow
def test_only_the_newest_hundred_refused_requests_of_a_person_are_stored(league: League) -> None:
    person, other = somebody("ana"), somebody("eve")
    for who, entry in ((other, 0), *((person, entry) for entry in range(103))):
        with pytest.raises(MissingRightError):
            propose_or_act(who, league, "withdraw", {"entry": entry})
    kept = Refusal.objects.filter(person=person).order_by("pk")
    assert [row.what for row in kept] == [f"withdraw entry={entry}" for entry in range(3, 103)]
    assert Refusal.objects.filter(person=other).count() == 1


def test_an_action_of_an_organiser_with_a_bot_in_the_league_needs_a_second_organisers_approval(league: League) -> None:
    enter_bot_of(olga(), league)
    second = somebody("carl", league, Role.CO_ORGANISER)
    propose_or_act(olga(), league, "withdraw", {"entry": 1}, "it was copied")
    assert done(league, BotWithdrew) == []
    approve(second, league, Proposal.objects.get().pk)
    (fact,) = done(league, BotWithdrew)
    assert (fact.entry, fact.reason, fact.by, fact.approved) == (1, "it was copied", "olga", "carl")
    with pytest.raises(CommandRejected, match="somebody has decided on it already"):
        approve(second, league, Proposal.objects.get().pk)


def test_a_proposal_needs_approval_by_another_organiser_without_a_bot_in_the_league(league: League) -> None:
    enter_bot_of(olga(), league)
    second = somebody("carl", league, Role.CO_ORGANISER)
    enter_bot_of(second, league)
    propose_or_act(olga(), league, "pause", {}, "the hall is locked")
    for person, why in ((olga(), "their own proposal"), (second, "the approver has a bot in the league")):
        with pytest.raises(MissingRightError, match=why):
            approve(person, league, Proposal.objects.get().pk)
    with pytest.raises(MissingRightError, match="only organisers"):
        approve(somebody("eve"), league, Proposal.objects.get().pk)
    assert done(league, LeaguePaused) == []
    assert Refusal.objects.count() == 3
    approve(somebody("stan", is_staff=True), league, Proposal.objects.get().pk)
    assert done(league, LeaguePaused)[0].approved == "stan"


def test_a_declined_proposal_of_an_organiser_action_can_no_longer_be_approved(league: League) -> None:
    enter_bot_of(olga(), league)
    propose_or_act(olga(), league, "pause", {}, "the hall is locked")
    decline(olga(), league, Proposal.objects.get().pk)
    with pytest.raises(CommandRejected, match="somebody has decided"):
        approve(somebody("stan", is_staff=True), league, Proposal.objects.get().pk)
    assert done(league, LeaguePaused) == []


def test_approving_a_proposal_that_has_become_impossible_is_refused_and_leaves_it_waiting(league: League) -> None:
    enter_bot_of(olga(), league)
    proposal = propose_or_act(olga(), league, "pause", {}, "the hall is locked")
    stan = somebody("stan", is_staff=True)
    propose_or_act(stan, league, "pause", {}, "the hall is locked")
    assert proposal is not None
    with pytest.raises(CommandRejected, match="paused already"):
        approve(stan, league, proposal.pk)
    assert Proposal.objects.get().status == Proposal.Status.WAITING
    with pytest.raises(CommandRejected, match="paused already"):
        propose_or_act(olga(), league, "pause", {}, "the hall is locked")


def test_an_organiser_withdraws_own_entries_directly_but_only_proposes_to_withdraw_other_entries(
    league: League,
) -> None:
    enter_bot_of(olga(), league)
    assert withdraw_entry(olga(), "night", 3) == ("bot-of-olga-1", None)
    with pytest.raises(CommandRejected, match="say who acts and why"):
        withdraw_entry(olga(), "night", 1)
    name, proposal = withdraw_entry(olga(), "night", 1, "it was copied")
    assert (name, proposal and proposal.verb) == ("b0-1", "withdraw")
    with pytest.raises(MissingRightError):
        withdraw_entry(somebody("eve"), "night", 1)
    assert [fact.entry for fact in done(league, BotWithdrew)] == [3]


def test_an_organiser_with_a_bot_in_the_league_can_only_propose_a_co_organiser(league: League) -> None:
    friend, told = somebody("fred"), {"person": "fred", "role": Role.CO_ORGANISER}
    enter_bot_of(olga(), league)
    assert propose_or_act(olga(), league, "appoint", told) is not None
    assert not may(ACT, friend, league)


def test_an_organiser_appoints_and_dismisses_co_organisers_who_cannot_appoint_others(league: League) -> None:
    friend = somebody("fred")
    propose_or_act(olga(), league, "appoint", {"person": "fred", "role": Role.CO_ORGANISER})
    assert may(ACT, friend, league)
    with pytest.raises(MissingRightError):
        propose_or_act(friend, league, "appoint", {"person": "b", "role": Role.JUDGE})
    with pytest.raises(CommandRejected, match="olga is the organiser of Night, and stays that"):
        propose_or_act(olga(), league, "dismiss", {"person": "olga"})
    propose_or_act(olga(), league, "dismiss", {"person": "fred"})
    assert not may(ACT, friend, league)


def test_a_judge_may_only_void_and_overrule_matches(league: League) -> None:
    judge = somebody("jo", league, Role.JUDGE)
    services.start(league.pk)
    match = Match.objects.get()
    with pytest.raises(CommandRejected, match="has no result that counts"):
        propose_or_act(judge, league, "overrule", {"match": match.pk, "places": [1, 2]})
    propose_or_act(judge, league, "void", {"match": match.pk}, "a worker died")
    assert [fact.by for fact in read_facts(league) if fact.__class__.__name__ == "MatchVoided"] == ["jo"]
    with pytest.raises(MissingRightError):
        propose_or_act(judge, league, "pause", {}, "the hall is locked")


def test_a_judge_without_a_bot_in_the_league_sees_hidden_information_of_live_matches(league: League) -> None:
    judge, biased = somebody("jo", league, Role.JUDGE), somebody("bea", league, Role.JUDGE)
    elsewhere = somebody("el", open_league(slug="other"), Role.JUDGE)
    enter_bot_of(biased, league)
    services.start(league.pk)
    match = Match.objects.first()
    assert match is not None
    assert admitted_viewer(match.pk, "all", judge.pk)[1] == OMNISCIENT
    for person in (olga(), biased, elsewhere, somebody("stan", is_staff=True)):
        with pytest.raises(MatchViewForbiddenError):
            admitted_viewer(match.pk, "all", person.pk)


def test_a_permission_that_is_not_defined_is_denied_to_everybody(league: League) -> None:
    assert "delete" not in RIGHTS
    assert not may("delete", somebody("stan", is_staff=True, is_superuser=True), league)
    assert not may(ACT, None, league)
    assert not may(ACT, somebody("gone", league, Role.CO_ORGANISER, is_active=False), league)
