"""Plug-ins: games, formats and tie-breaks of other installed packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ftk_core.games import build_of, game, list_games, title_of
from ftk_core.hash_chained_log import InMemoryLog
from ftk_core.kit.commands.new_bot import create_game_folder
from ftk_core.kit.commands.watch import MatchViewer
from ftk_core.kit.plugin_piece_drawings import list_piece_files
from ftk_core.league.formats import UnknownFormatError, find_format, list_formats
from ftk_core.league.scoring.tiebreaks import UnknownTiebreakError, find_tiebreak, list_tiebreaks
from ftk_core.players import RandomPlayer
from ftk_core.plugins import PluginError, plugin_of_build
from ftk_core.plugins.plugin_files import list_bot_files
from ftk_core.referee import play
from tests.support.plugin_packages import LEAGUE_RULES, install_packages, installed, register_entry_point


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed game, and a module with a format and a tie-break, which pip need not build."""
    base = tmp_path_factory.mktemp("plugins")
    package = create_game_folder("high_card", "High card", base)
    (package / "ftk_high_card/pieces/cards").mkdir()
    for name in ("crown.png", "two crowns.svg", "cards/king.svg"):
        (package / "ftk_high_card/pieces" / name).write_text("")
    site = install_packages(base / "site", [package])
    (site / "league_rules.py").write_text(LEAGUE_RULES)
    register_entry_point(site, "league_formats", "all_play_all = league_rules:ALL_PLAY_ALL", "ftk.formats")
    register_entry_point(site, "league_tiebreaks", "early-bird = league_rules:EARLY_BIRD", "ftk.tiebreaks")
    return site


