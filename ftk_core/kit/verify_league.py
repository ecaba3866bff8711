"""Verification of an exported league without a server: every file, and that none is missing or added."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from ftk_core.archive import BadArchive, File, unpack
from ftk_core.difference import first_difference
from ftk_core.kit.differences import differences
from ftk_core.kit.keys import NoCryptography, public_pem
from ftk_core.kit.verify import Unsound, Verdict, verify_lines
from ftk_core.kit.verify_stream import LeagueStream
from ftk_core.league import export
from ftk_core.league.own_court import NoNumbers
from ftk_core.league.roots import matches_of, root_over, round_of

_OPENING = b'{"kind":"league_opened"'


class Flaw(msgspec.Struct, frozen=True):
    """One error in an export."""

    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


class Report(msgspec.Struct, frozen=True):
    """Result of a verification; the export is sound if it has no flaws."""

    flaws: tuple[Flaw, ...]
    notes: tuple[str, ...]
    """Remarks that are not flaws."""
    summary: str
    """Description of the league in one line; empty if the stream cannot be read."""
    acts: tuple[str, ...] = ()
    """Lines about acts, of people and of the league's terms, that can affect results."""


def is_league(path: Path) -> bool:
    """Return True if a path looks like a league's export and not like a match's log; raises OSError."""
    if path.is_dir() or path.suffix == ".tar":
        return True
    with path.open("rb") as file:
        return file.read(len(_OPENING)) == _OPENING


def verify_export(path: Path, key: bytes | None = None) -> Report:
    """Verify a folder, a tar, or a league's stream alone; raises OSError.

    If `key` (a PEM) is given, all signatures must be by it.
    """
    check = LeagueCheck(key)
    if path.is_file() and path.suffix != ".tar":
        check.take(export.STREAM, path.read_bytes())
        check.note("this is the league's stream alone: its matches and standings were NOT checked")
        return check.report(whole=False)
    try:
        for name, body in _folder(path) if path.is_dir() else _archive(path):
            check.take(name, body)
    except BadArchive as error:
        check.flaw(error.file, error.what)
        return check.report(whole=False)
    return check.report()


def _archive(path: Path) -> Iterator[File]:
    with path.open("rb") as source:
        yield from unpack(source)


def _folder(path: Path) -> Iterator[File]:
    found = [file.relative_to(path).as_posix() for file in path.rglob("*") if not file.is_dir()]
    order = {name: number for number, name in enumerate(export.SMALL)}
    for name in sorted(found, key=lambda name: (order.get(name, len(order)), name)):
        yield name, (path / name).read_bytes()


