"""The native rules do the same as the Python rules, byte for byte, and refuse bad input without a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from shutil import copytree

import pytest

from ftk_core.analysis import match_log_rerun_check
from ftk_core.analysis.match_log_rerun_check import rerun
from ftk_core.analysis.playouts import HiddenGameStateSampler, QuickPlayoutPolicy, RandomPlayoutPolicy, play_out
from ftk_core.facts import PUBLIC, encode
from ftk_core.game import MatchResult
from ftk_core.games import game
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.match_fork import deal_again
from ftk_core.match_state_from_log import AnyGame
from ftk_core.native import cpp_header_generator, native_game_rules, shared_rules_library
from ftk_core.native.build import FLAGS, build, find_compiler
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.native.shared_rules_library import NativeError
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import MatchRandomness, RandomBitStream, seed_of
from ftk_core.referee import play
from ftk_core.unlogged_play import Choose, play_without_log
from tests.support.laws.by_game import options_for
from tests.support.laws.crashing_bots import CrashingBot
from tests.support.laws.tables import GAMES_AND_SIZES, MATCHES
from tests.support.native_library import WARNING_FLAGS
from tests.support.native_rules import NATIVE_GAMES, EngineComparison, keep_one_game, play_by_questions
from tests.support.reviews import log_of, moves_of

pytestmark = pytest.mark.usefixtures("native_library")

EVERYWHERE = pytest.mark.parametrize(
    ("name", "seats"), [(name, seats) for name, seats in GAMES_AND_SIZES if name in NATIVE_GAMES]
)
BOT_MATCHES = int(os.environ.get("FTK_NATIVE_BOT_MATCHES", "2"))
"""Matches of each built-in bot; `make laws` plays more."""
PLANTED_MATCHES = 100
POLICY_MATCHES = 10
PLANTED_DIFFERENCES = [
    ("pig", 3, "pig.hpp", "fact.face == 1", "fact.face == 2"),
    ("pig", 3, "pig.hpp", "GOAL = 100", "GOAL = 101"),
    ("for_the_king", 4, "for_the_king/state.hpp", "START_DUTY = 3", "START_DUTY = 4"),
    ("for_the_king", 4, "for_the_king/esteem.hpp", "state.first = next_seat(state, state.first);", ""),
    ("for_the_king", 2, "for_the_king/state.hpp", "seats == 2 ? 0", "seats == 3 ? 0"),
]
"""(game, seats, source file, text of a rule or a number, another text); each is a build: most are for `make laws`."""
if "FTK_NATIVE_BOT_MATCHES" not in os.environ:
    PLANTED_DIFFERENCES = PLANTED_DIFFERENCES[::3]


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_every_game_has_native_rules_of_the_same_version_as_its_python_rules(name: str) -> None:
    assert native_game_rules.has_native_rules(game(name))


def test_a_read_only_installation_with_an_outdated_native_library_uses_the_user_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    built = shared_rules_library.library_path()
    monkeypatch.setattr("os.access", lambda *_words: False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert shared_rules_library.library_path() == built
    monkeypatch.setattr(shared_rules_library, "digest_sources", lambda: "other")
    assert shared_rules_library.library_path().parent == tmp_path / "ftk"


@pytest.mark.slow
@EVERYWHERE
def test_whole_matches_by_native_and_python_rules_have_the_same_states_menus_events_and_results(
    name: str, seats: int
) -> None:
    for number in range(MATCHES):
        assert EngineComparison(game(name), seats, number, options_for(name, seats, number)).play()


@pytest.mark.slow
@EVERYWHERE
def test_native_and_python_rules_give_the_same_views_playout_choices_and_resampled_states(
    name: str, seats: int
) -> None:
    for number in range(max(1, MATCHES // 10)):
        assert EngineComparison(game(name), seats, number, options_for(name, seats, number)).play(samples=0.05)


@EVERYWHERE
def test_the_hidden_state_sampler_gives_the_same_states_by_native_and_python_rules(name: str, seats: int) -> None:
    moves = moves_of(log_of(name, seats)).moves
    states = [move.before for move in moves[:: max(1, len(moves) // 5)]]
    for viewer, state in product((PUBLIC, 0), states):
        sampler = HiddenGameStateSampler(game(name), seats, state, viewer)
        for number in range(3):
            seed = seed_of("sample", viewer, number)
            sampled = sampler.sample(MatchRandomness(seed))
            assert sampled == deal_again(game(name), state, viewer, MatchRandomness(seed))


@EVERYWHERE
def test_matches_played_in_steps_with_native_rules_end_in_the_same_state_as_with_python(name: str, seats: int) -> None:
    for number in range(3):
        options = options_for(name, seats, number)
        chance = MatchRandomness(seed_of("questions", name, seats, number))
        item = lambda _state, _seat, menu, number=number: number % len(menu)  # noqa: E731 - a choice in one line
        state, _ = play_without_log(game(name), seats, chance, item, options)
        assert play_by_questions(game(name), seats, number, options) == encode(state)


@pytest.mark.slow
@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_logs_of_matches_between_built_in_bots_replay_to_the_same_result_in_the_native_rules(name: str) -> None:
    for bot in list_built_in_bots(name):
        for number in range(BOT_MATCHES):
            seats = game(name).seats[number % len(game(name).seats)]
            log, seed = InMemoryLog(), seed_of("native", bot, number)
            result = play(game(name), [CrashingBot(name, bot) for _ in range(seats)], seed, log=log)
            assert rerun(game(name), list(lines_of(log)), thorough=True) == result


def test_the_generated_cpp_headers_with_game_components_are_up_to_date() -> None:
    for path, text in cpp_header_generator.make_headers().items():
        assert path.read_text() == text, "run python -m ftk_core.native.cpp_header_generator"


@pytest.mark.parametrize(
    "native_verdict", [None, MatchResult((2, 1), (0, 0))], ids=["refuses the log", "gives another result"]
)
def test_a_thorough_replay_of_a_log_fails_if_the_native_rules_give_another_result(
    monkeypatch: pytest.MonkeyPatch, native_verdict: MatchResult | None
) -> None:
    log = InMemoryLog()
    play(game("pig"), [RandomPlayer(seed_of(seat)) for seat in range(2)], seed_of("differ"), log=log)
    lines = list(lines_of(log))
    assert rerun(game("pig"), lines, thorough=True)
    monkeypatch.setattr(match_log_rerun_check, "_rerun_natively", lambda *_words: native_verdict)
    with pytest.raises(match_log_rerun_check.NativeRulesMismatchError, match="pig: the native rules say"):
        rerun(game("pig"), lines, thorough=True)


def test_a_thorough_replay_of_a_log_fails_if_only_the_native_rules_accept_it(monkeypatch: pytest.MonkeyPatch) -> None:
    log = InMemoryLog()
    play(game("pig"), [RandomPlayer(seed_of(seat)) for seat in range(2)], seed_of("differ"), log=log)
    lines = list(lines_of(log))
    lines[3] = lines[3].replace(b'"seat":0', b'"seat":1')
    monkeypatch.setattr(match_log_rerun_check, "_rerun_natively", lambda *_words: MatchResult((1, 2), (0, 0)))
    with pytest.raises(match_log_rerun_check.NativeRulesMismatchError, match="the Python rules entry 3"):
        rerun(game("pig"), lines, thorough=True)


@pytest.mark.nightly
def test_the_cpp_sources_of_the_native_rules_compile_without_a_warning() -> None:
    source = shared_rules_library.SOURCES / "api.cpp"
    command = [*find_compiler(), FLAGS[0], *WARNING_FLAGS, "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "seats", "file", "rule", "other"), PLANTED_DIFFERENCES)
def test_the_comparison_of_native_and_python_rules_detects_a_planted_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, seats: int, file: str, rule: str, other: str
) -> None:
    sources = copytree(shared_rules_library.SOURCES, tmp_path / "src")
    changed = sources / "games" / file
    assert rule in changed.read_text()
    changed.write_text(changed.read_text().replace(rule, other, 1))
    keep_one_game(sources, name)
    planted = build(("-O0",), tmp_path / "planted.so", sources)
    monkeypatch.setattr(shared_rules_library, "library_path", lambda: planted)
    shared_rules_library.load_library.cache_clear()
    try:
        with pytest.raises((AssertionError, NativeError)):
            play_matches(name, seats, PLANTED_MATCHES)
    finally:
        shared_rules_library.load_library.cache_clear()


def play_matches(name: str, seats: int, count: int) -> None:
    """Compare whole matches of a game with its default options."""
    for number in range(count):
        EngineComparison(game(name), seats, number, game(name).options()).play()


@pytest.mark.slow
def test_a_match_review_is_the_same_with_and_without_the_native_library() -> None:
    program = (
        "from hashlib import sha256; from ftk_core.facts import encode\n"
        "from tests.support.reviews import log_of, review_of\n"
        "from ftk_core.native.shared_rules_library import load_library\n"
        "print(load_library() is not None, sha256(encode(review_of(log_of('pig', 2), 8))).hexdigest())"
    )
    answers = [
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "FTK_NATIVE": switch}, capture_output=True, text=True,
            check=True,
        ).stdout.split()
        for switch in ("0", "1")
    ]  # fmt: skip
    assert [loaded for loaded, _ in answers] == ["False", "True"]
    assert answers[0][1] == answers[1][1]


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_the_native_playout_policy_refuses_a_seat_that_has_nothing_to_choose_now(name: str) -> None:
    ended = EngineComparison(game(name), game(name).seats.start, 0, options_for(name, game(name).seats.start, 0))
    ended.play()
    with pytest.raises(NativeError, match="seat 0 has no choice to make"):
        ended.native.quick(0, ended.seed)


@pytest.mark.parametrize("name", NATIVE_GAMES)
def test_playouts_in_several_threads_have_the_same_results_as_in_one_thread(name: str) -> None:
    one, seats = game(name), game(name).seats.start
    position = PlayoutStartingPosition(game=one, state=one.setup(seats, one.options()), seats=seats, deal=True)
    alone, shared = (
        play_out(position, RandomPlayoutPolicy(threads), ("threads", name), range(50)) for threads in (1, 4)
    )
    assert alone == shared


class PythonPlayoutPolicy:
    """The playout policy of a game under another name, so that the Python rules play on."""

    name = "quick in Python"

    def start(self, game: AnyGame, seats: int, draw: RandomBitStream, /) -> Choose:
        return QuickPlayoutPolicy().start(game, seats, draw)


@pytest.mark.slow
@EVERYWHERE
def test_playouts_by_the_playout_policy_have_the_same_results_with_native_and_with_python_rules(
    name: str, seats: int
) -> None:
    one = game(name)
    position = PlayoutStartingPosition(game=one, state=one.setup(seats, one.options()), seats=seats, deal=True)
    numbers = range(POLICY_MATCHES)
    in_python = play_out(position, PythonPlayoutPolicy(), ("policy", name), numbers)
    assert play_out(position, QuickPlayoutPolicy(), ("policy", name), numbers) == in_python
