"""Corrections of an announced league's terms: pages, exports, the entry deadline, verification."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from foundation.management_commands import InvalidCommandInputError
from ftk_core.kit.verify.league_export_verification import verify_export
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league, submit_act_form
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments import tasks
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_event_projection import read_facts
from tournaments.models import League
from tournaments.organisers.organiser_action_preview import OutdatedActionPreviewError
from tournaments.organisers.organiser_action_submission import preview_act, propose_or_act

pytestmark = pytest.mark.django_db(transaction=True)
SOON = timezone.now().replace(microsecond=0, second=0) + timedelta(hours=1)
LATER = SOON + timedelta(hours=1)


def correct(*words: str) -> str:
    out = StringIO()
    call_command("organise", "correct", "night", *words, "--why", "a typing error", stdout=out)
    return out.getvalue()


def send(client: Client, **terms: Any) -> tuple[int, Any]:
    said = {"why": "a typing error", **terms}
    answer = client.post("/api/v1/leagues/night/acts/correct/", said, content_type="application/json")
    return answer.status_code, answer.json()


@pytest.mark.slow
def test_a_corrected_league_name_is_shown_on_pages_and_in_feeds_and_the_export_passes_verification(
    client: Client, tmp_path: Path
) -> None:
    league = start_league(create_entrants(4), rounds=1)
    correct("--name", "The Long Night")
    for path in ("/", "/leagues/", "/leagues/night/", "/leagues/night/feed.atom", "/leagues/night/rounds.ics"):
        page = client.get(path).content.decode()
        assert "The Long Night" in page, path
    assert client.get("/api/v1/leagues/night/").json()["name"] == "The Long Night"
    acts = client.get("/leagues/night/acts/").content.decode()
    assert re.search(r"name was corrected.*a typing error.*<dd>Night</dd>.*<dd>The Long Night</dd>", acts, re.DOTALL)
    play_all(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    report = verify_export(tmp_path / "night.tar")
    assert report.flaws == ()
    assert report.acts[1].startswith("  name from 'Night' to 'The Long Night', by ")
    with pytest.raises(InvalidCommandInputError, match="closed and signed"):
        correct("--name", "Night")


def test_each_correction_of_a_league_name_is_listed_with_the_old_and_the_new_name(client: Client) -> None:
    open_league()
    correct("--name", "Day")
    correct("--name", "Dawn")
    acts = client.get("/leagues/night/acts/").content.decode()
    assert re.findall("<dd>(.*?)</dd>", acts) == ["Day", "Dawn", "Night", "Day"]


def test_a_league_whose_entry_deadline_is_moved_begins_at_the_new_deadline() -> None:
    league = open_league(entries_until=SOON)
    for version in create_entrants(2):
        services.enter_bot(league.pk, version)
    correct("--entries-until", f"{LATER:%Y-%m-%dT%H:%M}")
    assert tasks.do_all_due_work(SOON + timedelta(minutes=1)) == 0
    assert tasks.do_all_due_work(LATER + timedelta(minutes=1)) == 1
    league.refresh_from_db()
    assert (league.status, league.entries_until) == (League.Status.RUNNING, LATER)
    with pytest.raises(InvalidCommandInputError, match="Night has begun; its entry deadline stays as it is"):
        correct("--entries-until", "")


def test_a_league_whose_entry_deadline_was_removed_begins_only_by_command_of_its_organiser() -> None:
    league = open_league(entries_until=SOON)
    for version in create_entrants(2):
        services.enter_bot(league.pk, version)
    correct("--entries-until", "")
    assert tasks.do_all_due_work(LATER) == 0
    services.start(league.pk)
    league.refresh_from_db()
    assert (league.status, league.entries_until) == (League.Status.RUNNING, None)


def test_a_league_does_not_begin_if_its_deadline_is_moved_while_the_sweeper_processes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league = open_league(entries_until=SOON)
    for version in create_entrants(2):
        services.enter_bot(league.pk, version)
    proceed_if = services.proceed_if

    def correct_and_proceed(*arguments: Any) -> bool:
        correct("--entries-until", f"{LATER:%Y-%m-%dT%H:%M}")
        return proceed_if(*arguments)

    monkeypatch.setattr(services, "proceed_if", correct_and_proceed)
    assert not services.do_due_work(league.pk, SOON + timedelta(minutes=1))
    league.refresh_from_db()
    assert league.status == League.Status.OPEN


@pytest.mark.slow
def test_a_league_passes_verification_if_its_entry_deadline_was_moved_after_bots_had_entered(tmp_path: Path) -> None:
    league = open_league(entries_until=SOON, rounds=1)
    correct("--entries-until", f"{LATER:%Y-%m-%dT%H:%M}")
    for version in create_entrants(2):
        services.enter_bot(league.pk, version)
    services.start(league.pk)
    play_all(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_rebuilding_a_corrected_league_from_its_events_restores_its_database_row() -> None:
    league = open_league(entries_until=SOON)
    correct("--name", "Day", "--entries-until", f"{LATER:%Y-%m-%dT%H:%M}")
    row = League.objects.values().get()
    assert (row["name"], row["slug"], row["entries_until"]) == ("Day", "night", LATER)
    League.objects.update(name="broken", entries_until=None)
    services.rebuild(league.pk)
    assert League.objects.values().get() == row


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "this would change nothing in Night"),
        (["--name", "Night"], "this would change nothing in Night"),
        (["--name", " "], "a league's name has 1 to 80 characters that can be shown, not 0"),
        (["--name", "x" * 81], "a league's name has 1 to 80 characters that can be shown, not 81"),
        (["--name", "a\u202eb"], "a league's name has 1 to 80 characters that can be shown"),
        (["--entries-until", "tomorrow"], "'tomorrow' is not a time; write it like 2027-01-31T18:00"),
        (["--entries-until", "2020-01-01T10:00"], "entries cannot close at 2020-01-01 10:00 UTC: that is past"),
        (["--entries-until", "2999-01-01T10:00"], "that is more than two years away"),
    ],
)
def test_an_invalid_correction_of_league_terms_is_refused_and_stores_nothing(words: list[str], reason: str) -> None:
    league = open_league(entries_until=SOON)
    with pytest.raises(InvalidCommandInputError, match=re.escape(reason)):
        correct(*words)
    assert len(read_facts(league)) == 1


@pytest.mark.slow
def test_the_league_correction_form_shows_the_current_settings_and_changes_only_edited_fields(client: Client) -> None:
    olga = AuthorFactory.create(username="olga")
    league = open_league(by="olga", entries_until=SOON)
    client.force_login(olga)
    page = client.get("/leagues/night/desk/?act=correct").content.decode()
    assert 'value="Night"' in page
    assert f'<input type="datetime-local" name="entries_until" value="{SOON:%Y-%m-%dT%H:%M}"' in page
    fields = {"entries_until": f"{SOON:%Y-%m-%dT%H:%M}", "why": "a typing error"}
    assert "this would change nothing in Night" in submit_act_form(client, "correct", name="Night", **fields)
    assert "Done." in submit_act_form(client, "correct", name="Day", **fields)
    fact = read_facts(league)[-1]
    assert (fact.name, fact.entries_until) == ("Day", None)  # type: ignore[union-attr]  # it is a correction
    assert "a league&#x27;s name has 1 to 80" in submit_act_form(client, "correct", name="", **fields)


def test_the_api_corrects_only_the_league_terms_that_are_sent(client: Client) -> None:
    olga = AuthorFactory.create(username="olga")
    league = open_league(by="olga", entries_until=SOON)
    client.force_login(olga)
    status, effects = send(client, name="Day", preview=True)
    assert (status, effects["facts"]) == (200, ["The league's name was corrected."])
    assert send(client, name="Day")[0] == 201
    assert send(client, entries_until=f"{LATER.isoformat()}")[0] == 201
    assert send(client, entries_until="")[0] == 201
    league.refresh_from_db()
    assert (league.name, league.entries_until) == ("Day", None)
    status, problem = send(client, name="")
    assert (status, problem["detail"]) == (409, "a league's name has 1 to 80 characters that can be shown, not 0")


def test_a_league_correction_is_refused_if_the_setting_changed_after_the_preview() -> None:
    olga = AuthorFactory.create(username="olga")
    league = open_league(by="olga")
    shown = preview_act(olga, league, "correct", {"name": "Day"})
    correct("--name", "Dusk")
    with pytest.raises(OutdatedActionPreviewError):
        propose_or_act(olga, league, "correct", {"name": "Day"}, "a typing error", shown.digest)


def test_an_organiser_with_a_bot_in_the_league_can_only_propose_a_correction_of_its_settings(client: Client) -> None:
    version = create_own_version()
    league = open_league(by="of-ada")
    services.enter_bot(league.pk, version)
    client.force_login(version.bot.owner)
    assert send(client, name="Day")[0] == 202
    league.refresh_from_db()
    assert league.name == "Night"
