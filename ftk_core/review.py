"""Review of a match: which choices won or lost it, and the share of luck.

A review is a stream of facts named `review/<match>`: its parameters, the value of the position after each choice, the
value of each choice, and an end. All numbers are exact and follow from the log, the policy and the number of playouts,
so that anybody can reproduce them. Pages show the summary in `ftk_core.reviewed`.

For the omniscient viewer the actual state is used and future luck is new. For the public viewer everything the public
did not know is dealt again in every playout. A public review then reveals no secret: it has no menus, entries or
alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from ftk_core.bare import follow_of, play_on
from ftk_core.entries import Line
from ftk_core.estimate import Estimate, Policy, estimated, playouts_of, settled, summed
from ftk_core.facts import OMNISCIENT, PUBLIC, tell
from ftk_core.fork import check_eyes, dealt_again
from ftk_core.moves import Move, Moves
from ftk_core.rng import Chance, Draw, Label, seed_of
from ftk_core.weighing import Weighing, weighed

EYES = {"all": OMNISCIENT, "public": PUBLIC}
TRIES = 8
"""Number of worlds dealt for a choice that the public saw, until the choice is possible in one."""


class ReviewOpened(Line, frozen=True, kw_only=True):
    """First fact: a review began."""

    match: str
    game: str
    version: int
    build: str
    """Build of the code that computes the review."""
    seal: str
    """Seal of the match. All luck of the review is derived from it."""
    players: tuple[str, ...]
    eyes: str
    policy: str
    """Policy that plays all seats in the playouts."""
    playouts: int
    """Playouts per choice: half estimate the position, half are shared among the options."""


class TableValued(Line, frozen=True, kw_only=True):
    """Value of the position for each seat at a frame."""

    frame: int
    value: Estimate
    """The estimate. It has no playouts if the match is over: it is then the result itself."""


class ChoiceWeighed(Line, frozen=True, kw_only=True):
    """Value of a choice. A `TableValued` precedes and follows it."""

    frame: int
    """Number of the frame of its own fact."""
    until: int
    """Number of the frame of the last fact that followed."""
    seat: int
    entry: int | None = None
    """Number of its entry in the log; None if nobody was asked, and for the public."""
    value: Estimate | None = None
    """Value before luck intervened; None without luck: it then equals the value of the next position."""
    weighing: Weighing | None = None
    """Comparison with the alternatives; None if nobody was asked, and for the public."""


class ReviewClosed(Line, frozen=True, kw_only=True):
    """Last fact: the review is complete."""

    places: tuple[int, ...]


ReviewFact = ReviewOpened | TableValued | ChoiceWeighed | ReviewClosed


def stream_of(match: str) -> str:
    """Return the name of the stream of a review."""
    return f"review/{match}"


def review(
    moves: Moves, policy: Policy, playouts: int, eyes: str, build: str, *, options: bool = True, begin: int = 0
) -> Iterator[ReviewFact]:
    """Yield the facts of a review as they are computed; without `options`, only the curve and the ledger.

    Facts before number `begin` are not computed, so that an interrupted review can continue. Raise NoFork for a viewer
    for whom the game cannot be reviewed.
    """
    check_eyes(moves.game, EYES[eyes])
    return _Reviewer(moves, policy, playouts, eyes, options=options).facts(build, begin)


def valued(moves: Moves, state: Any, policy: Policy, playouts: int, eyes: str = "all") -> Estimate:
    """Estimate a position of a match with the same luck as its review."""
    return _Reviewer(moves, policy, 2 * playouts, eyes, options=False).value(state)


class _Reviewer:
    def __init__(self, moves: Moves, policy: Policy, playouts: int, eyes: str, *, options: bool) -> None:
        self._moves, self._policy, self._playouts, self._eyes = moves, policy, playouts, eyes
        self._game, self._opened, self._viewer = moves.game, moves.opened, EYES[eyes]
        self._seats = len(moves.opened.players)
        self._options = options and eyes == "all"
        self._seq = 0

    def facts(self, build: str, begin: int) -> Iterator[ReviewFact]:
        for seq, reckon in enumerate(self._steps(build)):
            self._seq = seq
            if seq >= begin:
                yield reckon()

    def _steps(self, build: str) -> Iterator[Callable[[], ReviewFact]]:
        """Yield a function that computes each fact; they are independent of each other."""
        moves = self._moves
        yield partial(self._opening, build)
        yield lambda: self._valued(0, self._bare())
        yield lambda: self._valued(moves.dealt_at, self.value(moves.dealt) if moves.dealt_at else self._bare())
        for move in moves.moves:
            yield partial(self._choice, move)
            yield partial(self._behind, move)
        yield lambda: ReviewClosed(self._seq, places=moves.places)

    def _opening(self, build: str) -> ReviewOpened:
        opened = self._opened
        return ReviewOpened(
            self._seq, match=opened.match, game=opened.game, version=opened.version, build=build, seal=opened.seal,
            players=opened.players, eyes=self._eyes, policy=self._policy.name, playouts=self._playouts,
        )  # fmt: skip

    def _valued(self, frame: int, value: Estimate) -> TableValued:
        return TableValued(self._seq, frame=frame, value=value)

    def _behind(self, move: Move) -> TableValued:
        return self._valued(move.until, self.value(move.after))

    def _name(self, *what: Label) -> tuple[Label, ...]:
        """Return the name that luck is derived from. All values of a match share it, which cancels noise."""
        return ("review", self._opened.seal, self._eyes, *what)

    def _to_the_end(self, state: Any, chance: Chance, draw: Draw) -> tuple[int, ...]:
        last, _ = play_on(self._game, state, chance, self._policy.start(self._game, self._seats, draw))
        places: tuple[int, ...] = self._game.result(last).places
        return places

    def _bare(self) -> Estimate:
        def play(chance: Chance, draw: Draw) -> tuple[int, ...]:
            state = self._moves.bare
            for fact in self._game.deal(state, chance):
                state = self._game.apply(state, fact)
            return self._to_the_end(state, chance, draw)

        return estimated(play, self._name(), max(1, self._playouts // 2))

    def value(self, state: Any) -> Estimate:
        if not self._game.turn(state):
            return settled(self._game.result(state).places)

        def play(chance: Chance, draw: Draw) -> tuple[int, ...]:
            return self._to_the_end(dealt_again(self._game, state, self._viewer, chance), chance, draw)

        return estimated(play, self._name(), max(1, self._playouts // 2))

    def _choice(self, move: Move) -> ChoiceWeighed:
        known = self._viewer == OMNISCIENT
        choice = ChoiceWeighed(
            self._seq, frame=move.frame, until=move.until, seat=move.seat, entry=move.entry if known else None
        )
        value = self._as_chosen(move) if known else self._as_seen(move)
        weighing = None
        if self._options and move.entry is not None:
            name, share = self._name(), self._playouts - self._playouts // 2
            weighing = weighed(self._game, move, self._policy, name, share)
        return msgspec.structs.replace(choice, value=value, weighing=weighing)

    def _as_chosen(self, move: Move) -> Estimate | None:
        """Estimate a choice before luck intervened; return None without luck."""
        follow, heard = follow_of(self._game), Heard(Chance(self._moves.seed))
        follow(move.before, move.seat, move.menu[move.chosen], heard)
        if not heard.asked:
            return None

        def play(chance: Chance, draw: Draw) -> tuple[int, ...]:
            state = follow(move.before, move.seat, move.menu[move.chosen], chance)[1]
            return self._to_the_end(state, chance, draw)

        return estimated(play, self._name(), max(1, self._playouts // 2))

    def _as_seen(self, move: Move) -> Estimate | None:
        """Estimate a choice in worlds dealt again for the public; return None if nothing followed."""
        rows = list[tuple[int, ...]]()
        for chance, draw in playouts_of(self._name(), max(1, self._playouts // 2)):
            found = self._like(move, chance)
            if found is None:
                continue
            state, drew = found
            if len(move.facts) == 1 and not drew:
                return None
            rows.append(self._to_the_end(state, chance, draw))
        return summed(rows) if rows else None

    def _like(self, move: Move, chance: Chance) -> tuple[Any, bool] | None:
        """Return the state after an equal-looking choice in a world dealt again, and whether luck intervened.

        Return None if no such world is found. The look of a choice is compared with the match's own luck, because a
        roll of dice shows its faces; its value is estimated with other luck.
        """
        follow, told = follow_of(self._game), tell(move.facts[0], self._viewer)
        for number in range(TRIES):
            again = Chance(seed_of(chance.seed.hex(), "world", number))
            world = dealt_again(self._game, move.before, self._viewer, again)
            for action in again.at("looks").shuffled(self._game.legal(world, move.seat)):
                facts, _ = follow(world, move.seat, action, Chance(self._moves.seed))
                if tell(facts[0], self._viewer) == told:
                    heard = Heard(chance)
                    return follow(world, move.seat, action, heard)[1], heard.asked
        return None


class Heard(Chance):
    """Chance that records whether it was used."""

    __slots__ = ("asked",)

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance.seed)
        self.asked = False

    def at(self, purpose: str, *numbers: Label) -> Draw:
        """Return the draw of a label."""
        self.asked = True
        return super().at(purpose, *numbers)
