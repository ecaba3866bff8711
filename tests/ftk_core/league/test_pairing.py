"""Pairing a round from plain values: the criteria and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from random import Random

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from ftk_core.league.pairing import two_seat_table_pairing
from ftk_core.league.pairing.pairing_costs import PairingCosts
from ftk_core.league.pairing.pairing_input_and_output import (
    ImpossiblePairingError,
    PairingCandidate,
    PairingInput,
    PairingOutput,
)
from ftk_core.league.pairing.repeated_meeting_lower_bounds import bound_by_counting, prove_by_matching
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.random_streams import MatchRandomness, seed_of
from tools.bench.pairing_benchmark_leagues import (
    GeneratedLeague,
    build_carelessly_paired_field,
    build_well_paired_field,
)


def drawn(problem: PairingInput, label: str = "lot") -> PairingOutput:
    return draw_round(problem, MatchRandomness(seed_of(label)).at("pairing", 1))


def fresh(entries: int, full: int, **terms: object) -> PairingInput:
    candidates = tuple(PairingCandidate(entry=entry, points=0) for entry in range(1, entries + 1))
    return msgspec.structs.replace(PairingInput(candidates=candidates, full=full, least=2), **terms)


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), entries=st.integers(6, 40), size=st.integers(2, 12), rounds=st.integers(0, 4))
@settings(deadline=None, max_examples=30)
def test_the_same_entries_and_random_seed_give_the_same_pairing(
    seed: int, entries: int, size: int, rounds: int
) -> None:
    problem = msgspec.structs.replace(build_carelessly_paired_field(entries, size, rounds, seed), budget=500_000)
    assert drawn(problem) == drawn(problem)


@pytest.mark.slow
def test_over_many_random_seeds_the_last_entry_meets_every_other_entry_about_equally_often_in_round_one() -> None:
    """600 draws of 16 entries: the counts of each opponent of entry 16 stay within bounds."""
    met = [0] * 17
    for lot in range(600):
        table = next(table for table in drawn(fresh(16, 2), str(lot)).tables if 16 in table)
        met[sum(table) - 16] += 1
    assert max(met[1:16]) <= 70
    assert min(met[1:16]) >= 15


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "bias"), [(120, 0), (160, 3), (240, 9)])
def test_pairing_many_entries_in_parts_gives_the_same_total_cost_as_pairing_all_at_once(
    entries: int, bias: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rounds in (2, 5, 8):
        problem = build_carelessly_paired_field(entries, 2, rounds, bias)
        order = sorted(problem.candidates, key=lambda candidate: -candidate.points)
        costs = PairingCosts(problem, order)
        monkeypatch.setattr(two_seat_table_pairing, "MAX_ENTRIES_MATCHED_AT_ONCE", 96)
        core = priced(costs, two_seat_table_pairing.match_pairs_of_entries(costs, 1))
        monkeypatch.setattr(two_seat_table_pairing, "MAX_ENTRIES_MATCHED_AT_ONCE", 10_000)
        assert core == priced(costs, two_seat_table_pairing.match_pairs_of_entries(costs, 1))


def priced(costs: PairingCosts, pairs: list[tuple[int, int]]) -> int:
    leads = two_seat_table_pairing.np.array(
        [two_seat_table_pairing.first_seat_lead(candidate.seats) for candidate in costs.playing]
    )
    seats = two_seat_table_pairing._seat_costs(leads)
    gaps = sum(int((costs.points[one] - costs.points[other]) ** 2 + seats[one, other]) for one, other in pairs)
    return gaps + sum(
        two_seat_table_pairing._strict_layer_cost(costs.layers.get((min(pair), max(pair)), 0)) for pair in pairs
    )


@pytest.mark.parametrize("size", [2, 3, 4, 6])
def test_entries_of_one_author_meet_only_if_unavoidable(size: int) -> None:
    problem = fresh(24, size)
    authored = tuple(msgspec.structs.replace(c, author=f"author {c.entry % size}") for c in problem.candidates)
    assert drawn(msgspec.structs.replace(problem, candidates=authored)).weighed.siblings == 0
    assert drawn(msgspec.structs.replace(problem, candidates=authored, apart=False), "x").weighed.siblings > 0


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), entries=st.integers(8, 40), size=st.integers(2, 5))
@settings(deadline=None, max_examples=40)
def test_two_entries_forbidden_to_meet_are_never_paired(seed: int, entries: int, size: int) -> None:
    draw = Random(seed)
    forbidden = frozenset(frozenset(draw.sample(range(1, entries + 1), 2)) for _ in range(6))
    problem = fresh(entries, size, forbidden=forbidden, budget=500_000)
    try:
        tables = drawn(problem).tables
    except ImpossiblePairingError:
        return  # a refusal is lawful here
    assert not {frozenset(pair) for table in tables for pair in combinations(table, 2)} & forbidden


def test_a_forbidden_pair_that_makes_pairing_impossible_is_named_in_the_error() -> None:
    with pytest.raises(ImpossiblePairingError, match="entries 1 and 2 must not meet"):
        drawn(fresh(2, 2, forbidden=frozenset({frozenset({1, 2})})))


def test_one_of_two_entries_forbidden_to_meet_gets_the_bye_if_only_three_entries_are_left() -> None:
    one, two, three = (PairingCandidate(entry=entry, points=9 - entry) for entry in (1, 2, 3))
    problem = PairingInput(candidates=(one, two, three), full=2, least=2, forbidden=frozenset({frozenset({1, 2})}))
    assert drawn(problem).rests in ((1,), (2,))


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "size"), [(64, 2), (48, 3), (64, 4), (75, 5)])
def test_an_entry_sits_at_most_once_more_often_in_one_seat_than_in_another(entries: int, size: int) -> None:
    """Setup: all tables are full, winners meet winners, and no pair has to meet twice."""
    league = GeneratedLeague(entries, size, "seating")
    for number in range(1, size + 3):
        tables = draw_round(league.build_problem(), MatchRandomness(seed_of("seating")).at("pairing", number)).tables
        for table in tables:
            league.play(table)
        assert max(unevenness(candidate, size) for candidate in league.build_problem().candidates) <= 1, number


def unevenness(candidate: PairingCandidate, size: int) -> int:
    counts = [candidate.seats.get(seat, 0) for seat in range(size)]
    return max(counts) - min(counts)


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "size"), [(8, 2), (8, 4), (9, 3)])
@pytest.mark.parametrize("seats", [{}, dict.fromkeys(range(4), 1)])
def test_bots_with_equal_histories_get_all_seats_equally_often(entries: int, size: int, seats: dict[int, int]) -> None:
    """Order of entry and points do not affect seats: 400 draws, tolerance four standard deviations."""
    sat, lots = Counter[tuple[int, int]](), 400
    candidates = tuple(PairingCandidate(entry=e, points=entries - e, seats=seats) for e in range(1, entries + 1))
    for lot in range(lots):
        tables = drawn(PairingInput(candidates=candidates, full=size, least=2, win=entries, budget=0), str(lot)).tables
        sat.update((entry, seat) for table in tables for seat, entry in enumerate(table))
    spread = 4 * (lots / size * (1 - 1 / size)) ** 0.5
    for entry in range(1, entries + 1):
        for seat in range(size):
            assert abs(sat[entry, seat] - lots / size) <= spread, (entry, seat)


def test_four_entries_that_meet_in_every_round_play_each_of_two_roles_equally_often() -> None:
    roles = (0, 1, 0, 1)
    had, sat = {entry: Counter[int]() for entry in range(1, 5)}, {entry: Counter[int]() for entry in range(1, 5)}
    for number in range(1, 9):
        candidates = tuple(PairingCandidate(entry=e, points=0, roles=had[e], seats=sat[e]) for e in had)
        (table,) = drawn(PairingInput(candidates=candidates, full=4, least=4, roles={4: roles}), str(number)).tables
        for seat, entry in enumerate(table):
            had[entry][roles[seat]] += 1
            sat[entry][seat] += 1
        if number % 2 == 0:
            assert all(counts[0] == counts[1] for counts in had.values()), number


def test_roles_rotate_in_games_whose_seats_have_roles() -> None:
    """Two of three seats have the same role. One of the two entries that had this role gets the other one."""
    had = {1: {0: 2}, 2: {0: 2}, 3: {1: 2}}
    candidates = tuple(PairingCandidate(entry=entry, points=0, roles=roles) for entry, roles in had.items())
    for lot in range(10):
        (table,) = drawn(PairingInput(candidates=candidates, full=3, least=3, roles={3: (1, 0, 0)}), str(lot)).tables
        assert table[0] in (1, 2)


def test_at_most_one_of_four_entries_has_the_same_left_neighbour_when_they_meet_again() -> None:
    met = {entry: {other: 1 for other in range(1, 5) if other != entry} for entry in range(1, 5)}
    left = {1: {2: 1}, 2: {3: 1}, 3: {4: 1}, 4: {1: 1}}
    candidates = tuple(PairingCandidate(entry=e, points=0, met=met[e], left=left[e]) for e in range(1, 5))
    for lot in range(10):
        (table,) = drawn(PairingInput(candidates=candidates, full=4, least=4), str(lot)).tables
        around = pairwise([*table, table[0]])
        assert sum(left[one].get(other, 0) for one, other in around) <= 1


def test_if_the_pairs_yet_to_meet_form_two_triangles_a_maximum_matching_proves_a_repeated_meeting_unavoidable() -> None:
    new = [frozenset(part) - {one} for part in ({0, 1, 2}, {3, 4, 5}) for one in sorted(part)]
    assert prove_by_matching(new) == (1, [])
    assert bound_by_counting(new, [2, 2, 2]) == 0


def test_if_all_pairs_yet_to_meet_share_one_entry_a_maximum_matching_proves_a_repeated_meeting_unavoidable() -> None:
    new = [frozenset({1, 2, 3}), frozenset({0}), frozenset({0}), frozenset({0})]
    assert prove_by_matching(new) == (1, [0])


def splits(left: tuple[int, ...], size: int) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to divide entries into tables of that size."""
    if not left:
        yield []
    for others in combinations(left[1:], size - 1):
        table = (left[0], *others)
        for rest in splits(tuple(one for one in left if one not in table), size):
            yield [table, *rest]


