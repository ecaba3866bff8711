"""Base class of all management commands, and parsers of their arguments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.module_loading import import_string

from foundation.storage_errors import StorageUnavailable
from ftk_core import __version__
from ftk_core.kit.build_id import compute_build_id

INVALID_INPUT = 2
"""Exit code for invalid input. A command that checks something exits with 1 if the check fails."""


class InvalidCommandInputError(CommandError):
    """Raised for invalid input of a command; the message is one line."""

    def __init__(self, message: object) -> None:
        super().__init__(" ".join(str(message).split()), returncode=INVALID_INPUT)


class OneLineErrorArgumentParser(CommandParser):
    """Argument parser that reports an invalid argument in one line instead of printing the whole usage text."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit.

        If Python code called the command, raise InvalidCommandInputError instead.
        """
        if self.called_from_command_line:
            self.exit(INVALID_INPUT, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")
        raise InvalidCommandInputError(f"Error: {message}")


class ArenaCommand(BaseCommand):
    """Base class of this project's management commands.

    It reports errors in one line. If the site is down, it starts the site's own PostgreSQL for the command.
    """

    needs_database = True
    """If True, start the embedded database for the command when the arena is down."""

    needs_arena = False
    """If True, refuse the command when the arena is down, because it needs workers."""

    def get_version(self) -> str:
        """Return this project's version, followed by the build if the command line contains ``--version``."""
        return compute_build_id() if "--version" in sys.argv else __version__  # a digest of all sources takes 20 ms

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return Django's parser with one-line error messages."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.__class__ = OneLineErrorArgumentParser
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command. If it needs the database, make sure that the database runs.

        Raises InvalidCommandInputError if an argument is not valid Unicode, or if the database, the workers or stored
        data are unavailable.
        """
        _check_text(options)
        if not self.needs_database:
            return super().execute(*args, **options)
        at_hand: Callable[..., AbstractContextManager[None]] = import_string(settings.DATABASE_AT_HAND)
        with at_hand(arena=self.needs_arena):
            try:
                return super().execute(*args, **options)
            except StorageUnavailable as error:
                raise InvalidCommandInputError(error) from error


def _check_text(options: dict[str, Any]) -> None:
    """Raise InvalidCommandInputError if an argument is not valid Unicode."""
    # The database cannot store other text.
    for value in options.values():
        for word in value if isinstance(value, list) else [value]:
            try:
                str(word).encode()
            except UnicodeEncodeError:
                raise InvalidCommandInputError(f"{str(word)[:80]!r} is not UTF-8") from None


def whole_number(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return an argparse type for a whole number from `minimum` to `maximum`, both included."""

    def read(text: str) -> int:
        if not (
            text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 20 and minimum <= int(text) <= maximum
        ):
            raise argparse.ArgumentTypeError(f"must be a whole number from {minimum} to {maximum}, not {text[:40]!r}")
        return int(text)

    return read


def parse_time(text: str) -> datetime:
    """Return the time in an ISO 8601 argument, by default in UTC. Raises ArgumentTypeError."""
    try:
        read = datetime.fromisoformat(text)
        return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no time; write it like 2027-01-31T18:00") from error
