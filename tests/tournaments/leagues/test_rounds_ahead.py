"""Round robins play matches of the next round early, while the signed stream stays in the order of rounds."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from foundation.debounce import Debounce
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.intervention_facts import MatchVoided
from ftk_core.league.league_command_handlers import record
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import ResultRecorded, RoundClosed, RoundPaired
from ftk_core.league.match_result_command_handlers import void_match
from ftk_core.league.organiser_command_handlers import pause_league, withdraw_from_league
from ftk_core.league.signature_facts import RoundSigned
from replays.event_stream_storage import pages_of
from replays.models import Match
from replays.playing.match_cancellation import end_match
from replays.playing.match_runner import play_match
from tests.support.leagues import create_entrants, perform_act, play_all, start_league, store_drawn_result
from tournaments import match_recording
from tournaments.ladders import ladder_match_rating
from tournaments.leagues import finished_league_export, services, void_match_resolution
from tournaments.leagues.league_event_appending import act, append, lock_league
from tournaments.leagues.league_event_projection import load, read_facts
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League
from tournaments.organisers.round_overview import build_round_overview
from tournaments.tasks import do_all_due_work

pytestmark = pytest.mark.django_db(transaction=True)
DEADLINE = timezone.now() + timedelta(days=1)
HAND = LeagueActor(by="ada", at=1_800_000_000, why="the test says so")


def round_robin(count: int = 4, **terms: Any) -> League:
    return start_league(create_entrants(count), rounds=0, format="round_robin", **terms)


def matches(league: League, number: int) -> list[str]:
    return list(league.tables.filter(round=number).order_by("number").values_list("match_id", flat=True))


def played(match_id: str) -> str:
    assert play_match(match_id)
    return match_id


def ended(match_id: str) -> str:
    """End a match without playing it, where nobody reads its log."""
    store_drawn_result(match_id, Random(1))
    return match_id


def kinds(league: League) -> list[str]:
    """Return the types of the facts about a league's rounds, in order."""
    told = RoundPaired, ResultRecorded, RoundClosed, RoundSigned
    return [f"{type(fact).__name__} {fact.round}" for fact in read_facts(league) if isinstance(fact, told)]


def test_a_round_robin_league_pairs_its_second_round_at_the_start_but_a_swiss_league_does_not() -> None:
    bots = create_entrants()
    robin, swiss = (start_league(bots, rounds=2, slug=name, format=name) for name in ("round_robin", "swiss"))
    assert set(robin.tables.values_list("round", flat=True)) == {1, 2}
    assert set(swiss.tables.values_list("round", flat=True)) == {1}


def test_a_round_robin_league_that_begins_at_its_deadline_pairs_its_second_round_too() -> None:
    league = services.open_league(
        LeagueSettings(
            slug="night", name="Night", game="pig", seats=2, format="round_robin", rounds=0, entries_until=DEADLINE
        )
    )
    for version in create_entrants():
        services.enter_bot(league.pk, version)
    assert services.do_due_work(league.pk, DEADLINE)
    assert set(league.tables.values_list("round", flat=True)) == {1, 2}


@pytest.mark.slow
def test_closing_a_league_counts_the_finished_matches_of_a_round_that_was_paired_early(tmp_path: Path) -> None:
    league = round_robin()
    services.record_match(played(matches(league, 1)[0]))
    early = [played(match) for match in matches(league, 2)]
    perform_act(league, "close", {}, HAND)
    facts = read_facts(league)
    assert set(early) < {fact.match for fact in facts if isinstance(fact, ResultRecorded)}
    assert [fact.match for fact in facts if isinstance(fact, MatchVoided)] == [matches(league, 1)[1]]
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


@pytest.mark.slow
def test_a_result_of_a_round_paired_in_advance_is_recorded_and_signed_with_that_round(tmp_path: Path) -> None:
    league = round_robin()
    first, second = matches(league, 1), matches(league, 2)
    for match in second:
        assert not match_recording.record(played(match)), "it is not its round's turn"
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
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


