"""Command line of `manage.py`. It prints an expected error as one line instead of a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand
from django.db import InterfaceError, OperationalError

from ftk_core.plugins import PluginError

WRONG, INTERRUPTED, PIPE_CLOSED = 2, 130, 141
START_HINT = "start the arena with `make run` (or `manage.py up`)"
BARE_SERVER_MANAGE_COMMAND = (
    "systemd-run --pty --wait --uid=ftk --working-directory=/opt/ftk -p EnvironmentFile=/etc/ftk/arena.env "
    "/opt/ftk/.venv/bin/python manage.py COMMAND"
)
"""Command on a server of deploy/install that reads the environment file as the services do."""


class ArenaManagementUtility(ManagementUtility):
    """Django's `ManagementUtility`, except that the error for an unknown command is printed in one line."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        """Return a command by name; print one line and exit if it does not exist."""
        if (error := getattr(self, "settings_exception", None)) is not None:
            raise error  # without valid settings Django does not find the arena's commands
        if subcommand not in get_commands():
            sys.exit(_say(f"there is no command {subcommand!r}; see {self.prog_name} help"))
        return super().fetch_command(subcommand)


def run(words: Sequence[str]) -> int:
    """Run `manage.py` with these arguments and return the exit code."""
    try:
        ArenaManagementUtility(list(words)).execute()
        sys.stdout.flush()
    except BrokenPipeError:  # as in `manage.py ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (ImproperlyConfigured, PluginError) as error:
        return _say(error)
    except (OperationalError, InterfaceError) as error:
        return _say(f"the database does not answer: {START_HINT} ({error})")
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _say(message: object) -> int:
    sys.stderr.write(" ".join(str(message).split()) + "\n")
    return WRONG
