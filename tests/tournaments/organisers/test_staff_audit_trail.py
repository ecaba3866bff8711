"""Audit trail of staff: acts on leagues by staff without a league role are stored in it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from people.models import StaffAct
from people.person_roles import is_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tournaments.leagues import services
from tournaments.organisers.action_proposal_decisions import approve, decline
from tournaments.organisers.organiser_action_submission import propose_or_act

pytestmark = pytest.mark.django_db(transaction=True)


def somebody(name: str, **more: bool) -> User:
    person: User = AuthorFactory.create(username=name, **more)
    return person


def test_actions_of_staff_in_a_league_in_which_they_have_no_role_are_stored_in_the_staff_log() -> None:
    olga, stella = somebody("olga", is_staff=True), somebody("stella", is_staff=True)
    league = open_league(by="olga")
    propose_or_act(stella, league, "pause", {}, why="a complaint")
    propose_or_act(olga, league, "resume", {}, "the hall is locked")
    kept = StaffAct.objects.get()
    assert (kept.by, kept.what, kept.why) == (stella, "pause", "a complaint")
    assert kept.on.startswith("league night: ")


def test_the_approval_of_a_proposal_by_a_staff_member_is_logged() -> None:
    olga, stella = somebody("olga"), somebody("stella", is_staff=True)
    league = open_league(by="olga")
    services.enter_bot(league.pk, create_own_version("ada", olga))
    proposal = propose_or_act(olga, league, "pause", {}, why="a bot is looked at")
    assert proposal
    approve(stella, league, proposal.pk)
    assert StaffAct.objects.get().what == "approve pause"


@pytest.mark.slow
def test_a_proposal_that_a_staff_member_declines_is_logged() -> None:
    olga, stella = somebody("olga"), somebody("stella", is_staff=True)
    league = open_league(by="olga")
    services.enter_bot(league.pk, create_own_version("ada", olga))
    proposal = propose_or_act(olga, league, "pause", {}, why="a bot is looked at")
    assert proposal
    decline(stella, league, proposal.pk)
    assert StaffAct.objects.get().what == "decline pause"


def test_granting_staff_rights_from_the_shell_is_logged() -> None:
    ada = somebody("ada")
    call_command("organiser", "ada", staff=True)
    ada.refresh_from_db()
    assert ada.is_staff
    assert is_organiser(ada)
    assert (StaffAct.objects.get().person, StaffAct.objects.get().on) == (ada, "an organiser and staff")
