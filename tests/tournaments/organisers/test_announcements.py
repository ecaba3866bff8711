"""Announcements of organisers: without a reason, on the league's page, and as notices and mails to entrants."""

from __future__ import annotations

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client

from ftk_core.league.intervention_facts import AnnouncementMade
from notices import notice_preferences, tasks
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.webhooks import create_webhook
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import read_facts
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


@pytest.mark.slow
def test_an_announcement_needs_no_reason_on_the_website_in_the_shell_or_in_the_api(
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


def enter(league: League, slug: str) -> User:
    """Enter a bot of a person with a confirmed address, and return the person."""
    version = create_own_version(slug)
    services.enter_bot(league.pk, version)
    person: User = version.bot.owner
    EmailAddress.objects.create(user=person, email=f"{slug}@example.com", verified=True, primary=True)
    return person


def read_notices(person: User) -> list[str]:
    return [row.text for row in notice_preferences.list_notices(person) if row.kind == "announcement"]


def test_an_announcement_is_sent_to_authors_of_entries_but_not_of_withdrawn_entries(
    league: League,
) -> None:
    ada, left = enter(league, "ada"), enter(league, "eve")
    call_command("organise", "withdraw", "night", "2", "--why", "its author asked")
    announce("Tea at five")
    tasks.sweep()
    message = "Message to the entrants of Night: Tea at five"
    assert (read_notices(ada), read_notices(left)) == ([message], [])
    assert tasks.mail() > 0
    sent = [one for one in mail.outbox if message in one.subject]
    assert [one.to for one in sent] == [["ada@example.com"]]
    assert "http://127.0.0.1:8000/leagues/night/" in sent[0].body


@pytest.mark.slow
def test_a_person_who_turned_announcement_mails_off_gets_only_the_notice_on_the_website(league: League) -> None:
    ada = enter(league, "ada")
    notice_preferences.set_preference(ada, "announcement", web=True, mail=False)
    announce("Tea at five")
    tasks.sweep()
    tasks.mail()
    assert len(read_notices(ada)) == 1
    assert not [one for one in mail.outbox if "Tea at five" in one.body]


def test_each_of_two_announcements_gives_a_separate_notice_and_webhook_event(league: League) -> None:
    ada, endpoint = enter(league, "ada"), create_webhook("https://bots.example/")
    announce("Tea at five")
    announce("Tea at six: 100 % of it is green")
    tasks.sweep()
    assert sorted(text.rpartition("Night: ")[2] for text in read_notices(ada)) == [
        "Tea at five",
        "Tea at six: 100 % of it is green",
    ]
    sent = endpoint.deliveries.filter(kind="announcement.made").order_by("sequence")
    assert [row.told["text"] for row in sent] == ["Tea at five", "Tea at six: 100 % of it is green"]


@pytest.mark.slow
@pytest.mark.usefixtures("league")
def test_announcements_and_reasons_may_contain_joiners_and_the_spaces_of_all_scripts(organiser: Client) -> None:
    text = "می\u200cشود \N{WOMAN}\u200d\N{PERSONAL COMPUTER}\u3000春季"
    body = {"text": text, "why": text}
    answer = organiser.post("/api/v1/leagues/night/acts/announce/", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
