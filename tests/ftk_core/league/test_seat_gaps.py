"""At the tables that are drawn nobody could sit more evenly, and the certificate says so."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from ftk_core.league.checking import flaws
from ftk_core.league.facts import RoundPaired
from ftk_core.league.pairing.field import Candidate
from ftk_core.league.pairing.seats import gaps, least_gap, seating
from ftk_core.rng import Chance, seed_of
from tests.support.stages import played, stage
from tournaments.certificates import read_aloud


def a_table(number: int) -> tuple[list[Candidate], int]:
    """Return entries with any history of seats, and how many matches the table plays."""
    draw = Random(number)
    size = draw.choice([2, 3, 4, 5, 6])
    people = [
        Candidate(entry=entry, points=0, seats={seat: draw.randrange(4) for seat in range(size)})
        for entry in range(1, size + 1)
    ]
    return people, draw.choice([1, 1, 2, size])


@pytest.mark.parametrize("number", range(40))
def test_a_table_sits_down_as_evenly_as_any_order_of_its_entries_could(number: int) -> None:
    people, games = a_table(number)
    by_entry = {person.entry: gaps(person, len(people), games) for person in people}
    best = min(max(by_entry[entry][seat] for seat, entry in enumerate(order)) for order in permutations(by_entry))
    seated = seating(people, games, (), Chance(seed_of("gaps", number)).at("seats"))
    assert max(by_entry[entry][seat] for seat, entry in enumerate(seated)) == best == least_gap(people, games)


@pytest.mark.parametrize(("entries", "size"), [(9, 3), (10, 4), (14, 4), (17, 5)])
def test_each_round_reaches_the_bound_of_its_tables_and_its_certificate_is_counted_again(
    entries: int, size: int
) -> None:
    run = played(stage("swiss", size, rounds=8), entries=entries)
    certificates = [fact.weighed for fact in run.facts if isinstance(fact, RoundPaired) and fact.weighed]
    assert len(certificates) == 8
    assert all(weighed.seats == weighed.seats_least for weighed in certificates)
    assert not list(flaws(run.facts))
    at = next(at for at, fact in enumerate(run.facts) if isinstance(fact, RoundPaired) and fact.round == 5)
    drawn = run.facts[at]
    assert isinstance(drawn, RoundPaired)
    assert drawn.weighed
    forged = replace(drawn, weighed=replace(drawn.weighed, seats_least=7))
    assert any("seats_least" in flaw for flaw in flaws([*run.facts[:at], forged]))


def test_a_gap_above_one_is_told_with_the_reason_that_no_other_seats_are_more_even() -> None:
    run = played(stage("swiss", 4, rounds=2), entries=8)
    drawn = next(fact for fact in run.facts if isinstance(fact, RoundPaired) and fact.weighed)
    even = read_aloud(drawn.weighed)
    assert drawn.weighed
    uneven = read_aloud(replace(drawn.weighed, seats=2, seats_least=2))
    assert "No other seats at these tables are more even." in uneven
    assert "No other seats" not in even
