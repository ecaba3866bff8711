"""What staff does to a league without a role in it is kept; what its organisers do stands in its stream alone."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from people.models import StaffAct
from people.roles import is_organiser
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tournaments import services
from tournaments.desk import approve, propose_or_act

pytestmark = pytest.mark.django_db(transaction=True)


def somebody(name: str, **more: bool) -> User:
    person: User = AuthorFactory.create(username=name, **more)
    return person


def test_what_staff_does_is_kept_and_what_organisers_do_is_not() -> None:
    olga, stella = somebody("olga"), somebody("stella", is_staff=True)
    league = opened(by="olga")
    propose_or_act(stella, league, "pause", {}, why="a complaint")
    propose_or_act(olga, league, "resume", {}, "the hall is locked")
    kept = StaffAct.objects.get()
    assert (kept.by, kept.what, kept.why) == (stella, "pause", "a complaint")
    assert kept.on.startswith("league night: ")


def test_what_staff_approves_is_kept_too() -> None:
    olga, stella = somebody("olga"), somebody("stella", is_staff=True)
    league = opened(by="olga")
    services.enter_bot(league.pk, mine("ada", olga))
    proposal = propose_or_act(olga, league, "pause", {}, why="a bot is looked at")
    assert proposal
    approve(stella, league, proposal.pk)
    assert StaffAct.objects.get().what == "approve pause"


def test_the_shell_makes_staff_and_that_is_kept() -> None:
    ada = somebody("ada")
    call_command("organiser", "ada", staff=True)
    ada.refresh_from_db()
    assert ada.is_staff
    assert is_organiser(ada)
    assert (StaffAct.objects.get().person, StaffAct.objects.get().on) == (ada, "an organiser and staff")