ALONE = {"COLUMNS": "300", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
KIT = ("-c", "from ftk_core.kit.cli import app; app()")
ISOLATED = ("-m", "pytest", "-q", "-c", os.devnull, "-p", "no:cacheprovider", "-p", "ftk_core.kit.laws.pytest_plugin")


def run_python(folder: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with or without the plug-ins."""
    environment = {**os.environ, **ALONE, "PYTHONPATH": str(folder or "")}
    return subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False, cwd=Path.cwd()
    )


@pytest.mark.slow
def test_a_game_plugin_created_from_the_template_passes_the_conformance_tests_of_games(
    folder: Path, tmp_path: Path
) -> None:
    laws = ["--rootdir", str(tmp_path), "--ftk-laws", "high_card", "--ftk-laws-matches", "2"]
    done = run_python(folder, *ISOLATED, *laws, str(folder.parent / "ftk-high-card"))
    assert done.returncode == 0, done.stdout
    assert "81 passed" in done.stdout, "16 laws at five table sizes, and the test of the game itself"


@pytest.mark.nightly
def test_the_commands_of_the_tutorial_for_adding_a_game_work_as_printed(tmp_path: Path) -> None:
    page = Path("docs/adding-a-game.md").read_text()
    commands = re.search(r"```sh\n(.*?)```", page, re.DOTALL)
    assert commands
    pip = {"PIP_TARGET": str(tmp_path / "site"), "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    addopts = (
        f"-p ftk_core.kit.laws.pytest_plugin -p no:cacheprovider -c {os.devnull} --rootdir {tmp_path} -k high_card-2"
    )
    environment = {**os.environ, **pip, "PYTHONPATH": str(tmp_path / "site"), "PYTEST_ADDOPTS": addopts}
    environment |= {**ALONE, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in commands[1].splitlines():
        done = subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, command + done.stdout + done.stderr
    assert "16 passed" in done.stdout


@pytest.mark.slow
def test_the_conformance_tests_of_games_detect_planted_faults_of_a_game_plugin(folder: Path, tmp_path: Path) -> None:
    package = create_game_folder("leaky_card", "Leaky card", tmp_path)
    rules = package / "ftk_leaky_card/rules.py"
    text = rules.read_text()
    for right, wrong in (
        ("card if seat == viewer else 0 for", "card for"),
        ('chance.at("card", table.round, seat)', 'chance.at("card", seat)'),
        ("    if action not in legal(table, seat):\n", "    if not seat < 9:\n"),
    ):
        assert right in text
        text = text.replace(right, wrong)
    rules.write_text(text)
    site = install_packages(tmp_path / "site", [package])
    laws = ["--rootdir", str(tmp_path), "--ftk-laws", "leaky_card", "--ftk-laws-matches", "1", "-k", "leaky_card-2"]
    done = run_python(site, *ISOLATED, *laws, str(site))
    failed = {line.partition("::")[2].partition("[")[0] for line in done.stdout.splitlines() if "FAILED" in line}
    assert failed == {
        "test_exactly_the_actions_of_the_menu_are_accepted",
        "test_no_label_of_a_random_draw_is_used_twice",
        "test_a_view_does_not_depend_on_secrets_that_its_viewer_was_not_told",
    }


@pytest.mark.slow
def test_verifying_a_match_log_of_a_plugin_game_needs_the_plugin_and_the_error_names_it(
    folder: Path, tmp_path: Path
) -> None:
    log = tmp_path / "match.jsonl"
    done = run_python(folder, *KIT, "play", "high_card", "careful", "random", "--log", str(log))
    assert done.returncode == 0, done.stderr
    done = run_python(folder, *KIT, "verify", str(log))
    assert (done.returncode, "ok: high_card" in done.stdout) == (0, True), done.stderr
    done = run_python(None, *KIT, "verify", str(log))
    assert done.returncode == 1
    assert "'high_card' comes from the plug-in ftk_high_card 0.1.0, which is not installed here" in done.stderr


@pytest.mark.slow
def test_the_build_id_of_a_plugin_game_changes_with_any_file_of_its_package(folder: Path, tmp_path: Path) -> None:
    with installed(folder):
        first = build_of("high_card")
        assert plugin_of_build(first) == "ftk_high_card 0.1.0"
        assert len(first) <= 80, "the length of its column"
        pieces = folder / "ftk_high_card/pieces/pieces.js"
        text = pieces.read_text()
        pieces.write_text(text + "// changed\n")
        build_of.cache_clear()
        assert build_of("high_card") != first
        pieces.write_text(text)
    assert plugin_of_build(build_of("pig")) is None


@pytest.mark.slow
def test_the_wheel_of_a_game_contains_all_its_pieces_and_ftk_watch_shows_them(folder: Path) -> None:
    with installed(folder):
        files = list_piece_files("high_card")
        assert list(files) == ["cards/king.svg", "crown.png", "pieces.js", "two crowns.svg"]
        log = InMemoryLog()
        play(game("high_card"), [RandomPlayer(bytes(32)) for _ in range(2)], bytes(32), log=log)
        viewer = MatchViewer(log.pages(), Path())
        assert viewer._find_file("/pieces/cards/king.svg") == files["cards/king.svg"]
        assert viewer._find_file("/pieces/two%20crowns.svg") == files["two crowns.svg"]


@pytest.mark.slow
def test_games_formats_and_tiebreaks_of_a_plugin_are_registered_only_while_the_plugin_is_installed(
    folder: Path,
) -> None:
    with installed(folder):
        assert {"high_card", "pig"} <= set(list_games())
        assert title_of("high_card") == game("high_card").title == "High card"
        assert {"all_play_all", "swiss"} <= set(list_formats())
        assert {"early-bird", "wins"} <= set(list_tiebreaks())
    assert "high_card" not in list_games()
    assert title_of("high_card") == "high_card"
    with pytest.raises(UnknownFormatError, match="no format 'all_play_all' here; install the plug-in"):
        find_format("all_play_all")
    with pytest.raises(UnknownTiebreakError, match="no tie-break 'early-bird' here; install the plug-in"):
        find_tiebreak("early-bird")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pig = wrong_plugin:GAME", "the plug-in wrong_plugin-1.0 brings 'pig', which is built in"),
        ("chess = wrong_plugin:GAME", "registers 'draughts' under the name 'chess'"),
        ("chess = wrong_plugin:MISSING", "the plug-in wrong_plugin-1.0 cannot be loaded"),
        ("chess = wrong_plugin:NUMBER", "names wrong_plugin:NUMBER as 'chess', which has to be a Game"),
        ("dr.aughts = wrong_plugin:DOTTED", "has a game 'dr.aughts'; a game's name has 1 to 40 of a-z, 0-9 and _"),
        ("High-Card = wrong_plugin:CAPITAL", "has a game 'High-Card'; a game's name has 1 to 40 of a-z, 0-9 and _"),
        ("solo = wrong_plugin:SOLO", "has a game 'solo' for fewer than two players; a match needs two or more"),
        ("draughts = wrong_plugin:GAME", "has its game in the single module 'wrong_plugin'; move it into a package"),
    ],
)
def test_the_error_for_an_invalid_game_plugin_says_what_is_wrong_with_it(
    tmp_path: Path, line: str, message: str
) -> None:
    site = tmp_path / "site"
    register_entry_point(site, "wrong_plugin", line)
    (site / "wrong_plugin.py").write_text(
        "from dataclasses import replace\nfrom ftk_core.games.pig.rules import GAME\n"
        "GAME = replace(GAME, name='draughts')\nNUMBER = 7\n"
        "DOTTED, CAPITAL = replace(GAME, name='dr.aughts'), replace(GAME, name='High-Card')\n"
        "SOLO = replace(GAME, name='solo', seats=range(1, 3))\n"
    )
    with installed(site), pytest.raises(PluginError, match=message):
        list_games()


def test_a_game_name_that_two_plugins_register_is_refused(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name in ("one", "two"):
        register_entry_point(site, name, "chess = rules:GAME")
    with installed(site), pytest.raises(PluginError, match=r"'chess' comes from two plug-ins, (one|two)-1\.0 and"):
        list_games()


def test_a_submodule_that_a_plugin_offers_to_bots_keeps_the_path_of_its_package(tmp_path: Path) -> None:
    package = tmp_path / "card_tools"
    package.mkdir()
    for name in ("__init__", "odds"):
        (package / f"{name}.py").write_text("")
    register_entry_point(tmp_path, "card-tools", "odds = card_tools.odds", "ftk.bot_modules")
    with installed(tmp_path):
        assert list_bot_files()["card_tools/odds.py"] == package / "odds.py"
