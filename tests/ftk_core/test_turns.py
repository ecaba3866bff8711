"""Simultaneous choices: every menu is fixed first, and no seat learns another's answer."""

from __future__ import annotations

import msgspec

from ftk_core.analysis.match_log_rerun_check import rerun
from ftk_core.facts import Fact
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.players import PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tests.support.finger_game import FINGERS, ROUNDS, Table, Thrown


class Listener(StatelessPlayer):
    """Player that stores everything it gets, and always answers with the last item."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.menus: list[int] = []
        self.views: list[Table] = []
        self.news: list[tuple[Fact, ...]] = []

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        self.menus.append(len(ask.menu))
        self.views.append(ask.view)
        self.news.append(ask.news)
        return PlayerAnswer(len(ask.menu) - 1)


def listen(seats: int) -> tuple[list[Listener], list[bytes]]:
    players, log = [Listener(f"Seat {seat}") for seat in range(seats)], InMemoryLog()
    play(FINGERS, players, seed_of("fingers"), log=log)
    return players, list(lines_of(log))


def test_menus_and_views_in_a_simultaneous_turn_do_not_depend_on_the_asking_order() -> None:
    players, _ = listen(3)
    assert [player.menus for player in players] == [[2, 5, 8]] * 3
    assert players[0].views == players[1].views == players[2].views


def test_after_a_simultaneous_turn_players_learn_that_others_chose_but_not_their_choices() -> None:
    players, _ = listen(3)
    assert players[1].news[0] == ()
    assert players[1].news[1] == (Thrown(0, None), Thrown(1, 1), Thrown(2, None))


def test_choices_of_a_simultaneous_turn_are_logged_together_before_their_events() -> None:
    _, lines = listen(2)
    kinds = [msgspec.json.decode(line)["kind"] for line in lines]
    assert kinds == ["opened", *["chose", "chose", "happened", "happened"] * ROUNDS, "closed"]
    assert rerun(FINGERS, lines).places == (1, 1)
