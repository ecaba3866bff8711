"""Django mail backend for a site without a mail server. It prints mails on the operator's terminal, if there is one."""

from __future__ import annotations

import os
import sys
from typing import Any, TextIO

import structlog
from django.core.mail.backends.console import EmailBackend as Console

log = structlog.get_logger(__name__)
TERMINAL_VARIABLE = "FTK_TERMINAL"
"""Environment variable with the file descriptor of the supervisor's terminal; a child's own stdout is a log file."""


def open_terminal() -> TextIO:
    """Return a text stream to the terminal of FTK_TERMINAL or of this process. Without one its text is discarded."""
    told = os.environ.get(TERMINAL_VARIABLE, "")
    if told.isdecimal():
        return os.fdopen(int(told), "w", encoding="utf-8", closefd=False)
    if sys.stdout.isatty():
        return sys.stdout
    # Mails contain sign-in codes, which must never get into a log file, such as the stdout of a service.
    log.warning("mail_not_sent", reason="there is no mail server and no terminal: set EMAIL_URL and EMAIL_FROM")
    return open(os.devnull, "w", encoding="utf-8")


class EmailBackend(Console):
    """Mail backend that prints to the terminal."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"stream": open_terminal(), **kwargs})
