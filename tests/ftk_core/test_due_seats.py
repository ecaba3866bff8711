"""Seats whose answer is due at the end of an unfinished log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ftk_core.analysis.match_log_rerun_check import list_asked_seats, list_due_seats
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.finger_game import FINGERS, Throw, legal
from tests.support.live import play_log_lines


@pytest.mark.parametrize(
    ("name", "seats"), [("pig", 2), ("for_the_king", 4), ("to_court_the_king", 3), ("kings_court", 7)]
)
def test_the_seats_to_be_asked_after_a_truncated_log_are_the_seats_that_choose_next_in_the_full_log(
    name: str, seats: int
) -> None:
    lines = play_log_lines(name, seats)
    entries = [read(line) for line in lines]
    cuts = [at for at in range(1, len(entries)) if isinstance(entries[at], ChoiceMade)]
    for at in cuts[:: max(1, len(cuts) // 20)]:
        choosing = []
        for entry in entries[at:]:
            if not isinstance(entry, ChoiceMade):
                break
            choosing.append(entry.seat)
        assert list_asked_seats(game(name), lines[:at]) == choosing, f"{name}, cut before entry {at}"


def test_a_seat_with_one_legal_action_in_a_simultaneous_turn_must_act_but_is_not_asked() -> None:
    fingers = replace(FINGERS, legal=lambda table, seat: legal(table, seat) if seat else (Throw(0),))
    log = InMemoryLog()
    play(fingers, [RandomPlayer(seed_of(1, seat), "p") for seat in range(3)], seed_of("fingers"), log=log)
    lines = list(lines_of(log))
    first = next(at for at, line in enumerate(lines) if isinstance(read(line), ChoiceMade))
    assert list_asked_seats(fingers, lines[:first]) == [1, 2]
    assert list_due_seats(fingers, lines[:first]) == [0, 1, 2]
