"""Our version of Django's command line: errors are one line, and a closed pipe is not an error."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError

WRONG, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
START = "start the arena with `make run` (or `manage.py up`)"


class Commands(ManagementUtility):
    """The commands of `manage.py`."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Return a command; exit with one line if it does not exist."""
        if (error := getattr(self, "settings_exception", None)) is not None:
            raise error  # without settings none of our commands is known
        if subcommand not in get_commands():
            sys.exit(_say(f"there is no command {subcommand!r}; see {self.prog_name} help"))
        return super().fetch_command(subcommand)


def run(words: Sequence[str]) -> int:
    """Run the command line and return the exit code."""
    try:
        Commands(list(words)).execute()
        sys.stdout.flush()
    except BrokenPipeError:  # `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except ImproperlyConfigured as error:
        return _say(error)
    except (OperationalError, InterfaceError) as error:
        return _say(f"the database does not answer: {START} ({error})")
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _say(message: object) -> int:
    sys.stderr.write(" ".join(str(message).split()) + "\n")
    return WRONG
