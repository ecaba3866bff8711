"""Gymnasium's own checks for every game and table size, and the guarantees of the one-seat environment."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ftk_core.games import game, list_games
from ftk_core.games.pig.rules import HoldAction
from ftk_core.kit.built_in_bots import BotNotFound, start_bot
from ftk_core.kit.match_series.in_process_bots import InProcessBotError
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.log_entries import DEFAULT_CLOCK
from ftk_core.players import HelloMessage, PlayerAnswer, QuestionToSeat, StatelessPlayer
from ftk_core.rl import single_seat_env
from ftk_core.rl.single_seat_env import MatchOverError, SingleSeatEnv
from tests.support.laws.tables import GAMES_AND_SIZES


def made(name: str, **given: object) -> gymnasium.Env:
    return gymnasium.make(f"ftk_core.rl.ids:ftk/{name}-v{game(name).version}", disable_env_checker=True, **given)


def played(seat: SingleSeatEnv, seed: int) -> float:
    """Play a match with the last item of every menu and return the reward."""
    _, info = seat.reset(seed=seed)
    reward, over = 0.0, False
    while not over:
        _, reward, over, _, info = seat.step(int(info["action_mask"].sum()) - 1)
    return reward


@pytest.mark.parametrize(("name", "seats"), GAMES_AND_SIZES)
def test_the_single_agent_environment_passes_the_checks_of_gymnasium(name: str, seats: int) -> None:
    check_env(made(name, opponents=["random"] * (seats - 1)).unwrapped)


@pytest.mark.slow
@pytest.mark.parametrize("name", list_games())
def test_an_episode_ends_with_a_reward_between_0_and_1_and_further_steps_raise_an_error(name: str) -> None:
    seat = SingleSeatEnv(name)
    shares = {played(seat, seed) for seed in range(3)}
    assert all(0 <= share <= 1 for share in shares)
    with pytest.raises(MatchOverError, match="call reset"):
        seat.step(0)


def test_a_built_in_bot_run_in_process_plays_like_one_run_in_its_own_process() -> None:
    histories = []
    with BotProcessPlayer("hold20", start_bot("pig", "hold20"), metered=False) as alone:
        for opponent in ("hold20", alone):
            seat = SingleSeatEnv("pig", [opponent], seat=0)
            played(seat, seed=5)
            assert seat.match is not None
            histories.append(seat.match.history)
    assert histories[0] == histories[1]


def test_any_object_with_a_choose_method_can_be_an_opponent() -> None:
    class Notes(StatelessPlayer):
        def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
            asked.append(ask.seat)
            return PlayerAnswer(len(ask.menu) - 1)

    asked: list[int] = []
    played(SingleSeatEnv("for_the_king", [Notes("one"), "greedy"], seat=1), seed=2)
    assert set(asked) == {0}


def test_an_opponent_of_a_learning_agent_has_its_whole_time_bank_at_every_question() -> None:
    class NotesBank(StatelessPlayer):
        def greet(self, hello: HelloMessage) -> None:
            banks.add(hello.bank_ms)

        def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
            banks.add(ask.bank_ms)
            return PlayerAnswer(0)

    banks: set[int] = set()
    played(SingleSeatEnv("pig", [NotesBank("bank")], seat=1), seed=2)
    assert banks == {DEFAULT_CLOCK.bank_ms}


class RollsUpTo(StatelessPlayer):
    """Bot for Pig that holds after gathering this many points, and counts its matches."""

    def __init__(self, points: int) -> None:
        """Start without matches."""
        super().__init__("rolls")
        self.points, self.greeted, self.ended = points, 0, 0

    def greet(self, _hello: HelloMessage) -> None:
        self.greeted += 1

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        hold = ask.view.gathered >= self.points
        return PlayerAnswer(next(i for i, item in enumerate(ask.menu) if isinstance(item, HoldAction) == hold))

    def over(self, _places: Sequence[int]) -> None:
        self.ended += 1


def test_reset_skips_matches_that_end_before_the_learning_agent_can_choose() -> None:
    bot = RollsUpTo(100)
    seat = SingleSeatEnv("pig", [bot], seat=1)
    for seed in (29, 30):
        _, info = seat.reset(seed=seed)
        assert info["action_mask"].any()
        seat.step(0)
    assert bot.greeted == 3, "the bot wins the first match of seed 30 in its first turn"
    assert bot.ended == 1


def test_reset_raises_an_error_if_the_learning_agent_can_never_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_seat_env, "MAX_TRIES", 1)
    with pytest.raises(RuntimeError, match="Pig: the learner had no choice in 1 matches"):
        SingleSeatEnv("pig", [RollsUpTo(100)], seat=1).reset(seed=30)


def test_the_seat_of_the_learning_agent_changes_from_episode_to_episode() -> None:
    seat = SingleSeatEnv("for_the_king", ["random"] * 4)
    seat.reset(seed=1)
    seats = {seat.seat}
    for _ in range(40):
        seat.reset()
        seats.add(seat.seat)
    assert seats == set(range(5))


def test_an_invalid_opponent_or_number_of_players_is_named_in_the_error(tmp_path: Path) -> None:
    mute = tmp_path / "mute.py"
    mute.write_text("print('I answer lines')\n")
    with pytest.raises(InProcessBotError, match="has no function"):
        SingleSeatEnv("pig", [str(mute)])
    several = tmp_path / "several.py"
    several.write_text("import my_tables\n")
    with pytest.raises(
        InProcessBotError, match="cannot run inside this process, because it imports what is missing here"
    ):
        SingleSeatEnv("pig", [str(several)])
    assert not [name for name in sys.modules if name.startswith("ftk_bot_several")]
    script = tmp_path / "bot.js"
    script.write_text("")
    with pytest.raises(InProcessBotError, match="is in node: only Python"):
        SingleSeatEnv("pig", [str(script)])
    with pytest.raises(BotNotFound, match="'nobody' is neither"):
        SingleSeatEnv("pig", ["nobody"])
    with pytest.raises(ValueError, match="played by 2 to 6, not by 7"):
        SingleSeatEnv("pig", ["random"] * 6)
    with pytest.raises(ValueError, match="there is no seat 2 at a table of 2"):
        SingleSeatEnv("pig", seat=2)


def test_different_menu_items_have_different_encodings() -> None:
    for name in list_games():
        seat = SingleSeatEnv(name)
        seat.reset(seed=1)
        rows = seat.rows()
        assert len(rows) == seat.action_masks().sum()
        assert len(np.unique(rows, axis=0)) == len(rows)


def test_an_opponent_file_can_define_dataclasses_with_postponed_annotations(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n"
        "@dataclass\nclass Plan:\n    item: int = 0\n\n\ndef choose(ask):\n    return Plan().item\n"
    )
    SingleSeatEnv("pig", [str(bot)]).reset(seed=1)


@pytest.mark.slow
def test_an_opponent_file_that_calls_run_can_be_loaded_without_reading_from_standard_input(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("from ftk_core.kit.bot import run\n\n\ndef choose(ask):\n    return 0\n\n\nrun(choose)\n")
    program = (
        f"from ftk_core.rl.single_seat_env import SingleSeatEnv as S; print(S('pig', [{str(bot)!r}]).reset(seed=7)[1])"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as done:
        assert done.stdout is not None
        assert done.stdout.readline().startswith(b"{")  # its standard input is still open
        assert done.stdin is not None
        done.stdin.close()
