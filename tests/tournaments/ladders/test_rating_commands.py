"""Counting of matches on ladders: ratings do not depend on the order in which matches arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings, strategies as st

from bots.models import BotVersion
from tests.support.ladders import NAMES, Ratings, add_matches, build_match, create_bot, draw_results, read_elo
from tests.support.leagues import create_entrants, play_all, start_league
from tests.support.orders import ORDERS
from tournaments.ladders import ladder_court_ratings, ladder_match_rating, queries as ladder_queries
from tournaments.ladders.elo_ratings import START_RATING, compute_deltas, compute_k
from tournaments.ladders.ladder_event_types import LeagueMatchRated
from tournaments.leagues import services
from tournaments.models import (
    ALL_TIME,
    CourtRating,
    HeadToHeadTotal,
    LadderProjection,
    LeagueMatch,
    RatedMatchSeat,
    Rating,
)


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots without a match."""
    return [create_bot(slug) for slug in NAMES]


def tables(season: str = ALL_TIME) -> list[list[tuple[Any, ...]]]:
    """Return all rows of a ladder's database tables."""
    rows = {
        Rating.objects.filter(season=season): ("bot", "value", "matches", "wins", "last_delta"),
        RatedMatchSeat.objects.filter(ladder__season=season): (
            "at",
            "seat",
            "bot",
            "place",
            "before",
            "after",
            "matches",
        ),
        HeadToHeadTotal.objects.filter(ladder__season=season, matches__gt=0): ("bot", "other", "halves", "matches"),
    }
    return [sorted(table.values_list(*columns)) for table, columns in rows.items()]


def court(season: str = ALL_TIME) -> list[tuple[Any, ...]]:
    rows = CourtRating.objects.filter(season=season).order_by("bot__slug")
    return list(rows.values_list("bot__slug", "value", "low", "high", "ahead"))


def by_hand(played: Sequence[LeagueMatchRated], otherwise: Mapping[str, Sequence[int] | None]) -> Ratings:
    """Return the Elo ratings after these matches, computed one match at a time in sorted order."""
    found: Ratings = {}
    for match in sorted(played, key=lambda one: (one.league, one.round, one.table, one.game)):
        if places := otherwise.get(match.match, match.places):
            before = [found.get(name, (START_RATING, 0, 0)) for name in match.names]
            moved = compute_deltas(
                [value for value, *_ in before], places, [compute_k(games) for _, games, _ in before]
            )
            for name, place, delta in zip(match.names, places, moved, strict=True):
                value, games, wins = found.get(name, (START_RATING, 0, 0))
                found[name] = (value + delta, games + 1, wins + (place == 1))
    return found


def three_leagues(field: Sequence[BotVersion], each: int = 7) -> list[LeagueMatchRated]:
    return [match for league in (1, 2, 3) for match in add_matches(draw_results(each + league, field), league)]


@pytest.mark.nightly
def test_ladder_ratings_do_not_depend_on_the_order_in_which_results_of_three_leagues_arrive(
    field: list[BotVersion],
) -> None:
    played, luck = three_leagues(field), Random(1)
    found, fitted = set(), set()
    for order in range(ORDERS):
        with transaction.atomic():
            luck.shuffle(played)
            cuts = [0, *sorted(luck.sample(range(1, len(played)), 4)), len(played)]
            for start, end in pairwise(cuts):
                ladder_match_rating.rate("pig", f"s{order}", played[start:end])
            found.add(str((tables(f"s{order}"), read_elo(f"s{order}") == by_hand(played, {}))))
            ladder_court_ratings.refit("pig")
            fitted.add(str(court(f"s{order}")))
            transaction.set_rollback(True)
    assert len(found) == len(fitted) == 1
    assert found.pop().endswith("True)")


@pytest.mark.slow
def test_late_or_corrected_results_give_the_same_ratings_as_if_they_had_been_known_from_the_start(
    field: list[BotVersion],
) -> None:
    played = three_leagues(field)
    late, overruled, gone = played[3], played[5], played[-2]
    ladder_match_rating.rate("pig", "2026", [match for match in played if match is not late])
    ladder_match_rating.rate("pig", "2026", [late])
    otherwise = {overruled.match: overruled.places[::-1], gone.match: None}
    for match, places in otherwise.items():
        ladder_match_rating.correct(match, places, "as the arbiter says")
    assert read_elo() == read_elo("2026") == by_hand(played, otherwise)
    ladder_court_ratings.refit("pig")
    live = (tables(), tables("2026"), court(), court("2026"))
    call_command("rebuild", verbosity=0)
    assert (tables(), tables("2026"), court(), court("2026")) == live
    for match in (overruled, gone):
        ladder_match_rating.correct(match.match, match.places, "no, it was right")
    assert read_elo() == by_hand(played, {})


