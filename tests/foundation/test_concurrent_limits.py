"""Limits of the whole arena hold for requests that come at the same time over several connections."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.contrib.auth.models import User
from django.db import connections

from ftk_core.league.league_state import CommandRejected
from people import invitations
from people.invitations import InvitationQuotaExceeded, invite
from people.models import Invitation
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league
from tournaments.models.league_templates import LeagueTemplate
from tournaments.organisers import league_templates
from tournaments.organisers.league_templates import save_template

pytestmark = pytest.mark.django_db(transaction=True)
REQUESTS = 8


def count_accepted(request: Callable[[int], object]) -> int:
    """Send requests at once, each over a connection of its own; return how many were accepted."""
    start = Barrier(REQUESTS)

    def send(number: int) -> bool:
        start.wait(20)
        try:
            request(number)
        except (CommandRejected, InvitationQuotaExceeded):
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(REQUESTS) as pool:
        return sum(pool.map(send, range(REQUESTS)))


@pytest.fixture
def organiser() -> User:
    person: User = AuthorFactory.create(username="organiser")
    make_organiser(person)
    return person


def test_concurrent_invitations_cannot_exceed_the_limit(organiser: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "MAX_OPEN_INVITATIONS", 2)
    assert count_accepted(lambda number: invite(organiser, "author", 7, str(number))) == 2
    assert Invitation.objects.count() == 2


def test_league_templates_saved_at_the_same_time_cannot_exceed_the_limit(
    organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league_templates, "MAX_TEMPLATES", 2)
    league = open_league(by="organiser")
    assert count_accepted(lambda number: save_template(organiser, league.slug, f"template {number}")) == 2
    assert LeagueTemplate.objects.count() == 2
