"""Leagues of newer league rules: an older release leaves them to the newer one."""

from __future__ import annotations

from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone

from ftk_core.league import league_facts
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LEAGUE_RULES
from ftk_core.league.league_state import CommandRejected
from replays.background_work_retries import list_failed
from tests.support.league_entries import create_own_version, open_league
from tests.support.leagues import create_entrants, end_matches, perform_act, read_stored, start_league
from tournaments.leagues import league_settings, services
from tournaments.leagues.league_event_appending import LEAGUE_RESULT
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.reports import league_page_queries
from tournaments.tasks import do_all_due_work

pytestmark = pytest.mark.django_db
NEWER = LEAGUE_RULES + 1
REASON = (
    f"Night was announced under league rules {NEWER}, and this release knows rules up to {LEAGUE_RULES}; upgrade it"
)


@pytest.fixture
def league(monkeypatch: pytest.MonkeyPatch) -> League:
    """A league in its first round that a newer release has announced and begun."""
    with monkeypatch.context() as newer:
        know_newer_rules(newer)
        return start_league(create_entrants(), rounds=2)


def know_newer_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (league_settings, league_facts):
        monkeypatch.setattr(module, "LEAGUE_RULES", NEWER)


def test_results_of_a_league_of_newer_rules_wait_for_the_newer_release_and_the_page_gives_the_reason(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load(league)[0].length
    end_matches(league, Random(1))
    assert do_all_due_work(timezone.now()) == 0
    assert load(league)[0].length == before
    assert league_page_queries.read_league("night").waits == REASON
    assert list_failed("league") == list_failed(LEAGUE_RESULT) == [], "a retry on this release could not succeed"
    know_newer_rules(monkeypatch)
    assert do_all_due_work(timezone.now()) == 1
    assert load(league)[1].closed_rounds == 1
    league.refresh_from_db()
    assert league.waits == ""


def test_nobody_can_change_a_league_of_newer_rules(league: League, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        know_newer_rules(newer)
        announced = open_league(slug="cup")
    before = read_stored(league), read_stored(announced)
    with pytest.raises(CommandRejected, match="upgrade it"):
        services.enter_bot(announced.pk, create_own_version("late"))
    with pytest.raises(CommandRejected, match="upgrade it"):
        perform_act(league, "pause", {}, LeagueActor(by="olga", at=1_800_000_000, why="a test"))
    assert (read_stored(league), read_stored(announced)) == before


def test_a_rebuild_of_all_tables_leaves_the_standings_of_a_league_of_newer_rules_and_names_the_league(
    league: League,
) -> None:
    league.entrants.update(points="7/3")
    printed = StringIO()
    call_command("rebuild", stdout=StringIO(), stderr=printed)
    assert printed.getvalue().strip() == REASON
    assert {entrant.points for entrant in league.entrants.all()} == {"7/3"}
