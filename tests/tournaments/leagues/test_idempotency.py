"""Duplicate and concurrent messages have one effect, tested with real threads and processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import override_settings

from ftk_core import log_writer
from ftk_core.hash_chained_log import check_chain, lines_of
from ftk_core.league.league_facts import LeagueClosed, LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.league_state import CommandRejected
from replays.event_stream_storage import EventAppender, pages_of
from replays.models import EventStream, EventStreamPage, Match
from replays.playing.match_runner import play_match
from tests.support import killed_workers
from tests.support.ladders import build_match
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.waiting import wait_for
from tournaments import tasks
from tournaments.ladders import ladder_match_rating
from tournaments.ladders.ladder_event_types import stream_of
from tournaments.leagues import finished_league_export, league_event_projection, services, void_match_resolution
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import ALL_TIME, League, LeagueMatch, Rating
from tournaments.reports import league_page_queries

pytestmark = pytest.mark.django_db(transaction=True)


def run_concurrently(*calls: Callable[[], Any]) -> list[Any]:
    """Run these functions at the same time, each on its own database connection; return their results."""
    barrier = Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        barrier.wait(10)
        try:
            return call()
        except (CommandRejected, LeagueMatch.DoesNotExist) as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def facts(league: League) -> list[LeagueFact]:
    assert list(check_chain(pages_of(league.stream_id)))
    return league_event_projection.read_facts(league)


def kinds(league: League, kind: type[LeagueFact]) -> list[LeagueFact]:
    return [fact for fact in facts(league) if isinstance(fact, kind)]


def read_everything() -> list[tuple[Any, ...]]:
    """Return the content of all streams and all ratings."""
    pages = EventStreamPage.objects.order_by("stream_id", "first").values_list("stream_id", "first", "head")
    return [*pages, *Rating.objects.order_by("bot", "season").values_list("bot", "season", "value", "matches", "wins")]


def play_everything() -> list[str]:
    """Play all waiting matches and return them."""
    waiting = list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True))
    assert all(play_match(match_id) for match_id in waiting)
    return waiting


def _play(match_id: str, go: Any) -> None:
    go.wait(10)
    raise SystemExit(killed_workers.SPARED if play_match(match_id) else killed_workers.GAVE_UP)


@pytest.mark.slow
def test_a_match_whose_celery_task_is_delivered_to_three_workers_is_played_once() -> None:
    start_league(create_entrants(2), rounds=1)
    match, go = Match.objects.get(), killed_workers.FORK.Barrier(3)
    workers = [killed_workers.fork_process(_play, match.pk, go) for _ in range(3)]
    for worker in workers:
        worker.join(60)
    assert sorted(worker.exitcode or 0 for worker in workers) == [
        killed_workers.SPARED,
        killed_workers.GAVE_UP,
        killed_workers.GAVE_UP,
    ]
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.CLOSED, 1)
    assert list(check_chain(pages_of(match.stream_id)))


def test_a_league_started_by_four_concurrent_callers_is_paired_once() -> None:
    league = services.open_league(LeagueSettings(slug="night", name="Night", game="pig", seats=2, rounds=1))
    for version in create_entrants():
        services.enter_bot(league.pk, version)
    answers = run_concurrently(*[lambda: services.start(league.pk)] * 4)
    assert [str(answer) for answer in answers if answer] == ["Night has begun already"] * 3
    assert len(kinds(league, RoundPaired)) == 1
    assert Match.objects.count() == league.tables.count() == 2


@pytest.mark.nightly
@pytest.mark.parametrize("times", [1, 3])
def test_concurrent_duplicate_results_close_a_round_once(times: int) -> None:
    league = start_league(create_entrants(8), rounds=2)
    matches = play_everything()
    answers = run_concurrently(*[lambda match=match: services.record_match(match) for match in matches * times])
    assert 1 <= answers.count(True) <= 4, "whoever comes first records what waits"
    assert len(kinds(league, ResultRecorded)) == 4
    assert len(kinds(league, RoundClosed)) == 1
    assert [fact.round for fact in facts(league) if isinstance(fact, RoundPaired)] == [1, 2]
    assert Match.objects.filter(status=Match.Status.WAITING).count() == 4
    assert len(list(lines_of(EventAppender(stream_of("pig"))))) == 4
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}


@pytest.mark.nightly
def test_leagues_of_one_game_that_end_at_the_same_time_are_rated_one_after_another() -> None:
    versions, leagues = create_entrants(4), {"east": "2026", "west": "2027", "north": "2026", "south": "2027"}
    for slug, season in leagues.items():
        start_league(versions, rounds=1, slug=slug, season=season)
    matches = play_everything()
    assert True in run_concurrently(*[lambda match=match: services.record_match(match) for match in matches])
    assert not LeagueMatch.objects.filter(recorded=False).exists()
    for season, games in ((ALL_TIME, 4), ("2026", 2), ("2027", 2)):
        assert list(check_chain(pages_of(stream_of("pig", season))))
        ratings = Rating.objects.filter(season=season)
        assert sum(ratings.values_list("value", flat=True)) == 4 * 1_500_000
        assert set(ratings.values_list("matches", flat=True)) == {games}


def rate_again() -> None:
    with transaction.atomic():
        ladder_match_rating.rate("pig", "2026", [build_match("m", ("b0", "b1"), (1, 2), league=1 << 30)])


def rebuild_all() -> None:
    ladder_match_rating.rebuild("pig")


def is_connection_waiting() -> bool:
    """Return True if another database connection waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone() is not None


