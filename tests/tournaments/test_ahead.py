"""While a round of a round robin is played, matches of the next one begin; what is signed stays the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from ftk_core.kit.verify_league import verify_export
from ftk_core.league.facts import ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.organising import Hand, pause, withdraw
from ftk_core.league.signatures import RoundSigned
from replays.models import Match
from replays.playing.ending import end_match
from replays.playing.runner import play_match
from replays.store import pages_of
from tests.support.leagues import entrants, new_league, play_all
from tournaments import ladder, recording, services, voids
from tournaments.models import League
from tournaments.projections import load, read_facts
from tournaments.run_room import look_in
from tournaments.tasks import tend_all

pytestmark = pytest.mark.django_db(transaction=True)
HAND = Hand(by="ada", at=1_800_000_000, why="the test says so")


def round_robin(count: int = 4, **terms: Any) -> League:
    return new_league(entrants(count), rounds=0, format="round_robin", **terms)


def matches(league: League, number: int) -> list[str]:
    return list(league.tables.filter(round=number).order_by("number").values_list("match_id", flat=True))


def played(match_id: str) -> str:
    assert play_match(match_id)
    return match_id


def kinds(league: League) -> list[str]:
    """Return what happened in a league's rounds, in order."""
    told = RoundPaired, ResultRecorded, RoundClosed, RoundSigned
    return [f"{type(fact).__name__} {fact.round}" for fact in read_facts(league) if isinstance(fact, told)]


def test_two_rounds_of_a_round_robin_are_ordered_and_one_of_a_swiss_league() -> None:
    bots = entrants()
    robin, swiss = (new_league(bots, rounds=2, slug=name, format=name) for name in ("round_robin", "swiss"))
    assert set(robin.tables.values_list("round", flat=True)) == {1, 2}
    assert set(swiss.tables.values_list("round", flat=True)) == {1}


def test_what_ends_early_is_recorded_when_its_round_is_played_and_everything_is_signed_in_order(tmp_path: Path) -> None:
    league = round_robin()
    first, second = matches(league, 1), matches(league, 2)
    for match in second:
        assert not recording.record(played(match)), "it is not its round's turn"
    league.refresh_from_db()
    assert (league.round, league.rounds) == (1, 3)
    assert not services.record_match(second[0])
    assert services.record_match(played(first[0]))
    assert services.record_match(played(first[1]))
    league.refresh_from_db()
    assert league.round == 3, "the second round was over before the first"
    assert kinds(league) == [
        *("RoundPaired 1", "RoundPaired 2", "ResultRecorded 1", "ResultRecorded 1", "RoundClosed 1", "RoundSigned 1"),
        *("RoundPaired 3", "ResultRecorded 2", "ResultRecorded 2", "RoundClosed 2", "RoundSigned 2"),
    ]
    play_all(league)
    services.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_matches_count_on_the_ladders_in_the_order_of_the_rounds_whichever_ends_first() -> None:
    league = round_robin()
    while league.status != League.Status.CLOSED:
        going = league.tables.filter(match__status=Match.Status.WAITING).order_by("-round", "-number")
        for match in list(going.values_list("match_id", flat=True)):
            services.record_match(played(match))
        league.refresh_from_db()
    lines = b"".join(line for page in pages_of(ladder.stream_of("pig")) for line in page.lines).decode()
    order = list(league.tables.order_by("round", "number").values_list("match_id", flat=True))
    assert sorted(order, key=lines.index) == order


def test_the_last_of_a_round_is_recorded_at_once_though_matches_of_the_next_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recording, "PAUSE_SECONDS", 3600.0)
    league = round_robin(8)
    told = [recording.record(played(match)) for match in matches(league, 1)]
    assert told == [True, False, False, True]


def test_nobody_rings_for_a_match_whose_round_has_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[str] = []
    monkeypatch.setattr(recording, "ring", lambda _name, match_id: rung.append(match_id))
    league = round_robin()
    recording.heard(played(matches(league, 2)[0]))
    assert rung == []


def test_the_sweeper_leaves_a_league_alone_of_which_only_a_later_round_has_ended() -> None:
    league = round_robin()
    for match in matches(league, 2):
        played(match)
    assert tend_all(timezone.now()) == 0


def test_a_match_that_was_given_up_ahead_is_played_again_when_its_round_is_played() -> None:
    league = round_robin(tries=1)
    given_up = matches(league, 2)[0]
    assert end_match(given_up, "nobody plays it")
    assert voids.settle(league.pk) == 0
    for match in matches(league, 1):
        assert services.record_match(played(match))
    assert given_up not in matches(league, 2)
    play_all(league)


def test_who_withdraws_plays_the_round_that_was_paired_and_none_after_it() -> None:
    league = round_robin()
    services.act(league.pk, lambda state: withdraw(state, 1, HAND))
    play_all(league)
    _, state = load(league)
    sat = [{entry for table in paired.tables for entry in table.seating} for paired in state.rounds]
    assert [1 in entries for entries in sat] == [True, True, False]


def test_a_league_that_is_paused_goes_on_with_what_was_paired_and_pairs_nothing() -> None:
    league = round_robin()
    services.act(league.pk, lambda state: pause(state, HAND))
    for match in [*matches(league, 1), *matches(league, 2)]:
        services.record_match(played(match))
    _, state = load(league)
    assert (len(state.rounds), state.closed_rounds) == (2, 2)
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()


def test_the_run_room_shows_the_round_that_is_played() -> None:
    league = round_robin()
    for match in matches(league, 2):
        played(match)
    league.refresh_from_db()
    room = look_in(league, within=True)
    assert (room.round, room.played, room.of) == (1, 0, 2)