def weighed(problem: PairingInput, tables: list[tuple[int, ...]]) -> tuple[int, int, int]:
    """Return the costs of repeated meetings, of repeated seats in the best order, and of point differences."""
    of, size = {candidate.entry: candidate for candidate in problem.candidates}, problem.full
    pairs = [(of[one], of[other]) for table in tables for one, other in combinations(table, 2)]
    repeats = sum(one.met.get(other.entry, 0) ** 2 for one, other in pairs)

    def above(entry: int, seat: int) -> int:
        counts = [of[entry].seats.get(number, 0) + (number == seat) for number in range(size)]
        return max(0, max(counts) - min(counts) - 1) ** 2

    orders = (permutations(table) for table in tables)
    uneven = sum(min(sum(above(e, seat) for seat, e in enumerate(order)) for order in some) for some in orders)
    gaps = [256 * one.points // problem.win - 256 * other.points // problem.win for one, other in pairs]
    return repeats, uneven, sum(gap * gap for gap in gaps)


@pytest.mark.slow
@pytest.mark.parametrize(("entries", "size"), [(6, 2), (8, 2), (6, 3), (9, 3), (8, 4)])
@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
def test_exhaustive_search_finds_no_better_pairing_than_the_algorithm(entries: int, size: int, rounds: int) -> None:
    for seed in range(3):
        problem = build_carelessly_paired_field(entries, size, rounds, seed)
        everybody = tuple(candidate.entry for candidate in problem.candidates)
        best = min(weighed(problem, tables) for tables in splits(everybody, size))
        found = drawn(problem)
        if size == 2:  # at tables of two, fewer repeated meetings are better than any number of third meetings
            fewest = min(repeats_of(problem, tables) for tables in splits(everybody, 2))
            assert repeats_of(problem, list(found.tables)) == fewest
        else:
            assert weighed(problem, list(found.tables)) == best, seed


def repeats_of(problem: PairingInput, tables: list[tuple[int, ...]]) -> int:
    met = {candidate.entry: candidate.met for candidate in problem.candidates}
    return sum(met[one].get(other, 0) > 0 for one, other in tables)


@pytest.mark.slow
def test_a_smaller_search_budget_gives_a_worse_but_complete_pairing() -> None:
    problem = build_well_paired_field(48, 4, 4)
    poor, good = drawn(msgspec.structs.replace(problem, budget=0)), drawn(problem)
    assert (poor.weighed.repeats, poor.weighed.floaters) > (good.weighed.repeats, good.weighed.floaters)
    assert sorted(entry for table in poor.tables for entry in table) == list(range(1, 49))
