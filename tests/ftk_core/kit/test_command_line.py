"""`ftk` itself: imports, lists of commands, versions, and commands in its options."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
import typer.main
from typer.testing import CliRunner

import ftk_core
from ftk_core.kit import commands
from ftk_core.kit.build_id import compute_build_id
from ftk_core.kit.cli import FtkCommands, app
from ftk_core.kit.commands.remote_bot_command import split_command
from tests.support.served import serve

FTK = str(Path(sys.executable).with_name("ftk"))
MODULES_AFTER_HELP = """
import sys
from ftk_core.kit.cli import app
try:
    app(["--help"])
except SystemExit:
    print("modules:", *sys.modules)
"""
SLOW_MODULES = ("asyncio", "msgspec", "multiprocessing", "numpy", "rich", "ssl")
ENTRIES = [entry for entries in FtkCommands.sections.values() for entry in entries]


@pytest.fixture
def ftk() -> Any:
    return typer.main.get_command(app)


def typers() -> Iterator[tuple[str, typer.Typer]]:
    """Yield every `Typer` object in the command modules, with its location as the table of commands writes it."""
    for file in sorted(Path(commands.__path__[0]).glob("*.py")):
        module = import_module(f"{commands.__name__}.{file.stem}")
        yield from ((f"{file.stem}.{name}", it) for name, it in vars(module).items() if isinstance(it, typer.Typer))


def test_ftk_help_imports_no_command_module_and_no_slow_library() -> None:
    done = subprocess.run([sys.executable, "-c", MODULES_AFTER_HELP], capture_output=True, text=True, check=True)
    shown, _, modules = done.stdout.partition("modules:")
    assert "Play matches between bots" in shown
    imported = set(modules.split())
    assert imported.isdisjoint(SLOW_MODULES)
    assert sorted(name for name in imported if name.startswith("ftk_core")) == [
        "ftk_core",
        "ftk_core.i18n",
        "ftk_core.kit",
        "ftk_core.kit.cli",
        "ftk_core.kit.command_group",
        "ftk_core.kit.i18n",
        "ftk_core.kit.i18n.locale",
    ]


def test_ftk_lists_each_of_its_commands_once_with_a_summary_of_one_line() -> None:
    shown = CliRunner().invoke(app, ["--help"]).output.splitlines()
    for entry in ENTRIES:
        assert sum(line.split()[:1] == [entry.name] and line.endswith(f" {entry.summary}") for line in shown) == 1
    assert max(len(entry.summary) for entry in ENTRIES) <= 60


def leaves(ftk: Any) -> Iterator[tuple[str, Any]]:
    for name, command in ftk.commands.items():
        yield from getattr(command, "commands", {name: command}).items()


def test_every_command_function_of_the_kit_is_reachable_from_the_ftk_command_line(ftk: Any) -> None:
    functions = {command.callback for _, group in typers() for command in group.registered_commands}
    assert {leaf.callback.__wrapped__ for _, leaf in leaves(ftk)} == functions
    assert [entry.name for entry in ENTRIES if entry.import_path not in dict(typers())] == []


@pytest.mark.slow
def test_the_build_id_changes_with_any_source_file_of_the_core(tmp_path: Path) -> None:
    source = tmp_path / "ftk_core"
    shutil.copytree(Path(ftk_core.__file__).parent, source, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    command = [sys.executable, "-c", "from ftk_core.kit.build_id import compute_build_id; print(compute_build_id())"]

    def build() -> str:
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    builds = [build()]
    assert builds == [compute_build_id()]
    for name in ("games/pig/rules.py", "log_entries.py", "kit/protocol/cpu_clock.py", "league/standings.py"):
        with (source / name).open("a") as file:
            file.write("# changed")
        builds.append(build())
    assert len(set(builds)) == len(builds)


@pytest.mark.slow
def test_each_ftk_command_with_the_version_option_prints_version_and_build_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FTK_SERVER", raising=False)
    others = {"enter"}  # `ftk enter --version` takes the version of a bot
    for name in {entry.name for entry in ENTRIES} - others:
        done = CliRunner().invoke(app, [name, "--version"])
        assert (done.exit_code, compute_build_id() in done.output) == (0, True), (name, done.output)


@pytest.fixture
def shell(tmp_path: Path) -> Any:
    env = {"XDG_CONFIG_HOME": str(tmp_path), "PATH": "", "COLUMNS": "300"}

    def run(*words: str, **variables: str) -> str:
        done = subprocess.run([FTK, *words], env=env | variables, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    return run


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_ftk_explains_why_it_cannot_use_a_server_and_whether_the_build_ids_agree(
    shell: Any,
) -> None:
    with serve() as running:
        arena = running.address
        assert f"{arena}: build {compute_build_id()}, as here" in shell("--version", FTK_SERVER=arena)
        assert "a token is missing: `ftk login" in shell("whoami", arena)
        secure = arena.replace("http:", "https:")
        assert shell("whoami", secure) == f"{secure} does not speak https; try {arena}\n"
        page = f"{arena}/write-a-bot/"
        where = f"give only the arena's host and port, here {arena}"
        assert shell("whoami", page) == f"'{page[:-1]}' is the address of a page: {where}\n"
    away = "no arena answers at http://127.0.0.1:9 (Connection refused): check that it is running"
    assert away in shell("whoami", "http://127.0.0.1:9")
    assert away in shell("--version", FTK_SERVER="http://127.0.0.1:9")


def test_backslashes_in_the_command_of_a_remote_bot_are_parts_of_paths_on_windows() -> None:
    command = r'python "C:\my bots\a.py" D:\b'
    assert split_command(command, is_windows=True) == ["python", r"C:\my bots\a.py", r"D:\b"]
    assert split_command(command, is_windows=False) == ["python", r"C:\my bots\a.py", "D:b"]
