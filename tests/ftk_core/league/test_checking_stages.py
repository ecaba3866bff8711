"""Stages and formats without choices: lawful rounds are accepted, manipulated ones refused."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from ftk_core.league.event_fields import StageSettings, TableSeating
from ftk_core.league.intervention_facts import MatchVoided
from ftk_core.league.league_facts import LeagueFact, RoundPaired, StageBegun, StageEnded
from ftk_core.league.pairing_checks import flaws
from tests.support.stages import LeagueRun, play_league, stage

FIXED = {
    "knockout": stage("knockout"),
    "knockout at fours": stage("knockout", seats=4),
    "gauntlet": stage("gauntlet", rounds=2),
    "gauntlet of two challengers": stage("gauntlet", rounds=2, groups=2),
    "gauntlet of three challengers at fours": stage("gauntlet", seats=4, groups=3),
    "ladder": stage("ladder", seats=3, rounds=4),
    "round robin": stage("round_robin"),
    "groups": stage("groups", groups=2),
}
TIMES = 12


def rounds_in(facts: list[LeagueFact]) -> list[int]:
    return [number for number, fact in enumerate(facts) if isinstance(fact, RoundPaired)]


def put(facts: list[LeagueFact], at: int, fact: LeagueFact) -> list[LeagueFact]:
    return [*facts[:at], fact, *facts[at + 1 :]]


def exchanged(run: LeagueRun, draw: Random) -> list[LeagueFact] | None:
    """Exchange two entries of different tables in a round; return None if the exchange changes no pairing."""
    at = draw.choice(rounds_in(run.facts))
    paired = run.facts[at]
    assert isinstance(paired, RoundPaired)
    if len(paired.tables) < 2:
        return None
    here, there = draw.sample(paired.tables, 2)
    one, other = draw.choice(here.seating), draw.choice(there.seating)
    change = {one: other, other: one}

    def after(table: TableSeating) -> TableSeating:
        return replace(table, seating=tuple(change.get(entry, entry) for entry in table.seating))

    if run.league.stages[0].format == "gauntlet":
        return None  # in a gauntlet, opponents of a challenger may share any of its tables
    if one == other or len({one, other} & set(here.seating)) > 1 or len({one, other} & set(there.seating)) > 1:
        return None
    return put(run.facts, at, replace(paired, tables=tuple(map(after, paired.tables))))


def left_out(run: LeagueRun, draw: Random) -> list[LeagueFact]:
    at = draw.choice(rounds_in(run.facts))
    paired = run.facts[at]
    assert isinstance(paired, RoundPaired)
    return put(run.facts, at, replace(paired, tables=paired.tables[:-1]))


def dear_rest(run: LeagueRun, draw: Random) -> list[LeagueFact] | None:
    at = draw.choice(rounds_in(run.facts))
    paired = run.facts[at]
    assert isinstance(paired, RoundPaired)
    if not paired.rests:
        return None
    first, *others = paired.rests
    return put(run.facts, at, replace(paired, rests=(replace(first, points="7/3"), *others)))


@pytest.mark.slow
@pytest.mark.parametrize("trick", [exchanged, left_out, dear_rest])
@pytest.mark.parametrize("name", FIXED)
def test_the_pairing_checker_refuses_a_manipulated_round_of_each_format(
    name: str, trick: Callable[[LeagueRun, Random], list[LeagueFact] | None]
) -> None:
    tried = 0
    for seed in range(TIMES):
        run = play_league(FIXED[name], entries=7 + seed % 7, seed=seed, rules=0)
        assert list(flaws(run.facts)) == []
        facts = trick(run, Random(seed))
        if facts is not None and not same_groups(facts, run.facts):
            tried += 1
            assert list(flaws(facts)), (name, seed)
    none = {(dear_rest, "knockout at fours"), (dear_rest, "ladder")}
    assert tried or (trick, name) in none or ("gauntlet" in name and trick is not left_out)


def test_the_pairing_checker_accepts_a_knockout_with_a_match_that_was_voided_later() -> None:
    one = stage("knockout", seats=4)
    facts = play_league(one, entries=15, seed=53, acts=0.5, late=2, authors=4, rules=0).facts
    assert any(isinstance(fact, MatchVoided) for fact in facts)
    assert list(flaws(facts)) == []


def same_groups(facts: list[LeagueFact], others: list[LeagueFact]) -> bool:
    """Return True if the same entries share tables."""

    def tables(told: list[LeagueFact]) -> list[list[frozenset[int]]]:
        rounds = [fact for fact in told if isinstance(fact, RoundPaired)]
        return [sorted((frozenset(t.seating) for t in fact.tables), key=sorted) for fact in rounds]

    rests = [fact.rests for fact in facts if isinstance(fact, RoundPaired)]
    return tables(facts) == tables(others) and rests == [f.rests for f in others if isinstance(f, RoundPaired)]


TWO = (stage("swiss", rounds=3), stage("round_robin", qualify=4, carry="half"))


def begun(run: LeagueRun) -> tuple[int, StageBegun]:
    return next((n, fact) for n, fact in enumerate(run.facts) if isinstance(fact, StageBegun) and fact.stage == 2)


@pytest.mark.parametrize("stages", [TWO, (stage("groups", groups=2), stage("knockout", qualify=4))])
def test_the_pairing_checker_refuses_a_stage_with_wrong_qualified_entries(stages: tuple[StageSettings, ...]) -> None:
    run = play_league(*stages, entries=9, rules=0)
    assert list(flaws(run.facts)) == []
    at, fact = begun(run)
    first, *others = fact.entries
    stranger = next(entry for entry in range(1, 10) if entry not in {one.entry for one in fact.entries})
    forged = [
        (*others,),
        (*fact.entries, replace(first, entry=stranger)),
        (replace(first, points="99"), *others),
        (first, first, *others[1:]),
        (replace(first, entry=77), *others),
    ]
    if stages is TWO:
        forged += [(*reversed(fact.entries),), (replace(first, entry=stranger), *others)]
    for entries in forged:
        found = list(flaws(put(run.facts, at, replace(fact, entries=entries))))
        assert any(flaw.startswith("stage 2") for flaw in found), entries


def test_the_pairing_checker_refuses_a_stage_that_ends_too_early_or_twice() -> None:
    run = play_league(*TWO, entries=8, rules=0)
    at = next(number for number, fact in enumerate(run.facts) if isinstance(fact, StageEnded))
    third = rounds_in(run.facts)[2]
    assert any("ends after 2 rounds of 3" in flaw for flaw in flaws([*run.facts[:third], *run.facts[at:]]))
    assert any("it ends" in flaw or "begins after" in flaw for flaw in flaws([*run.facts[: at + 2], *run.facts[at:]]))


def test_the_pairing_checker_refuses_a_swiss_round_without_a_pairing_certificate() -> None:
    run = play_league(stage("swiss", rounds=2), entries=6)
    at = rounds_in(run.facts)[1]
    facts = put(run.facts, at, replace(run.facts[at], weighed=None))  # type: ignore[type-var]  # every fact is a struct
    assert "round 2: it has no certificate" in list(flaws(facts))
