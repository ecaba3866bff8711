"""Audit of a stored match: its database rows, its log and the rules must agree."""

from __future__ import annotations

from collections.abc import Iterator
from gettext import gettext

import msgspec

from ftk_core.analysis.match_log_rerun_check import NativeRulesMismatchError, rerun
from ftk_core.file_content_difference import describe_first_difference
from ftk_core.games import UnknownGameError, game
from ftk_core.hash_chained_log import GENESIS, BrokenHashChainError, LogPage, check_chain
from ftk_core.log_entries import MatchFinished, MatchOpened, options_of, read, stream_of
from ftk_core.log_writer import LogDivergedError
from ftk_core.match_state_from_log import AnyGame, read_options


class MatchAuditInput(msgspec.Struct, frozen=True, kw_only=True):
    """Input of an audit: database rows and log of a finished match."""

    match: str
    """Id of the match."""
    game: str
    void: bool
    """True if the match was abandoned: its log has no result, and only its hash chain is audited."""
    pages: tuple[LogPage, ...]
    length: int
    """Number of entries in the log, as stored in the database row of its event stream."""
    head: bytes
    """Hash of the whole log, as stored in the database row of its event stream."""
    seed: str
    """Seed of the match in hexadecimal, as stored in the match's database row."""
    places: tuple[int | None, ...] = ()
    """Place of each seat, as stored in the seat's database row."""
    scores: tuple[int | None, ...] = ()
    roles: tuple[str, ...] = ()
    options: str = ""
    """Options of the game, as stored in the match's database row."""


class MatchAuditResult(msgspec.Struct, frozen=True):
    """Result of the audit of one match."""

    match: str
    differences: tuple[str, ...]
    """One text per difference. It names the field, and the log entry or database row that contains it."""
    skipped: str = ""
    """Error message if this installation does not have the rules to rerun the log, otherwise empty."""


def audit(evidence: MatchAuditInput) -> MatchAuditResult:
    """List all differences between a match's database rows, its log and the game's rules.

    An unreadable log is listed as a difference.
    """
    # The log of an abandoned match is not compared with the rules: only hash chain, length and last hash are checked.
    differences = [*_list_chain_differences(evidence)]
    skipped = ""
    if not evidence.void:
        try:
            differences += _list_log_differences(evidence, _rules(evidence))
        except UnknownGameError as error:
            skipped = str(error)
        except NativeRulesMismatchError as error:
            differences.append(str(error))
        except LogDivergedError as error:
            differences.append(_describe_divergence(error))
        except (msgspec.MsgspecError, LookupError, ValueError) as error:
            differences.append(f"the log cannot be read: {error}")
    return MatchAuditResult(
        evidence.match,
        tuple(
            gettext("match {match}, {difference}").format(match=evidence.match, difference=difference)
            for difference in differences
        ),
        skipped,
    )


def _list_chain_differences(evidence: MatchAuditInput) -> Iterator[str]:
    last = evidence.pages[-1] if evidence.pages else LogPage(0, -1, b"", GENESIS)
    try:
        for _ in check_chain(iter(evidence.pages)):
            pass
    except BrokenHashChainError as error:
        yield str(error)
    if evidence.length != last.last + 1:
        yield f"the stream's row: length says {evidence.length}, the pages hold {last.last + 1} entries"
    if evidence.head != last.head:
        yield f"the stream's row: head says {evidence.head.hex()}, the last page {last.head.hex()}"


def _lines(evidence: MatchAuditInput) -> list[bytes]:
    return [line for page in evidence.pages for line in page.lines]


def _rules(evidence: MatchAuditInput) -> AnyGame:
    """Return the game's rules in the version that the log states; may raise UnknownGameError."""
    lines = _lines(evidence)
    first = read(lines[0]) if lines else None
    return game(evidence.game, first.version if isinstance(first, MatchOpened) else None)


def _list_log_differences(evidence: MatchAuditInput, rules: AnyGame) -> Iterator[str]:
    """Replay the log, then describe each difference between log and database rows.

    Raises LogDivergedError if the log does not follow from the rules.
    """
    lines = _lines(evidence)
    result, opened, last = rerun(rules, lines, thorough=True), read(lines[0]), read(lines[-1])
    assert isinstance(opened, MatchOpened), "a rerun begins with it"
    assert isinstance(last, MatchFinished), "and ends with it"
    comparisons = (
        ("the opening: match", opened.match, stream_of(evidence.match)),
        ("the match's row: options", _read_options(evidence, rules), read_options(rules, options_of(opened) or "{}")),
        ("the match's row: seed", evidence.seed, last.seed),
    )
    for field, stored, expected in comparisons:
        if stored != expected:
            yield f"{field} says {stored} where {expected} follows"
    yield from _list_seat_differences(evidence, last, result.roles or ("",) * len(result.places))


def _read_options(evidence: MatchAuditInput, rules: AnyGame) -> msgspec.Struct | str:
    """Return the game options from the database row, as raw text if the game rejects them."""
    try:
        return read_options(rules, evidence.options or "{}")
    except ValueError:
        return evidence.options


def _list_seat_differences(evidence: MatchAuditInput, closed: MatchFinished, roles: tuple[str, ...]) -> Iterator[str]:
    for field, stored, expected in (
        ("place", evidence.places, closed.places),
        ("score", evidence.scores, closed.scores),
        ("role", evidence.roles, roles),
    ):
        if len(stored) != len(expected):
            yield f"{len(stored)} rows of seats, the log has {len(expected)}"
            return
        for seat, (stored_value, log_value) in enumerate(zip(stored, expected, strict=True)):
            if stored_value != log_value:
                yield f"the row of seat {seat}: {field} says {stored_value}, entry {closed.seq} says {log_value}"


def _describe_divergence(error: LogDivergedError) -> str:
    """Name the wrong log entry, and its first wrong field if the entry is JSON."""
    for line in (error.found, error.expected):
        try:
            msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return str(error)
    return f"entry {error.seq}: {describe_first_difference(error.found, error.expected)}"
