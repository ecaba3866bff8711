"""Ratings are a function of the set of rated matches: in whatever order these came, late, corrected or rebuilt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bots.models import BotVersion
from tests.support.ladders import NAMES, Ratings, bot, counted, elo, matches, some
from tests.support.leagues import entrants, new_league, play_all
from tests.support.orders import ORDERS
from tournaments import court_ratings, ladder, ladder_queries, services
from tournaments.elo import START, deltas, k_after
from tournaments.ladder_facts import MatchCounted
from tournaments.models import ALL_TIME, CourtRating, LadderFold, MeetingSum, RatedSeat, Rating, TableMatch


@pytest.fixture
def field(db: None) -> list[BotVersion]:
    """Six bots that have not played."""
    return [bot(slug) for slug in NAMES]


def tables(season: str = ALL_TIME) -> list[list[tuple[Any, ...]]]:
    """Return all that a ladder's tables hold."""
    rows = {
        Rating.objects.filter(season=season): ("bot", "value", "matches", "wins", "last_delta"),
        RatedSeat.objects.filter(ladder__season=season): ("at", "seat", "bot", "place", "before", "after", "matches"),
        MeetingSum.objects.filter(ladder__season=season, matches__gt=0): ("bot", "other", "halves", "matches"),
    }
    return [sorted(table.values_list(*columns)) for table, columns in rows.items()]


def court(season: str = ALL_TIME) -> list[tuple[Any, ...]]:
    rows = CourtRating.objects.filter(season=season).order_by("bot__slug")
    return list(rows.values_list("bot__slug", "value", "low", "high", "ahead"))


def by_hand(played: Sequence[MatchCounted], otherwise: Mapping[str, Sequence[int] | None]) -> Ratings:
    """Return what the rule of Elo makes of matches, sorted and folded one after the other."""
    found: Ratings = {}
    for match in sorted(played, key=lambda one: (one.league, one.round, one.table, one.game)):
        if places := otherwise.get(match.match, match.places):
            before = [found.get(name, (START, 0, 0)) for name in match.names]
            moved = deltas([value for value, *_ in before], places, [k_after(games) for _, games, _ in before])
            for name, place, delta in zip(match.names, places, moved, strict=True):
                value, games, wins = found.get(name, (START, 0, 0))
                found[name] = (value + delta, games + 1, wins + (place == 1))
    return found


def three_leagues(field: Sequence[BotVersion], each: int = 7) -> list[MatchCounted]:
    return [match for league in (1, 2, 3) for match in matches(some(each + league, field), league)]


@pytest.mark.slow
def test_all_orders_of_arrival_of_three_leagues_give_the_same_digits(field: list[BotVersion]) -> None:
    played, luck = three_leagues(field), Random(1)
    found, fitted = set(), set()
    for order in range(ORDERS):
        with transaction.atomic():
            luck.shuffle(played)
            cuts = [0, *sorted(luck.sample(range(1, len(played)), 4)), len(played)]
            for start, end in pairwise(cuts):
                ladder.rate("pig", f"s{order}", played[start:end])
            found.add(str((tables(f"s{order}"), elo(f"s{order}") == by_hand(played, {}))))
            court_ratings.refit("pig")
            fitted.add(str(court(f"s{order}")))
            transaction.set_rollback(True)
    assert len(found) == len(fitted) == 1
    assert found.pop().endswith("True)")


def test_a_late_match_and_an_overruled_one_are_as_if_they_had_always_been_so(field: list[BotVersion]) -> None:
    played = three_leagues(field)
    late, overruled, gone = played[3], played[5], played[-2]
    ladder.rate("pig", "2026", [match for match in played if match is not late])
    ladder.rate("pig", "2026", [late])
    otherwise = {overruled.match: overruled.places[::-1], gone.match: None}
    for match, places in otherwise.items():
        ladder.correct(match, places, "as the arbiter says")
    assert elo() == elo("2026") == by_hand(played, otherwise)
    court_ratings.refit("pig")
    live = (tables(), tables("2026"), court(), court("2026"))
    call_command("rebuild", verbosity=0)
    assert (tables(), tables("2026"), court(), court("2026")) == live
    for match in (overruled, gone):
        ladder.correct(match.match, match.places, "no, it was right")
    assert elo() == by_hand(played, {})


def test_a_bot_whose_only_match_is_taken_away_is_on_no_ladder(field: list[BotVersion]) -> None:
    ada, bo, *_ = NAMES
    (match,) = matches([(field[:2], (1, 2))])
    ladder.rate("pig", "2026", [match])
    court_ratings.refit("pig")
    assert set(elo()) == {ada, bo} == {row[0] for row in court()}
    ladder.correct(match.match, None, "it was played by mistake")
    court_ratings.refit("pig")
    assert (elo(), court(), ladder_queries.read_ladder("pig").rows) == ({}, [], [])
    ladder.correct(match.match, (2, 1), "and yet it counts")
    court_ratings.refit("pig")
    assert [row.name for row in ladder_queries.read_ladder("pig").rows] == [bo, ada]


