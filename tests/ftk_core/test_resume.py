"""A match resumed after any of its entries ends in the same bytes."""

from __future__ import annotations

import pytest

from ftk_core.games import game, list_games
from ftk_core.hash_chained_log import InMemoryLog, LogWriteConflictError, lines_of
from ftk_core.log_writer import LogWriter
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import Referee, build_opening, play

SEED = seed_of("resume")


def players(seats: int) -> list[RandomPlayer]:
    return [RandomPlayer(seed_of("player", seat), f"Seat {seat}") for seat in range(seats)]


def lines_from(name: str, seats: int) -> list[bytes]:
    log = InMemoryLog()
    play(game(name), players(seats), SEED, log=log)
    return list(lines_of(log))


def resumed(name: str, seats: int, past: list[bytes]) -> list[bytes]:
    log = InMemoryLog()
    if past:
        log.append([line + b"\n" for line in past], 0)
    names = [player.name for player in players(seats)]
    opened = build_opening(game(name), "match", names, SEED)
    referee = Referee(game(name), opened, SEED, players(seats), LogWriter(log, past))
    referee.play()
    assert referee.diverged_seats == set()
    return list(lines_of(log))


def test_a_short_match_can_be_resumed_after_every_log_entry() -> None:
    lines = lines_from("pig", 2)
    assert all(resumed("pig", 2, lines[:cut]) == lines for cut in range(len(lines) + 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats"), [(name, ends) for name, row in list_games().items() for ends in row.seats[::3]]
)
def test_a_match_of_any_game_can_be_resumed_after_any_log_entry(name: str, seats: int) -> None:
    lines = lines_from(name, seats)
    assert all(resumed(name, seats, lines[:cut]) == lines for cut in range(0, len(lines), max(41, len(lines) // 8)))


def test_two_writers_cannot_both_continue_a_log() -> None:
    """The second writer is refused and writes nothing."""
    lines = lines_from("pig", 2)
    log = InMemoryLog()
    log.append([line + b"\n" for line in lines[:20]], 0)
    opened = build_opening(game("pig"), "match", ["Seat 0", "Seat 1"], SEED)
    slow = LogWriter(log, lines[:20])
    Referee(game("pig"), opened, SEED, players(2), LogWriter(log, lines[:20])).play()
    with pytest.raises(LogWriteConflictError):
        Referee(game("pig"), opened, SEED, players(2), slow).play()
    assert list(lines_of(log)) == lines
