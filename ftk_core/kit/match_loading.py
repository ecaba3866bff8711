"""Loading of matches for commands, from a log file, a server, or a file of stored questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from gettext import gettext as _
from pathlib import Path

from ftk_core.hash_chained_log import BrokenHashChainError, LogPage
from ftk_core.kit.client.http_client import check_server, request_bytes
from ftk_core.kit.client.token_store import load_token
from ftk_core.kit.protocol.recorded_seat_questions import RecordedQuestions, bundle_of, is_bundle, read_bundle
from ftk_core.logged_decisions import opening_of
from ftk_core.match_log_file import parse_pages, split_logs

MATCH_ID = re.compile(r"[0-9a-f]{12}")


class MatchNotFound(ValueError):
    """Raised if a requested match or seat does not exist."""


def read_match(source: str, number: int, server: str, token: str) -> list[bytes]:
    """Return the lines of a match's log. Raises MatchNotFound, OSError, RequestError, TokenStoreError.

    `source` is a log file, or the id of a match on a server. `number` (from 1) selects the match in the file.
    """
    return _list_lines(read_match_pages(source, number, server, token))


def read_match_pages(source: str, number: int, server: str, token: str) -> list[LogPage]:
    """Return the verified log of a match, in batches of entries.

    `source` is a log file, or the id of a match on a server. `number` (from 1) selects the match in the file. Raises
    MatchNotFound, OSError, RequestError, TokenStoreError.
    """
    return _pages_in(_file_of(source, server, token), source, number)


def read_questions(source: str, number: int, seat: int | None, bot: str, server: str, token: str) -> RecordedQuestions:
    """Return all questions that one seat was asked in a match.

    `source` is a log file, the id of a match on a server, or a file of stored questions. In a log file, `number` (from
    1) selects the match. If `seat` is None, use the only seat of the bot named `bot`. A file of stored questions holds
    one seat of one match, so `bot` has no effect.

    Raises MatchNotFound, InvalidRecordedQuestionsError, ValueError for an invalid seat or log, UnknownGameError,
    OSError, RequestError or TokenStoreError.
    """
    file = _file_of(source, server, token)
    if is_bundle(file):
        if number != 1:
            raise MatchNotFound(
                _("--match {number}: {source} is a bundle of one match").format(number=number, source=source)
            )
        bundle = read_bundle(file)
        if seat not in (None, bundle.hello.seat):
            message = _("--seat {seat}: {source} is a bundle of the questions of seat {own}")
            raise MatchNotFound(message.format(seat=seat, source=source, own=bundle.hello.seat))
        return bundle
    lines = _list_lines(_pages_in(file, source, number))
    players = opening_of(lines).players
    return bundle_of(lines, _seat_of(players, bot) if seat is None else seat, to_fault=False)


def list_matches(folder: Path) -> list[tuple[str, int]]:
    """Return all matches in a folder's log files (``*.jsonl``), as pairs of path and number from 1.

    Raises MatchNotFound if there is no match, or OSError.
    """
    files = sorted(folder.glob("*.jsonl"))
    matches = [
        (str(path), number + 1)
        for path in files
        for number, _log in enumerate(split_logs(path.read_bytes().splitlines(keepends=True)))
    ]
    if not matches:
        raise MatchNotFound(_("{folder} has no logs of matches, whose names end in .jsonl").format(folder=folder))
    return matches


def find_seats(players: Sequence[str], bot: str) -> list[int]:
    """Return the numbers of all seats of a bot.

    A name in `players` can end with a version, such as ``mine-2``, or with the number of a copy, such as ``mine#2``. If
    a player has the bot's name without a version, names with a version belong to other bots.

    >>> find_seats(["mine-1", "yours-1", "mine-2"], "mine")
    [0, 2]
    >>> find_seats(["mine", "mine-2", "mine#2"], "mine")
    [0, 2]
    """
    name = re.escape(bot)
    patterns = (rf"{name}(#\d+)?", rf"{name}-\d+(#\d+)?")
    found = ([seat for seat, other in enumerate(players) if re.fullmatch(one, other)] for one in patterns)
    return next(filter(None, found), [])


def _file_of(source: str, server: str, token: str) -> bytes:
    path = Path(source)
    if path.exists() or not MATCH_ID.fullmatch(source):
        return path.read_bytes()
    server = check_server(server)
    return request_bytes(f"{server}/api/v1/matches/{source}/log/", token or load_token(server))


def _list_lines(pages: Sequence[LogPage]) -> list[bytes]:
    return [line for page in pages for line in page.lines]


def _pages_in(file: bytes, source: str, number: int) -> list[LogPage]:
    logs = list(split_logs(file.splitlines(keepends=True)))
    if not 1 <= number <= len(logs):
        raise MatchNotFound(
            _("--match {number}: {source} holds the matches 1 to {logs}").format(
                number=number, source=source, logs=len(logs)
            )
        )
    try:
        pages = list(parse_pages(logs[number - 1]))
    except BrokenHashChainError as error:
        raise MatchNotFound(f"{source}: {error}") from error
    if not pages:
        raise MatchNotFound(_("{source} is not a log of a match: page 0 is missing").format(source=source))
    return pages


def _seat_of(players: Sequence[str], bot: str) -> int:
    """Return the only seat of a bot; raises MatchNotFound if it has none or several."""
    seats = find_seats(players, bot)
    if len(seats) != 1:
        seated_players = ", ".join(f"{seat} {name}" for seat, name in enumerate(players))
        raise MatchNotFound(
            _("which seat? Choose it by --seat: {seated_players}").format(seated_players=seated_players)
        )
    return seats[0]
