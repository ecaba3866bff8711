"""Definition of a board game as a record of pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

import msgspec

from ftk_core.facts import OMNISCIENT, PUBLIC, Action, Fact, Viewer, redact
from ftk_core.i18n import Texts, no_texts
from ftk_core.random_streams import MatchRandomness, RandomBitStream
from ftk_core.views.human_player_texts import DEFAULT_PLAY_TEXTS, HumanPlayerTexts
from ftk_core.views.replay_frame_messages import Duration, Mark, Sound
from ftk_core.views.scene import TableScene

S = TypeVar("S")
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Fact)
V = TypeVar("V")
T = TypeVar("T")
Seat = int
Worth = Literal["places", "wins", "shared"]
"""Rule by which a league turns the places of a match into points.

``places``: each bot gets the share of opponents that it finished ahead of; ``wins``: each winner gets 1;
``shared``: the winners share 1.
"""

MENU_LIMIT = 1000
"""Maximum number of actions on a menu, the list of actions that a seat may choose. A test checks every game."""

__all__ = [
    "MENU_LIMIT",
    "OMNISCIENT",
    "PUBLIC",
    "Game",
    "IllegalChoiceError",
    "Mark",
    "MatchResult",
    "NoGameOptions",
    "Seat",
    "Viewer",
    "rank_by_keys",
    "redact",
]


class IllegalChoiceError(Exception):
    """Raised by `Game.decide` for an action that the player may not choose now."""


class MatchResult(msgspec.Struct, frozen=True):
    """Result of a finished match."""

    places: tuple[int, ...]
    """Place of each seat; 1 is best. After a tie, the following places stay empty (1, 1, 3)."""
    scores: tuple[int, ...]
    """Final score of each seat, as the rules of the game count it."""
    roles: tuple[str, ...] = ()
    """Role of each seat, revealed at the end; empty if the game has no different roles."""


def rank_by_keys(keys: Sequence[Any]) -> tuple[int, ...]:
    """Rank the players by one sort key each. The greatest key gets rank 1; equal keys share a rank."""
    order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
    places = [0] * len(keys)
    for rank, (at, above) in enumerate(zip(order, [None, *order], strict=False)):
        places[at] = places[above] if above is not None and keys[above] == keys[at] else rank + 1
    return tuple(places)


def replace_at(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return a copy of a tuple with one value replaced.

    >>> replace_at(("Ada", "Bo", "Cy"), 1, "Dot")
    ('Ada', 'Dot', 'Cy')
    """
    return (*values[:at], value, *values[at + 1 :])


def apply_automatic_facts(
    state: S, chance: MatchRandomness, next_fact: Callable[[S, MatchRandomness], E | None], apply: Callable[[S, E], S]
) -> tuple[list[E], S]:
    """Apply all events that follow without a player's choice. Return them and the state after them.

    `next_fact` returns the next event, or None if a player must choose or the game is over.
    """
    following: list[E] = []
    while (fact := next_fact(state, chance)) is not None:
        following.append(fact)
        state = apply(state, fact)
    return following, state


class NoGameOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Default type of a game's options: it has no fields, for games without options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S, A, E, V]):
    """Definition of a game: its name, its actions and events, and the functions that are its rules.

    The argument `chance` of the functions is the source of all random numbers of a match.
    """

    name: str
    """Name of the game's folder, e.g. ``for_the_king``."""
    title: str
    """Title of the game, as printed on its box."""
    version: int
    """Version of the rules, from 1. A log states its version, and only that version can read and rerun it."""
    seats: range
    """Allowed numbers of players, from 2, e.g. ``range(2, 6)`` for 2 to 5."""
    actions: Any
    """Union type of all actions, for decoding."""
    facts: Any
    """Union type of all facts, for decoding."""
    setup: Callable[[int, Any], S]
    """(number of seats, options) -> the state before the deal; raises ValueError for impossible options."""
    deal: Callable[[S, MatchRandomness], tuple[E, ...]]
    """(state before the deal, chance) -> the facts of the opening deal."""
    turn: Callable[[S], tuple[Seat, ...]]
    """(state) -> the seats that must choose now, lowest first; empty when the game is over."""
    legal: Callable[[S, Seat], tuple[A, ...]]
    """(state, seat) -> all legal actions.

    The first action is played if the seat does not answer. The tuple is empty if the seat has no choice now.
    """
    decide: Callable[[S, Seat, A, MatchRandomness], tuple[E, ...]]
    """(state, seat, action, chance) -> the facts that the action causes.

    Raises IllegalChoiceError if the action is not on the menu.
    """
    apply: Callable[[S, E], S]
    """(state, fact) -> the next state. It never fails on the facts of a legal match and uses no randomness."""
    follow: Callable[[S, Seat, A, MatchRandomness], tuple[tuple[E, ...], S]] | None = None
    """(state, seat, action, chance) -> (facts that the action causes, next state). The action is not checked.

    Optional: combines `decide` and `apply` for fast play without a log.
    """
    quick: Callable[[S, Seat, Sequence[A], RandomBitStream], int] | None = None
    """(state, seat, menu, draw) -> menu index of a sensible action, computed fast and only from what the seat knows.

    Playouts (simulations of the rest of a match) use this function, with random numbers from `draw`. Without it they
    choose uniformly at random.
    """
    view: Callable[[S, Viewer], V]
    """(state, viewer) -> everything that the viewer may know, and nothing else."""
    scene: Callable[[V], TableScene]
    """(view) -> the scene that clients draw. The function never gets the state, so it cannot reveal a secret."""
    result: Callable[[S], MatchResult]
    """(final state) -> places and scores."""
    say: Callable[[E, Sequence[str], str], str]
    """(fact without secrets, player names by seat, language tag) -> one sentence that describes the fact."""
    resample: Callable[[S, Viewer, MatchRandomness], S] | None = None
    """(state, viewer, chance) -> a random state that the viewer cannot distinguish from this one.

    All states in which the viewer could have seen the same facts are equally likely, unless the game documents other
    probabilities. The same `chance` gives the same state. Each random draw has a label (see `MatchRandomness.at`) that
    begins with ``resample``. A final state, and a state that the viewer knows completely, is returned unchanged.
    """
    likelihood: Callable[[S, Viewer], float] | None = None
    """(complete state, viewer) -> likelihood of the state if all seats but the viewer have played by `quick`.

    The number is positive, and right up to a factor that is equal for all states that `resample` can return. Actions
    that `quick` never plays must keep some probability. With it, reviews of choices draw several states by `resample`
    and prefer likely ones. `n` equal likelihoods are as good as `n` states; unequal ones only as good as
    ``sum(likelihoods) ** 2 / sum(squares)`` states, their effective number (Kish, Survey Sampling, 1965).
    """
    veiled: Callable[[S], bool] = lambda _state: False
    """(state) -> True if the sizes of the current menus are secret.

    A seat with a menu of one action must then take as long as a seat with a choice.
    """
    postpones: Callable[[A], bool] = lambda _action: False
    """(action) -> True if a seat that plays the action can usually play another one of the same menu later.

    An example is to say nothing, if the seat may speak again. A review then also tries the best other action later, so
    that an opportunity that remains open costs nothing.
    """
    variety: Callable[[A], object] = type
    """(action) -> a hashable value that is equal for actions of the same kind, by default their type.

    Of a long menu a review tries some actions of every kind.
    """
    options: type[msgspec.Struct] = NoGameOptions
    """Struct type of the options that an organiser can set. Its defaults are those of the rule book."""
    worth: Worth = "places"
    """Default scoring rule for the game's matches in a league. An organiser can choose another."""
    longest_menu: int = MENU_LIMIT
    """Greatest number of actions that the rules can put on a menu. It is the size of a learner's action space."""
    roles: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Number of seats at the table -> role of each seat, if the rules give each seat a fixed role.

    Roles that players choose during the match are not included.
    """
    score_text: Callable[[int, str], str] = lambda score, _language: str(score)
    """(score, language tag) -> the score in words, e.g. ``12 points``."""
    labels: Texts = no_texts
    """Language tag -> English label in a scene (picture of the table) -> translation of the label.

    Keys and translations can have ``#`` in place of numbers, see `ftk_core.views.fact_sentences.translate_label`.
    """
    about: Texts = no_texts
    """Language tag -> tag of a card or tile -> its effect and rule.

    A piece of the table's picture is explained by the texts of its tags. If no tag has a text, it is the text of the
    piece's kind, or the text of ``hidden`` if the piece lies face down.
    """
    introduction: Texts = no_texts
    """Language tag -> English text (title, first sentence of RULES.md, first line of a built-in bot) -> translation."""
    by_hand: HumanPlayerTexts = DEFAULT_PLAY_TEXTS
    """Texts that the page for human players shows. Optional."""
    heading: Callable[[E, Sequence[str], str], str] | None = None
    """(fact without secrets, player names by seat, language tag) -> heading above the sentence of this fact, or "".

    The sentences of a match are grouped under these headings; a fact with the heading "" stays in the group before it.
    Without this function the heading is the names of the players that had to act.
    """
    marks: Mapping[str, Mark] = field(default_factory=dict)
    """Kind of fact -> reason why a spectator can jump to it: a new turn, a new phase or a key moment."""
    durations: Mapping[str, Duration] = field(default_factory=dict)
    """Kind of fact -> time for which a replay shows it. By default phases and key moments are long, others normal."""
    sounds: Mapping[str, Sound] = field(default_factory=dict)
    """Kind of fact -> tone that a replay can play with it. By default only the end of a match has one."""
