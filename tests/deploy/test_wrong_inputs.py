"""Wrong inputs to `ftk` and `manage.py`: one line that names the input, exit code 2, and no traceback.

Commands and options are read from the commands themselves, so new options are tested too, and a new command without
test cases fails.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from click.testing import CliRunner
from django.apps import apps
from django.core.management import get_commands, load_command_class

from bots.models import Bot
from deploy.management_utility import run
from ftk_core.kit.cli import app
from tests.support.wrong_inputs import FTK, MANAGE
from tournaments.models import League

pytestmark = pytest.mark.django_db(transaction=True)

OURS = {"bots", "deploy", "frontend", "replays", "tournaments"}


def leaves(parser: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command with its parser, subcommands included."""
    within = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not within:
        yield name, parser
    for action in within:
        for word, inner in action.choices.items():
            yield from leaves(inner, f"{name} {word}")


def manage_leaves() -> dict[str, argparse.ArgumentParser]:
    ours = {
        name: where
        for name, where in get_commands().items()
        if where in OURS & {a.name for a in apps.get_app_configs()}
    }
    commands = {name: load_command_class(where, name) for name, where in ours.items()}
    return dict(
        leaf for name, command in commands.items() for leaf in leaves(command.create_parser("manage.py", name), name)
    )


def ftk_leaves() -> dict[str, Any]:
    """Return the commands by name; a command in a group has the group's name before its own."""
    above: dict[str, Any] = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]  # it is a group
    below = {
        f"{name} {leaf}": it for name, group in above.items() for leaf, it in getattr(group, "commands", {}).items()
    }
    return {name: command for name, command in above.items() if not hasattr(command, "commands")} | below


def general(options: list[tuple[str, bool, bool]], needs_words: bool) -> Iterator[str]:
    """Yield wrong inputs for any command. Each option is (option, takes a value, takes a number)."""
    yield "--nope"
    yield "too many words by far for it"
    if needs_words:
        yield ""
    for option, valued, number in options:
        if valued:
            yield option
        if number:
            yield f"{option} abc"
            yield f"{option} 1.5"


def of_parser(parser: argparse.ArgumentParser) -> Iterator[str]:
    actions = [action for action in parser._actions if action.dest not in ("help", "version")]
    ours = [a for a in actions if a.option_strings and a.dest not in DJANGO]
    options = [(a.option_strings[-1], a.nargs != 0, a.type is not None and a.dest in NUMBERS) for a in ours]
    many = any(not a.option_strings and a.nargs == "+" for a in actions)
    yield from (
        words
        for words in general(options, any(not a.option_strings for a in actions))
        if not (many and "by far" in words)
    )
    yield from (f"{a.option_strings[-1]} nonsense" for a in ours if a.choices)


DJANGO = {"settings", "pythonpath", "traceback", "no_color", "force_color", "verbosity", "skip_checks"}
NUMBERS = {
    "seats",
    "rounds",
    "games",
    "move_ms",
    "bank_ms",
    "pace_ms",
    "jobs",
    "shows",
    "port",
    "workers",
    "days",
    "last",
}


def of_command(command: Any) -> Iterator[str]:
    options = [
        (p.opts[0], not p.is_flag, p.name in NUMBERS)
        for p in command.params
        if p.opts[0].startswith("--") and p.name != "help"
    ]
    words = [p for p in command.params if not p.opts[0].startswith("--")]
    many = any(p.nargs == -1 for p in words)
    yield from (said for said in general(options, bool(words)) if not (many and "by far" in said))


MANAGE_ROWS = [(name, words) for name, own in MANAGE.items() for words in own]
FTK_ROWS = [(name, words) for name, own in FTK.items() for words in own]


def split(name: str, words: str, folder: Path) -> list[str]:
    """Return the words of a command line."""
    said = [word.replace(":", " ") if "://" not in word and "T" not in word else word for word in words.split(" ")]
    return [
        *name.split(),
        *(word.replace("{folder}", str(folder)).replace("{file}", str(folder / "file.py")) for word in said),
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "file.py").write_text("from ftk_core.kit.bot import run\nrun(lambda ask: 0)\n")
    return tmp_path


def manage(words: list[str]) -> int:
    """Return the exit code of a `manage.py` command."""
    with pytest.raises(SystemExit) as left:
        raise SystemExit(run(["manage.py", *words]))
    return int(left.value.code or 0)


def is_one_line(said: str) -> bool:
    return said.count("\n") == 1 and bool(said.strip()) and "Traceback" not in said and "query" not in said


def taken() -> None:
    from django.core.management import call_command

    call_command("league", "open", "taken", "pig", "--seats", "2")


@pytest.mark.slow
def test_every_management_command_answers_wrong_input_with_a_one_line_error(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    taken()
    capsys.readouterr()
    rows = MANAGE_ROWS + [(name, words) for name, parser in manage_leaves().items() for words in of_parser(parser)]
    rows += [("league", ""), ("league", "nonsense"), ("nosuch", "")]
    wrong = []
    for name, words in rows:
        line = split(name, words, folder) if words or name == "token" else name.split()
        code, said = manage(line), capsys.readouterr()
        if code != 2 or not is_one_line(said.err) or said.out:
            wrong.append((line, code, said.out[-300:], said.err[-600:]))
    assert wrong == []
    assert len(rows) > 80
    assert League.objects.count() == 1
    assert not Bot.objects.exists()


@pytest.mark.slow
def test_every_ftk_command_answers_wrong_input_with_a_one_line_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for name in ("FTK_TOKEN", "FTK_SERVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    rows = FTK_ROWS + [(name, words) for name, command in ftk_leaves().items() for words in of_command(command)]
    rows += [("nosuch", "")]
    wrong, command = [], typer.main.get_command(app)  # built once, because building it takes longer than all calls
    for name, words in rows:
        line = split(name, words, folder) if words else name.split()
        done = CliRunner().invoke(command, line)
        if done.exit_code != 2 or not is_one_line(done.stderr) or done.stdout or not is_ours(done.exception):
            wrong.append((line, done.exit_code, done.stdout[-300:], done.stderr[-600:], done.exception))
    assert wrong == []
    assert len(rows) > 40


def is_ours(error: BaseException | None) -> bool:
    return error is None or isinstance(error, SystemExit)


def test_every_ftk_and_management_command_is_tested_with_wrong_input() -> None:
    assert manage_leaves().keys() == MANAGE.keys()
    assert ftk_leaves().keys() == FTK.keys()
    assert os.environ["DJANGO_SETTINGS_MODULE"] == "deploy.settings"
