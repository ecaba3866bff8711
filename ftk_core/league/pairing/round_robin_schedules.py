"""Round-robin schedules at tables of any size: everybody meets everybody.

Methods: the circle method; affine spaces; Kirkman's schoolgirl problem (Ray-Chaudhuri and Wilson, 1971); a search.
"""
# Circle method: tables of two. Affine space over a field of q elements: tables of q seats and a power of q bots. Bots
# are points, lines are tables, parallel lines are a round; each pair meets once. Kirkman: tables of three and 15, 21,
# 39 or 57 bots. All other cases are searched round by round, with as many new meetings in each as possible.

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb

import msgspec
import numpy as np

from ftk_core.league.pairing.bye_selection import table_sizes
from ftk_core.league.pairing.deterministic_graph_matching import match_pairs
from ftk_core.league.pairing.pairing_input_and_output import PairingCandidate, PairingInput
from ftk_core.league.pairing.round_pairing import draw_round
from ftk_core.random_streams import RandomBitStream

Group = tuple[int, ...]
Round = tuple[tuple[Group, ...], Group]
"""Round: its tables, each with its bots by seat, and the bots with a bye."""

FINITE_FIELDS: Mapping[int, tuple[int, int, int]] = {
    2: (2, 1, 0), 3: (3, 1, 0), 5: (5, 1, 0), 7: (7, 1, 0), 11: (11, 1, 0), 4: (2, 2, 3), 8: (2, 3, 3), 9: (3, 2, 2)
}  # fmt: skip
"""Size p ** e of a finite field -> (p, e, the element x ** e).

An element is a polynomial in x, written as a number: its coefficients are the digits in base p.
"""
KIRKMAN_PRIMES: Mapping[int, tuple[int, int]] = {21: (7, 3), 39: (13, 2), 57: (19, 2)}
"""Number of bots (three times a prime of the form 6t + 1) -> the prime and one of its primitive roots."""
BUDGET = 8_000_000
"""Limit on the work of searching one round: number of pairs of bots examined."""


class RoundRobinSchedule(msgspec.Struct, frozen=True):
    """All rounds of a round robin, in the order in which they are played."""

    rounds: tuple[Round, ...]
    needed: int
    """Lower bound on the number of rounds that tables of the same sizes need."""


def draw_schedule(
    entries: Sequence[int], seats: int, least: int, draw: RandomBitStream, budget: int = BUDGET
) -> RoundRobinSchedule:
    """Draw a random schedule in which everybody meets everybody, at tables of up to `seats` bots.

    `budget` limits the work of searching each round, if it must be searched. Raises ImpossiblePairingError if there are
    fewer than `least` bots, the minimum for one table.
    """
    _, sizes = table_sizes(len(entries), seats, least)
    order = draw.shuffled(entries)
    design = _known_design(len(entries), max(sizes)) if min(sizes) == max(sizes) else None
    if max(sizes) == 2:
        rounds = [_with_entries(order, tables) for tables in _circle_rounds(len(entries))]
    elif design is not None:
        rounds = [_with_entries(order, tables) for tables in design]
    else:
        rounds = list(_search_rounds(order, seats, least, draw, budget))
    if sizes[0] > 2 and sizes[0] * len(sizes) == len(entries):
        rounds = _balance_seats(rounds, sizes[0], draw)
    return RoundRobinSchedule(tuple(rounds), min_rounds(len(entries), sizes))


