"""How fast finished matches are checked on one core: four bots of the house at For the King."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from ftk_core.audit import Evidence, audit
from ftk_core.filelog import parse
from ftk_core.kit.arena import Series, fixture_of, play_one
from ftk_core.kit.verify import verify_file, verify_lines
from tests.support.bench.floors import bare_loop
from tests.support.bench.windows import Figure, Work, compare

GAME = "for_the_king"
SERIES = Series(game=GAME, bots=("greedy", "random", "greedy", "random"), seed="bench")
FLOOR = "json and sha256 of the same lines alone"


@pytest.fixture(scope="module")
def matches() -> list[bytes]:
    return [play_one(SERIES, fixture_of(SERIES, number)).log for number in range(6)]


def floor(matches: list[bytes]) -> Work:
    numbers = count()
    return lambda: bare_loop(matches[next(numbers) % len(matches)].splitlines())


def evidence(body: bytes) -> Evidence:
    """Return what a server would have stored of the match."""
    lines = body.splitlines(keepends=True)
    pages, verdict = tuple(parse(lines)), verify_lines(lines)
    return Evidence(
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


def test_audit(figures: list[Figure], matches: list[bytes]) -> None:
    stored, numbers = [evidence(body) for body in matches], count()

    def check() -> float:
        finding = audit(stored[next(numbers) % len(stored)])
        assert len(finding.differences) == 1, "the opening names no match of a server"
        return 1.0

    figures.append(compare(f"{GAME}: audit of a stored match, matches/s", check, FLOOR, floor(matches), ">= 40"))


def test_verify_a_file(figures: list[Figure], matches: list[bytes], tmp_path: Path) -> None:
    files, numbers = [tmp_path / f"{number}.jsonl" for number in range(len(matches))], count()
    for file, body in zip(files, matches, strict=True):
        file.write_bytes(body)

    def check() -> float:
        verify_file(files[next(numbers) % len(files)])
        return 1.0

    figures.append(compare(f"{GAME}: ftk verify of a file, files/s", check, FLOOR, floor(matches), ">= 200"))
