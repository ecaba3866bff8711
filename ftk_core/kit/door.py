"""The way into and out of the `ftk` command: one line for what is wrong with the input, and nothing left running."""

from __future__ import annotations

import sys
from gettext import gettext as _
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

from ftk_core.kit.lifeline import goodbyes_heard
from ftk_core.kit.tongue import headed, speak, spoken

WRONG, UNSOUND = 2, 1
"""The exit codes of a command that cannot be obeyed, and of one whose verdict is no: unsound, refused."""
OPEN = 3
"""The exit code of one that has found out neither yes nor no."""
INTERRUPTED = 130
_usage = typer.BadParameter.__base__
assert _usage is not None
UsageError: type[Exception] = _usage
"""What the parser of the command line raises; typer gives it no name of its own."""


class Spoken(Console):
    """A console that says lines, and the heads of tables, in the tongue that is spoken; texts of many lines stay."""

    def print(self, *objects: Any, **how: Any) -> None:
        """Print as a console does."""
        super().print(*map(_told, objects), **how)

    def status(self, status: Any, **how: Any) -> Any:
        """Show what is being done, as a console does."""
        return super().status(_told(status), **how)


def _told(what: Any) -> Any:
    if isinstance(what, Table):
        what.title = spoken(what.title) if isinstance(what.title, str) else what.title
        for column in what.columns:
            column.header = headed(column.header) if isinstance(column.header, str) else column.header
    return spoken(what) if isinstance(what, str) and "\n" not in what else what


out = Spoken(highlight=False, soft_wrap=True)
err = Spoken(stderr=True, highlight=False, soft_wrap=True)


def one_line(message: object) -> str:
    """Return a message without its line ends."""
    return " ".join(str(message).split())


def fail(message: object, code: int = WRONG) -> NoReturn:
    """Say in one line what is wrong, and leave."""
    err.print(one_line(message), style="red", markup=False)  # it may quote what a bot has said
    raise typer.Exit(code)


class Door(TyperGroup):
    """The commands, behind one door."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Do what the command line says; leaves with its exit code."""
        extra |= {"prog_name": "ftk", "standalone_mode": False}
        speak(self)
        with goodbyes_heard():
            try:
                code = super().main(*args, **extra)
            except UsageError as error:
                code = _refused(error)
            except typer.Abort:
                code = INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


def _refused(error: Any) -> int:
    if error.ctx is None:
        sys.stderr.write(f"ftk: {spoken(one_line(error.format_message()))}\n")
    elif type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{error.ctx.get_help()}\n")
    else:
        where = error.ctx.command_path
        see = _("See `{command} --help`.").format(command=where)
        sys.stderr.write(f"{where}: {spoken(one_line(error.format_message()))} {see}\n")
    return WRONG
