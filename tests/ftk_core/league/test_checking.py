"""The checker of pairings accepts what is lawful and refuses what is not.

FTK_PAIRING_EVENTS says how many events are made; `make chaos` makes 1,000.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import ftk_core.league.checking as checking
from ftk_core.league.checking import flaws
from ftk_core.league.facts import RoundPaired
from tests.support.pairing.events import Event, event
from tests.support.pairing.rigging import TRICKS, rigged

EVENTS = int(os.environ.get("FTK_PAIRING_EVENTS", "60"))
PORTIONS = 12


def portion(which: int) -> list[tuple[int, Event]]:
    return [(number, event(number)) for number in range(which, EVENTS, PORTIONS)]


@pytest.mark.parametrize("which", range(PORTIONS))
def test_lawful_events_are_accepted_and_rigged_ones_refused(which: int) -> None:
    for number, made in portion(which):
        assert list(flaws(made.facts)) == [], number
        assert [fact.weighed is not None for fact in made.facts if isinstance(fact, RoundPaired)]
        trick, round_, facts = rigged(made, Random(number))
        found = list(flaws(facts))
        assert any(flaw.startswith(f"round {round_}") or "comes after" in flaw for flaw in found), (number, trick)


@pytest.mark.slow
def test_every_trick_is_tried_and_found_out() -> None:
    tried: Counter[str] = Counter()
    for number in range(8):
        made = event(number)
        for seed in range(30):
            trick, _, facts = rigged(made, Random(seed))
            assert list(flaws(facts)), (number, seed, trick)
            tried[trick] += 1
    assert set(tried) == {trick.__name__ for trick in TRICKS}


def test_rounds_without_a_certificate_are_checked_for_what_they_are() -> None:
    made = event(3)
    old = [replace(fact, weighed=None) if isinstance(fact, RoundPaired) else fact for fact in made.facts]
    assert list(flaws(old)) == []
    assert list(flaws([*old[:-1], *old]))


def test_a_stream_that_does_not_begin_with_a_league_is_refused() -> None:
    assert list(flaws(event(3).facts[1:])) == ["the stream does not begin with an opened league"]


def test_the_checker_shares_nothing_with_the_pairing() -> None:
    texts = [path.read_text() for path in Path(checking.__file__).parent.glob("*.py")]
    imported = {
        line.split()[1] for text in texts for line in text.splitlines() if line.startswith(("from ", "import "))
    }
    ours = {name for name in imported if name.startswith(("ftk_core", "tournaments"))}
    told = {"ftk_core.league", "ftk_core.league.facts", "ftk_core.league.plans"}  # what the facts are, and nothing else
    assert {name for name in ours if not name.startswith("ftk_core.league.checking")} == told
    assert not {"numpy", "rustworkx", "scipy"} & {name.split(".")[0] for name in imported}
