"""The record of a series: a file of its played matches, so that an interrupted series can resume.

The format is JSON Lines: first the heading, which describes the series, then each match in order.
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
    """Raised for a record of a different series; the message names the differences and the remedy."""


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """First line of a record; a series resumes only if all of it is the same."""

    schema: str = RECORD
    command: str
    series: Series
    build: str
    """The core's version and the digest of the game's code."""
    digests: tuple[str, ...]
    """SHA-256 over the files of each bot, so that a changed bot is noticed."""
    terms: Mapping[str, str | int | float | bool]
    """Further parameters that determine the command's matches and its conclusion."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A match as a line of the record."""

    seating: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    faults: tuple[int, ...]
    logged: int
    """Length of the log in bytes after this match."""


def keep(command: str, series: Series, path: Path | None, log: Path | None, **terms: str | float) -> Record:
    """Open the record of a series, which resumes after the matches in the file; without `path`, no record is written.

    Raises NotThisSeries if the file belongs to another series, NoSuchBot, BadUpload, OSError.
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
    """Played matches of a series, in memory and optionally in files; use it in a ``with`` block."""

    def __init__(self, heading: Heading | None, path: Path | None, log: Path | None) -> None:
        """Create the files, or read them and truncate them after the last complete match."""
        self.matches: list[PlayedMatch] = []
        """The matches without their logs."""
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
        """Yield all matches of the series: first the recorded ones, then each new one after it is written."""
        yield from tuple(self.matches)
        for match in played:
            self._keep(match)
            yield self.matches[-1]

    def _keep(self, match: PlayedMatch) -> None:
        if self._log:  # log first: it may be longer than the record says, but never shorter
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
            if not line.endswith(b"\n"):  # the line was cut off by a crash
                break
            kept = _decoded(line, file.name)
            self.matches.append(PlayedMatch(**_facts_of(kept), log=b""))
            self._logged, whole = kept.logged, whole + len(line)
        file.seek(whole)
        file.truncate()

    def _cut(self, log: BinaryIO) -> None:
        """Truncate the log after the record's last match; a later match is played again."""
        if not self.matches:
            return
        if not self._logged or log.seek(0, os.SEEK_END) < self._logged:
            raise NotThisSeries(f"{log.name} lacks matches that the record has: leave --log out, or begin a new record")
        log.seek(self._logged)
        log.truncate()


def _hold(file: BinaryIO) -> None:
    """Lock the file against other writers until it is closed."""
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
    """Raise NotThisSeries if the file has another heading, naming the differences."""
    try:
        found = msgspec.json.decode(first)
        assert isinstance(found, dict)
    except (msgspec.DecodeError, AssertionError) as error:
        raise NotThisSeries(f"{name} is no record of a series: name another file") from error
    wanted = msgspec.to_builtins(heading)
    differ = [field for field in wanted if found.get(field) != msgspec.json.decode(msgspec.json.encode(wanted[field]))]
    if differ:
        raise NotThisSeries(f"{name} is the record of another series ({', '.join(differ)} differ): name another file")
