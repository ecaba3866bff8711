"""A learner gets better than random in seconds, and what it has learnt is a bot like any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from ftk_core.games import game
from ftk_core.kit.cli import app
from ftk_core.kit.house import start
from ftk_core.kit.pipe import PipePlayer
from ftk_core.log import MemoryLog, lines_of
from ftk_core.players import Answer, Ask, Player, Quiet, RandomPlayer
from ftk_core.referee import play
from ftk_core.rl.exporting import export
from ftk_core.rl.scoring import Scorer
from ftk_core.rl.senses import Senses
from ftk_core.rl.training import Training, seat_against, trained, tried
from ftk_core.rng import seed_of
from tests.support.cage.wheels import numpy_in
from tests.support.machine import held_tiers

GAME, SEATS = "for_the_king", 3
SHORT = Training(rounds=2, matches=10)


@pytest.fixture(scope="module")
def learnt() -> Scorer:
    return trained(seat_against(GAME, SEATS), SHORT)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return numpy_in(tmp_path_factory.mktemp("wheels"))


@pytest.fixture
def folder(learnt: Scorer, tmp_path: Path) -> Path:
    return export(learnt, Senses(game(GAME)), tmp_path / "trained")


class Scored(Quiet):
    """A player that takes what a scorer says is worth most."""

    def __init__(self, scorer: Scorer) -> None:
        super().__init__("trained")
        self.scorer, self.senses = scorer, Senses(game(GAME))

    def choose(self, ask: Ask) -> Answer:
        observation = self.senses.observation(ask.view, ask.seat, SEATS)
        return Answer(self.scorer.best(observation, self.senses.rows(ask.menu)))


def facts_with(player: Player) -> list[bytes]:
    """Return what happens at a table where that player sits in seat 1."""
    log = MemoryLog()
    others = [RandomPlayer(seed_of(seat)) for seat in range(SEATS - 1)]
    play(game(GAME), [others[0], player, others[1]], seed_of("export"), log=log)
    return [line for line in lines_of(log) if b'"kind":"happened"' in line]


@pytest.mark.slow
def test_a_short_training_beats_random_play_for_sure(learnt: Scorer) -> None:
    assert tried(seat_against(GAME, SEATS), learnt, 40, seed=2).low > 0.5


def test_the_same_seed_learns_the_same() -> None:
    training = Training(rounds=2, matches=3, hidden=4)
    one, other = (trained(seat_against("pig", 2), training) for _ in range(2))
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_array_equal(one.last, other.last)


def test_the_exported_bot_chooses_what_its_scorer_chooses(learnt: Scorer, folder: Path) -> None:
    with PipePlayer("trained", start(folder / "bot.py"), metered=False) as bot:
        played = facts_with(bot)
        assert bot.faults == []
    assert played == facts_with(Scored(Scorer.of(learnt.kept())))


@pytest.mark.parametrize("cage", [*held_tiers(), "none"])
def test_the_exported_bot_passes_the_trial_with_the_organisers_numpy(
    cage: str, folder: Path, wheels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOT_WHEELS", str(wheels))
    done = CliRunner().invoke(app, ["check", GAME, str(folder), "--cage", cage])
    assert done.exit_code == 0, done.output
    assert "played to the end" in done.output
