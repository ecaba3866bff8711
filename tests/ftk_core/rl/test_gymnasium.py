"""Gymnasium's own test, over every game and table size, and what a seat promises."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ftk_core.games import game, shelf
from ftk_core.kit.house import NoSuchBot
from ftk_core.kit.in_process import NotInProcess
from ftk_core.players import Answer, Ask, Quiet
from ftk_core.rl.one_seat import MatchOver, OneSeat
from tests.support.laws.tables import EVERY


def made(name: str, **given: object) -> gymnasium.Env:
    return gymnasium.make(f"ftk_core.rl.ids:ftk/{name}-v{game(name).version}", disable_env_checker=True, **given)


def played(seat: OneSeat, seed: int) -> float:
    """Play a match with the last item of every menu and return the reward."""
    _, info = seat.reset(seed=seed)
    reward, over = 0.0, False
    while not over:
        _, reward, over, _, info = seat.step(int(info["action_mask"].sum()) - 1)
    return reward


@pytest.mark.parametrize(("name", "seats"), EVERY)
def test_a_seat_is_as_gymnasium_wants_it(name: str, seats: int) -> None:
    check_env(made(name, opponents=["random"] * (seats - 1)).unwrapped)


@pytest.mark.slow
@pytest.mark.parametrize("name", shelf())
def test_a_seat_plays_to_the_end_and_is_given_its_share(name: str) -> None:
    seat = OneSeat(name)
    shares = {played(seat, seed) for seed in range(3)}
    assert all(0 <= share <= 1 for share in shares)
    with pytest.raises(MatchOver, match="call reset"):
        seat.step(0)


def test_a_house_bot_in_this_process_plays_as_it_does_in_its_own() -> None:
    seat = OneSeat("pig", ["hold20"], seat=0)
    _, info = seat.reset(seed=5)
    while True:
        before = len(seat.match.history) if seat.match else 0
        _, _, over, _, info = seat.step(int(info["action_mask"].sum()) - 1)
        assert seat.match is not None
        for fact in seat.match.history[before:]:
            if type(fact).__name__ == "TurnBanked" and fact.seat == 1:  # type: ignore[attr-defined]  # Pig's own
                assert fact.points >= 20 or over  # type: ignore[attr-defined]  # Pig's own
        if over:
            break


def test_anything_that_chooses_can_be_an_opponent() -> None:
    class Notes(Quiet):
        def choose(self, ask: Ask) -> Answer:
            asked.append(ask.seat)
            return Answer(len(ask.menu) - 1)

    asked: list[int] = []
    played(OneSeat("for_the_king", [Notes("one"), "greedy"], seat=1), seed=2)
    assert set(asked) == {0}


def test_the_learner_sits_somewhere_else_from_match_to_match() -> None:
    seat = OneSeat("for_the_king", ["random"] * 4)
    seat.reset(seed=1)
    seats = {seat.seat}
    for _ in range(40):
        seat.reset()
        seats.add(seat.seat)
    assert seats == set(range(5))


def test_what_cannot_be_seated_is_named(tmp_path: Path) -> None:
    mute = tmp_path / "mute.py"
    mute.write_text("print('I answer lines')\n")
    with pytest.raises(NotInProcess, match="has no function"):
        OneSeat("pig", [str(mute)])
    several = tmp_path / "several.py"
    several.write_text("import my_tables\n")
    with pytest.raises(NotInProcess, match="files beside it are not: No module named 'my_tables'"):
        OneSeat("pig", [str(several)])
    script = tmp_path / "bot.js"
    script.write_text("")
    with pytest.raises(NotInProcess, match="is in node: only Python"):
        OneSeat("pig", [str(script)])
    with pytest.raises(NoSuchBot, match="'nobody' is neither"):
        OneSeat("pig", ["nobody"])
    with pytest.raises(ValueError, match="played by 2 to 6, not by 7"):
        OneSeat("pig", ["random"] * 6)
    with pytest.raises(ValueError, match="there is no seat 2 at a table of 2"):
        OneSeat("pig", seat=2)


def test_the_rows_of_a_menu_tell_its_items_apart() -> None:
    for name in shelf():
        seat = OneSeat(name)
        seat.reset(seed=1)
        rows = seat.rows()
        assert len(rows) == seat.action_masks().sum()
        assert len(np.unique(rows, axis=0)) == len(rows)
