"""Mail backend for arenas without a mail server: it writes to the terminal of the arena's operator."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

from django.core.mail.backends.console import EmailBackend as Console

TERMINAL = "FTK_TERMINAL"
"""Environment variable with the descriptor of the supervisor's terminal; the web server's own output goes to a log."""


def terminal() -> TextIO:
    """Return the supervisor's terminal, else our own output."""
    told = os.environ.get(TERMINAL, "")
    return os.fdopen(int(told), "w", encoding="utf-8", closefd=False) if told.isdecimal() else sys.stdout


class EmailBackend(Console):
    """Mail backend that writes to the terminal and never to a log, because mails contain codes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"stream": terminal(), **kwargs})
