"""`ftk play`, `gauntlet` and `compare`: their output, exit codes and resumption."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from ftk_core.kit.cli import app
from ftk_core.kit.commands.rerun import ChangedBotAnswer, RerunReport
from ftk_core.kit.match_series.local_matches import MatchSeries, ScheduledMatch, create_series_match, play_all
from ftk_core.kit.match_series.series_reports import (
    GauntletReport,
    MatchSeriesReport,
    OpponentResult,
    VersionComparisonReport,
)
from ftk_core.kit.match_series.series_statistics import BotStatistics, compute_statistics
from tests.support.lengths import nightly
from tests.support.waiting import wait_for

FTK = [sys.executable, "-c", "from ftk_core.kit.cli import app; app()"]
PAGE = Path("docs/local-arena.md")
QUICK = ("compare", "pig", "random", "hold20", "--h1", "0.5", "--json")
"""A comparison that is decided after a few blocks."""


def ftk(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(words))
    return done.exit_code, done.stdout, done.stderr


def run_for_json(*words: str, code: int = 0) -> dict[str, Any]:
    left, said, error = ftk(*words)
    assert left == code, error
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.slow
def test_ftk_compare_calls_a_stronger_bot_better_and_a_weaker_bot_not_better() -> None:
    assert run_for_json(*QUICK, "--jobs", "1")["conclusion"] == "better"
    turned = run_for_json("compare", "pig", "hold20", "random", "--h1", "0.5", "--json", "--jobs", "1", code=1)
    assert turned["conclusion"] == "not better"
    assert turned["log_ratio"] <= turned["lower"]


@pytest.mark.slow
def test_ftk_compare_does_not_call_a_bot_better_than_itself() -> None:
    bot = ("compare", "pig", "hold20", "hold20", "--against", "random", "--h1", "0.4", "--json")
    same = run_for_json(*bot, code=1)
    assert (same["conclusion"], same["estimate"]) == ("not better", 0)


def test_a_comparison_undecided_after_the_maximum_number_of_match_blocks_exits_with_code_3() -> None:
    assert run_for_json(*QUICK, "--max-blocks", "2", code=3)["blocks"] == 2


@pytest.mark.slow
def test_the_number_of_parallel_processes_does_not_change_the_result_of_a_comparison() -> None:
    assert run_for_json(*QUICK, "--jobs", "1") == run_for_json(*QUICK, "--jobs", "3")


@pytest.mark.slow
def test_resuming_a_comparison_does_not_replay_recorded_matches(tmp_path: Path) -> None:
    record = tmp_path / "record"
    run_for_json(*QUICK, "--max-blocks", "2", "--resume", str(record), code=3)
    before = record.read_bytes()
    whole = run_for_json(*QUICK, "--resume", str(record))
    assert record.read_bytes().startswith(before)
    assert whole == run_for_json(*QUICK)
    assert len(record.read_bytes().splitlines()) == 1 + whole["matches"]


def test_a_comparison_is_not_resumed_with_different_error_rates(tmp_path: Path) -> None:
    record = str(tmp_path / "record")
    run_for_json(*QUICK, "--max-blocks", "1", "--resume", record, code=3)
    code, said, error = ftk(*QUICK, "--alpha", "0.2", "--resume", record)
    assert (code, said) == (2, "")
    assert "terms differ" in error


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [*nightly("1"), "2"])
def test_an_interrupted_comparison_gives_the_same_result_when_resumed(tmp_path: Path, jobs: str) -> None:
    record = tmp_path / "record"
    words = [*QUICK, "--h1", "0.3", "--jobs", jobs, "--resume", str(record)]
    process = subprocess.Popen([*FTK, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: record.exists() and record.read_bytes().count(b"\n") > 2, "some matches are kept", 60)
    process.send_signal(signal.SIGINT)
    said, error = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, ""), error
    assert f"run the same command to continue after the matches in {record}" in error
    assert "Traceback" not in error
    kept = record.read_bytes()
    assert run_for_json(*words) == run_for_json(*QUICK, "--h1", "0.3")
    assert record.read_bytes().startswith(kept[: kept.rindex(b"\n")])


@pytest.mark.slow
def test_a_finished_comparison_prints_no_traceback_of_its_worker_processes(tmp_path: Path) -> None:
    done = subprocess.run([*FTK, *QUICK, "--jobs", "2"], capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["conclusion"] == "better"
    assert re.search(r"at most \d+ blocks of 4 matches", done.stderr)
    assert re.search(r"expected \d+ matches left, about \d+ s", done.stderr)


def test_a_series_plays_each_repeated_random_deal_once_in_every_rotation_of_the_seats() -> None:
    series = MatchSeries(game="pig", bots=("random", "hold20", "random"), seed="d")
    fixtures = [create_series_match(series, number, duplicate=True) for number in range(6)]
    assert [fixture.deal for fixture in fixtures] == [0, 0, 0, 1, 1, 1]
    assert [fixture.seating[0] for fixture in fixtures] == [0, 1, 2, 0, 1, 2]
    seals = {match.log.split(b'"seal":"')[1][:64] for match in play_all(series, fixtures[:3], 1)}
    assert len(seals) == 1


def test_matches_with_the_same_random_deal_count_as_one_sample_for_the_standard_error() -> None:
    series = MatchSeries(game="pig", bots=("random", "hold20"), seed="d")
    some = list(play_all(series, [create_series_match(series, number, duplicate=True) for number in range(2)], 1))
    many, few = compute_statistics(("a", "b"), some * 8), compute_statistics(("a", "b"), some * 8, together=2)
    assert [line.points for line in many] == [line.points for line in few]
    errors = [(before.score_error, after.score_error) for before, after in zip(many, few, strict=True)]
    assert max(before for before, _ in errors) > 0
    assert [after for _, after in errors] == [0, 0]  # the same deal eight times counts as one sample


def test_the_standard_error_of_a_score_against_several_opponents_ignores_how_the_opponents_differ() -> None:
    """On each deal the bot wins both matches against `random`, and one of two against its copy."""
    found = run_for_json("gauntlet", "pig", "hold20", "--against", "random", "--against", "hold20", "-n", "2", "--json")
    assert [meeting["points"] for meeting in found["meetings"]] == [1, 0.5]
    assert (found["points"], found["points_error"]) == (0.75, 0)


@pytest.mark.slow
def test_the_standard_error_is_unknown_after_matches_with_only_one_random_deal() -> None:
    found = run_for_json("gauntlet", "pig", "hold20", "--against", "random", "-n", "1", "--json")
    assert (found["points_error"], found["meetings"][0]["points_error"]) == (None, None)
    assert "100.0 ± -" in ftk("gauntlet", "pig", "hold20", "--against", "random", "-n", "1")[1]
    (best, last) = run_for_json("play", "pig", "hold20", "random", "--json")["bots"]
    assert {best["points_error"], last["score_error"]} == {None}
    assert "100.0 ± -" in ftk("play", "pig", "hold20", "random")[1]


@pytest.mark.slow
def test_ftk_play_prints_a_court_rating_with_its_interval_for_each_bot() -> None:
    found = run_for_json("play", "pig", "random", "hold20", "--games", "8", "--duplicate", "--json")
    best, last = found["bots"]
    assert best["bot"] == "hold20"
    assert last["low"] < last["rating"] < last["high"] < best["rating"] < best["high"]
    assert best["rating"] + last["rating"] == 3000
    said = ftk("play", "pig", "random", "hold20", "--games", "8", "--duplicate")[1]
    numbers = [str(bot[key]) for bot in (best, last) for key in ("rating", "low", "high")]
    assert [number for number in numbers if number not in said] == []


@pytest.mark.slow
def test_a_series_extended_when_resumed_has_the_same_result_and_log_as_one_started_with_the_full_length(
    tmp_path: Path,
) -> None:
    record, log, whole = tmp_path / "record", tmp_path / "log.jsonl", tmp_path / "whole.jsonl"
    play = ("play", "pig", "random", "hold20", "--json", "--games")
    run_for_json(*play, "2", "--resume", str(record), "--log", str(log))
    longer = run_for_json(*play, "4", "--resume", str(record), "--log", str(log))
    assert longer == run_for_json(*play, "4", "--log", str(whole))
    assert log.read_bytes() == whole.read_bytes()
    assert ftk("verify", str(log))[0] == 0


@pytest.mark.slow
def test_ftk_gauntlet_plays_each_opponent_from_every_seat() -> None:
    found = run_for_json("gauntlet", "pig", "hold20", "-n", "2", "--seats", "3", "--json")
    assert [(meeting["opponent"], meeting["games"]) for meeting in found["meetings"]] == [
        ("hold20#2", 6),
        ("random", 6),
    ]
    assert found["meetings"][1]["points"] > 0.8
    same = found["meetings"][0]
    assert same["points"] == pytest.approx(0.5), "three who play alike share every deal evenly"


def test_remaining_matches_and_time_are_printed_at_the_start_and_during_a_series() -> None:
    error = ftk("play", "pig", "random", "hold20", "--games", "3", "--jobs", "1")[2]
    assert error.startswith("3 matches, 0 of them already played; 1 at a time")
    assert re.search(r"match 1 of 3: 2 matches left, about \d+ s", error)


def test_without_numpy_ftk_play_prints_no_ratings_and_explains_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for name in [name for name in sys.modules if name.startswith("ftk_core.league.court_rating")]:
        monkeypatch.delitem(sys.modules, name)
    code, said, error = ftk("play", "pig", "random", "hold20", "--json")
    assert code == 0
    assert [line["rating"] for line in json.loads(said)["bots"]] == [None, None]
    assert "no ratings: court ratings are fitted with numpy and scipy" in error


@pytest.mark.parametrize(
    "report",
    [
        MatchSeriesReport,
        BotStatistics,
        GauntletReport,
        OpponentResult,
        VersionComparisonReport,
        RerunReport,
        ChangedBotAnswer,
    ],
)
def test_every_key_in_the_json_reports_of_ftk_commands_that_play_matches_is_documented(
    report: type[msgspec.Struct],
) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE)
    assert [field.name for field in msgspec.structs.fields(report) if field.name not in rows] == []


@pytest.mark.slow
@pytest.mark.parametrize("schema", ["ftk.play/1", "ftk.gauntlet/1", "ftk.compare/1"])
def test_the_json_output_contains_the_name_of_a_documented_schema(schema: str) -> None:
    words = {
        "ftk.play/1": ("play", "pig", "random", "hold20", "--json"),
        "ftk.gauntlet/1": ("gauntlet", "pig", "hold20", "-n", "1", "--json"),
        "ftk.compare/1": QUICK,
    }
    assert run_for_json(*words[schema])["schema"] == schema
    assert f"`{schema}`" in PAGE.read_text()


def test_an_endless_iterator_of_planned_matches_is_consumed_only_as_far_as_needed() -> None:
    series, taken = MatchSeries(game="pig", bots=("random", "random"), seed="e"), 0

    def endless() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield ScheduledMatch((0, 1), taken, str(taken))

    matches = play_all(series, endless(), 2)
    for _ in range(3):
        next(matches)
    matches.close()
    assert taken < 12
