"""The questions of a match, as its log has them: what a seat was asked, and what it chose.

They follow from the facts alone, so that no seed is needed, and a match that has none (one that is void, or still
played) has them too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from ftk_core.entries import Chose, Happened, Opened, read
from ftk_core.facts import Action, Fact
from ftk_core.fold import bare_table, decoder_of, fact_in
from ftk_core.games import game_of
from ftk_core.players import Ask


class Question(msgspec.Struct, frozen=True):
    """One question to one seat, with its answer."""

    entry: int
    """The number of the answer's entry in the log."""
    ask: Ask
    """As the referee put it; never a menu of one, which is not asked."""
    chose: Chose
    chosen: int
    """Into the menu."""


def opening_of(lines: Sequence[bytes]) -> Opened:
    """Return how a match was opened; raises ValueError for a log that does not begin so."""
    opened = read(lines[0]) if lines else None
    if not isinstance(opened, Opened):
        raise ValueError("the log does not begin with the opening of a match")  # noqa: TRY004 - a line of text is wrong
    return opened


def questions(lines: Sequence[bytes], seat: int) -> Iterator[Question]:
    """Yield what a seat was asked, in order, with what it chose.

    Raises ValueError for a seat that the match does not have, or a log that does not begin with an opening;
    UnknownGame for rules that are not on the shelf.
    """
    opened = opening_of(lines)
    if seat not in range(len(opened.players)):
        raise ValueError(f"seat {seat}: the match has the seats 0 to {len(opened.players) - 1}")
    return _questions(opened, lines, seat)


def _questions(opened: Opened, lines: Iterable[bytes], seat: int) -> Iterator[Question]:
    game = game_of(opened)
    state: Any = bare_table(game, opened)
    news: list[Fact] = []
    number = 0
    bank_ms = opened.clock.bank_ms
    for line in lines:
        entry = read(line)
        if isinstance(entry, Happened):
            fact = fact_in(game, entry)
            state = game.apply(state, fact)
            news.append(fact)
        elif isinstance(entry, Chose) and entry.seat == seat:
            number += 1
            ask = Ask(
                game, state, seat, game.legal(state, seat), number=number, history=news, clock=opened.clock,
                bank_ms=bank_ms,
            )  # fmt: skip
            action: Action = decoder_of(game.actions).decode(entry.action)
            yield Question(entry.seq, ask, entry, ask.menu.index(action))
            news, bank_ms = [], entry.bank_ms
