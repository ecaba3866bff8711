"""Verification of a downloaded log: it is sound, or the first bad page is named."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from ftk_core.games.pig.rules import GAME, DieRolled
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.cli import app
from ftk_core.kit.match_log_narration import narrate_matches
from ftk_core.kit.match_series.local_matches import MatchSeries, create_series_match, names_of, play_one
from ftk_core.kit.match_series.series_statistics import compute_statistics
from ftk_core.kit.verify.match_log_verification import InvalidLogError, verify_lines
from ftk_core.match_log_file import dump_pages, parse_pages
from tests.support.auditing.abandoned_matches import abandoned_log

SERIES = MatchSeries(game="pig", bots=("random", "hold20", "random"), seed="7")


@pytest.fixture(scope="module")
def log() -> bytes:
    return play_one(SERIES, create_series_match(SERIES, 0)).log


def lines_of(log: bytes) -> list[bytes]:
    return [line + b"\n" for page in parse_pages(log.splitlines(keepends=True)) for line in page.lines]


def test_the_verification_of_an_unchanged_log_succeeds_and_reports_its_game_and_players(log: bytes) -> None:
    verdict = verify_lines(log.splitlines(keepends=True))
    assert (verdict.game, verdict.players) == ("pig", ("random", "hold20", "random#2"))
    assert verdict.same_build


def test_any_changed_byte_of_a_log_is_detected_and_the_error_names_the_log_page(log: bytes) -> None:
    lines = lines_of(log)
    pages = InMemoryLog()
    for first in range(0, len(lines), 50):
        pages.append(lines[first : first + 50], first)
    log = b"".join(dump_pages(pages.pages()))
    assert verify_lines(log.splitlines(keepends=True)).pages > 3
    draw = Random(1)
    for _ in range(300):
        at = draw.randrange(len(log))
        forged = log[:at] + bytes([draw.choice([b for b in range(256) if b != log[at]])]) + log[at + 1 :]
        before = log[:at].splitlines(keepends=True)
        page = sum(line.startswith(b'{"page":') and line.endswith(b"\n") for line in before)
        with pytest.raises(InvalidLogError, match=rf"page {page}\b"):
            verify_lines(forged.splitlines(keepends=True))


def test_a_manipulated_log_with_valid_hashes_is_detected_by_replaying_the_match(log: bytes) -> None:
    lines = lines_of(log)
    at = next(number for number, line in enumerate(lines) if b'"face":5' in line)
    lines[at] = lines[at].replace(b'"face":5', b'"face":6')
    forged = InMemoryLog()
    forged.append(lines, 0)
    with pytest.raises(InvalidLogError, match=f"page 0: entry {at} says"):
        verify_lines(b"".join(dump_pages(forged.pages())).splitlines(keepends=True))


@pytest.mark.slow
def test_a_match_of_a_series_is_the_same_when_played_again_and_later_matches_have_rotated_seats() -> None:
    again = play_one(SERIES, create_series_match(SERIES, 1))
    assert again == play_one(SERIES, create_series_match(SERIES, 1))
    assert again.seating == (1, 2, 0)
    lines = compute_statistics(names_of(SERIES.bots), [play_one(SERIES, create_series_match(SERIES, 0)), again])
    assert sorted(line.bot for line in lines) == ["hold20", "random", "random#2"]
    assert sum(line.points for line in lines) == pytest.approx(1.5)


@pytest.mark.parametrize("games", [6, 12, 14])
def test_each_bot_plays_the_first_seat_equally_often_in_a_series(games: int) -> None:
    series = MatchSeries(game="pig", bots=("random",) * 6, seed="7")
    reigns = Counter(create_series_match(series, number).seating[0] for number in range(games))
    assert max(reigns.values()) - min(reigns.values()) == bool(games % 6)


@pytest.mark.slow
def test_ftk_play_writes_a_log_that_ftk_verify_accepts(tmp_path: Path) -> None:
    run = CliRunner()
    target = tmp_path / "out.jsonl"
    played = run.invoke(
        app,
        [
            "play",
            "pig",
            "random",
            "hold20",
            "--games",
            "2",
            "--seed",
            "7",
            "--jobs",
            "1",
            "--log",
            str(target),
        ],
    )
    assert played.exit_code == 0, played.output
    assert "±" in played.output
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    verified = run.invoke(app, ["verify", str(target)]).output
    assert verified.count("ok: pig, ") == 2
    assert verified.endswith("out.jsonl, 2 matches\n")
    told = run.invoke(app, ["story", str(target)]).output
    assert told.count("1. ") == 2
    (tmp_path / "bad.jsonl").write_bytes(target.read_bytes().replace(b'"seat":1', b'"seat":0', 1))
    refused = run.invoke(app, ["verify", str(tmp_path / "bad.jsonl")])
    assert refused.exit_code == 1
    assert "page 0" in refused.output


def test_ftk_story_refuses_an_abandoned_match_with_a_seat_that_it_does_not_have(tmp_path: Path) -> None:
    log = tmp_path / "forged.jsonl"
    log.write_bytes(b"".join(abandoned_log(GAME, 2, DieRolled(99, 6))))
    with pytest.raises(InvalidLogError, match="the log cannot be read"):
        list(narrate_matches(log, "en"))


def test_ftk_play_with_too_few_players_says_how_many_the_game_needs() -> None:
    answer = CliRunner().invoke(app, ["play", "pig", "random"])
    assert answer.exit_code == 2
    assert "played by 2 to 6, not by 1" in answer.output.replace("\n", " ")
