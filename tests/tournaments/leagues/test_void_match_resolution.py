"""Void matches, which block neither their own league nor others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from ftk_core.games import game_of
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.verify.league_export_verification import verify_export
from ftk_core.league.intervention_facts import MatchReplaced
from ftk_core.league.league_event_actors import LeagueActor
from ftk_core.league.league_facts import LeagueFact, ResultRecorded
from ftk_core.log_entries import read
from ftk_core.log_writer import LogWriter
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import Referee
from replays.background_work_retries import list_given_up
from replays.models import Match
from replays.models.failed_background_work import FailedWork
from replays.playing.match_leases import claim
from replays.playing.match_runner import play_match
from replays.playing.match_voiding_after_failures import _mark_void, opening_entry, void_match
from tests.support.leagues import create_entrants, perform_act, play_all, start_league
from tournaments import tasks
from tournaments.leagues import finished_league_export, services
from tournaments.leagues.league_event_appending import LEAGUE_RESULT
from tournaments.leagues.league_event_projection import read_facts
from tournaments.leagues.void_match_resolution import void_and_play_again
from tournaments.models import ALL_TIME, League, Rating

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
ORGANISER = LeagueActor(by="olga", at=1_800_000_000, why="the bots were exchanged")


def play_round() -> None:
    matches = Match.objects.filter(status=Match.Status.WAITING).values_list("pk", flat=True)
    assert all(play_match(match) for match in matches)


def facts_of(league: League, kind: type[LeagueFact]) -> list[Any]:
    return [fact for fact in read_facts(league) if isinstance(fact, kind)]


def give_up(match: Match, seat: int | None) -> None:
    """Make a match void, as if its workers had died while this seat had to answer."""
    lease = claim(match.pk, "a worker")
    assert lease
    match.refresh_from_db()
    if seat:
        lease.stream.append(play_until(match, seat), 0)
    void_match(match, lease, "two workers died playing it", seat)


def play_until(match: Match, seat: int) -> list[bytes]:
    """Return the lines of a match's log up to the first question to a seat."""
    opened, log = (
        opening_entry(match, list(match.seats.select_related("version__bot").order_by("seat")), []),
        InMemoryLog(),
    )
    players = [RandomPlayer(seed_of("player", number)) for number in range(len(opened.players))]
    Referee(game_of(opened), opened, bytes(match.seed), players, LogWriter(log)).play()
    lines = [line + b"\n" for line in lines_of(log)]
    return lines[: next(at for at, line in enumerate(lines) if getattr(read(line), "seat", None) == seat)]


@pytest.mark.parametrize(
    ("ruling", "seat", "said", "places"),
    [
        ("share", 0, "share", (1, 1)),
        ("loss", 0, "loss", (2, 1)),
        ("loss", 1, "loss", (1, 2)),
        ("loss", None, "share", (1, 1)),
        ("replay", 0, "share", (1, 1)),
    ],
)
def test_a_match_that_is_void_after_all_retries_does_not_block_its_league(
    ruling: str, seat: int | None, said: str, places: tuple[int, ...], tmp_path: Path
) -> None:
    league = start_league(create_entrants(2), rounds=1, tries=1, ruling=ruling, pace_ms=7, release="after_round")
    seeds, tries = list[bytes](), 3 if ruling == "replay" else 2
    for _ in range(tries):
        match = Match.objects.get(status=Match.Status.WAITING)
        seeds.append(bytes(match.seed))
        assert match.pace_ms == 7
        give_up(match, seat)
        assert tasks.sweep() == 1
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED
    (result,) = facts_of(league, ResultRecorded)
    assert (result.places, result.ruled) == (places, said)
    assert [fact.why for fact in facts_of(league, MatchReplaced)] == ["two workers died playing it"] * (tries - 1)
    assert seeds[0] == seeds[1]
    assert len(set(seeds)) == tries - 1
    assert not Rating.objects.exists()
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


def test_a_void_match_whose_log_was_not_ended_as_void_waits_for_an_organiser() -> None:
    league = start_league(create_entrants(2), rounds=1, tries=1)
    for is_last in (False, True):
        match = Match.objects.get(status=Match.Status.WAITING)
        if is_last:  # as after an error of the arena that let no worker store the result in its log
            lease = claim(match.pk, "a worker")
            assert lease
            _mark_void(match, lease, "its result could not be written down")
        else:
            give_up(match, 0)
        tasks.sweep()
    assert not facts_of(league, ResultRecorded)
    for _ in range(settings.ATTEMPTS):
        FailedWork.objects.update(rests_until=None)
        tasks.sweep()
    assert list_given_up(LEAGUE_RESULT) == [match.pk]
    perform_act(league, "void", {"match": match.pk}, LeagueActor(by="olga", at=1_800_000_000, why="it has no result"))
    tasks.sweep()
    league.refresh_from_db()
    assert league.status == League.Status.CLOSED


