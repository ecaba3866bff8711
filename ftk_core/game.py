"""What a game is: a frozen row of pure functions, and nothing that can hold state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import msgspec

from ftk_core.facts import OMNISCIENT, PUBLIC, Action, Fact, Viewer, tell
from ftk_core.hands import BARE_HANDS, ByHand
from ftk_core.rng import Chance
from ftk_core.scene import Scene

S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Fact)
V = TypeVar("V")
T = TypeVar("T")
Seat = int
Mark = Literal["turn", "phase", "key"]
Worth = Literal["places", "wins", "shared"]
"""What a match is worth in a league: the share of opponents left behind, 1 to each winner, or 1 for all winners."""

MENU_LIMIT = 1000
"""The most items a menu may hold (a law over every game)."""

__all__ = [
    "MENU_LIMIT",
    "OMNISCIENT",
    "PUBLIC",
    "Game",
    "Mark",
    "Result",
    "RuleError",
    "Seat",
    "StandardOptions",
    "Viewer",
    "places_by",
    "tell",
]


class RuleError(Exception):
    """Raised by `Game.decide` for a choice that is not on the menu; the message names both."""


class Result(msgspec.Struct, frozen=True):
    """How a game ended."""

    places: tuple[int, ...]
    """By seat, 1 is best; seats that share a place leave the next ones free (1, 1, 3)."""
    scores: tuple[int, ...]
    """By seat, in the game's own points."""
    roles: tuple[str, ...] = ()
    """By seat, what each turned out to be, in a game where that is not the same for all."""


def places_by(keys: Sequence[Any]) -> tuple[int, ...]:
    """Return each seat's place when a greater key is better and equal keys share a place."""
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
    places = [0] * len(keys)
    for rank, (at, above) in enumerate(zip(order, [None, *order], strict=False)):
        places[at] = places[above] if above is not None and keys[above] == keys[at] else rank + 1
    return tuple(places)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return a tuple, mostly one by seat, with one of its values changed.

    >>> put(("Ada", "Bo", "Cy"), 1, "Dot")
    ('Ada', 'Dot', 'Cy')
    """
    return (*values[:at], value, *values[at + 1 :])


def settled(
    state: S, chance: Chance, next_fact: Callable[[S, Chance], E | None], apply: Callable[[S, E], S]
) -> tuple[list[E], S]:
    """Return every fact that follows by itself, until a choice is due or the game is over, and the state then."""
    following: list[E] = []
    while (fact := next_fact(state, chance)) is not None:
        following.append(fact)
        state = apply(state, fact)
    return following, state


class StandardOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that is only played as its rule book has it: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, E, V]):
    """One game as data: its name, its vocabulary, and the functions that are its rules."""

    name: str
    """The folder's name, e.g. ``for_the_king``."""
    title: str
    """The name on the box."""
    version: int
    """Counts rule changes from 1; a log names it and is only read and rerun by the same one."""
    seats: range
    """The table sizes it can be played at."""
    actions: Any
    """The closed union of its actions, for decoding."""
    facts: Any
    """The closed union of its facts, for decoding."""
    setup: Callable[[int, Any], S]
    """(seats, options) -> the bare table: no chance drawn, nothing hidden; raises ValueError for impossible options."""
    deal: Callable[[S, Chance], tuple[E, ...]]
    """(bare table, chance) -> the facts of the opening shuffle."""
    turn: Callable[[S], tuple[Seat, ...]]
    """(state) -> the seats that owe a choice now, lowest first; empty when the game is over."""
    legal: Callable[[S, Seat], tuple[A, ...]]
    """(state, seat) -> the whole menu; item 0 is played for a silent seat; empty for a seat not to act."""
    decide: Callable[[S, Seat, A, Chance], tuple[E, ...]]
    """(state, seat, action, chance) -> the facts that follow; raises RuleError off the menu."""
    apply: Callable[[S, E], S]
    """(state, fact) -> the state after it; never fails on a legal history, never draws."""
    follow: Callable[[S, Seat, A, Chance], tuple[tuple[E, ...], S]] | None = None
    """(state, seat, action, chance) -> (facts that follow, state behind them), for an item of the menu, unchecked.

    `decide` and `apply` in one, for who plays much and keeps no log; not every game has it.
    """
    view: Callable[[S, Viewer], V]
    """(state, viewer) -> all that the viewer may know, and nothing else."""
    scene: Callable[[V], Scene]
    """(view) -> its picture; it never sees the state, so it cannot show a secret."""
    result: Callable[[S], Result]
    """(final state) -> places and scores."""
    say: Callable[[E, Sequence[str], str], str]
    """(told fact, the seats' names, language tag) -> one sentence for a reader."""
    resample: Callable[[S, Viewer, Chance], S] | None = None
    """(state, viewer, chance) -> a state that the viewer cannot tell from this one: all it may not know is dealt again.

    Each state is equally likely in which all that the viewer was told so far could have happened, unless the game says
    otherwise; what others chose is no evidence. The labels drawn begin with ``resample``: who wants more than one state
    gives more than one chance. A state that is over, and one that the viewer knows all of, is returned as it is.
    """
    veiled: Callable[[S], bool] = lambda _state: False
    """(state) -> whether it is a secret how many items are on the menus due now: a forced move must not be noticed."""
    options: type[msgspec.Struct] = StandardOptions
    """What an organiser may choose: a frozen struct whose defaults are the rule book's."""
    worth: Worth = "places"
    """How a league counts its matches, unless the organiser says otherwise."""
    longest_menu: int = MENU_LIMIT
    """The most items that a menu can have by its rules, at any table size: how many actions a learner is given."""
    roles: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """By table size the role of each seat from the start; sizes that are not there have seats that are all alike.

    Roles that players take at the table are none of these: taking the right one is part of playing well.
    """
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language tag -> what its pictures say in English, each figure as ``#`` -> the same (see `ftk_core.words`)."""
    about: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language tag -> a piece's tag -> what it does and which rule says so (see `ftk_core.words.about_piece`)."""
    by_hand: ByHand = BARE_HANDS
    """What a person is told who plays it; a game that says nothing of that can be played all the same."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Kinds of facts that a viewer can jump to: a new turn, the start of a phase, or a key moment."""
