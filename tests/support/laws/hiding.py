"""Every world in which a viewer would have been told the same: found by trying all, as a measure for who draws one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from scipy.stats import chisquare

from ftk_core.facts import Action, Fact, Viewer, tell
from ftk_core.fold import AnyGame
from ftk_core.rng import Chance, Draw, seed_of

LEAST_LIKELY = 1e-4
"""Chance deals worse than this by accident once in ten thousand times; the seeds are fixed."""
Script = Sequence[tuple[int, Action]]
"""(seat, action) in the order in which they were chosen."""


class More(Exception):
    """Raised where another draw is due: it can come out in so many ways."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class ToldDraw(Draw):
    """A draw that comes out as told."""

    __slots__ = ("_come",)

    def __init__(self, come: Iterator[int]) -> None:
        self._come = come

    def below(self, bound: int) -> int:
        """Return what is told next."""
        for number in self._come:
            return number
        raise More(bound)

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in the order that is told."""
        orders = list(permutations(items))
        return orders[self.below(len(orders))]


class ToldChance(Chance):
    """Chance that comes out as told, whatever is drawn."""

    __slots__ = ("_draw",)

    def __init__(self, come: Iterable[int]) -> None:
        self._draw = ToldDraw(iter(come))

    def at(self, purpose: str, *numbers: int | str) -> Draw:
        """Return the one draw there is."""
        return self._draw


def outcomes(
    row: AnyGame, state: Any, seat: int, action: Action, come: tuple[int, ...] = ()
) -> Iterator[Sequence[Fact]]:
    """Yield the facts that a choice can have, by every outcome of chance."""
    try:
        yield row.decide(state, seat, action, ToldChance(come))
    except More as more:
        for number in range(more.ways):
            yield from outcomes(row, state, seat, action, (*come, number))


def worlds(
    row: AnyGame,
    state: Any,
    script: Script,
    told: Sequence[Fact],
    hides: type[Action] | tuple[type[Action], ...],
    viewer: Viewer,
) -> Iterator[Any]:
    """Yield every state in which the viewer was told the same; others can have made other choices of these kinds."""
    if not script:
        yield state
        return
    seat, was = script[0]
    choices = row.legal(state, seat) if isinstance(was, hides) and seat != viewer else (was,)
    for action in choices:
        if action not in row.legal(state, seat):
            continue
        for facts in outcomes(row, state, seat, action):
            if [tell(fact, viewer) for fact in facts] != list(told[: len(facts)]):
                continue
            after = state
            for fact in facts:
                after = row.apply(after, fact)
            yield from worlds(row, after, script[1:], told[len(facts) :], hides, viewer)


def hides_evenly(
    row: AnyGame, state: Any, viewer: Viewer, every: Iterable[Any], as_it_lies: Callable[[Any], Hashable]
) -> int:
    """Assert that a state is dealt again to just these worlds, each as often; return how many there are."""
    assert row.resample
    wanted = {as_it_lies(world) for world in every}
    assert as_it_lies(state) in wanted
    counts = Counter[Hashable]()
    for number in range(400 + 15 * len(wanted)):
        counts[as_it_lies(row.resample(state, viewer, Chance(seed_of("hiding", viewer, number))))] += 1
    assert set(counts) <= wanted, "a world that cannot be"
    if len(wanted) > 1:
        assert chisquare([counts[world] for world in wanted]).pvalue > LEAST_LIKELY
    return len(wanted)
