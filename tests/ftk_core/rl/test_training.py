"""A learner beats random play after seconds of training, and it is exported as an ordinary bot."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.cli import app
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.players import Player, PlayerAnswer, QuestionToSeat, RandomPlayer, StatelessPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from ftk_core.rl.action_menu_scorer import ActionScorer
from ftk_core.rl.bot_export import export
from ftk_core.rl.observation_encoder import ObservationEncoder
from ftk_core.rl.training import TrainingParameters, create_learning_env, measure_scorer, train
from tests.support.machine import working_backends
from tests.support.sandbox.wheels import numpy_in

pytestmark = pytest.mark.slow

GAME, SEATS = "for_the_king", 3
SHORT = TrainingParameters(rounds=2, matches=10)


@pytest.fixture(scope="module")
def learnt() -> ActionScorer:
    return train(create_learning_env(GAME, SEATS), SHORT)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return numpy_in(tmp_path_factory.mktemp("wheels"))


@pytest.fixture
def folder(learnt: ActionScorer, tmp_path: Path) -> Path:
    return export(learnt, ObservationEncoder(game(GAME)), tmp_path / "trained")


class Scored(StatelessPlayer):
    """A player that takes the action with the highest score."""

    def __init__(self, scorer: ActionScorer) -> None:
        super().__init__("trained")
        self.scorer, self.view_encoder = scorer, ObservationEncoder(game(GAME))

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        observation = self.view_encoder.observation(ask.view, ask.seat, SEATS)
        return PlayerAnswer(self.scorer.best(observation, self.view_encoder.rows(ask.menu)))


def facts_with(player: Player) -> list[bytes]:
    """Return the lines of events at a table where that player sits in seat 1."""
    log = InMemoryLog()
    others = [RandomPlayer(seed_of(seat)) for seat in range(SEATS - 1)]
    play(game(GAME), [others[0], player, others[1]], seed_of("export"), log=log)
    return [line for line in lines_of(log) if b'"kind":"happened"' in line]


@pytest.mark.nightly
def test_a_model_trained_for_seconds_significantly_beats_random_play(learnt: ActionScorer) -> None:
    assert measure_scorer(create_learning_env(GAME, SEATS), learnt, 40, seed=2).low > 0.5


def test_training_with_the_same_seed_gives_the_same_weights() -> None:
    training = TrainingParameters(rounds=2, matches=3, hidden=4)
    one, other = (train(create_learning_env("pig", 2), training) for _ in range(2))
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_array_equal(one.last, other.last)


def test_the_exported_bot_makes_the_same_choices_as_the_trained_model(learnt: ActionScorer, folder: Path) -> None:
    with BotProcessPlayer("trained", start_bot("pig", str(folder / "bot.py")), metered=False) as bot:
        played = facts_with(bot)
        assert bot.faults == []
    assert played == facts_with(Scored(ActionScorer.of(learnt.to_dict())))


@pytest.mark.parametrize("cage", [*working_backends(), "none"])
def test_the_exported_bot_passes_the_trial_with_the_numpy_version_of_the_server(
    cage: str, folder: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_WHEELS", str(wheels))
    done = CliRunner().invoke(app, ["check", GAME, str(folder), "--sandbox", cage])
    assert done.exit_code == 0, done.output
    assert "played to the end" in done.output
