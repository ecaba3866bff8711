"""What every command of ours shares: one line for what is wrong with its input, and a database to work on."""

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
"""The exit code of a command that cannot be obeyed; 1 is that of one which found something wrong."""


class Refusal(CommandError):
    """Raised for input that cannot be obeyed; the message says why in one line."""

    def __init__(self, message: object) -> None:
        super().__init__(" ".join(str(message).split()), returncode=WRONG)


class OneLineParser(CommandParser):
    """Says what is wrong without the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Leave with one line, or raise Refusal where a program has called."""
        if self.called_from_command_line:
            self.exit(WRONG, f"{self.prog}: {' '.join(message.split())}; see {self.prog} --help\n")
        raise Refusal(f"Error: {message}")


class ArenaCommand(BaseCommand):
    """A command of ours."""

    needs_database = True
    """Whether the embedded database is started for it when the arena is down."""

    needs_arena = False
    """Whether it is refused then instead, as it could do nothing without workers."""

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return Django's parser, with our way of saying what is wrong."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.__class__ = OneLineParser
        return parser

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Do it, with a database that answers if it is ours to start."""
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
    """Raise Refusal for words that are in no encoding, which a shell may hand over and no database takes."""
    for value in options.values():
        for word in value if isinstance(value, list) else [value]:
            try:
                str(word).encode()
            except UnicodeEncodeError:
                raise Refusal(f"{str(word)[:80]!r} is not UTF-8") from None


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return the reader of an option that is a whole number within bounds, both allowed."""

    def read(text: str) -> int:
        if not (
            text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 20 and least <= int(text) <= most
        ):
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, not {text[:40]!r}")
        return int(text)

    return read


def moment(text: str) -> datetime:
    """Return the time that is said, in UTC where no zone is said; raises ArgumentTypeError."""
    try:
        read = datetime.fromisoformat(text)
        return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no time; write it like 2027-01-31T18:00") from error
