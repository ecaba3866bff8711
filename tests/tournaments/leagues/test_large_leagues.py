"""Caches, drafts and batches of large leagues give the same results as in small leagues."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from ftk_core.hash_chained_log import BrokenHashChainError
from ftk_core.league.formats import list_formats
from ftk_core.league.league_facts import BotEntered, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.league_state_from_events import encode_fact, fold_facts
from ftk_core.league.stage_progress import CannotPairDecision, NextStep, StageProgress
from replays.event_stream_storage import EventAppender
from replays.models import EventStream, Match
from tests.support.factories import create_active_version
from tests.support.leagues import create_entrants, end_waiting_matches, play_all, start_league
from tests.support.stages import pair_with
from tournaments import event_stream_state_cache, tasks
from tournaments.event_stream_state_cache import fold_stream
from tournaments.leagues import services
from tournaments.leagues.league_event_projection import load, project, read_facts
from tournaments.leagues.league_next_step import MAX_UNLOCKED_DRAFTS
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import Entrant, League
from tournaments.reports import league_page_queries

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def empty_fold_cache() -> Iterator[None]:
    """Empty the fold cache before and after the test."""
    event_stream_state_cache.LEAGUE_CACHE.folds.clear()
    yield
    event_stream_state_cache.LEAGUE_CACHE.folds.clear()


def standing_rows() -> list[dict[str, Any]]:
    return list(Entrant.objects.order_by("number").values("number", "place", "points", "tiebreaks", "played", "byes"))


def call_on_other_connection(call: Callable[[], None]) -> None:
    """Call a function on another database connection; it must not wait for a lock of this one."""

    def one() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        try:
            call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(one).result(30)


# --- cached folds


def test_the_event_stream_of_a_cached_league_is_not_read_again() -> None:
    league = start_league(create_entrants())
    assert services.record_match(end_waiting_matches(1)[0])
    stream = EventAppender(league.stream_id)
    with CaptureQueriesContext(connection) as asked:
        assert fold_stream(stream).recorded
    assert len(asked) == 0


@pytest.mark.slow
def test_the_cached_state_of_a_league_equals_that_computed_from_its_whole_event_stream() -> None:
    league = start_league(create_entrants(5), rounds=3)
    while League.objects.get().status != League.Status.CLOSED:
        for match in end_waiting_matches(1):
            services.record_match(match)
        assert load(league)[1] == fold_facts(read_facts(league))


@pytest.mark.slow
def test_events_of_a_rolled_back_transaction_are_removed_from_the_cached_league() -> None:
    league = start_league(create_entrants())
    before = load(league)[1]
    with transaction.atomic():
        stream = EventAppender(league.stream_id)
        stream.append([encode_fact(BotEntered(entry=9, version=9, name="ghost"))], stream.length)
        assert len(load(league)[1].entrants) == 5
        transaction.set_rollback(True)
    assert load(league)[1] == before
    play_all(league)
    assert load(league)[1] == fold_facts(read_facts(league))


def test_a_league_whose_event_stream_does_not_match_its_stored_hash_is_not_loaded() -> None:
    league = start_league(create_entrants())
    EventStream.objects.filter(pk=league.stream_id).update(head=bytes(range(32)))
    with pytest.raises(BrokenHashChainError, match=league.stream_id):
        load(league)


@pytest.mark.slow
def test_the_cache_of_leagues_is_limited_by_the_number_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream_state_cache.LEAGUE_CACHE, "max_facts", 20)
    versions = create_entrants()
    leagues = [start_league(versions, slug=slug) for slug in ("east", "west", "north")]
    for league in leagues * 2:
        assert load(league)[1] == fold_facts(read_facts(league))
        assert sum(kept.length for kept in event_stream_state_cache.LEAGUE_CACHE.folds.values()) <= 20


# --- results recorded together, and changed rows


@pytest.mark.slow
def test_several_waiting_results_are_recorded_together_and_only_once() -> None:
    league = start_league(create_entrants(8), rounds=1)
    first, *others = end_waiting_matches()
    assert services.record_match(first)
    assert [services.record_match(match) for match in others] == [False] * 3
    results = [fact for fact in read_facts(league) if isinstance(fact, ResultRecorded)]
    assert sorted(fact.match for fact in results) == sorted([first, *others])
    assert League.objects.get().status == League.Status.CLOSED


@pytest.mark.slow
def test_recording_a_result_costs_as_many_queries_in_a_large_league_as_in_a_small_one() -> None:
    asked = []
    for slug, count in (("small", 4), ("large", 24)):
        start_league([create_active_version(slug=f"{slug}{number}") for number in range(count)], rounds=1, slug=slug)
        (match,) = end_waiting_matches(1)
        with CaptureQueriesContext(connection) as captured:
            assert services.record_match(match)
        assert not any("tournaments_entrant" in query["sql"] for query in captured)
        asked.append([query["sql"].split()[0] for query in captured])
        Match.objects.filter(status=Match.Status.WAITING).update(status=Match.Status.VOID)
    assert asked[0] == asked[1]


def test_unchanged_standings_are_not_written() -> None:
    league = start_league(create_entrants(4), rounds=2)
    for match in end_waiting_matches():
        services.record_match(match)

    def written() -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT number, xmin::text FROM tournaments_entrant ORDER BY number")
            return cursor.fetchall()

    before = written()
    Entrant.objects.filter(number=3).update(place=9)
    project(league, load(league)[1], [RoundClosed(1)])
    assert [one == other for one, other in zip(before, written(), strict=True)] == [True, True, False, True]
    assert not Entrant.objects.filter(place=9).exists()


@pytest.mark.slow
def test_rebuilding_the_standings_during_a_round_does_not_change_them() -> None:
    league = start_league(create_entrants(8), rounds=3)
    for _ in range(4):
        services.record_match(end_waiting_matches(1)[0])
    for _ in range(2):
        services.record_match(end_waiting_matches(1)[0])
    before = standing_rows()
    assert {row["played"] for row in before} == {1}
    services.rebuild(league.pk)
    assert standing_rows() == before


def test_the_page_of_a_league_counts_the_results_of_the_running_round() -> None:
    start_league(create_entrants(4), rounds=1)
    services.record_match(end_waiting_matches(1)[0])
    assert sorted(row.played for row in league_page_queries.list_standings("night")) == [0, 0, 1, 1]
    assert league_page_queries.list_standings("night")[0].points == "1"


# --- rounds drafted without a lock


def drafting(monkeypatch: pytest.MonkeyPatch, happens: list[Callable[[], None]]) -> list[StageProgress]:
    """Run one action on another connection for each draft of a round; return the league states of the drafts."""
    real, seen = list_formats()["swiss"].next_round, list[StageProgress]()

    def next_round(progress: StageProgress) -> NextStep:
        seen.append(progress)
        if happens:
            call_on_other_connection(happens.pop(0))
        return real(progress)

    pair_with(monkeypatch, next_round)
    return seen


def test_a_bot_entered_while_the_first_round_is_being_paired_plays_that_round(monkeypatch: pytest.MonkeyPatch) -> None:
    *versions, late = create_entrants(6)
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1))
    for version in versions:
        services.enter_bot(league.pk, version)
    seen = drafting(monkeypatch, [lambda: services.enter_bot(league.pk, late)])
    services.start(league.pk)
    assert [len(progress.seeds) for progress in seen] == [5, 6]
    (paired,) = (fact for fact in read_facts(league) if isinstance(fact, RoundPaired))
    assert sorted(entry for table in paired.tables for entry in table.seating) == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
def test_after_repeated_write_conflicts_pairing_a_round_locks_the_league(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = create_entrants(4 + MAX_UNLOCKED_DRAFTS)
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1))
    for version in versions[:4]:
        services.enter_bot(league.pk, version)
    late = [lambda version=version: services.enter_bot(league.pk, version) for version in versions[4:]]

    def check_lock() -> None:
        with pytest.raises(OperationalError), transaction.atomic():
            League.objects.select_for_update(nowait=True).get()

    seen = drafting(monkeypatch, [*late, check_lock])
    services.start(league.pk)
    assert len(seen) == MAX_UNLOCKED_DRAFTS + 1
    assert len(load(league)[1].rounds) == 1


@pytest.mark.slow
def test_the_sweeper_pairs_the_next_round_if_the_worker_that_should_pair_it_died() -> None:
    league = start_league(create_entrants(4), rounds=2)
    end_waiting_matches()
    assert services.record_waiting(league.pk)
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()
    assert tasks.sweep() == 1
    assert Match.objects.filter(status=Match.Status.WAITING).count() == 2
    assert tasks.sweep() == 0
    play_all(league)


@pytest.mark.slow
def test_an_error_while_pairing_the_next_round_loses_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    league = start_league(create_entrants(4), rounds=2)
    pair_with(monkeypatch, lambda _course: CannotPairDecision("no tables can be laid"))
    matches = end_waiting_matches()
    assert services.record_match(matches[0])
    assert League.objects.get().waits == "no tables can be laid"
    assert sum(isinstance(fact, ResultRecorded) for fact in read_facts(league)) == 2
    monkeypatch.undo()
    assert tasks.sweep() == 1
