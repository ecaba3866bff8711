"""Decisions of one player in a logged match, with what the player saw."""
# They are computed without the secret seed, because the logs of running and abandoned matches do not contain it.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from gettext import gettext as _
from typing import Any

import msgspec

from ftk_core.facts import Action, Fact
from ftk_core.games import game_of
from ftk_core.log_entries import ChoiceMade, GameFactRecorded, MatchOpened, read
from ftk_core.match_state_from_log import decoder_of, fact_in, state_before_deal
from ftk_core.players import QuestionToSeat


class LoggedDecision(msgspec.Struct, frozen=True):
    """Question that the referee asked a seat, with the seat's answer."""

    entry: int
    """Sequence number of the log entry that records the answer."""
    ask: QuestionToSeat
    """Question as the referee asked it. Seats are not asked about menus with one item."""
    chose: ChoiceMade
    chosen: int
    """Index into the menu of the chosen action."""


def opening_of(lines: Sequence[bytes]) -> MatchOpened:
    """Return the first entry of a match's log. Raises ValueError if it does not open a match."""
    opened = read(lines[0]) if lines else None
    if not isinstance(opened, MatchOpened):
        raise ValueError(_("the log does not begin with the opening of a match"))  # noqa: TRY004 - the text is wrong
    return opened


def questions(lines: Sequence[bytes], seat: int) -> Iterator[LoggedDecision]:
    """Iterate over a player's decisions in a logged match.

    Raises ValueError for an unknown player or a log without its first entry, UnknownGameError for unknown rules.
    """
    opened = opening_of(lines)
    if seat not in range(len(opened.players)):
        raise ValueError(
            _("seat {seat}: the match has the seats 0 to {players}").format(seat=seat, players=len(opened.players) - 1)
        )
    return _questions(opened, lines, seat)


def _questions(opened: MatchOpened, lines: Iterable[bytes], seat: int) -> Iterator[LoggedDecision]:
    game = game_of(opened)
    state: Any = state_before_deal(game, opened)
    news: list[Fact] = []
    number = 0
    bank_ms = opened.clock.bank_ms
    for line in lines:
        entry = read(line)
        if isinstance(entry, GameFactRecorded):
            fact = fact_in(game, entry)
            state = game.apply(state, fact)
            news.append(fact)
        elif isinstance(entry, ChoiceMade) and entry.seat == seat:
            number += 1
            ask = QuestionToSeat(
                game, state, seat, game.legal(state, seat), number=number, history=news, clock=opened.clock,
                bank_ms=bank_ms,
            )  # fmt: skip
            action: Action = decoder_of(game.actions).decode(entry.action)
            yield LoggedDecision(entry.seq, ask, entry, ask.menu.index(action))
            news, bank_ms = [], entry.bank_ms