def min_rounds(entries: int, sizes: Sequence[int]) -> int:
    """Return a lower bound on the number of rounds of a round robin with these table sizes."""
    # Every pair must meet, and each bot must meet all others.
    pairs = sum(comb(size, 2) for size in sizes)
    return max(-(-comb(entries, 2) // pairs), -(-(entries - 1) // (max(sizes) - 1)))


def _with_entries(order: Sequence[int], tables: Iterable[Sequence[int]]) -> Round:
    seated = tuple(tuple(order[index] for index in table) for table in tables)
    return seated, tuple(sorted(set(order).difference(*seated)))


def _circle_rounds(entries: int) -> Iterator[list[Group]]:
    """Yield rounds of pairs in which everybody meets everybody once. A pair lists its bots by seat."""
    # Each bot sits first as often as second, or once more or less.
    odd = entries - 1 + entries % 2
    for number in range(odd):
        pairs = [((number + step) % odd, (number - step) % odd) for step in range(1, (odd + 1) // 2)]
        if entries % 2 == 0:
            pairs.append((number, odd) if number % 2 else (odd, number))
        yield [*pairs]


def _known_design(entries: int, size: int) -> list[list[Group]] | None:
    """Return rounds of tables in which each pair meets exactly once, or None if none are known."""
    if size in FINITE_FIELDS:
        dimensions = next(power for power in range(1, 9) if size**power >= entries)
        if size**dimensions == entries:
            return list(_affine_rounds(size, dimensions))
    if size == 3 and entries == 15:
        return list(_rounds_of_fifteen())
    return list(_kirkman_rounds(*KIRKMAN_PRIMES[entries])) if size == 3 and entries in KIRKMAN_PRIMES else None


def _affine_rounds(size: int, dimensions: int) -> Iterator[list[Group]]:
    """Yield rounds in which each pair of bots meets once, built from the parallel lines of an affine space."""
    # Bots are the points of a space over a field of `size` elements, tables its lines. Parallel lines are a round.
    points = list(product(range(size), repeat=dimensions))
    index = {point: number for number, point in enumerate(points)}
    for way in points:
        if next((part for part in way if part), 0) != 1:
            continue  # of all multiples of a direction vector, take the one whose first non-zero part is 1
        lines = set[Group]()
        for start in points:
            steps = (zip(start, way, strict=True) for _ in range(size))
            line = (
                tuple(_field_sum(a, _field_product(t, b, size), size) for a, b in step) for t, step in enumerate(steps)
            )
            lines.add(tuple(sorted(index[point] for point in line)))
        yield sorted(lines)


def _field_sum(one: int, other: int, size: int) -> int:
    """Add two elements of the finite field with `size` elements."""
    # The digits are the coefficients of a polynomial (see `FINITE_FIELDS`). They are added without carry.
    base, digits, _ = FINITE_FIELDS[size]
    return sum((one // base**d + other // base**d) % base * base**d for d in range(digits))


def _field_product(one: int, other: int, size: int) -> int:
    """Multiply two elements of the finite field with `size` elements, by Horner's rule."""
    base, digits, leading = FINITE_FIELDS[size]
    result = 0
    for digit in reversed(range(digits)):
        over, remainder = divmod(result * base, size)  # times x
        result = remainder
        for _ in range(over):
            result = _field_sum(result, leading, size)
        for _ in range(one // base**digit % base):
            result = _field_sum(result, other, size)
    return result


def _rounds_of_fifteen() -> Iterator[list[Group]]:
    """Yield seven rounds of five tables for 15 bots."""
    # A first round and its six rotations: add 1 modulo seven within the indices 0 to 6, and within 7 to 13. Index 14
    # stays.
    first = [(0, 7, 14), (1, 3, 9), (2, 6, 11), (4, 5, 8), (13, 12, 10)]
    for turn in range(7):
        yield [tuple(p if p == 14 else p // 7 * 7 + (p % 7 + turn) % 7 for p in table) for table in first]


def _kirkman_rounds(prime: int, root: int) -> Iterator[list[Group]]:
    """Yield rounds of tables of three in which each pair of bots meets once."""
    # Kirkman's schoolgirl problem for three times `prime` bots. `root` is a primitive root of `prime`.
    sixth = prime // 6

    def table(power: int, levels: Sequence[int], turn: int) -> Group:
        powers = (pow(root, power + 2 * sixth * third, prime) for third in range(3))
        return tuple((value + turn) % prime + prime * level for value, level in zip(powers, levels, strict=True))

    for turn in range(prime):
        inside = [table(power, (level,) * 3, turn) for power in range(sixth) for level in range(3)]
        across = [table(power + sixth * odd, (0, 1, 2), turn) for power in range(sixth) for odd in (1, 3, 5)]
        yield [tuple(turn + prime * level for level in range(3)), *inside, *across]
    for power, even in product(range(sixth), (0, 2, 4)):
        yield [table(power + sixth * even, (0, 1, 2), turn) for turn in range(prime)]


def _balance_seats(rounds: Sequence[Round], size: int, draw: RandomBitStream) -> list[Round]:
    """Reseat full tables so that each bot has each seat equally often."""
    # Once in each block of `size` rounds. This is always possible, because a bot sits at `size` tables in a block
    # (Konig's theorem on bipartite graphs). A shorter last block is filled up with the first rounds, only to compute
    # the seats.
    seated = list[Round]()
    for start in range(0, len(rounds), size):
        some = [rounds[number % len(rounds)] for number in range(start, start + size)]
        tables = iter(_seat_each_once([table for among, _ in some for table in among], draw))
        seated += [(tuple(next(tables) for _ in among), rests) for among, rests in some]
    return seated[: len(rounds)]


def _seat_each_once(tables: Sequence[Group], draw: RandomBitStream) -> list[Group]:
    """Reseat the given tables so that each bot has every seat once."""
    # Each bot must sit at as many of these tables as a table has seats.
    index = {entry: number for number, entry in enumerate(dict.fromkeys(entry for table in tables for entry in table))}
    left = np.zeros((len(tables), len(index)), dtype=np.int8)
    for number, table in enumerate(tables):
        left[number, [index[entry] for entry in table]] = 1
    named, holders = list(index), dict[int, list[int]]()
    for seat in draw.shuffled(range(len(tables[0]))):
        first, second = left.nonzero()
        pairs = match_pairs(2 * len(tables), first, second + len(tables), [0] * len(first))
        holders[seat] = [other - len(tables) for _, other in pairs]
        left[np.arange(len(tables)), holders[seat]] = 0
    return [tuple(named[holders[seat][number]] for seat in sorted(holders)) for number in range(len(tables))]


def _count_meetings(sat: Mapping[int, Counter[int]], tables: Iterable[Group]) -> None:
    for table in tables:
        for seat, entry in enumerate(table):
            sat[entry][seat] += 1


def _search_rounds(order: Sequence[int], seats: int, least: int, draw: RandomBitStream, budget: int) -> Iterator[Round]:
    """Yield rounds with as many new meetings as possible, until all bots have met."""
    # The pairing weighs pairs that met often more than others. So each pair that has met is passed as having met once.
    met: dict[int, dict[int, int]] = {entry: {} for entry in order}
    sat = {entry: Counter[int]() for entry in order}
    rested, short = Counter[int](), Counter[int]()
    while any(len(others) < len(order) - 1 for others in met.values()):
        people = tuple(
            PairingCandidate(entry=e, points=0, met=met[e], seats=sat[e], rests=rested[e], short=short[e])
            for e in order
        )
        drawn = draw_round(PairingInput(candidates=people, full=seats, least=least, budget=budget), draw)
        for one, other in (two for table in drawn.tables for two in combinations(table, 2)):
            met[one][other] = met[other][one] = 1
        rested.update(drawn.rests)
        short.update(entry for table in drawn.tables if len(table) < seats for entry in table)
        _count_meetings(sat, drawn.tables)
        yield drawn.tables, drawn.rests