@pytest.mark.slow
def test_a_bot_whose_only_match_is_removed_leaves_the_ladder(field: list[BotVersion]) -> None:
    ada, bo, *_ = NAMES
    (match,) = add_matches([(field[:2], (1, 2))])
    ladder_match_rating.rate("pig", "2026", [match])
    ladder_court_ratings.refit("pig")
    assert set(read_elo()) == {ada, bo} == {row[0] for row in court()}
    ladder_match_rating.correct(match.match, None, "it was played by mistake")
    ladder_court_ratings.refit("pig")
    assert (read_elo(), court(), ladder_queries.read_ladder("pig").rows) == ({}, [], [])
    ladder_match_rating.correct(match.match, (2, 1), "and yet it counts")
    ladder_court_ratings.refit("pig")
    assert [row.name for row in ladder_queries.read_ladder("pig").rows] == [bo, ada]


def test_rating_commands_refuse_unrated_matches_and_wrong_places_and_duplicate_rating_positions(
    field: list[BotVersion],
) -> None:
    ladder_match_rating.rate("pig", "2026", [build_match("m1", NAMES[:2], (1, 2))])
    with pytest.raises(LookupError, match="m2"):
        ladder_match_rating.correct("m2", (1, 2), "")
    with pytest.raises(ValueError, match="m1 has 2 seats"):
        ladder_match_rating.correct("m1", (1, 2, 3), "")
    with pytest.raises(ValueError, match="counts already"):
        ladder_match_rating.rate("pig", "2026", [build_match("m2", NAMES[:2], (1, 2))])
    with pytest.raises(ValueError, match="no place on a ladder"):
        ladder_match_rating.rate("pig", "2026", [build_match("m3", NAMES[:2], (1, 2), league=0)])


@pytest.mark.slow
def test_the_last_change_of_a_rating_is_that_of_the_last_match_whose_result_was_not_withdrawn(
    field: list[BotVersion],
) -> None:
    first, second = add_matches([(field[:2], (1, 2)), (field[:2], (1, 2))])
    ladder_match_rating.rate("pig", "2026", [first])
    after_first = tables()
    ladder_match_rating.rate("pig", "2026", [second])
    ladder_match_rating.correct(second.match, None, "it was played by mistake")
    assert tables()[0] == after_first[0]
    call_command("rebuild", verbosity=0)
    assert tables()[0] == after_first[0]
    ladder_match_rating.correct(first.match, (2, 1), "the other bot won")
    assert [value - START_RATING for _, value, *_ in tables()[0]] == [last_delta for *_, last_delta in tables()[0]]


def test_a_ladder_whose_rows_were_lost_is_rebuilt_at_the_next_match(field: list[BotVersion]) -> None:
    played = three_leagues(field)
    ladder_match_rating.rate("pig", "2026", played[:-1])
    LadderProjection.objects.all().delete()
    Rating.objects.all().delete()
    ladder_match_rating.rate("pig", "2026", played[-1:])
    assert read_elo() == read_elo("2026") == by_hand(played, {})


# --- leagues played in parallel


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_leagues_played_in_parallel_are_rated_in_the_order_they_were_opened() -> None:
    versions = create_entrants(4)
    first = start_league(versions, rounds=1, slug="first", season="2026")
    second = start_league(versions, rounds=1, slug="second", season="2026")
    ends = {league.pk: list(league.tables.values_list("match", flat=True)) for league in (first, second)}
    play_all(second)
    seats = RatedMatchSeat.objects.filter(ladder__season="").order_by("at", "seat")
    assert list(dict.fromkeys(seats.values_list("match", flat=True))) == [*ends[first.pk], *ends[second.pk]]
    assert not LeagueMatch.objects.filter(recorded=False).exists()
    live = tables()
    services.rebuild(first.pk)
    ladder_match_rating.rebuild("pig")
    assert tables() == live


# --- law: a ladder always equals the result of sorting and folding all its matches


@st.composite
def events(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """Generate matches in any order, and corrections of earlier matches."""
    keys = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 5)), min_size=1, max_size=12, unique=True))
    found: list[tuple[str, Any]] = []
    sizes: list[int] = []
    for number, (league, table) in enumerate(keys):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4))  # one bot may have several seats
        sizes.append(len(names))
        places = draw(st.lists(st.integers(1, len(names)), min_size=len(names), max_size=len(names)))
        found.append(("rate", build_match(f"m{number}", names, places, league, table)))
        if draw(st.booleans()):
            which = draw(st.integers(0, number))
            size = sizes[which]
            otherwise = draw(st.none() | st.lists(st.integers(1, size), min_size=size, max_size=size))
            found.append(("correct", (f"m{which}", otherwise)))
    return found


@pytest.mark.nightly
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events())
def test_incrementally_updated_ladder_ratings_equal_a_computation_from_all_sorted_matches(
    field: list[BotVersion], happened: list[tuple[str, Any]]
) -> None:
    played, otherwise = [], {}
    with transaction.atomic():
        for what, value in happened:
            if what == "rate":
                played.append(value)
                ladder_match_rating.rate("pig", "2026", [value])
            else:
                match, places = value
                otherwise[match] = places
                ladder_match_rating.correct(match, places, "why not")
            assert read_elo() == read_elo("2026") == by_hand(played, otherwise)
        live = tables()
        ladder_match_rating.rebuild("pig")
        assert tables() == live
        transaction.set_rollback(True)
