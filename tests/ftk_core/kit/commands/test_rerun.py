"""`ftk rerun` asks a bot again the questions of a recorded match."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ftk_core.facts import encode
from ftk_core.games import list_games
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.cli import app
from ftk_core.kit.protocol.protocol_lines import QuestionLine
from ftk_core.logged_decisions import questions
from ftk_core.match_log_file import parse_pages
from tests.support.native_library import can_build, enable_native_rules
from tests.support.plugin_packages import installed, register_entry_point

PIG = ("pig", "hold20", "random")
OPAQUE_PIG = """
from dataclasses import replace
from ftk_core.games.pig.rules import GAME as PIG

GAME = replace(PIG, name="opaque_pig", resample=lambda _state, _viewer, _chance: object())
"""
LOOKS_AHEAD = """
from ftk_core.kit.bot import run
from ftk_core.kit.engine import best_item

run(lambda ask: best_item(ask, budget=60) if ask.id <= 12 else 0)
"""
"""A bot that looks ahead only in its first questions, because guessing hidden cards takes longer late in a match."""


def ftk(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def played(folder: Path, name: str, *bots: object, games: int = 1) -> Path:
    """Return the log of matches between bots."""
    log = folder / "match.jsonl"
    assert ftk("play", name, *bots, "--games", games, "--seed", "7", "--log", log).exit_code == 0
    return log


@pytest.fixture(scope="module")
def pig_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of a match between `PIG`, which no test changes."""
    return played(tmp_path_factory.mktemp("pig"), *PIG)


@pytest.fixture(scope="module")
def pig_bundle(pig_log: Path) -> Path:
    """A bundle of all questions to seat 0 of that match."""
    file = pig_log.with_name("whole.repro")
    assert ftk("repro", "bundle", pig_log, "--seat", 0, "--whole", "-o", file).exit_code == 0
    return file


@pytest.mark.slow
@pytest.mark.parametrize("name", list_games())
def test_rerunning_a_log_with_the_same_bot_gives_the_recorded_answers(name: str, tmp_path: Path) -> None:
    bots = list(list_built_in_bots(name))[: list_games()[name].seats.start]
    log = played(tmp_path, name, *(bots * 9)[: list_games()[name].seats.start])
    for seat, bot in enumerate(bots):
        done = ftk("rerun", log, "--bot", bot, "--seat", seat, "--json")
        said = json.loads(done.stdout)
        assert (done.exit_code, said["differences"], said["seat"], said["bot"]) == (0, [], seat, bot)
        assert said["questions"] > 0


@pytest.mark.slow
def test_rerunning_a_log_with_another_bot_lists_the_questions_answered_differently(pig_log: Path) -> None:
    done = ftk("rerun", pig_log, "--bot", "hold20", "--seat", 1, "--json")
    said = json.loads(done.stdout)
    assert done.exit_code == 1
    assert 0 < len(said["differences"]) < said["questions"]
    for row in said["differences"]:
        assert {row["was"]["kind"], row["now"]["kind"]} == {"hold", "roll"}
        assert (row["was_excuse"], row["now_fault"]) == (None, "")


def test_rerun_finds_the_seat_of_a_bot_by_its_name_without_the_version(tmp_path: Path) -> None:
    folder = tmp_path / "ada-3"
    folder.mkdir()
    shutil.copy(list_built_in_bots("pig")["hold20"], folder / "bot.py")
    shutil.copytree(folder, tmp_path / "ada")
    log = played(tmp_path, "pig", "random", folder)
    done = ftk("rerun", log, "--bot", tmp_path / "ada")
    assert done.exit_code == 0
    assert re.search(r"seat 1, ada-3: (\d+) of \1 answered as then", done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--bot hold20 --seat 2", "seat 2: the match has the seats 0 to 1"),
        ("--bot nobody --seat 0", "nobody"),
        ("--bot hold20 --match 3", "--match 3: .* holds the matches 1 to 2"),
        ("--bot slow", "which seat.* 0 hold20, 1 random"),
        ("--bot FOLDER --seat 0", "bot.toml"),
    ],
)
def test_ftk_rerun_prints_a_one_line_reason_if_the_requested_rerun_is_impossible(
    words: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.toml").write_text("command =")
    words = words.replace("FOLDER", str(tmp_path / "folder"))
    done = ftk("rerun", played(tmp_path, *PIG, games=2), *words.split())
    assert done.exit_code == 2
    assert re.search(said, done.stderr), done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_one_match_of_a_log_with_several_matches_can_be_rerun_by_its_number(tmp_path: Path) -> None:
    log = played(tmp_path, *PIG, games=2)
    said = [json.loads(ftk("rerun", log, "--bot", "hold20", "--match", n, "--json").stdout) for n in (1, 2)]
    assert [row["differences"] for row in said] == [[], []]
    assert said[0]["match"] != said[1]["match"]


@pytest.mark.slow
def test_a_reproduction_bundle_contains_the_questions_up_to_a_fault_and_reproduces_it(tmp_path: Path) -> None:
    log, file = played(tmp_path, "for_the_king", "crashy", "random"), tmp_path / "crash.repro"
    done = ftk("repro", "bundle", log, "-o", file)
    assert (done.exit_code, "crash at question" in done.stdout) == (0, True)
    again = ftk("rerun", file, "--bot", "crashy")
    assert (again.exit_code, "answered as then" in again.stdout) == (0, True)
    mended = json.loads(ftk("rerun", file, "--bot", "greedy", "--json").stdout)
    assert mended["differences"][-1]["was_excuse"] == "crash"
    assert mended["differences"][-1]["question"] == mended["questions"]


def test_a_reproduction_bundle_that_was_cut_off_is_refused(pig_bundle: Path, tmp_path: Path) -> None:
    whole, file = pig_bundle.read_bytes(), tmp_path / "bundle.jsonl"
    heading = b"".join(whole.splitlines(keepends=True)[:2])
    for part, message in (
        (whole[:-20], "is not a bundle|is cut off"),
        (whole[:-1], "is cut off"),
        (heading, "is not a bundle"),
    ):
        file.write_bytes(part)
        done = ftk("rerun", file, "--bot", "hold20")
        assert (done.exit_code, bool(re.search(message, done.stderr))) == (2, True), done.stderr


def test_a_reproduction_bundle_of_a_seat_contains_only_data_that_this_seat_received(
    pig_log: Path, tmp_path: Path
) -> None:
    file = tmp_path / "whole.repro"
    assert ftk("repro", "bundle", pig_log, "--seat", 1, "--whole", "-o", file).exit_code == 0
    _, hello, *steps = file.read_bytes().splitlines()
    lines = [line for page in parse_pages(pig_log.read_bytes().splitlines(keepends=True)) for line in page.lines]
    sent = [encode(QuestionLine.of(question.ask)) for question in questions(lines, 1)]
    assert json.loads(hello)["seat"] == 1
    assert [ask in step for ask, step in zip(sent, steps, strict=True)] == [True] * len(sent)
    assert set().union(*map(json.loads, steps)) == {"entry", "ask", "chosen", "excuse", "world"}
    assert json.loads(lines[-1])["seed"].encode() not in file.read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not can_build(), reason="no C++ compiler")
