"""Round robins at tables of any size: everybody meets everybody, in as few rounds as are known.

Pairs use the circle method. Tables of q among a power of q, where a field of q elements exists: its lines in each
direction are a round, and two points are on one line (affine geometry). Tables of three among 15, 21, 39 or 57:
Kirkman's schoolgirls (Ray-Chaudhuri and Wilson, Solution of Kirkman's schoolgirl problem, 1971). In all these each pair
meets once. All other cases are searched round by round, maximising the number of new meetings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb

import msgspec
import numpy as np

from ftk_core.league.pairing.drawing import pair
from ftk_core.league.pairing.field import Candidate, Field
from ftk_core.league.pairing.optima import match_pairs
from ftk_core.league.pairing.rests import sizes_of
from ftk_core.rng import Draw

Group = tuple[int, ...]
Round = tuple[tuple[Group, ...], Group]
"""Tables, each with its entries by seat, and the entries that rest."""

LINES: Mapping[int, tuple[int, int, int]] = {
    2: (2, 1, 0), 3: (3, 1, 0), 5: (5, 1, 0), 7: (7, 1, 0), 11: (11, 1, 0), 4: (2, 2, 3), 8: (2, 3, 3), 9: (3, 2, 2)
}  # fmt: skip
"""Fields by size q = p ** e: p, e, and the value of x ** e as digits in base p."""
LEVELS: Mapping[int, tuple[int, int]] = {21: (7, 3), 39: (13, 2), 57: (19, 2)}
"""Three times a prime of the form 6t + 1, with a primitive root of that prime."""
BUDGET = 8_000_000
"""Work budget for each round that is searched, as in `Field.budget`."""


class Schedule(msgspec.Struct, frozen=True):
    """Schedule of a round robin."""

    rounds: tuple[Round, ...]
    needed: int
    """Lower bound on the number of rounds with tables of these sizes."""


def schedule(entries: Sequence[int], seats: int, least: int, draw: Draw) -> Schedule:
    """Return randomised rounds in which everybody meets everybody at least once, at tables of up to `seats`.

    Each round has as few rests and as equal tables as possible. Raise NoTables if there are too few entries for one
    table of `least`.
    """
    _, sizes = sizes_of(len(entries), seats, least)
    order = draw.shuffled(entries)
    design = _design(len(entries), max(sizes)) if min(sizes) == max(sizes) else None
    if max(sizes) == 2:
        rounds = [_named(order, tables) for tables in _circle(len(entries))]
    elif design is not None:
        rounds = [_named(order, tables) for tables in design]
    else:
        rounds = list(_searched(order, seats, least, draw))
    if sizes[0] > 2 and sizes[0] * len(sizes) == len(entries):
        rounds = _seated(rounds, sizes[0], draw)
    return Schedule(tuple(rounds), needed(len(entries), sizes))


def needed(entries: int, sizes: Sequence[int]) -> int:
    """Return a lower bound on the rounds with tables of these sizes: for all pairs, and for one's opponents."""
    pairs = sum(comb(size, 2) for size in sizes)
    return max(-(-comb(entries, 2) // pairs), -(-(entries - 1) // (max(sizes) - 1)))


def _named(order: Sequence[int], tables: Iterable[Sequence[int]]) -> Round:
    seated = tuple(tuple(order[index] for index in table) for table in tables)
    return seated, tuple(sorted(set(order).difference(*seated)))


def _circle(entries: int) -> Iterator[list[Group]]:
    """Yield rounds of pairs of indices, in which everybody sits first as often as second, give or take one."""
    odd = entries - 1 + entries % 2
    for number in range(odd):
        pairs = [((number + step) % odd, (number - step) % odd) for step in range(1, (odd + 1) // 2)]
        if entries % 2 == 0:
            pairs.append((number, odd) if number % 2 else (odd, number))
        yield [*pairs]


def _design(entries: int, size: int) -> list[list[Group]] | None:
    """Return rounds of tables of indices in which each pair meets once, if a design is known."""
    if size in LINES:
        dimensions = next(power for power in range(1, 9) if size**power >= entries)
        if size**dimensions == entries:
            return list(_directions(size, dimensions))
    if size == 3 and entries == 15:
        return list(_fifteen())
    return list(_three_levels(*LEVELS[entries])) if size == 3 and entries in LEVELS else None


def _directions(size: int, dimensions: int) -> Iterator[list[Group]]:
    """Yield the parallel lines of each direction in the affine geometry over the field of this size."""
    points = list(product(range(size), repeat=dimensions))
    index = {point: number for number, point in enumerate(points)}
    for way in points:
        if next((part for part in way if part), 0) != 1:
            continue  # of all multiples of a direction, take the one that begins with 1
        lines = set[Group]()
        for start in points:
            steps = (zip(start, way, strict=True) for _ in range(size))
            line = (tuple(_add(a, _times(t, b, size), size) for a, b in step) for t, step in enumerate(steps))
            lines.add(tuple(sorted(index[point] for point in line)))
        yield sorted(lines)


def _add(one: int, other: int, size: int) -> int:
    """Add in the field, digit by digit."""
    base, digits, _ = LINES[size]
    return sum((one // base**d + other // base**d) % base * base**d for d in range(digits))


def _times(one: int, other: int, size: int) -> int:
    """Multiply in the field, by Horner's rule."""
    base, digits, leading = LINES[size]
    result = 0
    for digit in reversed(range(digits)):
        over, rest = divmod(result * base, size)  # times x
        result = rest
        for _ in range(over):
            result = _add(result, leading, size)
        for _ in range(one // base**digit % base):
            result = _add(result, other, size)
    return result


def _fifteen() -> Iterator[list[Group]]:
    """Yield seven rounds: one with two levels of seven points and a separate point, and its rotations."""
    first = [(0, 7, 14), (1, 3, 9), (2, 6, 11), (4, 5, 8), (13, 12, 10)]
    for turn in range(7):
        yield [tuple(p if p == 14 else p // 7 * 7 + (p % 7 + turn) % 7 for p in table) for table in first]


def _three_levels(prime: int, root: int) -> Iterator[list[Group]]:
    """Yield the rounds of Kirkman's problem for three levels of `prime` points."""
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


def _seated(rounds: Sequence[Round], size: int, draw: Draw) -> list[Round]:
    """Reseat the tables, all full, so that in each `size` rounds everybody has each seat once.

    This is possible: everybody sits at as many tables as these have seats, so each kind of seat can be assigned in turn
    (Konig's theorem of bipartite graphs). An incomplete last block is filled up with the first rounds.
    """
    seated = list[Round]()
    for start in range(0, len(rounds), size):
        some = [rounds[number % len(rounds)] for number in range(start, start + size)]
        tables = iter(_one_of_each([table for among, _ in some for table in among], draw))
        seated += [(tuple(next(tables) for _ in among), rests) for among, rests in some]
    return seated[: len(rounds)]


def _one_of_each(tables: Sequence[Group], draw: Draw) -> list[Group]:
    """Seat these tables so that everybody, sitting at as many as they have seats, has each seat once."""
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


def _sit(sat: Mapping[int, Counter[int]], tables: Iterable[Group]) -> None:
    for table in tables:
        for seat, entry in enumerate(table):
            sat[entry][seat] += 1


def _searched(order: Sequence[int], seats: int, least: int, draw: Draw) -> Iterator[Round]:
    """Yield rounds until all have met. Each has a new meeting, because one exchange could always create one.

    Pairing only sees whether two have met, so it maximises new meetings.
    """
    met: dict[int, dict[int, int]] = {entry: {} for entry in order}
    sat = {entry: Counter[int]() for entry in order}
    rested, short = Counter[int](), Counter[int]()
    while any(len(others) < len(order) - 1 for others in met.values()):
        people = tuple(
            Candidate(entry=e, points=0, met=met[e], seats=sat[e], rests=rested[e], short=short[e]) for e in order
        )
        drawn = pair(Field(candidates=people, full=seats, least=least, budget=BUDGET), draw)
        for one, other in (two for table in drawn.tables for two in combinations(table, 2)):
            met[one][other] = met[other][one] = 1
        rested.update(drawn.rests)
        short.update(entry for table in drawn.tables if len(table) < seats for entry in table)
        _sit(sat, drawn.tables)
        yield drawn.tables, drawn.rests
