"""Entry point of the `ftk` command: one-line error messages, exit codes, and cleanup of child processes."""

from __future__ import annotations

import sys
from gettext import gettext as _
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperGroup

from ftk_core.i18n import Message
from ftk_core.kit.i18n.locale import translate_command, translate_line, translate_usage
from ftk_core.kit.protocol.child_termination import exit_on_signals

EXIT_WRONG_INPUT, EXIT_NEGATIVE = 2, 1
"""Exit codes for wrong input, and for a negative result (such as an unsound log or a refused bot)."""
EXIT_UNDECIDED = 3
"""Exit code of a comparison that stays undecided."""
EXIT_INTERRUPTED = 130
_usage = typer.BadParameter.__base__
assert _usage is not None
UsageError: type[Exception] = _usage
"""Base class of the command-line parser's usage errors, which typer does not export."""


class TranslatingConsole(Console):
    """A rich console that translates what it prints, if it is a single line or a table's headings."""

    def print(self, *objects: Any, **how: Any) -> None:
        """Print objects, translated if they are single lines or tables."""
        super().print(*map(_translated, objects), **how)

    def status(self, status: Any, **how: Any) -> Any:
        """Show a status line, translated."""
        return super().status(_translated(status), **how)


def _translated(printable: Any) -> Any:
    if isinstance(printable, Table):
        printable.title = translate_line(printable.title) if isinstance(printable.title, str) else printable.title
        for column in printable.columns:
            column.header = translate_line(column.header) if isinstance(column.header, str) else column.header
    return translate_line(printable) if isinstance(printable, str) and "\n" not in printable else printable


out = TranslatingConsole(highlight=False, soft_wrap=True)
err = TranslatingConsole(stderr=True, highlight=False, soft_wrap=True)


def one_line(message: object) -> str:
    """Return a message with line ends replaced by spaces."""
    return " ".join(str(message).split())


def fail(message: object, code: int = EXIT_WRONG_INPUT) -> NoReturn:
    """Print an error message as one line and exit. A `Message`, or an exception with one, is translated."""
    reason = message.args[0] if isinstance(message, Exception) and message.args else message
    message = reason.translated(translate_line) if isinstance(reason, Message) else message
    err.print(one_line(message), style="red", markup=False)  # a message may quote a bot's output
    raise typer.Exit(code)


def describe_os_error(error: OSError, place: object = "") -> str:
    """Describe an OSError as its file (else `place`) and its reason, translated."""
    return f"{error.filename or place}: {_(error.strerror or str(error))}"


class CommandGroup(TyperGroup):
    """A command group of typer with our error messages and exit codes."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run the command line and exit with the exit code of its command."""
        extra |= {"prog_name": "ftk", "standalone_mode": False}
        if "--json" not in (extra.get("args") or (args and args[0]) or sys.argv[1:]):  # documents stay in English
            translate_command(self)
        with exit_on_signals():
            try:
                code = super().main(*args, **extra)
            except UsageError as error:
                code = _refused(error)
            except typer.Abort:
                code = EXIT_INTERRUPTED
        sys.exit(code if isinstance(code, int) else 0)


def _refused(error: Any) -> int:
    if error.ctx is None:
        sys.stderr.write(f"ftk: {translate_usage(one_line(error.format_message()))}\n")
    elif type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(f"{error.ctx.get_help()}\n")
    else:
        where = error.ctx.command_path
        see = _("See `{command} --help`.").format(command=where)
        sys.stderr.write(f"{where}: {translate_usage(one_line(error.format_message()))} {see}\n")
    return EXIT_WRONG_INPUT
