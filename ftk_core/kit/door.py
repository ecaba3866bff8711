"""Entry point of the `ftk` command: one-line error messages, exit codes, and cleanup of child processes."""

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
"""Exit codes for wrong input, and for a negative verdict (unsound, refused)."""
OPEN = 3
"""Exit code for an undecided result."""
INTERRUPTED = 130
_usage = typer.BadParameter.__base__
assert _usage is not None
UsageError: type[Exception] = _usage
"""The usage errors of the command-line parser; typer does not export this class."""


class Spoken(Console):
    """A console that translates single lines and table headings; texts of several lines stay as they are."""

    def print(self, *objects: Any, **how: Any) -> None:
        """Print translated objects."""
        super().print(*map(_told, objects), **how)

    def status(self, status: Any, **how: Any) -> Any:
        """Show a translated status line."""
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
    """Return a message with line ends replaced by spaces."""
    return " ".join(str(message).split())


def fail(message: object, code: int = WRONG) -> NoReturn:
    """Print an error message as one line and exit."""
    err.print(one_line(message), style="red", markup=False)  # a message may quote a bot's output
    raise typer.Exit(code)


class Door(TyperGroup):
    """The group of all commands, with our error messages and exit codes."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line and exit with its code."""
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
