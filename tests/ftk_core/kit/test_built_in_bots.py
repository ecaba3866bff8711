"""A bot on the author's machine starts in its own folder, as on a server, whatever folder `ftk` is called from."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ftk_core.analysis.playouts import RandomPlayoutPolicy
from ftk_core.games import game
from ftk_core.kit.built_in_bots import find_runner
from ftk_core.kit.cli import app
from ftk_core.kit.commands.protocol_conformance import run_conformance_checks
from ftk_core.kit.match_series.playout_policies import SingleSeatBotPolicy
from ftk_core.kit.protocol.child_termination import add_parent_death_signal
from ftk_core.log_entries import DEFAULT_CLOCK
from ftk_core.random_streams import MatchRandomness, seed_of

READS_ITS_WEIGHTS = """
import json
from ftk_core.kit.bot import run

with open("weights.json") as file:
    weights = json.load(file)
run(lambda ask: weights[len(ask.menu) % 2])
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the relative path of a bot that reads a file of its folder, from the folder that contains it."""
    folder = tmp_path / "mine"
    (folder / "source").mkdir(parents=True)
    (folder / "source" / "main.py").write_text(READS_ITS_WEIGHTS)
    (folder / "bot.toml").write_text('command = "python source/main.py"')
    (folder / "weights.json").write_text("[0, 0]")
    monkeypatch.setenv("PYTHONPATH", os.path.relpath(os.environ.get("PYTHONPATH") or Path.cwd(), tmp_path))
    monkeypatch.chdir(tmp_path)
    return "mine"


@pytest.mark.slow
def test_ftk_play_and_ftk_rerun_start_a_bot_in_its_own_folder(bot: str) -> None:
    words = ["play", "pig", bot, "hold20", "--json", "--log", "log.jsonl"]
    report = json.loads(CliRunner().invoke(app, words).stdout)
    assert {row["bot"]: row["faults"] for row in report["bots"]} == {"mine": 0, "hold20": 0}
    again = CliRunner().invoke(app, ["rerun", "log.jsonl", "--bot", bot, "--json"])
    assert (again.exit_code, json.loads(again.stdout)["differences"]) == (0, [])


def test_a_bot_that_is_a_single_file_starts_in_the_folder_of_that_file(tmp_path: Path, bot: str) -> None:
    Path(bot, "single.py").write_text(READS_ITS_WEIGHTS)
    report = json.loads(CliRunner().invoke(app, ["play", "pig", f"{bot}/single.py", "hold20", "--json"]).stdout)
    assert [row["faults"] for row in report["bots"]] == [0, 0]


@pytest.mark.slow
def test_a_python_bot_that_iterates_over_a_set_plays_the_same_match_again(tmp_path: Path) -> None:
    bot = tmp_path / "sets.py"
    bot.write_text("from ftk_core.kit.bot import run\nrun(lambda ask: hash('a word') % len(ask.menu))\n")
    words = ["play", "pig", str(bot), "hold20", "--seed", "7", "--json"]
    assert len({CliRunner().invoke(app, words).stdout for _ in range(6)}) == 1


@pytest.mark.slow
def test_ftk_protocol_starts_a_bot_in_its_own_folder(bot: str) -> None:
    assert run_conformance_checks("pig", bot).passed


def test_a_bot_in_a_simulated_match_starts_in_its_own_folder(bot: str) -> None:
    pig = game("pig")
    state = pig.setup(2, pig.options())
    with SingleSeatBotPolicy(pig, bot, 0, RandomPlayoutPolicy(), DEFAULT_CLOCK) as policy:
        choose = policy.start(pig, 2, MatchRandomness(seed_of("folder")).at("folder"))
        assert choose(state, 0, pig.legal(state, 0)) == 0


def test_an_interpreter_in_a_relative_folder_of_the_search_path_is_found_from_the_folder_of_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tools" / "node"
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "tools")
    assert str(program) in add_parent_death_signal(find_runner("node"))
