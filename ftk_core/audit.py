"""Compare everything that is stored of a match with what its log says, and its log with what the rules say."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ftk_core.difference import first_difference
from ftk_core.entries import Closed, Opened, options_of, read, stream_of
from ftk_core.fold import AnyGame, read_options
from ftk_core.games import UnknownGame, game
from ftk_core.log import GENESIS, BrokenChain, Page, check_chain
from ftk_core.referee import rerun
from ftk_core.scribe import Diverged


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored of a match that has ended."""

    match: str
    """Its id."""
    game: str
    void: bool
    """Whether it was given up: then its log is a beginning, and has no result."""
    pages: tuple[Page, ...]
    length: int
    """How long the stream is, as its row has it."""
    head: bytes
    """What the stream ends with, as its row has it."""
    seed: str
    """As the match's row has it, in hexadecimal."""
    places: tuple[int | None, ...] = ()
    """As the seats' rows have it."""
    scores: tuple[int | None, ...] = ()
    roles: tuple[str, ...] = ()
    options: str = ""
    """As the match's row has them."""


class Finding(msgspec.Struct, frozen=True):
    """What an audit says of a match."""

    match: str
    differences: tuple[str, ...]
    """Each names the entry or the row, and the field."""
    skipped: str = ""
    """Why the log could not be rerun, when that is nobody's fault."""


def audit(evidence: Evidence) -> Finding:
    """Return what is wrong with a match, down to the field."""
    found = [*_of_the_chain(evidence)]
    skipped = ""
    if not evidence.void:
        try:
            found += _of_the_log(evidence, _rules(evidence))
        except UnknownGame as error:
            skipped = str(error)
        except Diverged as error:
            found.append(_divergence(error))
        except (msgspec.MsgspecError, LookupError, ValueError) as error:
            found.append(f"the log cannot be read: {error}")
    return Finding(evidence.match, tuple(f"match {evidence.match}, {what}" for what in found), skipped)


def _of_the_chain(evidence: Evidence) -> Iterator[str]:
    last = evidence.pages[-1] if evidence.pages else Page(0, -1, b"", GENESIS)
    try:
        for _ in check_chain(iter(evidence.pages)):
            pass
    except BrokenChain as error:
        yield str(error)
    if evidence.length != last.last + 1:
        yield f"the stream's row: length says {evidence.length}, the pages hold {last.last + 1} entries"
    if evidence.head != last.head:
        yield f"the stream's row: head says {evidence.head.hex()}, the last page {last.head.hex()}"


def _lines(evidence: Evidence) -> list[bytes]:
    return [line for page in evidence.pages for line in page.lines]


def _rules(evidence: Evidence) -> AnyGame:
    """Return the row's game as the log's opening has its version; raises UnknownGame."""
    lines = _lines(evidence)
    first = read(lines[0]) if lines else None
    return game(evidence.game, first.version if isinstance(first, Opened) else None)


def _of_the_log(evidence: Evidence, rules: AnyGame) -> Iterator[str]:
    """Yield what the log or the rows say wrongly; raises Diverged for a log that the rules do not lead to."""
    lines = _lines(evidence)
    result, opened, last = rerun(rules, lines), read(lines[0]), read(lines[-1])
    assert isinstance(opened, Opened), "a rerun begins with it"
    assert isinstance(last, Closed), "and ends with it"
    rows = (
        ("the opening: match", opened.match, stream_of(evidence.match)),
        ("the match's row: options", _read_options(evidence, rules), read_options(rules, options_of(opened) or "{}")),
        ("the match's row: seed", evidence.seed, last.seed),
    )
    for field, found, expected in rows:
        if found != expected:
            yield f"{field} says {found} where {expected} follows"
    yield from _of_the_seats(evidence, last, result.roles or ("",) * len(result.places))


def _read_options(evidence: Evidence, rules: AnyGame) -> msgspec.Struct | str:
    """Return the options in the match's row, or the row's text where the game knows no such options."""
    try:
        return read_options(rules, evidence.options or "{}")
    except ValueError:
        return evidence.options


def _of_the_seats(evidence: Evidence, closed: Closed, roles: tuple[str, ...]) -> Iterator[str]:
    for field, found, expected in (
        ("place", evidence.places, closed.places),
        ("score", evidence.scores, closed.scores),
        ("role", evidence.roles, roles),
    ):
        if len(found) != len(expected):
            yield f"{len(found)} rows of seats, the log has {len(expected)}"
            return
        for seat, (row, entry) in enumerate(zip(found, expected, strict=True)):
            if row != entry:
                yield f"the row of seat {seat}: {field} says {row}, entry {closed.seq} says {entry}"


def _divergence(error: Diverged) -> str:
    """Return where a log diverges: the entry, and the field if both lines are well formed."""
    for line in (error.found, error.expected):
        try:
            msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return str(error)
    return f"entry {error.seq}: {first_difference(error.found, error.expected)}"
