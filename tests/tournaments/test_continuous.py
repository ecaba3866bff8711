"""Active bots of a game meet again and again, at the rate that staff sets, and are rated by that alone."""

from __future__ import annotations

import time
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.league.court.fitting import MEAN
from replays.models import Match, MatchSeat
from replays.playing.ending import end_match
from replays.playing.leases import free, in_turn
from replays.tasks import play_next
from tests.support.bouts import CRASHING, NOON, SILENT, begin, play_on
from tests.support.factories import AuthorFactory, active_version
from tests.support.ladders import later
from tournaments import continuous, court_ratings
from tournaments.bounds import CONTINUOUS
from tournaments.bout_models import Bout, CalledVersion, ContinuousLadder
from tournaments.models import ALL_TIME, CourtRating, Rating

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_by_itself(settings: Any) -> None:
    settings.LADDER_RATE = 0


def rows() -> list[Any]:
    """Return all that the tables of the ladder hold."""
    told = [ContinuousLadder, Bout, CalledVersion]
    return [sorted(model.objects.values_list(*fields_of(model)), key=repr) for model in told]


def fields_of(model: Any) -> list[str]:
    return [field.name for field in model._meta.fields if field.name not in ("id", "ladder")]


def test_bots_meet_at_the_rate_and_no_faster_and_what_was_missed_is_not_made_up_for() -> None:
    for _ in range(2):
        active_version()
    begin(60)
    assert [continuous.sweep(NOON + seconds) for seconds in (0, 1, 59, 60, 61, 120)] == [1, 0, 0, 1, 0, 1]
    assert [continuous.sweep(NOON + 3600 + seconds) for seconds in (0, 1, 60)] == [1, 0, 1]
    assert {match.kind for match in Match.objects.all()} == {"ladder"}


def test_bouts_wait_behind_each_other_and_no_more_of_them_are_called_than_workers_play() -> None:
    for _ in range(3):
        active_version()
    begin(3600)
    for second in range(20):
        continuous.sweep(NOON + second)
    assert Bout.objects.count() == continuous.MOST_OPEN
    assert in_turn("ladder") == list(free().order_by("created_at").values_list("pk", flat=True))
    assert in_turn("league") == in_turn("friendly") == []


def test_the_first_bout_of_a_newcomer_is_called_at_once_and_played_before_those_that_wait() -> None:
    for _ in range(2):
        active_version()
    begin(3600)
    for second in range(20):
        continuous.sweep(NOON + second)
    assert Bout.objects.count() == continuous.MOST_OPEN
    MatchSeat.objects.update(closed_at=timezone.now())  # as if these versions had ended matches before
    newcomer = active_version()
    assert continuous.sweep(NOON + 20) == 1
    bout = Bout.objects.order_by("-number")[0]
    assert newcomer.pk in {seat.version_id for seat in bout.match.seats.all()}
    assert in_turn("ladder")[0] == bout.match_id
    assert len(in_turn("ladder")) == continuous.MOST_OPEN + 1


def test_newcomers_do_not_raise_the_rate_of_a_ladder() -> None:
    begin(60)
    called = 0
    for minute in range(60):
        active_version()  # somebody who sends a version every minute
        for second in range(0, 60, 20):
            called += continuous.sweep(NOON + 60 * minute + second)
        Bout.objects.update(ended=True)
    assert 59 <= called <= 60 + continuous.FIRST_BOUTS_AHEAD


def test_a_ladder_with_a_newcomer_is_fitted_without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        active_version()
    begin()
    play_on(1)
    monkeypatch.setitem(court_ratings._due, ("pig", CONTINUOUS), time.monotonic() + 3600)
    continuous.sweep(NOON + 60)
    while play_next("ladder"):
        pass
    continuous.sweep(NOON + 60)  # it records what has ended
    assert court_ratings.list_stale("pig") == [("pig", CONTINUOUS)]
    assert court_ratings.list_due("pig") == []
    newcomer = active_version()
    continuous.sweep(NOON + 61)
    while play_next("ladder"):
        pass
    continuous.sweep(NOON + 61)
    assert court_ratings.list_due("pig") == [("pig", CONTINUOUS)]
    court_ratings.refit_due("pig")
    assert CourtRating.objects.filter(bot=newcomer.bot, season=CONTINUOUS).exists()


