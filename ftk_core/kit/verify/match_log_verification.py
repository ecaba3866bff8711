"""Verification of a match's log without a server: its hash chain, events, choices and random seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from gettext import gettext
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ftk_core.analysis.match_log_rerun_check import NativeRulesMismatchError, rerun
from ftk_core.games import UnknownGameError, build_of, game_of, list_games
from ftk_core.hash_chained_log import BrokenHashChainError
from ftk_core.kit.verify.canonical_json_line_check import flaws_of_line
from ftk_core.log_entries import (
    ChoiceMade,
    GameFactRecorded,
    MatchAbandoned,
    MatchFinished,
    MatchOpened,
    TimeControl,
    is_choice_line,
    options_of,
    read,
)
from ftk_core.log_writer import LogDivergedError
from ftk_core.match_log_file import parse_pages, split_logs
from ftk_core.match_state_from_log import AnyGame, fact_in, state_before_deal

_SEAT_OF_CHOICE = re.compile(rb'{"kind":"chose","seq":(\d+),"seat":(\d+)')
_TIMES_OF_CHOICE = re.compile(rb',"charged_us":(\d+),"bank_ms":(\d+)')
"""Patterns in the log line of a choice: first entry number and seat, then time used and time left.

They are simple, because a rerun compares the form of the lines."""


class InvalidLogError(Exception):
    """Raised for an invalid log of a match or league."""


class VerifiedMatchLog(msgspec.Struct, frozen=True, kw_only=True):
    """Data about a match whose log was verified and is valid."""

    game: str
    players: tuple[str, ...]
    entries: int
    pages: int
    head: str
    same_build: bool
    """True if the log was written by the same version of the game's code as is installed here."""
    version: int = 0
    """Version of the game's rules by which the match was played; 0 stands for the present one."""
    match: str
    """Name of the match in its log, which includes its id."""
    clock: TimeControl
    options: str
    """The game's options as JSON; empty for the default rules."""
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    excuses: tuple[int, ...] = ()
    """By seat: number of decisions without a valid answer; empty if there were none."""
    seed: str = ""
    """Random seed of the match, in hexadecimal."""
    void: str = ""
    """Reason why the match was given up; empty if it was not. The log of a match that was given up is not rerun; then
    `places`, `scores` and `seed` are empty."""
    blamed: int | None = None
    """The seat whose answer was due when the match was given up, as its log says; None if its log names none."""
    unfinished: tuple[bytes, ...] = ()
    """The lines of a match that was given up. They are rerun once the league has revealed the match's seed."""


def verify_matches(path: Path, *, thorough: bool = False) -> Iterator[VerifiedMatchLog]:
    """Verify each match in a log file and yield its data; raises InvalidLogError, or OSError."""
    for number, log in enumerate(logs := list(split_logs(path.read_bytes().splitlines(keepends=True))), 1):
        try:
            yield verify_lines(log, thorough=thorough)
        except InvalidLogError as error:
            if len(logs) == 1:
                raise
            raise InvalidLogError(
                gettext("match {number} of {logs}: {error}").format(number=number, logs=len(logs), error=error)
            ) from error


def verify_lines(chunks: list[bytes], *, thorough: bool = False) -> VerifiedMatchLog:
    """Verify the lines of a match's log and return its data. Raises InvalidLogError.

    With `thorough`, rerun the match by the rules in C++ and in Python, which must agree.
    """
    try:
        pages = list(parse_pages(chunks))
    except BrokenHashChainError as error:
        raise InvalidLogError(str(error)) from error
    if not pages:
        raise InvalidLogError(gettext("page 0 is missing: the file holds no entries"))
    lines = [line for page in pages for line in page.lines]
    try:
        return _verdict(lines, len(pages), pages[-1].head.hex(), thorough=thorough)
    except NativeRulesMismatchError as error:
        raise InvalidLogError(str(error)) from error
    except LogDivergedError as error:
        page = next((n for n, page in enumerate(pages) if page.first <= error.seq <= page.last), len(pages) - 1)
        raise InvalidLogError(gettext("page {page}: {error}").format(page=page, error=error)) from error
    except (msgspec.MsgspecError, LookupError, ValueError) as error:  # a forged log may raise any of these when folded
        raise InvalidLogError(gettext("the log cannot be read: {error}").format(error=error)) from error