@pytest.mark.slow
@pytest.mark.parametrize("call", [rate_again, rebuild_all])
def test_a_process_that_waits_for_the_lock_of_the_all_time_ladder_locks_no_season_ladder(
    call: Callable[[], None],
) -> None:
    play_all(start_league(create_entrants(2), rounds=1, season="2026"))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            EventAppender.open_locked(stream_of("pig"))
            other = pool.submit(run_concurrently, call)
            wait_for(is_connection_waiting, "the other one waits", 10)
            EventStream.objects.select_for_update(nowait=True).get(pk=stream_of("pig", "2026"))
        assert other.result(10) == [None]


@pytest.mark.slow
def test_sweeps_at_the_same_time_as_recordings_record_no_result_twice() -> None:
    league = start_league(create_entrants(4), rounds=1)
    matches = play_everything()
    run_concurrently(tasks.sweep, tasks.sweep, *[lambda match=match: services.record_match(match) for match in matches])
    assert len(kinds(league, ResultRecorded)) == 2
    assert len(kinds(league, LeagueClosed)) == 1
    assert len(list(lines_of(EventAppender(stream_of("pig"))))) == 2


def test_a_void_match_is_replaced_once() -> None:
    start_league(create_entrants(2), rounds=1, tries=0)
    match = Match.objects.get()
    Match.objects.update(status=Match.Status.VOID)
    answers = run_concurrently(*[lambda: void_match_resolution.replace_void(match.pk, by="ada")] * 3)
    assert [isinstance(answer, str) for answer in answers].count(True) == 1
    assert Match.objects.count() == 2


@pytest.mark.nightly
def test_celery_tasks_delivered_after_the_end_of_a_league_change_nothing() -> None:
    league = start_league(create_entrants(), rounds=2)
    play_all(league)
    before = read_everything()
    for match in Match.objects.all():
        assert not play_match(match.pk)
        assert not services.record_match(match.pk)
    with pytest.raises(CommandRejected):
        services.start(league.pk)
    finished_league_export.sign_roots(league.pk)
    assert read_everything() == before


@pytest.mark.nightly
def test_concurrent_rebuilds_of_a_league_give_the_same_database_rows() -> None:
    league = start_league(create_entrants(), rounds=2)
    play_all(league)
    before, standings = read_everything(), league_page_queries.list_standings("night")
    run_concurrently(*[lambda: services.rebuild(league.pk)] * 2, *[lambda: ladder_match_rating.rebuild("pig")] * 2)
    assert read_everything() == before
    assert league_page_queries.list_standings("night") == standings


@pytest.mark.nightly
@override_settings(ATTEMPTS=2)
def test_a_round_stays_open_until_a_match_that_killed_its_workers_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_writer, "MAX_PAGE_ENTRIES", 1)
    league = start_league(create_entrants(4), rounds=2, tries=0)
    lost, other = Match.objects.order_by("pk")
    for entry in (0, 10):
        killed_workers.kill_worker_at(lost, entry, "unwritten")
    assert not play_match(lost.pk)
    lost.refresh_from_db()
    assert lost.status == Match.Status.VOID
    assert lost.reason.startswith("it was not played to its end in 2 attempts; in the last one the worker died")
    assert play_match(other.pk)
    assert services.record_match(other.pk)
    assert not services.record_match(lost.pk)
    assert kinds(league, RoundClosed) == []
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()
    call_command("rematch", lost.pk, verbosity=0)
    play_all(league)
    assert len(kinds(league, RoundClosed)) == 2
    recorded = [fact.match for fact in facts(league) if isinstance(fact, ResultRecorded)]
    assert lost.pk not in recorded
    assert len(recorded) == len(set(recorded)) == 4