@pytest.mark.slow
def test_everybody_is_rated_with_an_interval_on_that_ladder_and_on_no_other() -> None:
    good, *others = [active_version(), *(active_version(SILENT) for _ in range(3))]
    begin()
    play_on(12)
    rated = CourtRating.objects.filter(season=CONTINUOUS)
    assert rated.count() == 4
    assert all(row.low < row.value < row.high for row in rated)
    best = rated.order_by("-value").first()
    assert best is not None
    assert best.bot == good.bot
    assert best.value > 100 * MEAN
    assert not Rating.objects.filter(season=ALL_TIME).exists()
    called = {seat.version_id for match in Match.objects.all() for seat in match.seats.all()}
    assert called == {version.pk for version in (good, *others)}


@pytest.mark.slow
def test_an_uploaded_version_is_called_next_and_takes_the_place_of_the_one_before() -> None:
    versions = [active_version() for _ in range(3)]
    begin()
    play_on(6)
    newer = later(versions[0])
    newcomer = active_version()
    play_on(2, NOON + 3600)
    seated = [{seat.version_id for seat in bout.match.seats.all()} for bout in Bout.objects.order_by("-number")[:2]]
    assert {newer.pk, newcomer.pk} <= set().union(*seated)
    assert versions[0].pk not in set().union(*seated)


def test_who_is_retired_or_banned_is_not_called_and_two_of_one_owner_meet_only_for_want_of_others() -> None:
    ada = AuthorFactory.create(username="ada")
    mine, own = active_version(owner=ada), active_version(owner=ada)
    other, gone = active_version(), active_version()
    BotVersion.objects.filter(pk=gone.pk).update(status=BotVersion.Status.RETIRED)
    begin(3600)
    for second in range(6):
        continuous.sweep(NOON + second)
    tables = [{seat.version_id for seat in bout.match.seats.all()} for bout in Bout.objects.all()]
    assert all(other.pk in table for table in tables)
    assert gone.pk not in set().union(*tables)
    assert {mine.pk, own.pk} not in tables


def test_with_too_few_bots_nothing_is_called_and_it_is_said_how_many_it_waits_for() -> None:
    active_version()
    begin()
    assert continuous.sweep(NOON) == 0
    told = StringIO()
    call_command("ladder", "pig", stdout=told)
    assert "it waits for 2 active bots, there are 1" in told.getvalue()


def test_sizes_take_turns_as_far_as_there_are_bots() -> None:
    for _ in range(3):
        active_version()
    begin(3600, 2, 3, 4)
    for second in range(6):
        continuous.sweep(NOON + second)
    sizes = Counter(bout.match.seats.count() for bout in Bout.objects.all())
    assert set(sizes) == {2, 3}


def test_a_void_match_counts_for_nobody_and_is_recorded_once() -> None:
    for _ in range(2):
        active_version()
    begin()
    continuous.sweep(NOON)
    match = Match.objects.get()
    assert not continuous.record(match.pk), "it is not over"
    assert end_match(match.pk, "the power went")
    assert continuous.record(match.pk)
    assert not continuous.record(match.pk)
    assert Bout.objects.get().ended
    assert not Rating.objects.exists()


@pytest.mark.slow
def test_its_tables_can_be_made_again_from_its_stream() -> None:
    for source in (None, None, CRASHING):
        active_version(source)
    begin()
    play_on(9)
    before, rated = rows(), list(CourtRating.objects.order_by("bot").values_list("bot", "value", "low", "high"))
    assert any(row[-1] for row in before[2]), "somebody is benched"
    call_command("rebuild", stdout=StringIO())
    assert rows() == before
    assert list(CourtRating.objects.order_by("bot").values_list("bot", "value", "low", "high")) == rated


@pytest.mark.slow
def test_who_crashes_again_and_again_is_called_no_more_until_somebody_puts_it_back(settings: Any) -> None:
    settings.BENCH_AFTER = 2
    broken = active_version(CRASHING)
    for _ in range(2):
        active_version()
    begin()
    play_on(8)
    row = CalledVersion.objects.get(version=broken)
    assert row.benched == "it crashed in 2 matches of the continuous ladder in a row"
    assert Match.objects.filter(seats__version=broken).count() == 2
    assert continuous.put_back(broken.pk, "ada", NOON)
    assert not continuous.put_back(broken.pk, "ada", NOON), "once is enough"
    play_on(1, NOON + 7200)
    assert Match.objects.filter(seats__version=broken).count() == 3
