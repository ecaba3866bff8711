"""The checker of pairings accepts lawful rounds and refuses unlawful ones."""

from __future__ import annotations

import ast
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import ftk_core.league.pairing_checks as checking
from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing_checks import flaws
from tests.support.pairing.events import SimulatedLeagueEvents, play_event
from tests.support.pairing.rigging import TRICKS, rigged

EVENTS = int(os.environ.get("FTK_PAIRING_EVENTS", "60"))
PORTIONS = 12


def portion(which: int) -> list[tuple[int, SimulatedLeagueEvents]]:
    return [(number, play_event(number)) for number in range(which, EVENTS, PORTIONS)]


@pytest.mark.slow
@pytest.mark.parametrize("which", range(PORTIONS))
def test_the_pairing_checker_accepts_correctly_paired_rounds_and_refuses_manipulated_rounds(which: int) -> None:
    for number, made in portion(which):
        assert list(flaws(made.facts)) == [], number
        assert all(fact.weighed for fact in made.facts if isinstance(fact, RoundPaired))
        trick, round_, facts = rigged(made, Random(number))
        found = list(flaws(facts))
        assert any(flaw.startswith(f"round {round_}") or "comes after" in flaw for flaw in found), (number, trick)


@pytest.mark.slow
def test_the_pairing_checker_detects_every_kind_of_manipulated_pairing() -> None:
    tried: Counter[str] = Counter()
    for number in range(8):
        made = play_event(number)
        for seed in range(30):
            trick, _, facts = rigged(made, Random(seed))
            assert list(flaws(facts)), (number, seed, trick)
            tried[trick] += 1
    assert set(tried) == {trick.__name__ for trick in TRICKS}


def test_rounds_without_a_pairing_certificate_are_checked_by_the_rules_of_their_format() -> None:
    made = play_event(3)
    old = [replace(fact, weighed=None) if isinstance(fact, RoundPaired) else fact for fact in made.facts]
    assert list(flaws(old)) == []
    at, paired = next((at, fact) for at, fact in enumerate(old) if isinstance(fact, RoundPaired) and fact.round == 2)
    short = replace(paired, tables=paired.tables[:-1])
    assert any("is drawn 0x" in flaw for flaw in flaws([*old[:at], short, *old[at + 1 :]]))


def test_an_event_stream_that_does_not_begin_with_the_opening_of_a_league_is_refused() -> None:
    assert list(flaws(play_event(3).facts[1:])) == ["the stream does not begin with an opened league"]


def test_the_pairing_checker_imports_no_code_of_the_pairing_algorithm() -> None:
    """Imports within functions count, too."""
    sources = [path.read_text() for path in Path(checking.__file__).parent.glob("*.py")]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {
        f"{node.module}.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    facts = tuple(f"ftk_core.league.{name}" for name in ("league_facts", "intervention_facts", "event_fields"))
    ours = {name for name in imported if name.startswith(("ftk_core", "tournaments"))}
    assert {name for name in ours if not name.startswith(("ftk_core.league.pairing_checks", *facts))} == set()
    assert not {"numpy", "rustworkx", "scipy"} & {name.split(".")[0] for name in imported}
