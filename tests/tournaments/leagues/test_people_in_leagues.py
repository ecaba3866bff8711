"""Leagues with people who play by hand: an absent person does not stop the league."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from bots import tasks as bot_tasks
from bots.models import Bot
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.league_event_actors import LeagueActor
from people.account_erasure import erase_person
from replays.models import SEATS, Match, SeatQuestionMailbox
from replays.playing.match_runner import play_match
from tests.support.league_entries import open_league
from tests.support.leagues import create_entrants, start_league
from tests.support.seats import create_person_version, list_choices
from tournaments import tasks
from tournaments.leagues import finished_league_export
from tournaments.leagues.league_event_appending import now
from tournaments.leagues.void_match_resolution import void_and_play_again
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(days=1)


def start_mixed_league(bots: int = 1, **terms: Any) -> League:
    """Start a league of a person and some bots, with one round of pairs."""
    entrants = [create_person_version(), *create_entrants(bots)]
    return start_league(entrants, rounds=1, kinds=("uploaded", "person"), **terms)


def wait_a_day() -> None:
    """Make all questions and adjournments a day older, and play the matches that go on then."""
    SeatQuestionMailbox.objects.update(asked_at=F("asked_at") - DAY)
    Match.objects.update(resume_at=F("resume_at") - DAY)
    bot_tasks.work(SEATS)


@pytest.mark.slow
def test_a_person_in_a_league_has_one_day_for_each_choice_also_in_a_rematch() -> None:
    league = start_mixed_league(3)
    with_person, of_bots = (Match.objects.get(outside=outside) for outside in (True, False))
    assert (with_person.hand_ms, of_bots.hand_ms) == (DAY / timedelta(milliseconds=1), None)
    void_and_play_again(league.pk, with_person.pk, LeagueActor(by="ada", at=now(), why="the hall was dark"))
    rematch = league.tables.get(match__outside=True).match
    assert (rematch.pk != with_person.pk, rematch.hand_ms) == (True, with_person.hand_ms)


@pytest.mark.slow
def test_a_league_goes_on_without_an_absent_person_and_its_export_is_valid(settings: Any, tmp_path: Path) -> None:
    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    league = start_mixed_league()
    match = Match.objects.get()
    assert not play_match(match.pk)
    days = 0
    while not Match.objects.get().ended:
        assert days < 40, "each day the person misses one choice"
        wait_a_day()
        days += 1
    seat = match.seats.get(version__bot__kind="person").seat
    assert [choice.excuse for choice in list_choices(match, seat)] == ["timeout"] * days
    tasks.sweep()
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    finished_league_export.export_league("night", tmp_path / "night.tar")
    report = verify_export(tmp_path / "night.tar")
    assert (report.flaws, report.notes) == ((), ())


@pytest.mark.slow
def test_the_export_of_a_league_is_valid_if_a_person_has_deleted_the_account_while_it_ran(tmp_path: Path) -> None:
    league = start_mixed_league()
    erase_person(Bot.objects.get(kind="person").owner)
    match = Match.objects.get()
    assert play_match(match.pk)
    tasks.sweep()
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


@pytest.mark.parametrize(("kinds", "shown"), [(("uploaded", "person"), True), (("uploaded", "remote"), False)])
def test_the_entry_page_of_a_league_with_people_states_their_time_limit(*, kinds: tuple[str, ...], shown: bool) -> None:
    open_league(kinds=kinds)
    client = Client()
    client.force_login(create_person_version().bot.owner)
    page = client.get("/leagues/night/enter/").content.decode()
    assert ("A person who plays by hand has 24 hours for each choice." in page) is shown
