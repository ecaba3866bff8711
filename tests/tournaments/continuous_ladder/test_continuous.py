"""Continuous ladders: the rate of bouts, ratings, and benched versions."""

from __future__ import annotations

import time
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import timezone

from bots.models import BotVersion
from ftk_core.league.court_rating.rating_fit import MEAN
from replays.models import Match, MatchSeat
from replays.playing.match_cancellation import end_match
from replays.playing.match_leases import claimable_matches, list_in_fair_order
from replays.tasks import play_next
from tests.support.bouts import CRASHING, NOON, SILENT, play_ladder_matches, start_continuous_ladder
from tests.support.factories import AuthorFactory, create_active_version
from tests.support.ladders import add_version
from tournaments.continuous_ladder import services as continuous_services
from tournaments.ladders import ladder_court_ratings
from tournaments.league_limits import CONTINUOUS
from tournaments.models import ALL_TIME, CourtRating, Rating
from tournaments.models.continuous_ladders import Bout, ContinuousLadder, ContinuousLadderBotVersion

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_by_itself(settings: Any) -> None:
    settings.LADDER_RATE = 0


def rows() -> list[Any]:
    """Return all rows of the continuous ladder's tables."""
    told = [ContinuousLadder, Bout, ContinuousLadderBotVersion]
    return [sorted(model.objects.values_list(*fields_of(model)), key=repr) for model in told]


def fields_of(model: Any) -> list[str]:
    return [field.name for field in model._meta.fields if field.name not in ("id", "ladder")]


def test_ladder_matches_start_at_the_configured_rate_without_catching_up_after_a_pause() -> None:
    for _ in range(2):
        create_active_version()
    start_continuous_ladder(60)
    assert [continuous_services.sweep(NOON + seconds) for seconds in (0, 1, 59, 60, 61, 120)] == [1, 0, 0, 1, 0, 1]
    assert [continuous_services.sweep(NOON + 3600 + seconds) for seconds in (0, 1, 60)] == [1, 0, 1]
    assert {match.kind for match in Match.objects.all()} == {"ladder"}


@pytest.mark.slow
def test_a_ladder_goes_on_after_a_match_that_began_while_the_clock_was_an_hour_ahead() -> None:
    for _ in range(2):
        create_active_version()
    start_continuous_ladder(60)
    assert continuous_services.sweep(NOON) == 1
    assert continuous_services.sweep(NOON + 3600) == 1
    assert [continuous_services.sweep(NOON + seconds) for seconds in (120, 121, 180)] == [1, 0, 1]


@pytest.mark.slow
def test_no_more_ladder_matches_are_queued_than_the_workers_can_play() -> None:
    for _ in range(3):
        create_active_version()
    start_continuous_ladder(3600)
    for second in range(20):
        continuous_services.sweep(NOON + second)
    assert Bout.objects.count() == continuous_services.MAX_OPEN_BOUTS
    assert list_in_fair_order("ladder") == list(claimable_matches().order_by("created_at").values_list("pk", flat=True))
    assert list_in_fair_order("league") == list_in_fair_order("friendly") == []


@pytest.mark.slow
def test_a_new_bot_gets_its_first_ladder_match_at_once_and_before_other_waiting_matches() -> None:
    for _ in range(2):
        create_active_version()
    start_continuous_ladder(3600)
    for second in range(20):
        continuous_services.sweep(NOON + second)
    assert Bout.objects.count() == continuous_services.MAX_OPEN_BOUTS
    MatchSeat.objects.update(closed_at=timezone.now())  # as if these versions had ended matches before
    newcomer = create_active_version()
    assert continuous_services.sweep(NOON + 20) == 1
    bout = Bout.objects.order_by("-number")[0]
    assert newcomer.pk in {seat.version_id for seat in bout.match.seats.all()}
    assert list_in_fair_order("ladder")[0] == bout.match_id
    assert len(list_in_fair_order("ladder")) == continuous_services.MAX_OPEN_BOUTS + 1


@pytest.mark.slow
def test_new_bots_do_not_increase_the_rate_of_ladder_matches() -> None:
    start_continuous_ladder(60)
    called = 0
    for minute in range(60):
        create_active_version()  # an author who uploads a version every minute
        for second in range(0, 60, 20):
            called += continuous_services.sweep(NOON + 60 * minute + second)
        Bout.objects.update(ended=True)
    assert 59 <= called <= 60 + continuous_services.MAX_FIRST_BOUTS_AHEAD


@pytest.mark.slow
def test_ratings_of_a_ladder_with_a_new_bot_are_recomputed_without_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        create_active_version()
    start_continuous_ladder()
    play_ladder_matches(1)
    monkeypatch.setitem(ladder_court_ratings._next_fit_times, ("pig", CONTINUOUS), time.monotonic() + 3600)
    continuous_services.sweep(NOON + 60)
    while play_next("ladder"):
        pass
    continuous_services.sweep(NOON + 60)  # this sweep records the finished matches
    assert ladder_court_ratings.list_stale("pig") == [("pig", CONTINUOUS)]
    assert ladder_court_ratings.list_due("pig") == []
    newcomer = create_active_version()
    continuous_services.sweep(NOON + 61)
    while play_next("ladder"):
        pass
    continuous_services.sweep(NOON + 61)
    assert ladder_court_ratings.list_due("pig") == [("pig", CONTINUOUS)]
    ladder_court_ratings.refit_due("pig")
    assert CourtRating.objects.filter(bot=newcomer.bot, season=CONTINUOUS).exists()


