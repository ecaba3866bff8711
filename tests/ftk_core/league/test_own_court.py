"""The court rating within one league: integer points, the same on every machine, optional without numpy."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from ftk_core.league.league_facts import LEAGUE_RULES
from ftk_core.league.league_state_from_events import encode_fact
from ftk_core.league.statistics.stage_court_rating import ratings_of
from tests.support.ties.leagues import TieLeague

WITHOUT_NUMPY = """
import sys
sys.modules.update(numpy=None, scipy=None)
from pathlib import Path
from ftk_core.kit.verify.league_export_verification import LeagueExportVerifier, verify_export
from ftk_core.league.league_state_from_events import fold_facts, decode_fact
report = verify_export(Path("tests/golden/league"))
assert not report.flaws, report.flaws
assert not report.skipped, report.skipped

class Stream:
    league = fold_facts(decode_fact(line.encode()) for line in sys.stdin)
    signatures, results = (), {"": ""}

check = LeagueExportVerifier(None)
check._check_derived_files(Stream())
print(*check.report(is_complete=False).flaws, *check.skipped, sep="\\n")
"""


class Won(NamedTuple):
    """A match that the first seat won."""

    seating: tuple[int, int]
    places: tuple[int, int] = (1, 2)


@pytest.mark.slow
def test_the_court_ratings_of_a_league_are_integers_around_1500_in_the_order_of_wins() -> None:
    results = [fact for fact in TieLeague(5).facts if type(fact).__name__ == "ResultRecorded"]
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


@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_the_court_ratings_of_a_league_do_not_depend_on_the_order_of_matches(number: int) -> None:
    results = [fact for fact in TieLeague(number).facts if type(fact).__name__ == "ResultRecorded"]
    entries = sorted({entry for one in results for entry in one.seating})
    mixed, others = list(results), list(entries)
    Random(number).shuffle(mixed)
    Random(number).shuffle(others)
    assert ratings_of(mixed, others, LEAGUE_RULES) == ratings_of(results, entries, LEAGUE_RULES)


def test_leagues_of_rules_version_0_keep_ratings_computed_with_the_default_prior() -> None:
    """Old exports contain these numbers. Of the three bots, the better one always wins."""
    results = [Won((1, 2)), Won((2, 3)), Won((1, 3))] * 20
    assert ratings_of(results, [1, 2, 3], 0) == {1: 1753, 2: 1500, 3: 1247}
    assert ratings_of(results, [1, 2, 3], LEAGUE_RULES) != ratings_of(results, [1, 2, 3], 0)


def test_without_matches_all_entries_of_a_league_have_the_same_court_rating() -> None:
    assert ratings_of([], [1, 2], LEAGUE_RULES) == {1: 1500, 2: 1500}
    assert ratings_of([], [], LEAGUE_RULES) == {}


@pytest.mark.slow
def test_a_league_verified_without_numpy_has_no_flaws_but_a_line_that_ratings_were_not_checked() -> None:
    made = TieLeague(4)
    opened = made.facts[0]
    stage = msgspec.structs.replace(made.stage, tiebreaks=("court",))
    facts = [msgspec.structs.replace(opened, stages=(stage,)), *made.facts[1:]]
    lines = b"".join(encode_fact(fact) for fact in facts)
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], input=lines, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert "results.json was NOT checked" in done.stdout.decode()
    assert "numpy" in done.stdout.decode()
