"""The record of a series: what was played of it stands in a file, so that it is not played again.

One JSON value a line: first the heading, which says what the series is, then each match, in the order of the series.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from ftk_core.games import build_of
from ftk_core.kit.arena import PlayedMatch, Series
from ftk_core.kit.house import locate
from ftk_core.kit.packing import files_in

RECORD = "ftk.record/1"


class NotThisSeries(Exception):
    """Raised for a file that is the record of something else; the message says what differs and what to do."""


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """What a record is of: a series goes on only where all of it is the same."""

    schema: str = RECORD
    command: str
    series: Series
    build: str
    """The core's version and the digest of the game's code."""
    digests: tuple[str, ...]
    """SHA-256 over the files of each bot, so that a bot that was changed in between is noticed."""
    terms: Mapping[str, str | int | float | bool]
    """What else makes out the command's matches and what is to be concluded from them."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A match, as a line."""

    seating: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    faults: tuple[int, ...]
    logged: int
    """How many bytes the log has behind this match."""


def keep(command: str, series: Series, path: Path | None, log: Path | None, **terms: str | float) -> Record:
    """Return the record of a series, which goes on where the one in the file ends; without paths nothing is kept.

    Raises NotThisSeries where the file is of something else, NoSuchBot, BadUpload, OSError.
    """
    if path is None:
        return Record(None, None, log)
    digests = tuple(_digest(locate(series.game, bot)) for bot in series.bots)
    return Record(
        Heading(command=command, series=series, build=build_of(series.game), digests=digests, terms=terms), path, log
    )


def _digest(bot: Path) -> str:
    total = sha256()
    for file in files_in(bot) if bot.is_dir() else [bot]:
        content = file.read_bytes()
        total.update(f"{file.relative_to(bot)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


class Record:
    """What has been played of a series, in memory and, where there are paths, in files; use it in a ``with`` block."""

    def __init__(self, heading: Heading | None, path: Path | None, log: Path | None) -> None:
        """Begin the record, or read what it holds and cut off what is behind its last whole line."""
        self.matches: list[PlayedMatch] = []
        """Without their logs."""
        self._logged, self._file, self._log = 0, None, None
        with ExitStack() as stack:
            if path and heading:
                self._file = stack.enter_context(_opened(path))
                _hold(self._file)
                self._read(self._file, heading)
            if log:
                self._log = stack.enter_context(_opened(log) if self.matches else log.open("wb"))
                self._cut(self._log)
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._stack.close()

    def keeping(self, played: Iterable[PlayedMatch]) -> Iterator[PlayedMatch]:
        """Yield all matches of the series: those of the record, then each that is played, once it is kept."""
        yield from tuple(self.matches)
        for match in played:
            self._keep(match)
            yield self.matches[-1]

    def _keep(self, match: PlayedMatch) -> None:
        if self._log:  # first: a log may be longer than its record says, but never shorter
            self._log.write(match.log)
            self._log.flush()
            self._logged += len(match.log)
        if self._file:
            self._file.write(_line(_Kept(**_facts_of(match), logged=self._logged)))
            self._file.flush()
        self.matches.append(msgspec.structs.replace(match, log=b""))

    def _read(self, file: BinaryIO, heading: Heading) -> None:
        first = file.readline()
        if not first.endswith(b"\n") and not first.strip(b"\0"):
            file.write(_line(heading))
            file.flush()
            return
        _check(first, heading, file.name)
        whole = len(first)
        for line in file:
            if not line.endswith(b"\n"):  # it was cut off while it was written
                break
            kept = _decoded(line, file.name)
            self.matches.append(PlayedMatch(**_facts_of(kept), log=b""))
            self._logged, whole = kept.logged, whole + len(line)
        file.seek(whole)
        file.truncate()

    def _cut(self, log: BinaryIO) -> None:
        """Take away what the log has behind the record's last match: that one is played again."""
        if not self.matches:
            return
        if not self._logged or log.seek(0, os.SEEK_END) < self._logged:
            raise NotThisSeries(f"{log.name} lacks matches that the record has: leave --log out, or begin a new record")
        log.seek(self._logged)
        log.truncate()


def _hold(file: BinaryIO) -> None:
    """Keep everybody else from writing the file until it is closed."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise NotThisSeries(
            f"{file.name} is being written by another ftk: wait for it, or name another file"
        ) from error


def _opened(path: Path) -> BinaryIO:
    return open(path, "r+b", opener=lambda name, flags: os.open(name, flags | os.O_CREAT, 0o666))


def _line(value: Heading | _Kept) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _facts_of(match: PlayedMatch | _Kept) -> dict[str, tuple[int, ...]]:
    return {name: getattr(match, name) for name in ("seating", "places", "scores", "faults")}


def _decoded(line: bytes, name: str) -> _Kept:
    try:
        return msgspec.json.decode(line, type=_Kept)
    except (msgspec.DecodeError, ValueError) as error:
        raise NotThisSeries(f"{name} is no record of a series ({error}): name another file") from error


def _check(first: bytes, heading: Heading, name: str) -> None:
    """Raise NotThisSeries where the file has another heading, naming what differs."""
    try:
        found = msgspec.json.decode(first)
        assert isinstance(found, dict)
    except (msgspec.DecodeError, AssertionError) as error:
        raise NotThisSeries(f"{name} is no record of a series: name another file") from error
    wanted = msgspec.to_builtins(heading)
    differ = [field for field in wanted if found.get(field) != msgspec.json.decode(msgspec.json.encode(wanted[field]))]
    if differ:
        raise NotThisSeries(f"{name} is the record of another series ({', '.join(differ)} differ): name another file")
