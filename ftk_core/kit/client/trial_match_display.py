"""Progress display for the trial match with which `ftk check` finds out if a bot can play."""

from __future__ import annotations

from gettext import gettext as _
from types import TracebackType
from typing import Self

from rich.console import Console

from ftk_core.kit.i18n.locale import translate_line


class TrialMatchDisplay:
    """Console display of a bot's trial match.

    A status line shows the number of the current question. Each fault is printed as soon as it occurs.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = console.status(_("starting the bot ..."))
        self.printed: set[str] = set()
        """Lines of the trial's report that were already printed on the console during the match."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._status.stop()

    def show_question(self, number: int) -> None:
        """Show the number of the question that the bot was just asked."""
        self._status.update(_("question {number} ...").format(number=number))
        self._status.start()  # not earlier: it starts a thread, and root rights must be dropped first

    def show_fault(self, number: int, detail: str) -> None:
        """Print that the bot gave no valid answer to a question."""
        self.printed.add(_("question {number}: {detail}").format(number=number, detail=detail))
        self._console.print(
            _("question {number}: {detail}").format(number=number, detail=translate_line(detail)),
            style="yellow",
        )
