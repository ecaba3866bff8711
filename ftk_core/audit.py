"""Audit of a stored match: compare its database rows with its log, and its log with the rules."""

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
    """Everything stored about a finished match."""

    match: str
    """The id of the match."""
    game: str
    void: bool
    """True if the match was abandoned: its log is then incomplete and has no result."""
    pages: tuple[Page, ...]
    length: int
    """Number of entries in the stream, as stored in its row."""
    head: bytes
    """Hash of the whole stream, as stored in its row."""
    seed: str
    """Seed of the match in hexadecimal, as stored in the row of the match."""
    places: tuple[int | None, ...] = ()
    """Place of each seat, as stored in the rows of the seats."""
    scores: tuple[int | None, ...] = ()
    roles: tuple[str, ...] = ()
    options: str = ""
    """Options of the game, as stored in the row of the match."""


class Finding(msgspec.Struct, frozen=True):
    """Result of an audit of one match."""

    match: str
    differences: tuple[str, ...]
    """One text per difference. Each names the entry or the row, and the field."""
    skipped: str = ""
    """Reason why the log could not be rerun, if that is nobody's fault."""


def audit(evidence: Evidence) -> Finding:
    """Return all differences found in a match, each down to the field."""
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
    """Return the rules of the row's game in the version that the log names; raise UnknownGame."""
    lines = _lines(evidence)
    first = read(lines[0]) if lines else None
    return game(evidence.game, first.version if isinstance(first, Opened) else None)


def _of_the_log(evidence: Evidence, rules: AnyGame) -> Iterator[str]:
    """Yield each difference between log and rows; raise Diverged for a log that does not follow from the rules."""
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
    """Return the options in the row of the match, or their raw text if the game rejects them."""
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
    """Describe where a log diverges: the entry, and the field if both lines are well formed."""
    for line in (error.found, error.expected):
        try:
            msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return str(error)
    return f"entry {error.seq}: {first_difference(error.found, error.expected)}"
