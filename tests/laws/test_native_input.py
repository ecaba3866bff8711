"""Wrong logs, states, facts and actions: the native rules raise an error and never crash."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from shutil import copytree

import numpy as np
import pytest

from ftk_core.analysis.match_log_rerun_check import rerun
from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.log_writer import LogDivergedError
from ftk_core.match_state_from_log import AnyGame
from ftk_core.native import shared_rules_library
from ftk_core.native.build import build
from ftk_core.native.native_match import NativeHiddenStateSampler, NativeMatch
from ftk_core.native.shared_rules_library import NativeError, last_error, load_library
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from ftk_core.rl.match_step_arrays import MatchStepArrays
from ftk_core.rl.native_parallel_matches import NativeParallelMatches
from ftk_core.rl.observation_encoder import ObservationEncoder
from tests.support.native_rules import NATIVE_GAMES, EngineComparison, keep_one_game

pytestmark = pytest.mark.usefixtures("native_library")

MUTATIONS = int(os.environ.get("FTK_NATIVE_MUTATIONS", "300"))
"""Mutated inputs for each game; `make laws` tries more."""
SANITIZER_FLAGS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1", "-g")
SANITIZED = NATIVE_GAMES if "FTK_NATIVE_MUTATIONS" in os.environ else ["for_the_king"]
"""Games to test under sanitizers. `make laws` tests all, whose build takes four times as long."""


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_a_match_log_with_one_changed_byte_is_refused_by_the_python_and_the_native_rules(name: str) -> None:
    lines, random = logged_match(game(name)), Random(name)
    seats = game(name).seats.start
    for _ in range(20):
        number = random.randrange(1, len(lines) - 1)
        changed = bytearray(lines[number])
        end = lines[number].find(b',"charged_us"') % len(changed)  # the engine does not check the clock's numbers
        changed[random.randrange(end)] ^= 1 << random.randrange(7)
        if bytes(changed) == lines[number]:
            continue
        forged = [*lines[:number], bytes(changed), *lines[number + 1 :]]
        table = NativeMatch(name, seats)
        table.seed(seed_of("bad input", name))
        with pytest.raises(NativeError):
            table.rerun(b"\n".join([*forged[1:-1], b""]))
        with pytest.raises((LogDivergedError, ValueError)):
            rerun(game(name), forged, thorough=True)


def logged_match(rules_of_game: AnyGame) -> list[bytes]:
    """Return the log of a match of random players."""
    log, seats = InMemoryLog(), rules_of_game.seats.start
    players = [RandomPlayer(seed_of("bad input", seat)) for seat in range(seats)]
    play(rules_of_game, players, seed_of("bad input", rules_of_game.name), log=log)
    return list(lines_of(log))


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_mutated_states_events_and_actions_raise_errors_in_the_native_rules_without_a_crash(name: str) -> None:
    assert feed_mutations(name, MUTATIONS) > 0


def feed_mutations(name: str, count: int) -> int:
    """Feed mutated states, facts, actions and logs to the native rules; return how many were refused."""
    rules_of_game, random, refused = game(name), Random(f"mutations of {name}"), 0
    texts = texts_of_match(rules_of_game)
    for _ in range(count):
        kind, seats, text = random.choice(texts)
        try:
            if kind == "plan":
                use_plan(name, seats, mutate(text, random), random)
            else:
                use_input(NativeMatch(name, seats), kind, mutate(text, random), random)
        except NativeError:
            refused += 1
    return refused


def texts_of_match(rules_of_game: AnyGame) -> list[tuple[str, int, bytes]]:
    """Return (kind, seats, JSON) of states, facts, actions, feature plans and of the log of one match."""
    seats = rules_of_game.seats.start
    comparison = EngineComparison(rules_of_game, seats, 0, rules_of_game.options())
    texts = []
    facts = rules_of_game.deal(comparison.state, comparison.chance)
    for _ in range(400):  # until the end of a match
        for fact in facts:
            comparison.state = rules_of_game.apply(comparison.state, fact)
            texts.append(("fact", seats, encode(fact)))
        texts.append(("state", seats, encode(comparison.state)))
        due = rules_of_game.turn(comparison.state)
        if not due:
            break
        action = comparison.random.choice(rules_of_game.legal(comparison.state, due[0]))
        texts.append(("action", seats, encode(action)))
        facts = rules_of_game.decide(comparison.state, due[0], action, comparison.chance)
    log = b"\n".join([*logged_match(rules_of_game)[1:-1], b""])
    plan = json.dumps(ObservationEncoder(rules_of_game).plan, separators=(",", ":")).encode()
    return [*texts, *[("log", seats, log), ("plan", seats, plan)] * (len(texts) // 5)]


def mutate(text: bytes, random: Random) -> bytes:
    """Return a text with one change: a byte, a number, a cut, or two swapped names."""
    match random.randrange(4):
        case 0:
            at = random.randrange(len(text))
            return text[:at] + bytes([random.randrange(256)]) + text[at + 1 :]
        case 1:
            numbers = list(re.finditer(rb"-?\d+", text))
            if numbers:
                found = random.choice(numbers)
                other = random.choice([b"0", b"-1", b"7", b"127", b"-128", b"99999", b"2147483647", b"9" * 30])
                return text[: found.start()] + other + text[found.end() :]
        case 2:
            return text[: random.randrange(len(text))]
    names = list(re.finditer(rb'"[^"]*"', text))
    one, other = random.choice(names), random.choice(names)
    return text[: one.start()] + other.group() + text[one.end() :]


def use_input(table: NativeMatch, kind: str, text: bytes, random: Random) -> None:
    """Give an input to a native table, then ask everything of it and play a little; raise NativeError if it refuses."""
    table.seed_fast(random.getrandbits(64))
    if kind == "log":
        table.rerun(text)
        return
    if kind == "state":
        table.set_state(text)
    else:
        table.deal()
        if kind == "fact":
            table.apply(text)
        else:
            table.follow_action(random.randrange(-2, 9), text)
    for viewer in (-3, -2, -1, 0, 1, 99):
        ask_all(
            lambda viewer=viewer: table.view(viewer),
            lambda viewer=viewer: table.copy().resample(viewer),
            lambda viewer=viewer: NativeHiddenStateSampler(table, viewer).deal(seed_of("mutated")),
        )
    ask_all(table.result, table.state)
    for _ in range(20):
        due = table.seats_due()
        if not due or not table.menu_size(due[0]):
            break
        table.quick(due[0], seed_of("mutated"))
        table.follow_action(due[0], encode(random.choice(json.loads(table.menu(due[0])))))


def use_plan(name: str, seats: int, plan: bytes, random: Random) -> None:
    """Play some steps at tables whose observations are written by a feature plan; raise NativeError if it refuses."""
    view_encoder, library = ObservationEncoder(game(name)), load_library()
    assert library
    tables, arrays = NativeParallelMatches(view_encoder, seats, tables=2), MatchStepArrays(view_encoder, 2, seats)
    library.ftk_learning_free(tables.handle)
    action_plan = json.dumps(view_encoder.action_plan, separators=(",", ":")).encode()
    widths = view_encoder.width, view_encoder.action_width, view_encoder.actions
    tables.handle = library.ftk_learning_new(name.encode(), seats, b"", 0, 2, plan, action_plan, *widths, 2)
    if not tables.handle:
        raise NativeError(last_error(library))
    tables.start_series("mutated")
    tables.step(None, arrays)
    for _ in range(20):
        tables.step(np.array([random.randrange(-1, size + 1) for size in arrays.sizes]), arrays)


def ask_all(*questions: Callable[[], object]) -> None:
    """Ask each question; a NativeError is an accepted answer."""
    for question in questions:
        with suppress(NativeError):
            question()


@pytest.mark.nightly
def test_bad_input_causes_no_address_or_undefined_behaviour_error_in_the_native_rules(
    tmp_path: Path,
) -> None:
    sources, flags = copytree(shared_rules_library.SOURCES, tmp_path / "src"), SANITIZER_FLAGS
    if len(SANITIZED) == 1:
        keep_one_game(sources, *SANITIZED)
        flags = (*flags, "-O0")  # with few mutations, compilation takes most of the time
    checked = build(flags, tmp_path / "sanitized.so", sources)
    program = (
        "from pathlib import Path; from ftk_core.native import shared_rules_library\n"
        f"import {__name__} as laws\n"
        f"shared_rules_library.library_path = lambda: Path({str(checked)!r})\n"
        "for name in laws.SANITIZED: print(name, laws.feed_mutations(name, laws.MUTATIONS))"
    )
    preloaded = [
        subprocess.run(["c++", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        # libstdc++ too, because the sanitizer looks up its exception functions at the start
        for name in ("libasan.so", "libstdc++.so")
    ]
    environment = {**os.environ, "LD_PRELOAD": " ".join(preloaded), "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=1200
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]


@pytest.mark.parametrize("seed", [b"", b"1", b"0" * 33])
def test_the_native_rules_refuse_a_seed_that_is_not_32_bytes_long(seed: bytes) -> None:
    table = NativeMatch("pig", 2)
    calls = (
        lambda: table.seed(seed),
        lambda: table.quick(0, seed),
        lambda: NativeHiddenStateSampler(table, 0).deal(seed),
        lambda: NativeParallelMatches(ObservationEncoder(game("pig")), 2).deal(0, seed),
    )
    for call in calls:
        with pytest.raises(NativeError, match=f"a seed has 32 bytes, not {len(seed)}"):
            call()
