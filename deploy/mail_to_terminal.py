"""Django mail backend for a site without a mail server. It prints mails on the operator's terminal."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

from django.core.mail.backends.console import EmailBackend as Console

TERMINAL_VARIABLE = "FTK_TERMINAL"
"""Environment variable with the file descriptor of the supervisor's terminal; a child's own stdout is a log file."""


def open_terminal() -> TextIO:
    """Return a text stream to the terminal, or this process's stdout if FTK_TERMINAL is not set."""
    told = os.environ.get(TERMINAL_VARIABLE, "")
    return os.fdopen(int(told), "w", encoding="utf-8", closefd=False) if told.isdecimal() else sys.stdout


class EmailBackend(Console):
    """Mail backend that prints to the terminal."""

    # Mails contain sign-in codes, which must never get into a log file.

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"stream": open_terminal(), **kwargs})
