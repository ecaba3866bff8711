"""Base class of all management commands: one-line input errors and a running database."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any, NoReturn

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.module_loading import import_string

from foundation.unavailable import Unavailable

WRONG = 2
"""Exit code for invalid input; 1 is the exit code of a command that found something wrong."""


class Refusal(CommandError):
    """Raised for invalid input; the message is one line."""

    def __init__(self, message: object) -> None:
        super().__init__(" ".join(str(message).split()), returncode=WRONG)


class OneLineParser(CommandParser):
    """Argument parser that reports errors without the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with one line, or raise Refusal if a program has called."""
        if self.called_from_command_line:
            self.exit(WRONG, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")
        raise Refusal(f"Error: {message}")


class ArenaCommand(BaseCommand):
    """Base class of our management commands."""

    needs_database = True
    """If True, start the embedded database for the command when the arena is down."""

    needs_arena = False
    """If True, refuse the command when the arena is down, because it needs workers."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return Django's parser with one-line error messages."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.__class__ = OneLineParser
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command with a database that answers, if it is ours to start."""
        _check_text(options)
        if not self.needs_database:
            return super().execute(*args, **options)
        at_hand: Callable[..., AbstractContextManager[None]] = import_string(settings.DATABASE_AT_HAND)
        with at_hand(arena=self.needs_arena):
            try:
                return super().execute(*args, **options)
            except Unavailable as error:
                raise Refusal(error) from error


def _check_text(options: dict[str, Any]) -> None:
    """Raise Refusal for arguments that are not valid Unicode: a shell may pass them, no database stores them."""
    for value in options.values():
        for word in value if isinstance(value, list) else [value]:
            try:
                str(word).encode()
            except UnicodeEncodeError:
                raise Refusal(f"{str(word)[:80]!r} is not UTF-8") from None


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return an argparse type for a whole number from `least` to `most`, both included."""

    def read(text: str) -> int:
        if not (
            text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 20 and least <= int(text) <= most
        ):
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, not {text[:40]!r}")
        return int(text)

    return read


def moment(text: str) -> datetime:
    """Parse a time, in UTC if it has no zone; raises ArgumentTypeError."""
    try:
        read = datetime.fromisoformat(text)
        return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no time; write it like 2027-01-31T18:00") from error
