"""The verifier applies the rules of a league's format: every property of a format changes the result of a check."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.formats import list_formats
from ftk_core.league.intervention_facts import DraftedRoundChanged
from ftk_core.league.league_facts import LeagueFact, LeagueOpened, RoundClosed, RoundPaired, StageBegun, StageEnded
from ftk_core.league.pairing_checks import flaws
from ftk_core.league.pairing_checks.league_format_rules import FORMAT_RULES
from tests.support.stages import LeagueRun, play_league, stage

FORMATS = sorted(list_formats())
Manipulation = Callable[[list[LeagueFact]], list[LeagueFact]]


def played(name: str) -> LeagueRun:
    first = stage(name, rounds=3 if name in ("gauntlet", "ladder", "swiss") else 0, groups=2 if name == "groups" else 1)
    return play_league(first, stage("knockout", qualify=4), entries=8, rules=0)


def find(facts: list[LeagueFact], kind: type[LeagueFact], which: int = 0) -> int:
    """Return the index of a fact of this kind."""
    return [number for number, fact in enumerate(facts) if isinstance(fact, kind)][which]


def pair_early(facts: list[LeagueFact]) -> list[LeagueFact]:
    """Let the second round begin before the first one is closed."""
    closed, paired = find(facts, RoundClosed), find(facts, RoundPaired, 1)
    return [*facts[:closed], *facts[closed + 1 : paired + 1], facts[closed], *facts[paired + 1 :]]


def reseat(facts: list[LeagueFact], change: Callable[[tuple[TableSeating, ...]], tuple[TableSeating, ...]]) -> None:
    """Change the tables of the second round."""
    at = find(facts, RoundPaired, 1)
    paired = facts[at]
    assert isinstance(paired, RoundPaired)
    facts[at] = replace(paired, tables=change(paired.tables))


def lengthen_table(facts: list[LeagueFact]) -> list[LeagueFact]:
    opened = facts[0]
    assert isinstance(opened, LeagueOpened)
    wide = replace(opened, stages=tuple(replace(one, seats=4) for one in opened.stages))
    changed = [wide, *facts[1:]]
    reseat(changed, lambda tables: (replace(tables[0], seating=(*tables[0].seating, 91, 92)), *tables[1:]))
    return changed


def seat_twice(facts: list[LeagueFact]) -> list[LeagueFact]:
    changed = list(facts)
    reseat(changed, lambda tables: (*tables, TableSeating(len(tables) + 1, tables[0].seating)))
    return changed


def leave_out(facts: list[LeagueFact]) -> list[LeagueFact]:
    changed = list(facts)
    reseat(changed, lambda tables: tables[:-1])
    return changed


def change_by_hand(facts: list[LeagueFact]) -> list[LeagueFact]:
    at = find(facts, RoundPaired, 1)
    return [*facts[:at], DraftedRoundChanged(round=2, one=1, other=2, by="ada", at=1, why="so"), *facts[at:]]


def end_early(facts: list[LeagueFact]) -> list[LeagueFact]:
    return [*facts[: find(facts, RoundClosed, 1) + 1], *facts[find(facts, StageEnded) :]]


def reverse_seeds(facts: list[LeagueFact]) -> list[LeagueFact]:
    at = find(facts, StageBegun, 1)
    begun = facts[at]
    assert isinstance(begun, StageBegun)
    return [*facts[:at], replace(begun, entries=begun.entries[::-1]), *facts[at + 1 :]]


CHECKS: dict[str, tuple[Manipulation, str, set[str]]] = {
    "paired early": (pair_early, "it begins while round 1", {"gauntlet", "knockout", "ladder", "swiss"}),
    "uneven tables": (lengthen_table, "lengths differ by 1 at most", {"gauntlet", "knockout", "ladder", "swiss"}),
    "seated twice": (seat_twice, "is drawn 2x", {"groups", "knockout", "ladder", "round_robin", "swiss"}),
    "left out": (leave_out, "is drawn 0x", {"groups", "ladder", "round_robin", "swiss"}),
    "changed by hand": (change_by_hand, "somebody changed it", {*FORMATS} - {"swiss"}),
    "ended early": (end_early, "it ends after 2 rounds of 3", {"ladder", "swiss"}),
    "seeds reversed": (reverse_seeds, "not in the order of their points", {"gauntlet", "round_robin", "swiss"}),
}
"""Manipulation -> (function that makes it, flaw, formats in which it is a flaw)."""


def test_the_league_verifier_has_rules_for_every_league_format() -> None:
    assert sorted(FORMAT_RULES) == FORMATS


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("check", CHECKS)
def test_the_league_verifier_reports_a_manipulation_if_and_only_if_the_format_forbids_it(check: str, name: str) -> None:
    manipulate, sentence, refused = CHECKS[check]
    run = played(name)
    assert list(flaws(run.facts)) == []
    found = list(flaws(manipulate(run.facts)))
    assert any(sentence in flaw for flaw in found) == (name in refused), found


def test_the_league_verifier_refuses_a_round_of_an_unknown_format() -> None:
    facts = played("round_robin").facts
    opened = facts[0]
    assert isinstance(opened, LeagueOpened)
    stages = (replace(opened.stages[0], format="lottery"), *opened.stages[1:])
    assert "round 1: there is no format 'lottery'" in list(flaws([replace(opened, stages=stages), *facts[1:]]))
