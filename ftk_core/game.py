"""Definition of a game: a frozen record of pure functions, without mutable state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import msgspec

from ftk_core.facts import OMNISCIENT, PUBLIC, Action, Fact, Viewer, tell
from ftk_core.hands import BARE_HANDS, ByHand
from ftk_core.rng import Chance, Draw
from ftk_core.scene import Scene

S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Fact)
V = TypeVar("V")
T = TypeVar("T")
Seat = int
Mark = Literal["turn", "phase", "key"]
Worth = Literal["places", "wins", "shared"]
"""Value of a match in a league: share of opponents left behind, 1 for each winner, or 1 shared by the winners."""

MENU_LIMIT = 1000
"""Maximum number of items on a menu. A test checks it for every game."""

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
    """Raised by `Game.decide` for a choice that is not on the menu. The message names both."""


class Result(msgspec.Struct, frozen=True):
    """Result of a finished match."""

    places: tuple[int, ...]
    """By seat: the place, 1 is best. Ties leave the following places empty (1, 1, 3)."""
    scores: tuple[int, ...]
    """By seat: points as the game counts them."""
    roles: tuple[str, ...] = ()
    """By seat: the role revealed at the end, in games with different roles."""


def places_by(keys: Sequence[Any]) -> tuple[int, ...]:
    """Return each seat's place: a greater key is better, equal keys share a place."""
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
    places = [0] * len(keys)
    for rank, (at, above) in enumerate(zip(order, [None, *order], strict=False)):
        places[at] = places[above] if above is not None and keys[above] == keys[at] else rank + 1
    return tuple(places)


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return a copy of a tuple, usually one value per seat, with one value replaced.

    >>> put(("Ada", "Bo", "Cy"), 1, "Dot")
    ('Ada', 'Dot', 'Cy')
    """
    return (*values[:at], value, *values[at + 1 :])


def settled(
    state: S, chance: Chance, next_fact: Callable[[S, Chance], E | None], apply: Callable[[S, E], S]
) -> tuple[list[E], S]:
    """Return all facts that follow without a choice, and the state when a choice is due or the game is over."""
    following: list[E] = []
    while (fact := next_fact(state, chance)) is not None:
        following.append(fact)
        state = apply(state, fact)
    return following, state


class StandardOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a game without options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, E, V]):
    """A game: its name, its actions and facts, and the functions that are its rules."""

    name: str
    """Name of the game's folder, e.g. ``for_the_king``."""
    title: str
    """Name printed on the box."""
    version: int
    """Version of the rules, from 1. A log names it and can only be read and rerun with the same version."""
    seats: range
    """Possible table sizes."""
    actions: Any
    """Union type of all actions, for decoding."""
    facts: Any
    """Union type of all facts, for decoding."""
    setup: Callable[[int, Any], S]
    """(seats, options) -> the initial table, before any luck; raises ValueError for impossible options."""
    deal: Callable[[S, Chance], tuple[E, ...]]
    """(initial table, chance) -> the facts of the opening deal."""
    turn: Callable[[S], tuple[Seat, ...]]
    """(state) -> the seats that must choose now, lowest first; empty when the game is over."""
    legal: Callable[[S, Seat], tuple[A, ...]]
    """(state, seat) -> the complete menu; item 0 is played for a seat that does not answer; empty if none is due."""
    decide: Callable[[S, Seat, A, Chance], tuple[E, ...]]
    """(state, seat, action, chance) -> the facts that follow; raises RuleError if the action is not on the menu."""
    apply: Callable[[S, E], S]
    """(state, fact) -> the next state; never fails on a legal history, never draws."""
    follow: Callable[[S, Seat, A, Chance], tuple[tuple[E, ...], S]] | None = None
    """(state, seat, action, chance) -> (facts that follow, next state). The action is not checked.

    Optional: combines `decide` and `apply` for fast play without a log.
    """
    quick: Callable[[S, Seat, Sequence[A], Draw], int] | None = None
    """(state, seat, menu, draw) -> index. A fast and sensible choice from the seat's own knowledge, for playouts.
    Without it playouts choose uniformly."""
    view: Callable[[S, Viewer], V]
    """(state, viewer) -> everything that the viewer may know, and nothing else."""
    scene: Callable[[V], Scene]
    """(view) -> its picture. It never sees the state, so it cannot reveal a secret."""
    result: Callable[[S], Result]
    """(final state) -> places and scores."""
    say: Callable[[E, Sequence[str], str], str]
    """(fact as the viewer may know it, names by seat, language tag) -> one sentence."""
    resample: Callable[[S, Viewer, Chance], S] | None = None
    """(state, viewer, chance) -> a random state that the viewer cannot distinguish from this one.

    Unless the game says otherwise, all states in which the viewer could have seen the same facts are equally likely;
    other players' choices are not evidence. The labels of its draws begin with ``resample``: to sample several states,
    pass a different chance for each. A final state, and a state that the viewer knows completely, is returned
    unchanged.
    """
    veiled: Callable[[S], bool] = lambda _state: False
    """(state) -> True if the size of the menus due now is secret: a forced move must then look like a choice."""
    options: type[msgspec.Struct] = StandardOptions
    """Options for an organiser: a frozen struct whose defaults are those of the rule book."""
    worth: Worth = "places"
    """Default value of its matches in a league. An organiser can choose another."""
    longest_menu: int = MENU_LIMIT
    """Maximum size of a menu by the rules at any table size: the number of actions for a learner."""
    roles: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """By table size: the role of each seat from the start. At sizes not listed all seats are alike.

    Roles that players take during the match do not belong here: taking the right one is part of playing well.
    """
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language tag -> English label in pictures, digits as ``#`` -> translated label (see `ftk_core.words`)."""
    about: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Language tag -> tag of a piece -> its effect and the rule (see `ftk_core.words.about_piece`)."""
    by_hand: ByHand = BARE_HANDS
    """Texts for a person who plays. Optional."""
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Kinds of facts that a spectator can jump to: a new turn, the start of a phase, or a key moment."""
