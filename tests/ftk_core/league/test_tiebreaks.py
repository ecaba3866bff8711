"""Every tie-break is what its regulation says, in leagues in which everything happens.

FTK_TIE_LEAGUES says how many of them; `make chaos` takes 1,000.
"""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from fractions import Fraction

import pytest

from ftk_core.league.encounters import ahead
from ftk_core.league.folding import fold
from ftk_core.league.ledger import Ledger
from ftk_core.league.standings import OTHERWISE, standings
from ftk_core.league.state import LeagueState
from ftk_core.league.tiebreaks import TIEBREAKS, usual
from tests.support.ties.leagues import NEW, League
from tests.support.ties.reference import Reference

LEAGUES = int(os.environ.get("FTK_TIE_LEAGUES", "60"))
SLICES = 4


def ledger(league: LeagueState) -> Ledger:
    return Ledger(league, league.stage_of(1))


@pytest.mark.parametrize("part", range(SLICES))
def test_tiebreaks_are_what_the_words_of_the_regulation_come_to(part: int) -> None:
    seen = defaultdict[str, int](int)
    for number in range(part, LEAGUES, SLICES):
        made = League(number)
        plain, league = Reference(made.facts), fold(made.facts)
        equals = defaultdict[tuple[Fraction, ...], list[int]](list)
        rows = standings(league)
        for row in rows:
            values = dict(zip(NEW, row.tiebreaks, strict=True))
            assert row.points == plain.points[row.entry], number
            assert values["opposition-2-cut-1"] == plain.cut_one(row.entry), (number, row.entry)
            assert values["opposition-2"] == plain.buchholz(row.entry), (number, row.entry)
            assert values["quality-2"] == plain.sonneborn_berger(row.entry), (number, row.entry)
            assert values["mean-score"] == plain.mean_score(row.entry), (number, row.entry)
            assert values["excuses"] == -plain.failures(row.entry), (number, row.entry)
            equals[row.points].append(row.entry)
            seen["adjusted"] += plain.adjusted[row.entry] != row.points
            seen["away"] += any(away for _, _, away in plain.contributions(row.entry))
        book = ledger(league)
        for group in equals.values():
            found = ahead(book.encounters(group), group)
            groups = [{entry for entry in group if found[entry] == value} for value in set(found.values())]
            ordered = sorted(groups, key=lambda one: -found[min(one)])
            assert ordered == plain.direct(group), (number, group)
            seen["met"] += len(groups) > 1
    assert all(seen[what] for what in ("adjusted", "away", "met")), seen


def test_two_who_met_are_told_apart_by_that_and_three_in_a_circle_are_not() -> None:
    won, lost = Fraction(1), Fraction(0)
    circle = {1: {2: won, 3: lost}, 2: {3: won, 1: lost}, 3: {1: won, 2: lost}}
    assert ahead(circle, [1, 2]) == {1: 1, 2: 0}
    assert ahead(circle, [1, 2, 3]) == {1: 0, 2: 0, 3: 0}
    assert ahead({1: {2: won}, 2: {1: lost, 3: won}, 3: {2: lost}}, [1, 2, 3]) == {1: 0, 2: 0, 3: 0}


def test_who_beat_all_the_others_is_first_whoever_else_did_not_meet() -> None:
    won, lost = Fraction(1), Fraction(0)
    met = {1: {2: won, 3: won, 4: won}, 2: {1: lost}, 3: {1: lost, 4: won}, 4: {1: lost, 3: lost}}
    assert ahead(met, [1, 2, 3, 4]) == {1: 3, 2: 0, 3: 0, 4: 0}


def test_lots_are_the_same_for_who_looks_twice_and_others_with_each_round() -> None:
    facts = League(3).facts
    lots = [ledger(fold(facts[:length])).lots for length in range(4, len(facts))]
    assert [ledger(fold(facts[:length])).lots for length in range(4, len(facts))] == lots
    assert len({tuple(sorted(lot.items())) for lot in lots}) > 2
    assert sorted(lots[-1].values()) == list(range(len(lots[-1])))


@pytest.mark.parametrize("number", range(10))
def test_a_row_says_what_puts_it_behind_the_one_above(number: int) -> None:
    rows = standings(fold(League(number).facts))
    assert rows[0].decided == ""
    for above, row in itertools.pairwise(rows):
        columns = ("level", "points", *NEW)
        if row.decided == "equal":
            assert above.key == row.key
        else:
            at = columns.index(row.decided)
            assert above.key[:at] == row.key[:at]
            assert above.key[at] > row.key[at]
        assert row.decided in (*OTHERWISE, *TIEBREAKS)


def test_what_is_usual_exists_and_names_nothing_twice() -> None:
    for seats in range(2, 13):
        assert len(set(usual(seats))) == len(usual(seats)) > 0
        assert set(usual(seats)) <= set(TIEBREAKS)