def test_a_void_match_visible_to_the_public_is_replayed_on_a_new_random_deal_each_time(tmp_path: Path) -> None:
    league = start_league(create_entrants(2), rounds=1, tries=3)
    seeds = set[bytes]()
    for _ in range(3):
        match = Match.objects.get(status=Match.Status.WAITING)
        assert match.released
        seeds.add(bytes(match.seed))
        give_up(match, None)
        assert tasks.sweep() == 1
    play_round()
    tasks.sweep()
    assert [fact.deal for fact in facts_of(league, MatchReplaced)] == [1, 2, 3]
    assert len(seeds) == 3
    finished_league_export.export_league("night", tmp_path / "night.tar")
    assert verify_export(tmp_path / "night.tar").flaws == ()


@pytest.mark.parametrize(("kinds", "deals"), [(("uploaded",), 1), (("uploaded", "remote"), 2)])
def test_a_hidden_match_is_replayed_on_a_new_deal_if_bots_that_remember_the_first_may_play(
    kinds: tuple[str, ...], deals: int
) -> None:
    start_league(create_entrants(2), rounds=1, tries=2, release="after_round", kinds=kinds)
    seeds = set()
    for _ in range(2):
        match = Match.objects.get(status=Match.Status.WAITING)
        seeds.add(bytes(match.seed))
        give_up(match, None)
        tasks.sweep()
    assert len(seeds) == deals


def test_a_sweep_continues_with_the_next_league_after_an_error_in_one_league() -> None:
    versions = create_entrants(2)
    bad, good = (start_league(versions, rounds=1, slug=slug) for slug in ("bad", "good"))
    play_round()
    bad.entrants.all().delete()  # so that the results belong to no known entry
    assert tasks.sweep() >= 1
    good.refresh_from_db()
    assert good.status == League.Status.CLOSED


def read_tables(league: League) -> list[dict[str, Any]]:
    return list(league.tables.order_by("round", "number").values())


def test_rebuilding_a_league_leaves_the_results_of_replayed_matches_recorded() -> None:
    league = start_league(create_entrants(2), rounds=1, tries=1)
    give_up(Match.objects.get(), 0)
    tasks.sweep()
    play_all(league)
    before = read_tables(league)
    assert [table["recorded"] for table in before] == [True]
    services.rebuild(league.pk)
    assert read_tables(league) == before


def test_rebuilding_a_league_leaves_a_match_that_is_played_again_without_a_result() -> None:
    league = start_league(create_entrants(4), rounds=1)
    match = league.tables.get(number=1).match_id
    assert play_match(match)
    services.record_match(match)
    void_and_play_again(league.pk, match, ORGANISER)
    before = read_tables(league)
    assert [table["recorded"] for table in before] == [False, False]
    services.rebuild(league.pk)
    assert read_tables(league) == before


def read_ratings() -> dict[str, int]:
    return dict(Rating.objects.filter(season=ALL_TIME).values_list("bot__slug", "value"))


def test_overruling_a_match_that_was_played_after_a_ruling_corrects_the_ratings() -> None:
    league = start_league(create_entrants(4), rounds=2, tries=1)
    for _ in range(2):
        give_up(league.tables.get(round=1, number=1).match, 0)
        tasks.sweep()
    (ruled,) = facts_of(league, ResultRecorded)
    assert ruled.ruled
    void_and_play_again(league.pk, ruled.match, ORGANISER)
    for match in list(league.tables.filter(round=1).values_list("match_id", flat=True)):
        assert play_match(match)
        services.record_match(match)
    played = next(fact for fact in facts_of(league, ResultRecorded) if fact.table == 1 and not fact.ruled)
    one, other = (f"b{entry - 1}" for entry in played.seating)
    before = read_ratings()
    assert before[one] != before[other]
    perform_act(league, "overrule", {"match": played.match, "places": [*reversed(played.places)]}, ORGANISER)
    assert (read_ratings()[one], read_ratings()[other]) == (before[other], before[one])
