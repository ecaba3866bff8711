"""Announcements of organisers: without a reason, on the league's page, and as notices and mails to entrants."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from ftk_core.league.organiser_facts import AnnouncementMade
from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league
from tournaments.leagues.league_projection import read_facts
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def olga() -> User:
    person: User = AuthorFactory.create(username="olga")
    return person


@pytest.fixture
def league(olga: User) -> League:
    return open_league(by=olga.get_username())


@pytest.fixture
def organiser(client: Client, olga: User) -> Client:
    client.force_login(olga)
    return client


def announce(text: str) -> None:
    call_command("organise", "announce", "night", text, stdout=StringIO())


def test_an_announcement_needs_no_reason_on_the_page_in_the_shell_and_in_the_api(
    league: League, organiser: Client
) -> None:
    page = organiser.get("/leagues/night/desk/?act=announce").content.decode()
    assert ('name="text"' in page, 'name="why"' in page) == (True, False)
    assert 'name="why"' in organiser.get("/leagues/night/desk/?act=pause").content.decode()
    announce("Tea at five")
    for body in ({"text": "Tea at six"}, {"text": "Tea at seven", "why": "the kettle is slow"}):
        answer = organiser.post("/api/v1/leagues/night/acts/announce/", body, content_type="application/json")
        assert answer.status_code == 201, answer.content
    facts = [fact for fact in read_facts(league) if isinstance(fact, AnnouncementMade)]
    assert [(fact.text, fact.why) for fact in facts] == [
        ("Tea at five", ""),
        ("Tea at six", ""),
        ("Tea at seven", "the kettle is slow"),
    ]
