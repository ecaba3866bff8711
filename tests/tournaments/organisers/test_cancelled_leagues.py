"""Cancellation of a league before its first round: pages, entries, notices, verification."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.league_facts import RoundDrafted
from ftk_core.league.league_state import CommandRejected
from notices import notice_preferences, tasks
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league, submit_act_form
from tests.support.leagues import create_entrants, start_league
from tests.support.webhooks import create_webhook
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_event_projection import read_facts
from tournaments.models import League, Rating

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "the hall is flooded"


def cancel(league: League) -> League:
    call_command("organise", "cancel", "night", "--why", WHY)
    league.refresh_from_db()
    return league


@pytest.mark.slow
def test_a_cancelled_league_is_shown_with_the_reason_and_its_export_passes_verification(
    client: Client, tmp_path: Path
) -> None:
    olga = AuthorFactory.create(username="olga")
    league = open_league(by="olga", entries_until=timezone.now() + timedelta(hours=1))
    services.enter_bot(league.pk, create_own_version())
    client.force_login(olga)
    assert "?act=close" not in client.get("/leagues/night/desk/").content.decode()
    assert "The league was cancelled by its organiser." in submit_act_form(client, "cancel", why=WHY) + (
        client.get("/leagues/night/acts/").content.decode()
    )
    league.refresh_from_db()
    assert (league.status, league.cancelled) == (League.Status.CLOSED, WHY)
    for path, text in (
        ("/leagues/night/", f"Cancelled before its first round: {WHY}"),
        ("/leagues/", f"Cancelled: {WHY}"),
        ("/", f"Cancelled: {WHY}"),
        ("/leagues/night/print/", "cancelled ·"),
    ):
        page = client.get(path).content.decode()
        assert text in page, path
        assert "Entries close" not in page, path
    assert "entries close" not in client.get("/leagues/night/rounds.ics").content.decode()
    assert client.get("/api/v1/leagues/night/").json()["cancelled"] == WHY
    finished_league_export.export_league("night", tmp_path / "night.tar")
    report = verify_export(tmp_path / "night.tar")
    assert report.flaws == ()
    assert list(report.acts) == [
        "Leagues cancelled: 1, by olga",
        f"  the league was cancelled, by olga, because: {WHY}",
    ]
    assert not Rating.objects.exists()


@pytest.mark.slow
def test_a_cancelled_league_refuses_entries_and_never_begins(client: Client) -> None:
    league = open_league(entries_until=timezone.now() + timedelta(hours=1))
    one, other, late = create_own_version(), create_own_version("bob"), create_own_version("eve")
    for version in (one, other):
        services.enter_bot(league.pk, version)
    cancel(league)
    with pytest.raises(CommandRejected, match="Night was cancelled; enter another league"):
        services.enter_bot(league.pk, late)
    client.force_login(late.bot.owner)
    answer = client.post("/api/v1/leagues/night/entries/", {"bot": "eve"}, content_type="application/json")
    assert (answer.status_code, league.entrants.count()) == (409, 2)
    assert "Night was cancelled; enter another league" in client.get("/leagues/night/enter/").content.decode()
    assert not services.do_due_work(league.pk, timezone.now() + timedelta(days=1))
    with pytest.raises(InvalidCommandInputError, match="closed and signed"):
        cancel(league)


def test_rebuilding_a_cancelled_league_from_its_events_restores_its_database_row() -> None:
    league = cancel(open_league())
    row = League.objects.values().get()
    League.objects.update(cancelled="", status=League.Status.OPEN)
    services.rebuild(league.pk)
    assert League.objects.values().get() == row


def test_a_league_whose_first_round_is_drafted_can_be_cancelled_until_that_round_begins(tmp_path: Path) -> None:
    league = start_league(create_entrants(2), held=True)
    assert any(isinstance(fact, RoundDrafted) for fact in read_facts(league))
    cancel(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


@pytest.mark.slow
def test_cancelling_a_league_notifies_webhooks_and_the_authors_of_its_remaining_entries() -> None:
    league, ada, left = open_league(), create_own_version(), create_own_version("eve")
    for version in (ada, left):
        services.enter_bot(league.pk, version)
    call_command("organise", "withdraw", "night", "2", "--why", "its author asked")
    endpoint = create_webhook("https://bots.example/")
    cancel(league)
    tasks.sweep()
    texts = [row.text for row in notice_preferences.list_notices(ada.bot.owner) if row.kind == "cancelled"]
    assert texts == [f"Night was cancelled. Reason: {WHY}"]
    assert not [row for row in notice_preferences.list_notices(left.bot.owner) if row.kind == "cancelled"]
    sent = endpoint.deliveries.filter(kind__in=("league.cancelled", "league.ended")).order_by("sequence")
    assert list(sent.values_list("kind", "told__why")) == [("league.cancelled", WHY), ("league.ended", None)]
