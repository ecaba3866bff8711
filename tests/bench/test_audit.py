"""Speed of checking finished matches on one core, with four built-in bots at For the King."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from ftk_core.analysis.stored_match_audit import MatchAuditInput, audit
from ftk_core.kit.match_series.local_matches import MatchSeries, create_series_match, play_one
from ftk_core.kit.verify.match_log_verification import verify_lines, verify_matches
from ftk_core.match_log_file import parse_pages
from tools.bench.reference_workloads import run_minimal_loop
from tools.bench.workload_speed_comparison import BenchmarkResult, Work, compare_rates

GAME = "for_the_king"
SERIES = MatchSeries(game=GAME, bots=("greedy", "random", "greedy", "random"), seed="bench")
FLOOR = "json and sha256 of the same lines alone"


@pytest.fixture(scope="module")
def matches() -> list[bytes]:
    return [play_one(SERIES, create_series_match(SERIES, number)).log for number in range(6)]


def floor(matches: list[bytes]) -> Work:
    numbers = count()
    return lambda: run_minimal_loop(matches[next(numbers) % len(matches)].splitlines())


def evidence(body: bytes) -> MatchAuditInput:
    """Return the stored evidence of the match, as on a server."""
    lines = body.splitlines(keepends=True)
    pages, verdict = tuple(parse_pages(lines)), verify_lines(lines)
    return MatchAuditInput(
        match=verdict.match.removeprefix("match/"),
        game=GAME,
        void=False,
        pages=pages,
        length=verdict.entries,
        head=bytes.fromhex(verdict.head),
        seed=verdict.seed,
        places=verdict.places,
        scores=verdict.scores,
        roles=("",) * len(verdict.places),
        options=verdict.options,
    )


def test_the_audit_speed_of_stored_matches_is_compared_with_only_parsing_and_hashing_them(
    figures: list[BenchmarkResult], matches: list[bytes]
) -> None:
    stored, numbers = [evidence(body) for body in matches], count()

    def check() -> float:
        finding = audit(stored[next(numbers) % len(stored)])
        assert len(finding.differences) == 1, "the opening names no match of a server"
        return 1.0

    figures.append(compare_rates(f"{GAME}: audit of a stored match, matches/s", check, FLOOR, floor(matches), ">= 40"))


def test_the_speed_of_ftk_verify_is_compared_with_only_parsing_and_hashing_the_log_lines(
    figures: list[BenchmarkResult], matches: list[bytes], tmp_path: Path
) -> None:
    files, numbers = [tmp_path / f"{number}.jsonl" for number in range(len(matches))], count()
    for file, body in zip(files, matches, strict=True):
        file.write_bytes(body)

    def check() -> float:
        list(verify_matches(files[next(numbers) % len(files)]))
        return 1.0

    figures.append(compare_rates(f"{GAME}: ftk verify of a file, files/s", check, FLOOR, floor(matches), ">= 200"))
