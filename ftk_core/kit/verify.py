"""Verification of a match's log without a server: its hash chain, facts, choices and seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ftk_core.entries import Chose, Clock, Closed, Opened, Voided, options_of, read
from ftk_core.filelog import parse, split
from ftk_core.fold import AnyGame, states
from ftk_core.games import UnknownGame, build_of, game_of
from ftk_core.log import BrokenChain
from ftk_core.referee import rerun
from ftk_core.scribe import Diverged


class Unsound(Exception):
    """Raised for an invalid log; the message names the page or the entry."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a valid log."""

    game: str
    players: tuple[str, ...]
    entries: int
    pages: int
    head: str
    same_build: bool
    """True if this very code wrote the log."""
    match: str
    """The stream's name in the log."""
    clock: Clock
    options: str
    """The game's options as JSON; empty for the default rules."""
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    excuses: tuple[int, ...] = ()
    """Number of missing or invalid answers by seat; empty if there were none."""
    seed: str = ""
    """In hexadecimal."""
    void: str = ""
    """Reason why the match was given up, if it was. Such a log is folded but not rerun, and has no places or seed."""
    blamed: int | None = None
    """The seat whose answer was due when the match was given up; None if its log names none."""


def verify_file(path: Path) -> Verdict:
    """Verify a file of one match; raises Unsound, or OSError."""
    return verify_lines(path.read_bytes().splitlines(keepends=True))


def verify_matches(path: Path) -> Iterator[Verdict]:
    """Verify each match of a file and yield its verdict; raises Unsound, or OSError."""
    for number, log in enumerate(logs := list(split(path.read_bytes().splitlines(keepends=True))), 1):
        try:
            yield verify_lines(log)
        except Unsound as error:
            if len(logs) == 1:
                raise
            raise Unsound(f"match {number} of {len(logs)}: {error}") from error


def verify_lines(chunks: list[bytes]) -> Verdict:
    """Verify the lines of a log; raises Unsound."""
    try:
        pages = list(parse(chunks))
    except BrokenChain as error:
        raise Unsound(str(error)) from error
    if not pages:
        raise Unsound("page 0 is missing: the file holds no entries")
    lines = [line for page in pages for line in page.lines]
    try:
        return _verdict(lines, len(pages), pages[-1].head.hex())
    except Diverged as error:
        page = next((n for n, page in enumerate(pages) if page.first <= error.seq <= page.last), len(pages) - 1)
        raise Unsound(f"page {page}: {error}") from error
    except (msgspec.MsgspecError, LookupError, ValueError) as error:  # a forged log may raise any of these when folded
        raise Unsound(f"the log cannot be read: {error}") from error


def _verdict(lines: list[bytes], pages: int, head: str) -> Verdict:
    opened = read(lines[0])
    if not isinstance(opened, Opened):
        raise Unsound("page 0: entry 0 is not an opening")
    try:
        rules = game_of(opened)
    except UnknownGame as error:
        raise Unsound(f"page 0: entry 0: this kit cannot rerun it: {error}") from error
    last = read(lines[-1])
    verdict = Verdict(
        game=opened.game,
        players=opened.players,
        entries=len(lines),
        pages=pages,
        head=head,
        same_build=opened.build == build_of(opened.game),
        match=opened.match,
        clock=opened.clock,
        options=options_of(opened),
    )
    if isinstance(last, Voided):
        _read_through(rules, lines)
        return replace(verdict, void=last.reason, blamed=last.seat if isinstance(last.seat, int) else None)
    result = rerun(rules, lines)
    assert isinstance(last, Closed), "a rerun ends with it"
    excuses = _excuses(lines, len(opened.players))
    return replace(verdict, places=result.places, scores=result.scores, excuses=excuses, seed=last.seed)


def _excuses(lines: list[bytes], seats: int) -> tuple[int, ...]:
    entries = (read(line) for line in lines)
    counts = Counter(entry.seat for entry in entries if isinstance(entry, Chose) and entry.excuse)
    return tuple(counts[seat] for seat in range(seats)) if counts else ()


def _read_through(rules: AnyGame, lines: list[bytes]) -> None:
    """Fold a log that has no result; raises Diverged if its entries are not numbered in order."""
    for seq, (entry, _) in enumerate(states(rules, lines)):
        if entry.seq != seq:
            raise Diverged(seq, lines[seq].rstrip(), f"the number {seq}".encode())
