"""A league that grows keeps its promises: what is kept, drafted or written together comes to the same as before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from ftk_core.league.facts import BotEntered, LeagueFact, ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.folding import fold, write
from ftk_core.league.formats import swiss
from ftk_core.league.progress import Progress, Step, Wait
from ftk_core.log import BrokenChain
from replays.models import Match, Stream
from replays.playing.runner import play_match
from replays.store import StreamLog
from tests.support.factories import active_version
from tests.support.leagues import entrants, new_league, play_all
from tournaments import folds, league_queries, services, tasks
from tournaments.folds import folded
from tournaments.models import Entrant, League
from tournaments.projections import load, project, read_facts
from tournaments.rounds import DRAFTS
from tournaments.terms import Terms

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Begin and end without folds of other leagues."""
    folds.LEAGUES.kept.clear()
    yield
    folds.LEAGUES.kept.clear()


def play(most: int | None = None) -> list[str]:
    """Play matches that wait; return them."""
    waiting = list(Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True)[:most])
    assert all(play_match(match) for match in waiting)
    return waiting


def standing_rows() -> list[dict[str, Any]]:
    return list(Entrant.objects.order_by("number").values("number", "place", "points", "tiebreaks", "played", "byes"))


def elsewhere(call: Callable[[], None]) -> None:
    """Make a call on a connection of its own, which must not have to wait for this one."""

    def one() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        try:
            call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(one).result(30)


# --- the fold that is kept


def test_a_league_that_only_moved_here_is_not_read_again() -> None:
    league = new_league(entrants())
    assert services.record_match(play(1)[0])
    stream = StreamLog(league.stream_id)
    with CaptureQueriesContext(connection) as asked:
        assert folded(stream).recorded
    assert len(asked) == 0


@pytest.mark.slow
def test_what_is_kept_is_what_the_whole_stream_folds_to_at_every_fact() -> None:
    league = new_league(entrants(5), rounds=3)
    while League.objects.get().status != League.Status.CLOSED:
        for match in play(1):
            services.record_match(match)
        assert load(league)[1] == fold(read_facts(league))


def test_what_a_transaction_that_came_to_nothing_appended_is_forgotten() -> None:
    league = new_league(entrants())
    before = load(league)[1]
    with transaction.atomic():
        stream = StreamLog(league.stream_id)
        stream.append([write(BotEntered(entry=9, version=9, name="ghost"))], stream.length)
        assert len(load(league)[1].entrants) == 5
        transaction.set_rollback(True)
    assert load(league)[1] == before
    play_all(league)
    assert load(league)[1] == fold(read_facts(league))


def test_a_stream_that_is_not_what_its_head_says_is_not_folded() -> None:
    league = new_league(entrants())
    Stream.objects.filter(pk=league.stream_id).update(head=bytes(range(32)))
    with pytest.raises(BrokenChain, match=league.stream_id):
        load(league)


def test_no_more_is_kept_than_so_many_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folds.LEAGUES, "most", 20)
    versions = entrants()
    leagues = [new_league(versions, slug=slug) for slug in ("east", "west", "north")]
    for league in leagues * 2:
        assert load(league)[1] == fold(read_facts(league))
        assert sum(kept.length for kept in folds.LEAGUES.kept.values()) <= 20


# --- results together, and rows that changed


def test_results_that_wait_are_recorded_together_and_each_once() -> None:
    league = new_league(entrants(8), rounds=1)
    first, *others = play()
    assert services.record_match(first)
    assert [services.record_match(match) for match in others] == [False] * 3
    results = [fact for fact in read_facts(league) if isinstance(fact, ResultRecorded)]
    assert sorted(fact.match for fact in results) == sorted([first, *others])
    assert League.objects.get().status == League.Status.CLOSED


