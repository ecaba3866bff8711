"""File with the results of a match series, from which an interrupted series can resume."""
# JSON Lines: first a heading, which describes the series, then each match in order.

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from gettext import gettext as _
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from ftk_core.games import build_of
from ftk_core.kit.built_in_bots import locate_bot
from ftk_core.kit.match_series.file_locks import lock_file
from ftk_core.kit.match_series.local_matches import MatchSeries, PlayedMatch
from ftk_core.kit.uploads.upload_packing import files_in

RECORD_SCHEMA = "ftk.record/1"


class MatchSeriesResultConflict(Exception):
    """Raised if a match series cannot resume from a file."""


class MatchSeriesResultHeader(msgspec.Struct, frozen=True, kw_only=True):
    """First line of a result file, which describes the match series."""

    # A series resumes only if it has the same heading.

    schema: str = RECORD_SCHEMA
    command: str
    series: MatchSeries
    build: str
    """The core's version and the digest of the game's code."""
    digests: tuple[str, ...]
    """SHA-256 over the files of each bot, so that a changed bot is noticed."""
    terms: Mapping[str, str | int | float | bool]
    """Name -> value of further parameters of the command that determine its matches and its result."""


class _RecordedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """Line of a result file with the result of one match."""

    seating: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    faults: tuple[int, ...]
    logged: int
    """Length of the log file in bytes after this match."""


def open_record(
    command: str, series: MatchSeries, path: Path | None, log: Path | None, **terms: str | float
) -> MatchSeriesResultStore:
    """Open the result file of a match series, or keep the results in memory if `path` is None.

    Raises MatchSeriesResultConflict if the series cannot resume from the file, BotNotFound, InvalidUploadError,
    OSError.
    """
    if path is None:
        return MatchSeriesResultStore(None, None, log)
    written_files = {file.resolve() for file in (path, log) if file}
    digests = tuple(_digest(locate_bot(series.game, bot), written_files) for bot in series.bots)
    return MatchSeriesResultStore(
        MatchSeriesResultHeader(
            command=command, series=series, build=build_of(series.game), digests=digests, terms=terms
        ),
        path,
        log,
    )


def _digest(bot: Path, written_files: Collection[Path]) -> str:
    """Return a digest of a bot's files, except `written_files`."""
    # The series writes results and logs to these files, which may be in the bot's folder.
    total = sha256()
    for file in files_in(bot) if bot.is_dir() else [bot]:
        if file.resolve() in written_files:
            continue
        content = file.read_bytes()
        total.update(f"{file.relative_to(bot)}\0{len(content)}\0".encode() + content)
    return total.hexdigest()


class MatchSeriesResultStore:
    """Played matches of a series, in memory and optionally in files; use it in a ``with`` block."""

    def __init__(self, heading: MatchSeriesResultHeader | None, path: Path | None, log: Path | None) -> None:
        """Open the files for results and logs, and remove an incomplete match from the end of each."""
        # If there are no results, an existing log is overwritten.
        self.matches: list[PlayedMatch] = []
        """Results of all matches so far, without their logs."""
        self._logged, self._file, self._log = 0, None, None
        self._lacks_log = False
        if path and log and path.resolve() == log.resolve():
            raise MatchSeriesResultConflict(_("--log and --resume must name two files, not {path}").format(path=path))
        with ExitStack() as stack:
            if path and heading:
                self._file = stack.enter_context(_open_file(path))
                _lock(self._file)
                self._read(self._file, heading)
            if log:
                self._log = stack.enter_context(_open_file(log) if self.matches else log.open("wb"))
                self._cut(self._log)
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        self._stack.close()

    def record_matches(self, played: Iterable[PlayedMatch]) -> Iterator[PlayedMatch]:
        """Yield the recorded matches, then each new match after it is written."""
        yield from tuple(self.matches)
        for match in played:
            self._keep(match)
            yield self.matches[-1]

    def _keep(self, match: PlayedMatch) -> None:
        if self._log:  # the log is written first: it may be longer than the record says, but not shorter
            self._log.write(match.log)
            self._log.flush()
            self._logged += len(match.log)
        if self._file:
            self._file.write(_line(_RecordedMatch(**_facts_of(match), logged=self._logged)))
            self._file.flush()
        self.matches.append(msgspec.structs.replace(match, log=b""))

    def _read(self, file: BinaryIO, heading: MatchSeriesResultHeader) -> None:
        first = file.readline()
        if not first.endswith(b"\n") and not first.strip(b"\0"):
            file.seek(0)
            file.truncate()  # a crash may leave NUL bytes
            file.write(_line(heading))
            file.flush()
            return
        _check_heading(first, heading, file.name)
        complete_bytes = len(first)
        for line in file:
            if not line.endswith(b"\n"):  # the line was cut off by a crash
                break
            recorded = _decode(line, file.name)
            self.matches.append(PlayedMatch(**_facts_of(recorded), log=b""))
            self._lacks_log |= recorded.logged <= self._logged  # this match was played without --log
            self._logged, complete_bytes = recorded.logged, complete_bytes + len(line)
        file.seek(complete_bytes)
        file.truncate()

    def _cut(self, log: BinaryIO) -> None:
        """Cut the log off after the last match with a recorded result."""
        if not self.matches:
            return
        if self._lacks_log or log.seek(0, os.SEEK_END) < self._logged:
            raise MatchSeriesResultConflict(
                _("{name} lacks matches that the record has: leave --log out, or begin a new record").format(
                    name=log.name
                )
            )
        log.seek(self._logged)
        log.truncate()


def _lock(file: BinaryIO) -> None:
    """Lock a record file against other writers until it is closed; raises MatchSeriesResultConflict if it is locked."""
    try:
        lock_file(file)
    except BlockingIOError as error:
        raise MatchSeriesResultConflict(
            _("{name} is being written by another ftk: wait for it, or name another file").format(name=file.name)
        ) from error


def _open_file(path: Path) -> BinaryIO:
    return open(path, "r+b", opener=lambda name, flags: os.open(name, flags | os.O_CREAT, 0o666))


def _line(value: MatchSeriesResultHeader | _RecordedMatch) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _facts_of(match: PlayedMatch | _RecordedMatch) -> dict[str, tuple[int, ...]]:
    return {name: getattr(match, name) for name in ("seating", "places", "scores", "faults")}


def _decode(line: bytes, name: str) -> _RecordedMatch:
    try:
        return msgspec.json.decode(line, type=_RecordedMatch)
    except (msgspec.DecodeError, ValueError) as error:
        raise MatchSeriesResultConflict(
            _("{name} is not a record of a series ({error}): name another file").format(name=name, error=error)
        ) from error


def _check_heading(first: bytes, heading: MatchSeriesResultHeader, name: str) -> None:
    """Raise MatchSeriesResultConflict if a file belongs to another match series."""
    try:
        actual = msgspec.json.decode(first)
        assert isinstance(actual, dict)
    except (msgspec.DecodeError, AssertionError) as error:
        raise MatchSeriesResultConflict(
            _("{name} is not a record of a series: name another file").format(name=name)
        ) from error
    expected = msgspec.to_builtins(heading)
    differ = [
        field for field in expected if actual.get(field) != msgspec.json.decode(msgspec.json.encode(expected[field]))
    ]
    if differ:
        raise MatchSeriesResultConflict(
            _("{name} is the record of another series ({differ} differ): name another file").format(
                name=name, differ=", ".join(differ)
            )
        )
