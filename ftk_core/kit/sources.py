"""Sources from which a command reads a match: a log, a bundle, or an arena."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ftk_core.filelog import parse, split
from ftk_core.kit.calls import check_server, fetch
from ftk_core.kit.keeping import kept_for
from ftk_core.kit.repro import Bundle, bundle_of, is_bundle, read_bundle
from ftk_core.log import BrokenChain
from ftk_core.questions import opening_of

MATCH_ID = re.compile(r"[0-9a-f]{12}")


class NoSuchMatch(ValueError):
    """Raised if the match, or the seat in it, does not exist; the message lists the alternatives."""


def read_match(source: str, number: int, server: str, token: str) -> list[bytes]:
    """Return the entries of a match: the `number`-th (from 1) of the log `source`, or by its id from an arena.

    Raises NoSuchMatch, OSError, or Refused.
    """
    return _lines_in(_file_of(source, server, token), source, number)


def read_asked(source: str, number: int, seat: int | None, bot: str, server: str, token: str) -> Bundle:
    """Return the questions to a seat of a match; without `seat`, to the seat of the bot with this name.

    Raises NoSuchMatch, BadBundle, OSError, or Refused.
    """
    file = _file_of(source, server, token)
    if is_bundle(file):
        return read_bundle(file)
    lines = _lines_in(file, source, number)
    players = opening_of(lines).players
    return bundle_of(lines, _seat_of(players, bot) if seat is None else seat, to_fault=False)


def _file_of(source: str, server: str, token: str) -> bytes:
    path = Path(source)
    if path.exists() or not MATCH_ID.fullmatch(source):
        return path.read_bytes()
    server = check_server(server)
    return fetch(f"{server}/api/v1/matches/{source}/log/", token or kept_for(server))


def _lines_in(file: bytes, source: str, number: int) -> list[bytes]:
    logs = list(split(file.splitlines(keepends=True)))
    if not 1 <= number <= len(logs):
        raise NoSuchMatch(f"--match {number}: {source} holds the matches 1 to {len(logs)}")
    try:
        lines = [line for page in parse(logs[number - 1]) for line in page.lines]
    except BrokenChain as error:
        raise NoSuchMatch(f"{source}: {error}") from error
    if not lines:
        raise NoSuchMatch(f"{source} is no log of a match: page 0 is missing")
    return lines


def _seat_of(players: Sequence[str], bot: str) -> int:
    """Return the seat of a bot by its name, in any version; raises NoSuchMatch."""
    seats = [seat for seat, name in enumerate(players) if re.fullmatch(rf"{re.escape(bot)}([-#]\d+)?", name)]
    if len(seats) != 1:
        there = ", ".join(f"{seat} {name}" for seat, name in enumerate(players))
        raise NoSuchMatch(f"which seat? say it by --seat; there are {there}")
    return seats[0]
