"""The court rating of a league alone: whole points, the same whoever fits it, and done without where it is not used."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from ftk_core.league.facts import LEAGUE_RULES
from ftk_core.league.folding import write
from ftk_core.league.own_court import ratings_of
from tests.support.ties.leagues import League

WITHOUT_NUMPY = """
import sys
sys.modules.update(numpy=None, scipy=None)
from pathlib import Path
from ftk_core.kit.verify_league import LeagueCheck, verify_export
from ftk_core.league.folding import fold, read
report = verify_export(Path("tests/golden/league"))
assert not report.flaws, report.flaws
assert not any("NOT checked" in note for note in report.notes), report.notes

class Stream:
    league = fold(read(line.encode()) for line in sys.stdin)
    signatures, results = (), {"": ""}

check = LeagueCheck(None)
check._check_small(Stream())
print(*check.report(whole=False).flaws, *check._notes, sep="\\n")
"""


class Won(NamedTuple):
    """A match that the first seat won."""

    seating: tuple[int, int]
    places: tuple[int, int] = (1, 2)


def test_ratings_are_whole_points_around_1500_and_in_the_order_of_who_won() -> None:
    results = [fact for fact in League(5).facts if type(fact).__name__ == "ResultRecorded"]
    entries = sorted({entry for one in results for entry in one.seating})
    ratings = ratings_of(results, entries, LEAGUE_RULES)
    assert abs(sum(ratings.values()) / len(entries) - 1500) < 1
    assert all(isinstance(rating, int) for rating in ratings.values())
    always = [
        msgspec.structs.replace(one, places=tuple(sorted(one.seating).index(e) + 1 for e in one.seating))
        for one in results
    ]
    order = ratings_of(always, entries, LEAGUE_RULES)
    assert order[entries[0]] == max(order.values()) > order[entries[-1]]


@pytest.mark.parametrize("number", range(12))
def test_ratings_are_the_same_in_whatever_order_the_matches_come(number: int) -> None:
    results = [fact for fact in League(number).facts if type(fact).__name__ == "ResultRecorded"]
    entries = sorted({entry for one in results for entry in one.seating})
    mixed, others = list(results), list(entries)
    Random(number).shuffle(mixed)
    Random(number).shuffle(others)
    assert ratings_of(mixed, others, LEAGUE_RULES) == ratings_of(results, entries, LEAGUE_RULES)


def test_under_league_rules_0_the_spread_is_the_usual_one_for_ever() -> None:
    """Old exports hold these digits: three bots of whom the better one always wins."""
    results = [Won((1, 2)), Won((2, 3)), Won((1, 3))] * 20
    assert ratings_of(results, [1, 2, 3], 0) == {1: 1753, 2: 1500, 3: 1247}
    assert ratings_of(results, [1, 2, 3], LEAGUE_RULES) != ratings_of(results, [1, 2, 3], 0)


def test_nobody_played_is_everybody_the_same() -> None:
    assert ratings_of([], [1, 2], LEAGUE_RULES) == {1: 1500, 2: 1500}
    assert ratings_of([], [], LEAGUE_RULES) == {}


def test_without_numpy_leagues_are_verified_and_one_that_needs_it_says_so() -> None:
    made = League(4)
    opened = made.facts[0]
    stage = msgspec.structs.replace(made.stage, tiebreaks=("court",))
    facts = [msgspec.structs.replace(opened, stages=(stage,)), *made.facts[1:]]
    lines = b"".join(write(fact) for fact in facts)
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], input=lines, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert "results.json was NOT checked" in done.stdout.decode()
    assert "numpy" in done.stdout.decode()
