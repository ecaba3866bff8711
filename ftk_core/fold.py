"""Fold of a log: the game's options, the initial table, and the states that the facts lead through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import msgspec

from ftk_core.entries import Entry, Happened, Opened, read
from ftk_core.facts import Fact
from ftk_core.game import Game

AnyGame = Game[Any, Any, Any, Any]


@cache
def decoder_of(union: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder for the actions or facts of a game."""
    return msgspec.json.Decoder(union)


def read_options(game: AnyGame, text: bytes | str) -> msgspec.Struct:
    """Decode the options of a game from JSON; raise ValueError naming any unknown option."""
    try:
        return decoder_of(game.options).decode(text)  # type: ignore[no-any-return]  # the type depends on the game
    except msgspec.MsgspecError as error:
        raise ValueError(f"{game.title} has no such options: {error}") from error


def check_options(game: AnyGame, seats: int, options: msgspec.Struct) -> None:
    """Raise ValueError with the reason if the game cannot be played with this many seats and these options."""
    if seats not in game.seats:
        allowed = f"{game.seats.start} to {game.seats.stop - 1}"
        raise ValueError(f"{game.title} is played by {allowed}, not by {seats}")
    game.setup(seats, options)


def shortest_table(game: AnyGame, seats: int, options: msgspec.Struct) -> int:
    """Return the smallest table such that the game can be played at every size from there to `seats`."""
    least = seats
    while least > game.seats.start:
        try:
            check_options(game, least - 1, options)
        except ValueError:
            break
        least -= 1
    return least


def bare_table(game: AnyGame, opened: Opened) -> Any:
    """Return the initial table of a match, before the deal."""
    given = opened.options
    options = game.options() if isinstance(given, msgspec.UnsetType) else read_options(game, bytes(given))
    return game.setup(len(opened.players), options)


def fact_in(game: AnyGame, entry: Happened) -> Fact:
    """Decode the fact in an entry; raise msgspec.ValidationError if the game does not define it."""
    fact: Fact = decoder_of(game.facts).decode(entry.fact)
    return fact


def states(game: AnyGame, lines: Iterable[bytes]) -> Iterator[tuple[Entry, Any]]:
    """Fold a log: yield each entry with the state after it.

    >>> from ftk_core.games import shelf
    >>> from ftk_core.log import MemoryLog, lines_of
    >>> from ftk_core.players import RandomPlayer
    >>> from ftk_core.referee import play
    >>> from ftk_core.rng import seed_of
    >>> for rules in shelf().values():
    ...     players = [RandomPlayer(seed_of("example", seat)) for seat in range(rules.seats.start)]
    ...     log = MemoryLog()
    ...     result = play(rules, players, seed_of("example"), log=log)
    ...     *_, (closed, last) = states(rules, lines_of(log))
    ...     assert rules.turn(last) == ()
    ...     assert closed.places == rules.result(last).places == result.places
    """
    state: Any = None
    for line in lines:
        entry = read(line)
        if isinstance(entry, Opened):
            state = bare_table(game, entry)
        elif isinstance(entry, Happened):
            state = game.apply(state, fact_in(game, entry))
        yield entry, state
