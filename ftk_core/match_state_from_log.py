"""Game state after each entry of a match's log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from gettext import gettext as _
from typing import Any

import msgspec

from ftk_core.facts import Fact
from ftk_core.game import Game
from ftk_core.log_entries import Entry, GameFactRecorded, MatchOpened, read

AnyGame = Game[Any, Any, Any, Any]


@cache
def decoder_of(union: Any) -> msgspec.json.Decoder[Any]:
    """Return the cached JSON decoder for a union of types."""
    return msgspec.json.Decoder(union)


def read_options(game: AnyGame, text: bytes | str) -> msgspec.Struct:
    """Decode the options of a game from JSON; raise ValueError with the reason if they are invalid."""
    try:
        return decoder_of(game.options).decode(text)  # type: ignore[no-any-return]  # the type depends on the game
    except msgspec.MsgspecError as error:
        raise ValueError(_("{title} has no such options: {error}").format(title=game.title, error=error)) from error


def check_options(game: AnyGame, seats: int, options: msgspec.Struct) -> None:
    """Raise ValueError if the game does not allow this number of players or these options."""
    check_player_count(game, seats)
    game.setup(seats, options)


def check_player_count(game: AnyGame, seats: int) -> None:
    """Raise ValueError if the game does not allow this number of players."""
    if seats not in game.seats:
        allowed = f"{game.seats.start} to {game.seats.stop - 1}"
        raise ValueError(
            _("{title} is played by {allowed}, not by {seats}").format(title=game.title, allowed=allowed, seats=seats)
        )


def smallest_table_size(game: AnyGame, seats: int, options: msgspec.Struct) -> int:
    """Return the smallest number n such that the game allows every number of players from n to `seats`.

    A league with tables of `seats` players may also have smaller tables, down to n players.
    """
    least = seats
    while least > game.seats.start:
        try:
            check_options(game, least - 1, options)
        except ValueError:
            break
        least -= 1
    return least


def state_before_deal(game: AnyGame, opened: MatchOpened) -> Any:
    """Return the game state before the first cards are dealt, given the first log entry.

    Raises ValueError if the game does not allow the entry's number of players or its options.
    """
    check_player_count(game, len(opened.players))
    options_json = opened.options
    options = game.options() if isinstance(options_json, msgspec.UnsetType) else read_options(game, bytes(options_json))
    return game.setup(len(opened.players), options)


def fact_in(game: AnyGame, entry: GameFactRecorded) -> Fact:
    """Decode the event in a log entry. Raises msgspec.ValidationError for an unknown event."""
    fact: Fact = decoder_of(game.facts).decode(entry.fact)
    return fact


def states(game: AnyGame, lines: Iterable[bytes]) -> Iterator[tuple[Entry, Any]]:
    """Yield each entry of a log with the game state after it.

    >>> from ftk_core.games import list_games
    >>> from ftk_core.hash_chained_log import InMemoryLog, lines_of
    >>> from ftk_core.players import RandomPlayer
    >>> from ftk_core.referee import play
    >>> from ftk_core.random_streams import seed_of
    >>> for rules in list_games().values():
    ...     players = [RandomPlayer(seed_of("example", seat)) for seat in range(rules.seats.start)]
    ...     log = InMemoryLog()
    ...     result = play(rules, players, seed_of("example"), log=log)
    ...     *_, (closed, last) = states(rules, lines_of(log))
    ...     assert rules.turn(last) == ()
    ...     assert closed.places == rules.result(last).places == result.places
    """
    state: Any = None
    for line in lines:
        entry = read(line)
        if isinstance(entry, MatchOpened):
            state = state_before_deal(game, entry)
        elif isinstance(entry, GameFactRecorded):
            state = game.apply(state, fact_in(game, entry))
        yield entry, state
