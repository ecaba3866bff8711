"""Whatever is delivered twice, at the same moment or late, happens once: by real threads and real processes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import override_settings

from ftk_core import scribe
from ftk_core.league.facts import LeagueClosed, LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.state import NotNow
from ftk_core.log import check_chain, lines_of
from replays.models import Match, Page, Stream
from replays.playing.runner import play_match
from replays.store import StreamLog, pages_of
from tests.support import victims
from tests.support.ladders import counted
from tests.support.leagues import entrants, new_league, play_all
from tests.support.waiting import wait_for
from tournaments import ladder, league_queries, projections, services, tasks, voids
from tournaments.ladder_facts import stream_of
from tournaments.models import ALL_TIME, League, Rating, TableMatch
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make all calls at the same moment, each on a connection of its own; return what came of each."""
    barrier = Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        barrier.wait(10)
        try:
            return call()
        except (NotNow, TableMatch.DoesNotExist) as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def facts(league: League) -> list[LeagueFact]:
    assert list(check_chain(pages_of(league.stream_id)))
    return projections.read_facts(league)


def kinds(league: League, kind: type[LeagueFact]) -> list[LeagueFact]:
    return [fact for fact in facts(league) if isinstance(fact, kind)]


def everything() -> list[tuple[Any, ...]]:
    """Return all that is stored of all streams, and every rating."""
    pages = Page.objects.order_by("stream_id", "first").values_list("stream_id", "first", "head")
    return [*pages, *Rating.objects.order_by("bot", "season").values_list("bot", "season", "value", "matches", "wins")]


def all_played() -> list[str]:
    """Play every match that waits; return them."""
    waiting = list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True))
    assert all(play_match(match_id) for match_id in waiting)
    return waiting


def _play(match_id: str, go: Any) -> None:
    go.wait(10)
    raise SystemExit(victims.SPARED if play_match(match_id) else victims.GAVE_UP)


def test_a_match_that_is_delivered_to_three_workers_at_once_is_played_by_one() -> None:
    new_league(entrants(2), rounds=1)
    match, go = Match.objects.get(), victims.FORK.Barrier(3)
    workers = [victims.forked(_play, match.pk, go) for _ in range(3)]
    for worker in workers:
        worker.join(60)
    assert sorted(worker.exitcode or 0 for worker in workers) == [victims.SPARED, victims.GAVE_UP, victims.GAVE_UP]
    match.refresh_from_db()
    assert (match.status, match.attempts) == (Match.Status.CLOSED, 1)
    assert list(check_chain(pages_of(match.stream_id)))


def test_a_league_that_is_started_by_four_at_once_is_paired_once() -> None:
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1))
    for version in entrants():
        services.enter_bot(league.pk, version)
    answers = at_once(*[lambda: services.start(league.pk)] * 4)
    assert [str(answer) for answer in answers if answer] == ["Night has begun already"] * 3
    assert len(kinds(league, RoundPaired)) == 1
    assert Match.objects.count() == league.tables.count() == 2


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 3])
def test_results_that_come_in_at_once_and_repeatedly_close_a_round_once(times: int) -> None:
    league = new_league(entrants(8), rounds=2)
    matches = all_played()
    answers = at_once(*[lambda match=match: services.record_match(match) for match in matches * times])
    assert 1 <= answers.count(True) <= 4, "whoever comes first records what waits"
    assert len(kinds(league, ResultRecorded)) == 4
    assert len(kinds(league, RoundClosed)) == 1
    assert [fact.round for fact in facts(league) if isinstance(fact, RoundPaired)] == [1, 2]
    assert Match.objects.filter(status=Match.Status.WAITING).count() == 4
    assert len(list(lines_of(StreamLog(stream_of("pig"))))) == 4
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}


@pytest.mark.slow
def test_leagues_of_one_game_that_end_at_once_are_rated_one_after_the_other() -> None:
    versions, leagues = entrants(4), {"east": "2026", "west": "2027", "north": "2026", "south": "2027"}
    for slug, season in leagues.items():
        new_league(versions, rounds=1, slug=slug, season=season)
    matches = all_played()
    assert True in at_once(*[lambda match=match: services.record_match(match) for match in matches])
    assert not TableMatch.objects.filter(recorded=False).exists()
    for season, games in ((ALL_TIME, 4), ("2026", 2), ("2027", 2)):
        assert list(check_chain(pages_of(stream_of("pig", season))))
        ratings = Rating.objects.filter(season=season)
        assert sum(ratings.values_list("value", flat=True)) == 4 * 1_500_000
        assert set(ratings.values_list("matches", flat=True)) == {games}


def rate_again() -> None:
    with transaction.atomic():
        ladder.rate("pig", "2026", [counted("m", ("b0", "b1"), (1, 2), league=1 << 30)])


def rebuild_all() -> None:
    ladder.rebuild("pig")


def somebody_waits() -> bool:
    """Tell whether another connection waits for what this one holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone() is not None


@pytest.mark.parametrize("call", [rate_again, rebuild_all])
def test_whoever_waits_for_the_ladder_of_all_time_holds_no_season_s(call: Callable[[], None]) -> None:
    play_all(new_league(entrants(2), rounds=1, season="2026"))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            StreamLog.alone(stream_of("pig"))
            other = pool.submit(at_once, call)
            wait_for(somebody_waits, "the other one waits", 10)
            Stream.objects.select_for_update(nowait=True).get(pk=stream_of("pig", "2026"))
        assert other.result(10) == [None]


def test_the_sweeper_beside_the_results_it_looks_for_adds_nothing() -> None:
    league = new_league(entrants(4), rounds=1)
    matches = all_played()
    at_once(tasks.sweep, tasks.sweep, *[lambda match=match: services.record_match(match) for match in matches])
    assert len(kinds(league, ResultRecorded)) == 2
    assert len(kinds(league, LeagueClosed)) == 1
    assert len(list(lines_of(StreamLog(stream_of("pig"))))) == 2


def test_a_void_match_is_ordered_again_once() -> None:
    new_league(entrants(2), rounds=1, tries=0)
    match = Match.objects.get()
    Match.objects.update(status=Match.Status.VOID)
    answers = at_once(*[lambda: voids.replace_void(match.pk, by="ada")] * 3)
    assert [isinstance(answer, str) for answer in answers].count(True) == 1
    assert Match.objects.count() == 2


@pytest.mark.slow
def test_whatever_comes_when_the_league_is_over_changes_nothing() -> None:
    league = new_league(entrants(), rounds=2)
    play_all(league)
    before = everything()
    for match in Match.objects.all():
        assert not play_match(match.pk)
        assert not services.record_match(match.pk)
    with pytest.raises(NotNow):
        services.start(league.pk)
    services.sign_roots(league.pk)
    assert everything() == before


@pytest.mark.slow
def test_rebuilding_at_once_comes_to_what_was_there() -> None:
    league = new_league(entrants(), rounds=2)
    play_all(league)
    before, standings = everything(), league_queries.list_standings("night")
    at_once(*[lambda: services.rebuild(league.pk)] * 2, *[lambda: ladder.rebuild("pig")] * 2)
    assert everything() == before
    assert league_queries.list_standings("night") == standings


@pytest.mark.slow
@override_settings(ATTEMPTS=2)
def test_a_round_waits_for_a_match_that_no_worker_survives_until_the_organiser_has_it_played_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scribe, "PAGE_ENTRIES", 1)
    league = new_league(entrants(4), rounds=2, tries=0)
    lost, other = Match.objects.order_by("pk")
    for entry in (0, 10):
        victims.kill_at(lost, entry, "unwritten")
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