def test_recording_a_result_asks_as_much_of_the_database_in_a_large_league_as_in_a_small_one() -> None:
    asked = []
    for slug, count in (("small", 4), ("large", 24)):
        new_league([active_version(slug=f"{slug}{number}") for number in range(count)], rounds=1, slug=slug)
        (match,) = play(1)
        with CaptureQueriesContext(connection) as captured:
            assert services.record_match(match)
        assert not any("tournaments_entrant" in query["sql"] for query in captured)
        asked.append([query["sql"].split()[0] for query in captured])
        Match.objects.filter(status=Match.Status.WAITING).update(status=Match.Status.VOID)
    assert asked[0] == asked[1]


def test_standings_that_have_not_changed_are_not_written() -> None:
    league = new_league(entrants(4), rounds=2)
    for match in play():
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
def test_standings_are_the_same_when_they_are_made_again_in_the_middle_of_a_round() -> None:
    league = new_league(entrants(8), rounds=3)
    for _ in range(4):
        services.record_match(play(1)[0])
    for _ in range(2):
        services.record_match(play(1)[0])
    before = standing_rows()
    assert {row["played"] for row in before} == {1}
    services.rebuild(league.pk)
    assert standing_rows() == before


def test_a_page_counts_what_the_round_has_brought_so_far() -> None:
    new_league(entrants(4), rounds=1)
    services.record_match(play(1)[0])
    assert sorted(row.played for row in league_queries.list_standings("night")) == [0, 0, 1, 1]
    assert league_queries.list_standings("night")[0].points == "1"


# --- rounds drafted while nobody waits


def drafting(monkeypatch: pytest.MonkeyPatch, happens: list[Callable[[], None]]) -> list[Progress]:
    """Let things happen elsewhere while a round is drafted, one a draft; return what the drafts are made from."""
    real, seen = swiss.next_round, list[Progress]()

    def next_round(progress: Progress) -> Step:
        seen.append(progress)
        if happens:
            elsewhere(happens.pop(0))
        return real(progress)

    monkeypatch.setattr(swiss, "next_round", next_round)
    return seen


def test_a_bot_that_enters_while_the_first_round_is_drafted_is_not_kept_waiting_and_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    *versions, late = entrants(6)
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1))
    for version in versions:
        services.enter_bot(league.pk, version)
    seen = drafting(monkeypatch, [lambda: services.enter_bot(league.pk, late)])
    services.start(league.pk)
    assert [len(progress.seeds) for progress in seen] == [5, 6]
    paired = [fact for fact in read_facts(league) if isinstance(fact, RoundPaired)]
    assert [sorted(entry for table in fact.tables for entry in table.seating) for fact in paired] == [
        [1, 2, 3, 4, 5, 6]
    ]


def test_a_league_that_moves_at_every_draft_is_held_for_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = entrants(4 + DRAFTS)
    league = services.open_league(Terms(slug="night", name="Night", game="pig", seats=2, rounds=1))
    for version in versions[:4]:
        services.enter_bot(league.pk, version)
    late = [lambda version=version: services.enter_bot(league.pk, version) for version in versions[4:]]
    seen = drafting(monkeypatch, late)
    services.start(league.pk)
    assert len(seen) == DRAFTS + 1
    assert len(load(league)[1].rounds) == 1


@pytest.mark.slow
def test_a_round_whose_worker_died_before_the_next_was_paired_is_followed_by_the_sweeper() -> None:
    league = new_league(entrants(4), rounds=2)
    play()
    assert services.record_waiting(league.pk)
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()
    assert tasks.sweep() == 1
    assert Match.objects.filter(status=Match.Status.WAITING).count() == 2
    assert tasks.sweep() == 0
    play_all(league)


def test_a_format_that_cannot_pair_loses_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    league = new_league(entrants(4), rounds=2)

    monkeypatch.setattr(swiss, "next_round", lambda _course: Wait("no tables can be laid"))
    matches = play()
    assert services.record_match(matches[0])
    league.refresh_from_db()
    assert league.waits == "no tables can be laid"
    facts: list[LeagueFact] = [fact for fact in read_facts(league) if isinstance(fact, ResultRecorded)]
    assert len(facts) == 2
    monkeypatch.undo()
    assert tasks.sweep() == 1
