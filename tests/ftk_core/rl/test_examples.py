"""The training examples run in a short form: they choose from the menu, learn, and print their results."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import torch
import typer
from gymnasium.vector import AutoresetMode
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecEnv
from typer.testing import CliRunner

from ftk_core.rl.examples.clean_ppo import PolicyNet, SingleFilePpoLearner, compute_advantages
from ftk_core.rl.examples.maskable_ppo import MaskablePpoLearner
from ftk_core.rl.examples.shared_example_code import (
    ActionMaskIgnoredError,
    TrainingExampleOptions,
    create_command,
    create_training_tables,
    measure_share,
)
from ftk_core.rl.examples.stable_baselines_vec_env import StableBaselinesVecEnv
from ftk_core.rl.vector_env import VectorTableEnv

CHOICES = 40_000
"""Number of choices after which a net beats random play at Pig, with a wide margin."""
RESULT = re.compile(
    r"untrained: share of random opponents left behind 0\.\d{3}, 95 % between -?0\.\d{3} and \d\.\d{3}, 50 matches\n"
    r"training: \d+ s, [\d,]+ choices, [\d,]+ a second\n"
    r"trained: share of random opponents left behind \d\.\d{3}, 95 % between -?0\.\d{3} and \d\.\d{3}, 50 matches\n"
)


@pytest.mark.parametrize("create", [SingleFilePpoLearner, MaskablePpoLearner])
def test_a_training_example_prints_the_fraction_of_opponents_beaten_before_and_after_training(create: Any) -> None:
    app = typer.Typer()
    app.command()(create_command(create))
    done = CliRunner().invoke(app, ["pig", "--choices", "3000", "--matches", "50"])
    assert done.exit_code == 0, done.output
    assert RESULT.fullmatch(done.output)


@pytest.mark.parametrize("create", [SingleFilePpoLearner, MaskablePpoLearner])
def test_a_training_example_refuses_an_unknown_game_and_an_invalid_number_of_seats(create: Any) -> None:
    app = typer.Typer()
    app.command()(create_command(create))
    assert CliRunner().invoke(app, ["poker"]).exit_code == 2
    assert CliRunner().invoke(app, ["pig", "--seats", "9"]).exit_code == 2


@pytest.mark.parametrize("create", [SingleFilePpoLearner, MaskablePpoLearner])
def test_a_short_training_significantly_beats_random_play(create: Any) -> None:
    run = TrainingExampleOptions(game="pig", matches=400)
    learner = create(run)
    learner.train(lambda made: made < CHOICES)
    assert measure_share(learner, run).low > 0.5


@pytest.mark.parametrize("create", [SingleFilePpoLearner, MaskablePpoLearner])
def test_a_learner_chooses_only_actions_on_the_menu_in_training_and_in_evaluation(
    create: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    excused = list[bool]()
    step = VectorTableEnv.step

    def watch(tables: VectorTableEnv, actions: Any) -> Any:
        result = step(tables, actions)
        excused.append(bool(result[-1]["excused"].any()))
        return result

    monkeypatch.setattr(VectorTableEnv, "step", watch)
    run = TrainingExampleOptions(game="to_court_the_king", matches=20)
    learner = create(run)
    learner.train(lambda made: made == 0)
    measure_share(learner, run)
    assert len(excused) > 128
    assert not any(excused)


def test_measuring_a_policy_that_ignores_the_action_mask_raises_an_error() -> None:
    class Careless(SingleFilePpoLearner):
        def choose(self, observations: Any, masks: Any) -> Any:
            return np.full(len(masks), 2)

    run = TrainingExampleOptions(game="pig", matches=20)
    with pytest.raises(ActionMaskIgnoredError, match="20 choices"):
        measure_share(Careless(run), run)


def test_training_with_the_same_seed_gives_the_same_weights() -> None:
    nets = list[PolicyNet]()
    for _ in range(2):
        learner = SingleFilePpoLearner(TrainingExampleOptions(game="pig", seed=3))
        learner.train(lambda made: made == 0)
        nets.append(learner.net)
    for one, other in zip(nets[0].parameters(), nets[1].parameters(), strict=True):
        assert torch.equal(one, other)


def test_the_stable_baselines_adapter_returns_the_observations_rewards_and_episode_ends_of_the_vector_environment() -> (
    None
):
    run = TrainingExampleOptions(game="pig", seats=3, seed=8)
    adapter, tables = StableBaselinesVecEnv(create_training_tables(run)), create_training_tables(run)
    adapter.seed(run.seed)
    known, (observations, infos) = adapter.reset(), tables.reset(seed=run.seed)
    draw, ends = np.random.default_rng(1), 0
    assert is_masking_supported(adapter)
    for _ in range(200):
        np.testing.assert_array_equal(known, observations)
        np.testing.assert_array_equal(get_action_masks(adapter), infos["action_mask"] == 1)
        actions = draw.integers(infos["menu_size"])
        known, rewards, over, notes = adapter.step(actions)
        observations, expected_rewards, expected_over, _, infos = tables.step(actions)
        np.testing.assert_array_equal(rewards, expected_rewards)
        np.testing.assert_array_equal(over, expected_over)
        for table, note in enumerate(notes):
            assert ("terminal_observation" in note) == over[table]
            if over[table]:
                np.testing.assert_array_equal(note["terminal_observation"], infos["final_obs"][table])
                assert not np.array_equal(note["terminal_observation"], known[table])
        ends += over.sum()
    assert ends > 64


def test_the_vecenv_adapter_reports_illegal_choices_and_refuses_unsupported_settings() -> None:
    adapter = StableBaselinesVecEnv(create_training_tables(TrainingExampleOptions(game="pig")))
    assert isinstance(adapter, VecEnv)
    adapter.reset()
    *_, notes = adapter.step(np.arange(64) % 3)
    assert [note.get("excuse") for note in notes[:3]] == [None, None, "nonsense"]
    assert adapter.env_is_wrapped(VecEnv, [0, 1]) == [False, False]
    for refused in (lambda: adapter.env_method("render"), lambda: adapter.set_attr("seats", 3)):
        with pytest.raises(AttributeError):
            refused()
    for tables in (
        VectorTableEnv("pig", 1),
        VectorTableEnv("pig", 1, autoreset_mode=AutoresetMode.SAME_STEP, copy=False),
    ):
        with pytest.raises(ValueError, match="SAME_STEP and copy=True"):
            StableBaselinesVecEnv(tables)


def test_advantages_are_not_carried_over_the_end_of_a_match() -> None:
    rewards, over = torch.tensor([[0.0], [1.0], [0.0]]), torch.tensor([[0.0], [1.0], [0.0]])
    values = torch.tensor([[0.5], [0.25], [0.125], [0.75]])
    advantages = compute_advantages(rewards, values, over).flatten().tolist()
    assert advantages == pytest.approx([0.25 - 0.5 + 0.95 * 0.75, 0.75, 0.75 - 0.125])


def test_the_running_mean_and_variance_are_those_of_all_observations() -> None:
    net, observations = PolicyNet(4, 2), torch.rand(300, 4) * torch.tensor([1.0, 0.1, 0.01, 0.0])
    for part in observations.split(100):
        net.note_scale(part)
    torch.testing.assert_close(net.mean, observations.mean(0))
    torch.testing.assert_close(net.variance, observations.var(0, unbiased=False))
