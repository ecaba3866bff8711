"""Moves of a finished match, each with the states before and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from gettext import gettext as _
from typing import Any

import msgspec

from ftk_core.facts import Action, Fact, encode
from ftk_core.game import Seat
from ftk_core.log_entries import ChoiceMade, GameFactRecorded, MatchFinished, MatchOpened, read
from ftk_core.logged_decisions import opening_of
from ftk_core.match_fork import MatchForkError, action_in, current_rules_of, seed_in
from ftk_core.match_state_from_log import AnyGame, state_before_deal
from ftk_core.random_streams import MatchRandomness
from ftk_core.unlogged_play import follow_of


class MatchMove(msgspec.Struct, frozen=True, kw_only=True):
    """One choice with its effect.

    Simultaneous choices are separate moves, which take effect one after the other, in seat order.
    """

    seat: Seat
    seats: int
    """Number of seats at the table."""
    menu: tuple[Action, ...]
    chosen: int
    """Index into the menu of the chosen action."""
    entry: int | None
    """Sequence number of the choice's log entry; None for a forced choice, for which the seat was not asked."""
    turn_start: Any
    """State in which the seat chose. Seats that choose at the same time do so in the same state."""
    before: Any
    """State before the choice took effect: it contains the effects of simultaneous choices of lower seats."""
    after: Any
    """State after all facts of the move."""
    facts: tuple[Fact, ...]
    """Facts that record the choice itself, then the facts that followed from it."""
    frame: int
    """Number of the frame that shows the first fact of the move; see `ftk_core.match_replay_frames`."""

    @property
    def last_frame(self) -> int:
        """Number of the replay frame that shows the last event of the move."""
        return self.frame + len(self.facts) - 1


class MoveHistory(msgspec.Struct, frozen=True, kw_only=True):
    """All moves and the result of a finished match."""

    game: Any
    opened: MatchOpened
    before_deal: Any
    """State before the deal."""
    dealt: Any
    """State after the deal."""
    dealt_at: int
    """Number of the frame that shows the last fact of the deal; 0 if there is no deal."""
    moves: tuple[MatchMove, ...]
    places: tuple[int, ...]
    """Place of each seat."""
    seed: bytes


def moves_of(lines: Sequence[bytes]) -> MoveHistory:
    """Read all moves of a finished match from its log.

    Raises UnknownGameError for a game that is not installed, and MatchForkError for an unfinished or invalid log or
    old rules.
    """
    opened = opening_of(lines)
    game = current_rules_of(opened)
    chance, log_reader = MatchRandomness(seed_in(lines)), _LogReader(game, lines)
    before_deal = state = state_before_deal(game, opened)
    for fact in game.deal(before_deal, chance):
        state = game.apply(state, log_reader.check(fact))
    dealt, dealt_at = state, log_reader.frame
    moves = tuple(_moves(game, len(opened.players), dealt, chance, log_reader))
    closed = read(lines[-1])
    assert isinstance(closed, MatchFinished)
    return MoveHistory(
        game=game,
        opened=opened,
        before_deal=before_deal,
        dealt=dealt,
        dealt_at=dealt_at,
        moves=moves,
        places=closed.places,
        seed=chance.seed,
    )


def _moves(
    game: AnyGame, seats: int, state: Any, chance: MatchRandomness, log_reader: _LogReader
) -> Iterator[MatchMove]:
    follow = follow_of(game)
    while due := game.turn(state):
        choices, turn_start = [], state
        for seat in due:
            menu = tuple(game.legal(state, seat))
            choices.append((seat, menu, *(log_reader.choice(seat, menu) if len(menu) > 1 else (0, None))))
        for seat, menu, chosen, entry in choices:
            before, frame = state, log_reader.frame + 1
            facts, state = follow(before, seat, menu[chosen], chance)
            for fact in facts:
                log_reader.check(fact)
            yield MatchMove(
                seat=seat, seats=seats, menu=menu, chosen=chosen, entry=entry, turn_start=turn_start, before=before,
                after=state, facts=tuple(facts), frame=frame,
            )  # fmt: skip


class _LogReader:
    """Reader that checks the entries of a log and counts their replay frames."""

    def __init__(self, game: AnyGame, lines: Sequence[bytes]) -> None:
        self._game, self._lines, self._at = game, lines, 0
        self.frame = 0

    def _next(self) -> Any:
        self._at += 1
        return read(self._lines[self._at]) if self._at < len(self._lines) else None

    def choice(self, seat: Seat, menu: Sequence[Action]) -> tuple[int, int]:
        """Read a player's choice as (menu index, sequence number). Raises MatchForkError for any other entry."""
        entry = self._next()
        if isinstance(entry, ChoiceMade) and entry.seat == seat and (action := action_in(self._game, entry)) in menu:
            return menu.index(action), entry.seq
        raise MatchForkError(
            _("entry {at} is not a choice of seat {seat} from its menu; `ftk verify` says what is wrong").format(
                at=self._at, seat=seat
            )
        )

    def check(self, fact: Fact) -> Fact:
        """Compare the next log entry with an event, and return the event. Raises MatchForkError if they differ."""
        entry = self._next()
        if not isinstance(entry, GameFactRecorded) or bytes(entry.fact) != encode(fact):
            raise MatchForkError(
                _("entry {at} does not follow from the seed; `ftk verify` says what is wrong").format(at=self._at)
            )
        self.frame += 1
        return fact