@pytest.mark.nightly
def test_matches_of_the_continuous_ladder_count_on_that_ladder_only() -> None:
    good, *others = [create_active_version(), *(create_active_version(SILENT) for _ in range(3))]
    start_continuous_ladder()
    play_ladder_matches(12)
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


@pytest.mark.nightly
def test_a_new_bot_version_plays_the_next_ladder_match_instead_of_the_previous_version() -> None:
    versions = [create_active_version() for _ in range(3)]
    start_continuous_ladder()
    play_ladder_matches(6)
    newer = add_version(versions[0])
    newcomer = create_active_version()
    play_ladder_matches(2, NOON + 3600)
    seated = [{seat.version_id for seat in bout.match.seats.all()} for bout in Bout.objects.order_by("-number")[:2]]
    assert {newer.pk, newcomer.pk} <= set().union(*seated)
    assert versions[0].pk not in set().union(*seated)


@pytest.mark.slow
def test_the_ladder_pairs_no_retired_bot_and_no_two_bots_of_one_owner_if_others_exist() -> None:
    ada = AuthorFactory.create(username="ada")
    mine, own = create_active_version(owner=ada), create_active_version(owner=ada)
    other, gone = create_active_version(), create_active_version()
    BotVersion.objects.filter(pk=gone.pk).update(status=BotVersion.Status.RETIRED)
    start_continuous_ladder(3600)
    for second in range(6):
        continuous_services.sweep(NOON + second)
    tables = [{seat.version_id for seat in bout.match.seats.all()} for bout in Bout.objects.all()]
    assert all(other.pk in table for table in tables)
    assert gone.pk not in set().union(*tables)
    assert {mine.pk, own.pk} not in tables


def test_no_ladder_match_starts_with_too_few_bots_and_the_ladder_command_says_how_many_it_needs() -> None:
    create_active_version()
    start_continuous_ladder()
    assert continuous_services.sweep(NOON) == 0
    told = StringIO()
    call_command("ladder", "pig", stdout=told)
    assert "it waits for 2 active bots, there are 1" in told.getvalue()


@pytest.mark.slow
def test_ladder_matches_use_every_configured_table_size_for_which_enough_bots_exist() -> None:
    for _ in range(3):
        create_active_version()
    start_continuous_ladder(3600, 2, 3, 4)
    for second in range(6):
        continuous_services.sweep(NOON + second)
    sizes = Counter(bout.match.seats.count() for bout in Bout.objects.all())
    assert set(sizes) == {2, 3}


def test_a_void_ladder_match_is_recorded_once_and_changes_no_rating() -> None:
    for _ in range(2):
        create_active_version()
    start_continuous_ladder()
    continuous_services.sweep(NOON)
    match = Match.objects.get()
    assert not continuous_services.record(match.pk), "it is not over"
    assert end_match(match.pk, "the power went")
    assert continuous_services.record(match.pk)
    assert not continuous_services.record(match.pk)
    assert Bout.objects.get().ended
    assert not Rating.objects.exists()


@pytest.mark.nightly
def test_the_database_tables_of_a_continuous_ladder_can_be_rebuilt_from_its_event_stream() -> None:
    for source in (None, None, CRASHING):
        create_active_version(source)
    start_continuous_ladder()
    play_ladder_matches(9)
    before, rated = rows(), list(CourtRating.objects.order_by("bot").values_list("bot", "value", "low", "high"))
    assert any(row[-1] for row in before[2]), "somebody is benched"
    call_command("rebuild", stdout=StringIO())
    assert rows() == before
    assert list(CourtRating.objects.order_by("bot").values_list("bot", "value", "low", "high")) == rated


@pytest.mark.nightly
def test_a_bot_that_keeps_crashing_is_suspended_from_the_ladder_until_reinstated(settings: Any) -> None:
    settings.BENCH_AFTER = 2
    broken = create_active_version(CRASHING)
    for _ in range(2):
        create_active_version()
    start_continuous_ladder()
    play_ladder_matches(8)
    row = ContinuousLadderBotVersion.objects.get(version=broken)
    assert row.benched == "it crashed in 2 matches of the continuous ladder in a row"
    assert Match.objects.filter(seats__version=broken).count() == 2
    assert continuous_services.reinstate_version(broken.pk, "ada", NOON)
    assert not continuous_services.reinstate_version(broken.pk, "ada", NOON), "once is enough"
    play_ladder_matches(1, NOON + 7200)
    assert Match.objects.filter(seats__version=broken, status="closed").count() == 3