@pytest.mark.parametrize("name", ["for_the_king", "pig"])
def test_rerunning_a_log_or_a_bundle_of_a_bot_that_looks_ahead_gives_the_same_answers(
    name: str, tmp_path: Path
) -> None:
    bot, file = tmp_path / "ahead.py", tmp_path / "ahead.repro"
    bot.write_text(LOOKS_AHEAD)
    with enable_native_rules():
        log = played(tmp_path, name, bot, "random")
        assert ftk("repro", "bundle", log, "--seat", 0, "--whole", "-o", file).exit_code == 0
        for source in (log, file):
            done = ftk("rerun", source, "--bot", bot, "--seat", 0, "--json")
            assert (done.exit_code, json.loads(done.stdout)["differences"]) == (0, [])


@pytest.mark.parametrize(
    ("words", "says"),
    [(["--seat", 1], "is a bundle of the questions of seat 0"), (["--match", 2], "is a bundle of one match")],
)
def test_a_reproduction_bundle_can_be_rerun_only_for_the_seat_and_match_stored_in_it(
    words: list[object], says: str, pig_bundle: Path
) -> None:
    done = ftk("rerun", pig_bundle, "--bot", "hold20", *words)
    assert (done.exit_code, says in done.stderr.replace("\n", " ")) == (2, True)


def test_ftk_repro_bundle_without_a_fault_asks_for_a_seat_and_overwrites_no_existing_file(
    pig_log: Path, tmp_path: Path
) -> None:
    assert "no seat had a fault" in ftk("repro", "bundle", pig_log, "-o", tmp_path / "x").stderr
    assert not (tmp_path / "x").exists()
    (tmp_path / "x").write_text("kept")
    assert "File exists" in ftk("repro", "bundle", pig_log, "--seat", 0, "-o", tmp_path / "x").stderr
    assert (tmp_path / "x").read_text() == "kept"


@pytest.mark.parametrize("cut", [b"", b"\n", b'{"schema":"ftk.repro/9"}\n', b'{"schema":"ftk.repro/1","build":1}\n'])
def test_rerunning_a_file_that_is_neither_log_nor_bundle_prints_a_one_line_error(cut: bytes, tmp_path: Path) -> None:
    file = tmp_path / "odd"
    file.write_bytes(cut)
    done = ftk("rerun", file, "--bot", "hold20", "--seat", 0)
    assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.slow
def test_the_ftk_at_command_prints_the_exact_protocol_line_sent_to_a_seat(pig_log: Path) -> None:
    lines = [line for page in parse_pages(pig_log.read_bytes().splitlines(keepends=True)) for line in page.lines]
    for question in questions(lines, 1):
        assert ftk("at", pig_log, question.entry).stdout.encode() == encode(QuestionLine.of(question.ask)) + b"\n"
    assert "entry 0 is not a choice" in ftk("at", pig_log, 0).stderr
    assert f"0 to {len(lines) - 1}" in ftk("at", pig_log, len(lines)).stderr


@pytest.mark.slow
def test_a_game_state_that_json_cannot_express_is_null_for_the_bot_in_the_match_and_in_a_rerun(
    tmp_path: Path,
) -> None:
    register_entry_point(tmp_path, "opaque_pig", "opaque_pig = opaque_pig:GAME")
    (tmp_path / "opaque_pig").mkdir()
    (tmp_path / "opaque_pig/__init__.py").write_text(OPAQUE_PIG)
    bot = tmp_path / "bot.py"
    bot.write_text("from ftk_core.kit.bot import run\n\nrun(lambda ask: 0 if ask.world() is None else 1 / 0)\n")
    with installed(tmp_path):
        log = played(tmp_path, "opaque_pig", bot, bot)
        assert b'"excuse":"' not in log.read_bytes()
        done = ftk("rerun", log, "--bot", bot, "--seat", 0)
    assert done.exit_code == 0, done.stderr
