"""Seats of drawn tables: they are as even as possible, and the certificate states the remaining gap."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from msgspec.structs import replace

from ftk_core.league.league_facts import RoundPaired
from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate
from ftk_core.league.pairing.seat_assignment import assign_table, least_gap, seat_gaps_of
from ftk_core.league.pairing_checks import flaws
from ftk_core.random_streams import MatchRandomness, seed_of
from tests.support.stages import play_league, stage
from tournaments.leagues.pairing_quality_certificate_texts import describe_certificate


def a_table(number: int) -> tuple[list[PairingCandidate], int]:
    """Return entries with random seat histories, and the number of matches at their table."""
    draw = Random(number)
    size = draw.choice([2, 3, 4, 5, 6])
    people = [
        PairingCandidate(entry=entry, points=0, seats={seat: draw.randrange(4) for seat in range(size)})
        for entry in range(1, size + 1)
    ]
    return people, draw.choice([1, 1, 2, size])


@pytest.mark.parametrize("number", range(40))
def test_seats_at_a_game_table_are_assigned_with_the_smallest_possible_imbalance(number: int) -> None:
    people, games = a_table(number)
    by_entry = {person.entry: seat_gaps_of(person, len(people), games) for person in people}
    best = min(max(by_entry[entry][seat] for seat, entry in enumerate(order)) for order in permutations(by_entry))
    seated = assign_table(people, games, (), MatchRandomness(seed_of("gaps", number)).at("seats"))
    assert max(by_entry[entry][seat] for seat, entry in enumerate(seated)) == best == least_gap(people, games)


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "size"), [(9, 3), (10, 4), (14, 4), (17, 5)])
def test_seat_imbalance_is_minimal_in_each_round_and_a_forged_certificate_is_detected(entries: int, size: int) -> None:
    run = play_league(stage("swiss", size, rounds=8), entries=entries)
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


def test_the_pairing_certificate_says_when_seats_could_not_be_distributed_more_evenly() -> None:
    run = play_league(stage("swiss", 4, rounds=2), entries=8)
    drawn = next(fact for fact in run.facts if isinstance(fact, RoundPaired) and fact.weighed)
    even = describe_certificate(drawn.weighed)
    assert drawn.weighed
    uneven = describe_certificate(replace(drawn.weighed, seats=2, seats_least=2))
    assert "No other seats at these tables are more even." in uneven
    assert "No other seats" not in even
