"""Questions of a match, reconstructed from its log: view and menu of a seat, and its choice.

They follow from the facts alone and need no seed, so that they also exist for a match that is void or still running.
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
    """Question to one seat, with its answer."""

    entry: int
    """Number of the answer's entry in the log."""
    ask: Ask
    """Question of the referee. Menus with one item are not asked."""
    chose: Chose
    chosen: int
    """Index into the menu."""


def opening_of(lines: Sequence[bytes]) -> Opened:
    """Return the opening entry of a log; raise ValueError if the log does not begin with one."""
    opened = read(lines[0]) if lines else None
    if not isinstance(opened, Opened):
        raise ValueError("the log does not begin with the opening of a match")  # noqa: TRY004 - a line of text is wrong
    return opened


def questions(lines: Sequence[bytes], seat: int) -> Iterator[Question]:
    """Yield the questions to a seat, in order, with its choices.

    Raise ValueError if the match does not have this seat or the log does not begin with an opening; UnknownGame if the
    registry does not have these rules.
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