class LeagueCheck:
    """A verifier that takes the files of an export one by one, in order, and then reports."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key
        self._flaws: list[Flaw] = []
        self._notes: list[str] = []
        self._names: dict[str, None] = {}
        self._small: dict[str, bytes] = {}
        self._heads: dict[str, str] = {}
        self._stream: LeagueStream | None = None
        self._expected: dict[str, None] = {}
        self._other_builds = 0

    def flaw(self, file: str, what: str) -> None:
        """Record a flaw."""
        self._flaws.append(Flaw(file, what))

    def note(self, what: str) -> None:
        """Record a remark that is not a flaw."""
        self._notes.append(what)

    def take(self, name: str, body: bytes) -> None:
        """Check the next file by itself."""
        if name in self._names:
            self.flaw(name, "is there twice")
            return
        self._names[name] = None
        if name in export.SMALL:
            self._small[name] = body
            if name == export.STREAM:
                self._read_stream(body)
        elif self._stream is not None and name not in self._expected:
            self.flaw(name, f"does not belong here: {export.STREAM} does not name it")
        else:
            self._take_match(name, body)

    def _read_stream(self, body: bytes) -> None:
        try:
            self._stream = LeagueStream(body)
            self._expected = dict.fromkeys(export.names(self._stream.league))
        except Unsound as error:
            self.flaw(export.STREAM, str(error))

    def _take_match(self, name: str, body: bytes) -> None:
        try:
            verdict = verify_lines(body.splitlines(keepends=True))
        except Unsound as error:
            self.flaw(name, str(error))
            return
        self.take_verdict(name, verdict)

    def take_verdict(self, name: str, verdict: Verdict) -> None:
        """Compare a valid log with the league's stream."""
        match_id = Path(name).stem
        self._names.setdefault(name)
        self._heads[match_id] = verdict.head
        self._other_builds += not verdict.same_build
        if self._stream is not None:
            for what in differences(self._stream, match_id, verdict):
                self.flaw(name, what)

    def report(self, *, whole: bool = True) -> Report:
        """Return the report; `whole` is False if not all files could be read."""
        stream = self._stream
        if stream is None:
            if whole and export.STREAM not in self._names:
                self.flaw(export.STREAM, "is missing")
            return Report(tuple(self._flaws), (), "")
        for what in stream.flaws():
            self.flaw(export.STREAM, what)
        for what in stream.notes():
            self.note(what)
        self._check_keys(stream)
        if whole:
            self._check_names()
            self._check_small(stream)
        if self._other_builds:
            self.note(f"{self._other_builds} matches were played by another build of the game, with the same outcome")
        header = stream.league.header
        counts = f"{len(stream.league.entrants)} bots, {stream.league.closed_rounds} rounds, {len(self._heads)} matches"
        summary = f"{header.slug}, a league of {header.game}: {counts}"
        return Report(tuple(self._flaws), tuple(self._notes), summary, tuple(stream.acts()))

    def _check_keys(self, stream: LeagueStream) -> None:
        """Check the signatures and that they are by the given key."""
        try:
            for what in stream.forged():
                self.flaw(export.STREAM, what)
        except NoCryptography as error:
            self.note(str(error))
        keys = list(dict.fromkeys(fact.key for _, fact in stream.signatures))
        for key in keys[1:]:
            self.note(f"the key changed: the stream was first signed by {keys[0]}, later by {key}")
        for seq, fact in stream.signatures:
            if self._key is not None and _pem(fact.key).strip() != self._key.strip():
                self.flaw(export.STREAM, f"entry {seq} is signed by key {fact.key}, not by the one given")

    def _check_names(self) -> None:
        """Check that the files are exactly those that the stream names, in order."""
        for name in self._expected:
            if name not in self._names:
                self.flaw(name, f"is missing; {export.STREAM} names it")
        known = [name for name in self._names if name in self._expected]
        for name, other in zip(known, (name for name in self._expected if name in known), strict=True):
            if name != other:
                self.flaw(name, f"stands where {other} belongs")
                break

    def _check_small(self, stream: LeagueStream) -> None:
        """Check byte for byte the files that are derived from the others."""
        league = stream.league
        self._compare(export.README, export.README_TEXT)
        if stream.signatures:
            self._compare(export.KEY, _pem(stream.signatures[-1][1].key))
        try:
            self._compare(export.RESULTS, export.results_file(league))
        except NoNumbers as error:
            self.note(f"{export.RESULTS} was NOT checked, since its standings need court ratings: {error}")
        except (LookupError, ValueError, ArithmeticError) as error:
            self.flaw(export.STREAM, f"its results make no standings: {error!r}")
        if set(self._heads) == set(stream.results):
            self._check_roots(stream)
            self._compare(export.ROOTS, export.roots_file(league, self._heads))

    def _check_roots(self, stream: LeagueStream) -> None:
        for seq, fact in stream.signatures:
            heads = {match_id: self._heads[match_id] for match_id in matches_of(stream.league, round_of(fact))}
            found, signed = (len(heads), root_over(heads)), (fact.matches, fact.root)
            if found != signed:
                self.flaw(
                    export.STREAM, f"entry {seq} signs root {signed[1]} over {signed[0]} matches, they have {found[1]}"
                )

    def _compare(self, name: str, expected: bytes) -> None:
        found = self._small.get(name)
        if found is not None and found != expected:
            self.flaw(name, first_difference(found, expected))


def _pem(key: str) -> bytes:
    try:
        return public_pem(key)
    except ValueError:
        return b""
