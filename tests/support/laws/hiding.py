"""Enumeration of all states that look the same to a viewer, to test that a game's `resample` draws them uniformly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import permutations
from typing import Any

from ftk_core.facts import Action, Fact, Viewer, redact
from ftk_core.match_state_from_log import AnyGame
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of

LEAST_LIKELY = 1e-4
"""Smallest accepted p-value; a correct `resample` has a smaller value once in ten thousand tests. Seeds are fixed."""
Script = Sequence[tuple[int, Action]]
"""(seat, action) in the order in which they were chosen."""


class DrawsMissing(Exception):
    """Raised if more is drawn than outcomes are given; `ways` is the number of outcomes of the next draw."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class PresetDraw(RandomBitStream):
    """A random source with given outcomes; raises DrawsMissing when all are used."""

    __slots__ = ("_come",)

    def __init__(self, come: Iterator[int]) -> None:
        self._come = come

    def below(self, bound: int) -> int:
        """Return the next given number."""
        for number in self._come:
            return number
        raise DrawsMissing(bound)

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """Return the items in the order whose number is the next given outcome."""
        orders = list(permutations(items))
        return orders[self.below(len(orders))]


class PresetChance(MatchRandomness):
    """Chance that takes its outcomes from one given sequence, whatever the labels are."""

    __slots__ = ("_draw",)

    def __init__(self, come: Iterable[int]) -> None:
        self._draw = PresetDraw(iter(come))

    def at(self, purpose: str, *numbers: int | str) -> RandomBitStream:
        """Return the only random source."""
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
    """Yield every state after the choices of `script` that looks the same to the viewer.

    `told` are the facts as the viewer saw them; choices of other seats of the types `hides` may differ from `script`.
    """
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
    """Assert that `resample` turns a state into each state of `every`, equally often and into no other.

    `as_it_lies` converts a state to a value that can be compared. Return the number of different states.
    """
    assert row.resample
    wanted = {as_it_lies(world) for world in every}
    assert as_it_lies(state) in wanted
    counts = Counter[Hashable]()
    for number in range(400 + 15 * len(wanted)):
        counts[as_it_lies(row.resample(state, viewer, MatchRandomness(seed_of("hiding", viewer, number))))] += 1
    assert set(counts) <= wanted, "a world that cannot be"
    if len(wanted) > 1:
        from scipy.stats import chisquare  # takes seconds to load

        assert chisquare([counts[world] for world in wanted]).pvalue > LEAST_LIKELY
    return len(wanted)