@pytest.mark.slow
def test_matches_are_rated_in_the_order_of_their_rounds() -> None:
    league = round_robin()
    while league.status != League.Status.CLOSED:
        going = league.tables.filter(match__status=Match.Status.WAITING).order_by("-round", "-number")
        for match in list(going.values_list("match_id", flat=True)):
            services.record_match(played(match))
        league.refresh_from_db()
    lines = b"".join(line for page in pages_of(ladder_match_rating.stream_of("pig")) for line in page.lines).decode()
    order = list(league.tables.order_by("round", "number").values_list("match_id", flat=True))
    assert sorted(order, key=lines.index) == order


@pytest.mark.slow
def test_the_last_match_of_a_round_is_recorded_while_matches_of_the_next_round_are_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_recording, "record_debounce", Debounce(3600.0))
    league = round_robin(8)
    told = [match_recording.record(played(match)) for match in matches(league, 1)]
    assert told == [True, False, False, True]


def test_a_finished_match_of_a_later_round_enqueues_no_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[str] = []
    monkeypatch.setattr(match_recording, "enqueue_task", lambda _name, match_id: rung.append(match_id))
    league = round_robin()
    match_recording.enqueue_recording(ended(matches(league, 2)[0]))
    assert rung == []


def test_the_sweeper_skips_a_league_that_has_only_results_of_a_later_round() -> None:
    league = round_robin()
    for match in matches(league, 2):
        ended(match)
    assert do_all_due_work(timezone.now()) == 0


@pytest.mark.slow
def test_a_void_match_of_the_next_round_is_replayed_once_that_round_begins() -> None:
    league = round_robin(tries=1)
    given_up = matches(league, 2)[0]
    assert end_match(given_up, "nobody plays it")
    assert void_match_resolution.settle_void_matches(league.pk) == 0
    for match in matches(league, 1):
        assert services.record_match(played(match))
    assert given_up not in matches(league, 2)
    play_all(league)


@pytest.mark.slow
def test_a_withdrawn_bot_plays_rounds_already_paired_but_no_rounds_paired_afterwards() -> None:
    league = round_robin()
    act(league.pk, lambda state: withdraw_from_league(state, 1, HAND))
    play_all(league)
    _, state = load(league)
    sat = [{entry for table in paired.tables for entry in table.seating} for paired in state.rounds]
    assert [1 in entries for entries in sat] == [True, True, False]


@pytest.mark.slow
def test_a_paused_league_finishes_paired_rounds_and_pairs_no_new_one() -> None:
    league = round_robin()
    act(league.pk, lambda state: pause_league(state, HAND))
    for match in [*matches(league, 1), *matches(league, 2)]:
        services.record_match(played(match))
    _, state = load(league)
    assert (len(state.rounds), state.closed_rounds) == (2, 2)
    assert not Match.objects.filter(status=Match.Status.WAITING).exists()


def test_the_organisers_page_shows_the_current_round_and_not_the_round_paired_in_advance() -> None:
    league = round_robin()
    for match in matches(league, 2):
        ended(match)
    league.refresh_from_db()
    room = build_round_overview(league, within=True)
    assert (room.round, room.played, room.of) == (1, 0, 2)


@pytest.mark.slow
def test_a_round_paired_in_advance_whose_only_match_is_void_ends_with_the_previous_round(
    tmp_path: Path,
) -> None:
    league = round_robin(3)
    (ahead,) = matches(league, 2)
    act(league.pk, lambda state: void_match(state, (2, 1, 0), ahead, HAND))
    while waiting := Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True).first():
        services.record_match(played(waiting))
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    assert kinds(league)[:7] == [
        *("RoundPaired 1", "RoundPaired 2", "ResultRecorded 1", "RoundClosed 1", "RoundSigned 1"),
        *("RoundClosed 2", "RoundSigned 2"),
    ]
    finished_league_export.export_league(league.slug, tmp_path / "league.tar")
    assert verify_export(tmp_path / "league.tar").flaws == ()


def test_the_sweeper_ends_an_empty_round_that_an_earlier_software_release_left_open() -> None:
    league = round_robin(3)
    (ahead,) = matches(league, 2)
    act(league.pk, lambda state: void_match(state, (2, 1, 0), ahead, HAND))
    (match,) = matches(league, 1)
    ended(match)
    with transaction.atomic():
        locked = lock_league(league.pk)
        stream, state = load(locked)
        append(locked, stream, state, record(state, *services.list_waiting_results(locked, state)))
    do_all_due_work(timezone.now())
    assert load(league)[1].closed_rounds >= 2