def test_a_preview_says_what_a_correction_then_does_and_writes_nothing(field: list[BotVersion]) -> None:
    played = three_leagues(field)
    ladder.rate("pig", "2026", played)
    before, otherwise = tables(), {played[1].match: played[1].places[::-1], played[9].match: None}
    shifts = ladder.preview("pig", "2026", otherwise)
    assert tables() == before
    was, is_now = by_hand(played, {}), by_hand(played, otherwise)
    assert shifts == [(name, was[name][0], is_now[name][0]) for name in sorted(was) if was[name][0] != is_now[name][0]]
    assert shifts
    assert ladder.preview("pig", "2026", {played[1].match: played[1].places}) == []


def test_what_counts_nowhere_cannot_be_corrected_and_no_place_is_taken_twice(field: list[BotVersion]) -> None:
    ladder.rate("pig", "2026", [counted("m1", NAMES[:2], (1, 2))])
    for call in (lambda: ladder.correct("m2", (1, 2), ""), lambda: ladder.preview("pig", "2026", {"m2": None})):
        with pytest.raises(LookupError, match="m2"):
            call()
    with pytest.raises(ValueError, match="m1 has 2 seats"):
        ladder.correct("m1", (1, 2, 3), "")
    with pytest.raises(ValueError, match="counts already"):
        ladder.rate("pig", "2026", [counted("m2", NAMES[:2], (1, 2))])
    with pytest.raises(ValueError, match="no place on a ladder"):
        ladder.rate("pig", "2026", [counted("m3", NAMES[:2], (1, 2), league=0)])


def test_a_ladder_whose_tables_are_lost_is_made_again_with_the_next_match(field: list[BotVersion]) -> None:
    played = three_leagues(field)
    ladder.rate("pig", "2026", played[:-1])
    LadderFold.objects.all().delete()
    Rating.objects.all().delete()
    ladder.rate("pig", "2026", played[-1:])
    assert elo() == elo("2026") == by_hand(played, {})


# --- leagues that really are played side by side


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_leagues_side_by_side_count_in_their_order_whichever_ends_first() -> None:
    versions = entrants(4)
    first = new_league(versions, rounds=1, slug="first", season="2026")
    second = new_league(versions, rounds=1, slug="second", season="2026")
    ends = {league.pk: list(league.tables.values_list("match", flat=True)) for league in (first, second)}
    play_all(second)
    seats = RatedSeat.objects.filter(ladder__season="").order_by("at", "seat")
    assert list(dict.fromkeys(seats.values_list("match", flat=True))) == [*ends[first.pk], *ends[second.pk]]
    assert not TableMatch.objects.filter(recorded=False).exists()
    live = tables()
    services.rebuild(first.pk)
    ladder.rebuild("pig")
    assert tables() == live


# --- the law: whatever happens to a ladder, it is what sorting and folding everything makes of it


@st.composite
def events(draw: st.DrawFn) -> list[tuple[str, Any]]:
    """Draw matches that come in any order, and corrections of those that came."""
    keys = draw(st.lists(st.tuples(st.integers(1, 3), st.integers(0, 5)), min_size=1, max_size=12, unique=True))
    found: list[tuple[str, Any]] = []
    sizes: list[int] = []
    for number, (league, table) in enumerate(keys):
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4))  # one bot may have several seats
        sizes.append(len(names))
        places = draw(st.lists(st.integers(1, len(names)), min_size=len(names), max_size=len(names)))
        found.append(("rate", counted(f"m{number}", names, places, league, table)))
        if draw(st.booleans()):
            which = draw(st.integers(0, number))
            size = sizes[which]
            otherwise = draw(st.none() | st.lists(st.integers(1, size), min_size=size, max_size=size))
            found.append(("correct", (f"m{which}", otherwise)))
    return found


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events())
def test_a_ladder_is_what_sorting_and_folding_everything_makes_of_it(
    field: list[BotVersion], happened: list[tuple[str, Any]]
) -> None:
    played, otherwise = [], {}
    with transaction.atomic():
        for what, value in happened:
            if what == "rate":
                played.append(value)
                ladder.rate("pig", "2026", [value])
            else:
                match, places = value
                otherwise[match] = places
                ladder.correct(match, places, "why not")
            assert elo() == elo("2026") == by_hand(played, otherwise)
        live = tables()
        ladder.rebuild("pig")
        assert tables() == live
        transaction.set_rollback(True)
