"""Mail where no server for it is named: it is written on the terminal of whoever runs the arena."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

from django.core.mail.backends.console import EmailBackend as Console

TERMINAL = "FTK_TERMINAL"
"""The variable in which the supervisor tells the web server, whose own words go to a log, which descriptor that is."""


def terminal() -> TextIO:
    """Return what to write on: the supervisor's terminal, else our own output."""
    told = os.environ.get(TERMINAL, "")
    return os.fdopen(int(told), "w", encoding="utf-8", closefd=False) if told.isdecimal() else sys.stdout


class EmailBackend(Console):
    """Writes mail on the terminal, and nowhere else: there are codes in it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"stream": terminal(), **kwargs})
