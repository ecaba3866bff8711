"""Random play in other game libraries, to compare their speed with this project's rules."""
# Measured with OpenSpiel 2.0.2, RLCard 1.2.0, and pgx 2.6.0 with jax 0.10.2, which Python 3.11 can install. pgx has no
# game with hidden roles or auctions, so only its small Leduc hold'em is measured.

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from tools.bench.workload_speed_comparison import Work

sys.path.append(str(Path(__file__).parents[2] / "var" / "bench"))  # pgx is there: its `tests` would hide this `tests`

ROLLOUTS = 50
"""Number of matches in one call of OpenSpiel's C++ workload."""
COUNTED_MATCHES = 500
"""Number of matches from which the mean number of decisions is computed, because rollouts in C++ do not report it."""
PGX_TABLES, PGX_STEPS = 1024, 50
HEARTS = "hearts"
LIARS_DICE = "liars_dice(numdice=5)"


def openspiel_in_cpp(game: str) -> Work:
    """Return a function that plays random matches in OpenSpiel's C++ code and returns the number of decisions."""
    # A Monte Carlo tree search of one simulation evaluates the dealt position by `ROLLOUTS` rollouts.
    pyspiel, random = import_module("pyspiel"), Random(3)
    rules = pyspiel.load_game(game)
    dealt = rules.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(random.choice(dealt.legal_actions()))
    decisions = sum(_finish_match(dealt.clone(), random) for _ in range(COUNTED_MATCHES)) / COUNTED_MATCHES
    searcher = pyspiel.MCTSBot(
        rules, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 2.0, 1, 100, solve=False, seed=1, verbose=False
    )

    def roll_out() -> float:
        searcher.step(dealt)
        return ROLLOUTS * decisions

    return roll_out


def openspiel_by_python(game: str) -> Work:
    """Return a function that plays a random match of OpenSpiel from Python and returns the number of decisions."""
    start, random = import_module("pyspiel").load_game(game).new_initial_state(), Random(3)
    return lambda: float(_finish_match(start.clone(), random))


def _finish_match(state: Any, random: Random) -> int:
    """Play a match to its end; return the number of decisions."""
    decisions, draw = 0, random.random
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[int(draw() * len(actions))])
    return decisions


def rlcard_by_python(game: str) -> Work:
    """Return a function that plays a match between RLCard's random agents and returns the number of decisions."""
    env = import_module("rlcard").make(game)
    agent = import_module("rlcard.agents").RandomAgent(num_actions=env.num_actions)
    env.set_agents([agent] * env.num_players)

    def play() -> float:
        before = env.timestep
        env.run(is_training=False)
        return float(env.timestep - before)

    return play


def pgx_in_batches(game: str) -> Work:
    """Return a function that advances many random pgx matches together and returns the number of decisions."""
    # XLA_FLAGS limits pgx to one core.
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    jax, numpy = import_module("jax"), import_module("jax.numpy")
    env = import_module("pgx").make(game)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def play_step(carry: Any, _number: Any) -> tuple[Any, None]:
        state, key = carry
        key, choice, luck = jax.random.split(key, 3)
        action = jax.random.categorical(choice, numpy.where(state.legal_action_mask, 0.0, -numpy.inf), axis=-1)
        return (step(state, action, jax.random.split(luck, PGX_TABLES)), key), None

    play_steps = jax.jit(lambda carry: jax.lax.scan(play_step, carry, None, length=PGX_STEPS)[0])
    key = jax.random.PRNGKey(1)
    carry = (jax.vmap(env.init)(jax.random.split(key, PGX_TABLES)), key)

    def play() -> float:
        nonlocal carry
        carry = jax.block_until_ready(play_steps(carry))
        return float(PGX_TABLES * PGX_STEPS)

    return play


IN_CPP: dict[str, tuple[str, Callable[[], Work]]] = {
    "hearts of OpenSpiel, in C++": ("pyspiel", lambda: openspiel_in_cpp(HEARTS)),
    "liar's dice of OpenSpiel, in C++": ("pyspiel", lambda: openspiel_in_cpp(LIARS_DICE)),
    "Leduc hold'em of pgx, compiled by XLA": ("pgx", lambda: pgx_in_batches("leduc_holdem")),
}
"""Title -> (package, function that returns the workload), for libraries that play without Python code."""
BY_PYTHON: dict[str, tuple[str, Callable[[], Work]]] = {
    "hearts of OpenSpiel, by Python": ("pyspiel", lambda: openspiel_by_python(HEARTS)),
    "liar's dice of OpenSpiel, by Python": ("pyspiel", lambda: openspiel_by_python(LIARS_DICE)),
    "Leduc hold'em of RLCard": ("rlcard", lambda: rlcard_by_python("leduc-holdem")),
}
"""Title -> (package, function that returns the workload), for libraries in which Python code makes every choice."""


def list_installed(peers: dict[str, tuple[str, Callable[[], Work]]]) -> dict[str, Callable[[], Work]]:
    """Return the functions in `peers` that create the workloads of installed libraries, by title."""
    return {title: make for title, (package, make) in peers.items() if find_spec(package)}
