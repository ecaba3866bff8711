"""Speed of the pure core on one core."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from ftk_core.games import game, list_games
from ftk_core.hash_chained_log import InMemoryLog, lines_of
from ftk_core.kit.verify.match_log_verification import verify_lines
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.match_log_file import dump_pages
from ftk_core.match_replay_frames import MatchFrames
from ftk_core.players import RandomPlayer
from ftk_core.random_streams import seed_of
from ftk_core.referee import play
from tools.bench.reference_workloads import run_minimal_loop
from tools.bench.workload_speed_comparison import BenchmarkResult, compare_rates


def seats_of(name: str) -> int:
    """Return the measured table size: four, or eight for a game that needs more."""
    return 4 if 4 in game(name).seats else 8


def log_of(name: str, number: int = 0) -> InMemoryLog:
    log = InMemoryLog()
    players = [RandomPlayer(seed_of(number, seat)) for seat in range(seats_of(name))]
    play(game(name), players, seed_of("bench", number), log=log)
    return log


def decisions_in(log: InMemoryLog) -> int:
    return sum(isinstance(read(line), ChoiceMade) for line in lines_of(log))


@pytest.fixture(params=list(list_games()))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_speed_of_random_play_with_a_log_is_compared_with_encoding_and_hashing_of_its_lines(
    name: str, figures: list[BenchmarkResult]
) -> None:
    decisions = [decisions_in(log_of(name, number)) for number in range(20)]
    numbers: Iterator[int] = count()

    def play_next() -> float:
        number = next(numbers) % 20
        log_of(name, number)
        return float(decisions[number])

    lines = list(lines_of(log_of(name)))
    per_log = decisions_in(log_of(name))
    figures.append(
        compare_rates(
            f"{name}: random play with a log, decisions/s",
            play_next,
            "json and sha256 of the same lines alone",
            lambda: run_minimal_loop(lines) * per_log,
            ">= 15,000 (aim 60,000) for for_the_king; >= 8,000 to_court; >= 15,000 kings",
        )
    )


def test_verifying_match_logs_is_benchmarked_against_only_parsing_and_hashing_their_lines(
    name: str, figures: list[BenchmarkResult]
) -> None:
    chunks = b"".join(dump_pages(log_of(name).pages())).splitlines(keepends=True)

    def verify() -> float:
        verify_lines(chunks)
        return 1.0

    lines = [chunk.rstrip() for chunk in chunks]
    figures.append(
        compare_rates(
            f"{name}: chain, fold and rerun of a log, logs/s",
            verify,
            "json and sha256 of the same lines alone",
            lambda: run_minimal_loop(lines),
            ">= 40",
        )
    )


def test_the_time_to_compute_the_middle_frame_of_a_match_is_compared_with_parsing_and_hashing_its_log(
    name: str, figures: list[BenchmarkResult]
) -> None:
    lines = list(lines_of(log_of(name)))

    def open_at() -> float:
        reel = MatchFrames(-1)
        reel.extend(lines)
        assert reel.frames(reel.span(len(lines) // 2)[:1], whole=True)
        return 1.0

    figures.append(
        compare_rates(
            f"{name}: first picture of a finished match, openings/s",
            open_at,
            "json and sha256 of the same lines alone",
            lambda: run_minimal_loop(lines),
            ">= 67 (15 ms)",
        )
    )
