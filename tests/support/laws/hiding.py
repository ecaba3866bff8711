"""Enumeration of all worlds that look the same to a viewer, to test the random draw of such a world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from scipy.stats import chisquare

from ftk_core.facts import Action, Fact, Viewer, redact
from ftk_core.match_fold import AnyGame
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of

LEAST_LIKELY = 1e-4
"""Chance deals worse than this by accident once in ten thousand times; the seeds are fixed."""
Script = Sequence[tuple[int, Action]]
"""(seat, action) in the order in which they were chosen."""


class DrawsMissing(Exception):
    """Raised if another draw is due; carries its number of outcomes."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class PresetDraw(RandomBitStream):
    """A draw with given outcomes."""

    __slots__ = ("_come",)

    def __init__(self, come: Iterator[int]) -> None:
        self._come = come

    def below(self, bound: int) -> int:
        """Return the next given number."""
        for number in self._come:
            return number
        raise DrawsMissing(bound)

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in the given order."""
        orders = list(permutations(items))
        return orders[self.below(len(orders))]


class PresetChance(MatchRandomness):
    """Chance with given outcomes for every label."""

    __slots__ = ("_draw",)

    def __init__(self, come: Iterable[int]) -> None:
        self._draw = PresetDraw(iter(come))

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Return the only draw."""
        return self._draw


def list_outcomes(
    row: AnyGame, state: Any, seat: int, action: Action, come: tuple[int, ...] = ()
) -> Iterator[Sequence[Fact]]:
    """Yield the facts of a choice for every outcome of chance."""
    try:
        yield row.decide(state, seat, action, PresetChance(come))
    except DrawsMissing as more:
        for number in range(more.ways):
            yield from list_outcomes(row, state, seat, action, (*come, number))


def list_possible_states(
    row: AnyGame,
    state: Any,
    script: Script,
    told: Sequence[Fact],
    hides: type[Action] | tuple[type[Action], ...],
    viewer: Viewer,
) -> Iterator[Any]:
    """Yield every state that looks the same to the viewer; hidden choices of these kinds may differ."""
    if not script:
        yield state
        return
    seat, was = script[0]
    choices = row.legal(state, seat) if isinstance(was, hides) and seat != viewer else (was,)
    for action in choices:
        if action not in row.legal(state, seat):
            continue
        for facts in list_outcomes(row, state, seat, action):
            if [redact(fact, viewer) for fact in facts] != list(told[: len(facts)]):
                continue
            after = state
            for fact in facts:
                after = row.apply(after, fact)
            yield from list_possible_states(row, after, script[1:], told[len(facts) :], hides, viewer)


def check_uniform_resampling(
    row: AnyGame, state: Any, viewer: Viewer, every: Iterable[Any], as_it_lies: Callable[[Any], Hashable]
) -> int:
    """Assert that a state is dealt again to exactly these worlds, equally often; return their number."""
    assert row.resample
    wanted = {as_it_lies(world) for world in every}
    assert as_it_lies(state) in wanted
    counts = Counter[Hashable]()
    for number in range(400 + 15 * len(wanted)):
        counts[as_it_lies(row.resample(state, viewer, MatchRandomness(seed_of("hiding", viewer, number))))] += 1
    assert set(counts) <= wanted, "a world that cannot be"
    if len(wanted) > 1:
        assert chisquare([counts[world] for world in wanted]).pvalue > LEAST_LIKELY
    return len(wanted)
