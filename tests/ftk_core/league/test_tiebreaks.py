"""Every tie-break equals its regulation, in leagues with every kind of event."""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from fractions import Fraction

import pytest

from ftk_core.league.league_facts import RoundClosed
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.organiser_command_handlers import return_entry, withdraw_from_league
from ftk_core.league.scoring.direct_encounter import rank_by_encounters
from ftk_core.league.scoring.tiebreak_inputs import TiebreakInputs
from ftk_core.league.scoring.tiebreaks import default_tiebreaks, list_tiebreaks
from ftk_core.league.standings import standings
from tests.support.stages import ORGANISER, LeagueRun, play_league, stage
from tests.support.ties.leagues import NEW, TieLeague
from tests.support.ties.reference import Reference

LEAGUES = int(os.environ.get("FTK_TIE_LEAGUES", "60"))
SLICES = 4


def ledger(league: LeagueState) -> TiebreakInputs:
    return TiebreakInputs(league, league.stage_of(1), eliminates=False)


@pytest.mark.parametrize("rules", [0, 2])
@pytest.mark.parametrize("part", range(SLICES))
def test_tiebreaks_of_random_leagues_equal_those_of_an_independent_implementation(part: int, rules: int) -> None:
    seen = defaultdict[str, int](int)
    for number in range(part, LEAGUES, SLICES):
        made = TieLeague(number, rules=rules)
        plain, league = Reference(made.facts), fold_facts(made.facts)
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
            found = rank_by_encounters(book.encounters(group), group)
            groups = [{entry for entry in group if found[entry] == value} for value in set(found.values())]
            ordered = sorted(groups, key=lambda one: -found[min(one)])
            assert ordered == plain.direct(group), (number, group)
            seen["met"] += len(groups) > 1
    assert all(seen[what] for what in ("adjusted", "away", "met")), seen


@pytest.mark.parametrize(("rules", "made_up"), [(1, 0), (2, Fraction(3, 2))])
def test_since_league_rules_version_2_rounds_missed_before_returning_in_the_last_round_count_as_absences(
    rules: int, made_up: Fraction
) -> None:
    run = LeagueRun(stage("swiss", rounds=5), entries=8, rules=rules)
    while run.pair():
        run.play()
        if len(run.league.rounds) == 2:
            run.append(withdraw_from_league(run.league, 1, ORGANISER))
        if len(run.league.rounds) == 4:
            run.pair()
            run.append(return_entry(run.league, 1, ORGANISER))
    book = ledger(run.league)
    assert [one.met == () for one in book.round_results[1]] == [False, False, True, True, True]
    assert book.scores[1] == book.tallies[1].points + made_up


def test_the_direct_encounter_tiebreak_separates_two_entries_but_not_three_in_a_cycle() -> None:
    won, lost = Fraction(1), Fraction(0)
    circle = {1: {2: won, 3: lost}, 2: {3: won, 1: lost}, 3: {1: won, 2: lost}}
    assert rank_by_encounters(circle, [1, 2]) == {1: 1, 2: 0}
    assert rank_by_encounters(circle, [1, 2, 3]) == {1: 0, 2: 0, 3: 0}
    assert rank_by_encounters({1: {2: won}, 2: {1: lost, 3: won}, 3: {2: lost}}, [1, 2, 3]) == {1: 0, 2: 0, 3: 0}


def test_an_entry_that_beat_all_tied_entries_ranks_first_even_if_some_of_the_others_never_met() -> None:
    won, lost = Fraction(1), Fraction(0)
    met = {1: {2: won, 3: won, 4: won}, 2: {1: lost}, 3: {1: lost, 4: won}, 4: {1: lost, 3: lost}}
    assert rank_by_encounters(met, [1, 2, 3, 4]) == {1: 3, 2: 0, 3: 0, 4: 0}


def test_random_tiebreaks_are_reproducible_and_change_with_each_round() -> None:
    facts = play_league(stage("swiss", rounds=4), entries=6).facts
    ends = [at for at, fact in enumerate(facts, 1) if isinstance(fact, RoundClosed)]
    lots = [ledger(fold_facts(facts[:end])).lots for end in ends]
    assert [ledger(fold_facts(facts[:end])).lots for end in ends] == lots
    assert len({tuple(sorted(lot.items())) for lot in lots}) == len(ends) == 4
    assert sorted(lots[-1].values()) == list(range(len(lots[-1])))


@pytest.mark.parametrize("number", range(10))
def test_each_standing_names_the_tiebreak_that_separates_it_from_the_next_better_standing(number: int) -> None:
    rows = standings(fold_facts(TieLeague(number).facts))
    assert rows[0].decided == ""
    for above, row in itertools.pairwise(rows):
        columns = ("level", "points", *NEW)
        if row.decided == "equal":
            assert above.key == row.key
        else:
            at = columns.index(row.decided)
            assert above.key[:at] == row.key[:at]
            assert above.key[at] > row.key[at]


def test_the_default_tiebreaks_exist_and_have_no_duplicates() -> None:
    for seats in range(2, 13):
        assert len(set(default_tiebreaks(seats))) == len(default_tiebreaks(seats)) > 0
        assert set(default_tiebreaks(seats)) <= set(list_tiebreaks())