def _verdict(lines: list[bytes], pages: int, head: str, *, thorough: bool) -> VerifiedMatchLog:
    opened = read(lines[0])
    if not isinstance(opened, MatchOpened):
        raise InvalidLogError(gettext("page 0: entry 0 is not an opening"))
    try:
        rules = game_of(opened)
    except UnknownGameError as error:
        raise InvalidLogError(
            gettext("page 0: entry 0: this kit cannot rerun it: {error}").format(error=error)
        ) from error
    last = read(lines[-1])
    verdict = VerifiedMatchLog(
        game=opened.game,
        players=opened.players,
        entries=len(lines),
        pages=pages,
        head=head,
        same_build=opened.build == build_of(opened.game),
        version=0 if rules.version == list_games()[opened.game].version else rules.version,
        match=opened.match,
        clock=opened.clock,
        options=options_of(opened),
    )
    if isinstance(last, MatchAbandoned):
        _check_form(rules, lines)
        _check_clocks(opened, lines)
        for flaw in flaws_of_line(lines[-1], last):
            raise InvalidLogError(gettext("entry {seq}: {flaw}").format(seq=len(lines) - 1, flaw=flaw))
        blamed = last.seat if isinstance(last.seat, int) else None
        return replace(verdict, void=last.reason, blamed=blamed, unfinished=tuple(lines))
    result = rerun(rules, lines, thorough=thorough)
    assert isinstance(last, MatchFinished), "a rerun ends with it"
    _check_clocks(opened, lines)
    excuses = _excuses(lines, len(opened.players))
    return replace(verdict, places=result.places, scores=result.scores, excuses=excuses, seed=last.seed)


def _excuses(lines: list[bytes], seats: int) -> tuple[int, ...]:
    excused = (read(line) for line in lines if b'"excuse":"' in line and is_choice_line(line))
    counts = Counter(entry.seat for entry in excused if isinstance(entry, ChoiceMade))
    return tuple(counts[seat] for seat in range(seats)) if counts else ()


def _check_clocks(opened: MatchOpened, lines: list[bytes]) -> None:
    """Raise LogDivergedError for a choice whose log entry states a wrong remaining extra time (`bank_ms`)."""
    # The right value is computed from the logged times of all choices of the seat.
    clock, free_us = opened.clock, opened.clock.free_us
    left = [clock.bank_ms] * len(opened.players)
    text = b"\n".join(lines)
    choices = zip(_SEAT_OF_CHOICE.findall(text), _TIMES_OF_CHOICE.findall(text), strict=True)
    for (seq, number), (charged_us, bank_ms) in choices:
        seat = int(number)
        if int(charged_us) > free_us:
            left[seat] = clock.charge(left[seat], int(charged_us))
        if int(bank_ms) != left[seat]:
            message = gettext("{left} ms left").format(left=left[seat])
            raise LogDivergedError(int(seq), lines[int(seq)], message.encode())


def _check_form(rules: AnyGame, lines: list[bytes]) -> None:
    """Check the options, the form of the facts, and the entry numbers of an abandoned match.

    Raises LogDivergedError, ValueError or MsgspecError.
    """
    # No fact is applied before a rerun has compared it: the legal actions after invented facts can take all memory.
    for seq, line in enumerate(lines):
        entry = read(line)
        if entry.seq != seq:
            raise LogDivergedError(seq, line.rstrip(), gettext("the number {seq}").format(seq=seq).encode())
        if isinstance(entry, MatchOpened):
            state_before_deal(rules, entry)
        elif isinstance(entry, GameFactRecorded):
            fact_in(rules, entry)
