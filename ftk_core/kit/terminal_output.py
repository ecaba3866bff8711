"""Output of the `ftk` commands: translated lines and tables, one-line error messages, and exit codes."""

from __future__ import annotations

from gettext import gettext as _
from typing import Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table

from ftk_core.i18n import Message, is_printable
from ftk_core.kit.command_group import EXIT_WRONG_INPUT
from ftk_core.kit.i18n.locale import translate_line
from ftk_core.players import HostOverloadError

EXIT_NEGATIVE = 1
"""Exit code of a negative result, such as an unsound log or a refused bot."""
EXIT_UNDECIDED = 3
"""Exit code without a verdict: an open comparison, or a machine too busy to judge a bot."""
MIN_COLUMN_CHARACTERS = 6
"""Minimum mean width of a table's columns, borders and spaces included."""


def escape_unprintable(text: str) -> str:
    """Replace the control characters of a text by escapes, so that the text cannot control the terminal.

    >>> len(escape_unprintable("gone" + chr(27)))
    8
    """
    return "".join(sign if is_printable(sign) else sign.encode("unicode_escape").decode() for sign in text)


class LocalizedRichConsole(Console):
    """A rich console that translates single lines, table titles and column headings."""

    # Cells of tables are wrapped and never cut, however narrow the terminal is.

    def print(self, *objects: Any, **how: Any) -> None:
        """Print objects, translated if they are single lines or tables."""
        for printable in objects:
            if isinstance(printable, Table):
                fold_cells(printable, self.width)
        super().print(*map(_translated, objects), **how)

    def status(self, status: Any, **how: Any) -> Any:
        """Show a status line, translated."""
        return super().status(_translated(status), **how)


def fold_cells(table: Table, width: int) -> None:
    """Make a table wrap long words in its cells instead of cutting them."""
    # If the terminal is too narrow for the number of columns, the table becomes wider than the terminal.
    for column in table.columns:
        column.overflow = "fold"
    if width < (least := MIN_COLUMN_CHARACTERS * len(table.columns) + 1):
        table.width = least


def _translated(printable: Any) -> Any:
    if isinstance(printable, Table):
        printable.title = translate_line(printable.title) if isinstance(printable.title, str) else printable.title
        for column in printable.columns:
            column.header = translate_line(column.header) if isinstance(column.header, str) else column.header
    return translate_line(printable) if isinstance(printable, str) and "\n" not in printable else printable


# without markup and emoji, as lines quote the output and the names of bots, which may contain brackets and colons
out = LocalizedRichConsole(highlight=False, soft_wrap=True, markup=False, emoji=False)
err = LocalizedRichConsole(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)


def one_line(message: object) -> str:
    """Return a message with line ends replaced by spaces."""
    return " ".join(str(message).split())


def fail(message: object, code: int = EXIT_WRONG_INPUT) -> NoReturn:
    """Print an error message as one line and exit with an exit code."""
    reason = message.args[0] if isinstance(message, Exception) and message.args else message
    message = reason.translated(translate_line) if isinstance(reason, Message) else message
    err.print(one_line(message), style="red")
    raise typer.Exit(code)


def fail_too_busy(error: HostOverloadError) -> NoReturn:
    """Print that the machine is too busy for a verdict, and exit."""
    message = _("this machine is too busy to judge a bot, try again: {error}")
    fail(message.format(error=translate_line(str(error))), EXIT_UNDECIDED)


def describe_os_error(error: OSError, place: object = "") -> str:
    """Return an OSError as one line: the name of the file, and the translated reason."""
    return f"{error.filename or place}: {_(error.strerror or str(error))}"
