"""Verification of an exported league without a server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from gettext import gettext as _
from pathlib import Path

import msgspec

from ftk_core.file_content_difference import describe_first_difference
from ftk_core.kit.verify.league_event_stream_verification import VerifiedLeagueEventStream
from ftk_core.kit.verify.match_log_verification import InvalidLogError, VerifiedMatchLog, verify_lines
from ftk_core.kit.verify.match_to_league_comparison import compare_with_stream
from ftk_core.kit.verify.public_keys import CryptographyPackageMissing, try_public_pem
from ftk_core.league.event_audit import COMMAND_ERRORS
from ftk_core.league.publication import league_export
from ftk_core.league.publication.signed_merkle_roots import matches_of, root_over, round_of
from ftk_core.league.statistics.stage_court_rating import NumpyMissingError
from ftk_core.tar_files import File, InvalidArchiveError, unpack

_OPENING = b'{"kind":"league_opened"'


class LeagueExportFlaw(msgspec.Struct, frozen=True):
    """One error in an exported league."""

    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


class ExportVerificationReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of verifying an exported league. The export is valid if `flaws` and `skipped` are empty."""

    flaws: tuple[LeagueExportFlaw, ...]
    notes: tuple[str, ...]
    """Remarks that are not flaws."""
    summary: str
    """Description of the league in one line; empty if the league's event stream cannot be read."""
    acts: tuple[str, ...] = ()
    """Lines about interventions in the league that can affect results, such as overruled results."""
    skipped: tuple[str, ...] = ()
    """Checks that could not be made: without them nobody knows whether the export is valid."""


def is_league(path: Path) -> bool:
    """Return True if a path looks like a league's export. Raises OSError."""
    if path.is_dir() or path.suffix == ".tar":
        return True
    with path.open("rb") as file:
        return file.read(len(_OPENING)) == _OPENING


def verify_export(path: Path, key: bytes | None = None, *, thorough: bool = False) -> ExportVerificationReport:
    """Verify an exported league and return a report; `thorough` reruns matches in C++ and Python. Raises OSError.

    `path` is a folder, a .tar file, or the league's log. If given, the public `key` (PEM) must match all signatures.
    """
    check = LeagueExportVerifier(key, thorough=thorough)
    if path.is_file() and path.suffix != ".tar":
        check.take(league_export.STREAM, path.read_bytes())
        check.skipped.append(_("this is the league's stream alone: its matches and standings were NOT checked"))
        return check.report(is_complete=False)
    try:
        for name, body in _folder(path) if path.is_dir() else _archive(path):
            check.take(name, body)
    except InvalidArchiveError as error:
        check.flaw(error.file, error.what)
        return check.report(is_complete=False)
    return check.report()


def _archive(path: Path) -> Iterator[File]:
    with path.open("rb") as source:
        yield from unpack(source)


def _folder(path: Path) -> Iterator[File]:
    names = [file.relative_to(path).as_posix() for file in path.rglob("*") if not file.is_dir()]
    order = {name: number for number, name in enumerate(league_export.DERIVED_FILES)}
    for name in sorted(names, key=lambda name: (order.get(name, len(order)), name)):
        yield name, (path / name).read_bytes()


class LeagueExportVerifier:
    """Verifier of an exported league, which gets the files one by one."""

    def __init__(self, key: bytes | None = None, *, thorough: bool = False) -> None:
        self._key, self._thorough = key, thorough
        self._flaws: list[LeagueExportFlaw] = []
        self._notes, self.skipped = list[str](), list[str]()
        self._names: dict[str, None] = {}
        self._derived_files: dict[str, bytes] = {}
        self._heads: dict[str, str] = {}
        self._stream: VerifiedLeagueEventStream | None = None
        self._expected: dict[str, str] = {}
        """Path of each file that the event stream names -> id of the match whose log it is; empty for other files."""
        self._other_builds = 0
        self._old_rules = Counter[int]()

    def flaw(self, file: str, text: str) -> None:
        """Record a flaw in a file."""
        self._flaws.append(LeagueExportFlaw(file, text))

    def take(self, name: str, body: bytes) -> None:
        """Check the next file against the files read so far."""
        if name in self._names:
            self.flaw(name, _("is there twice"))
            return
        self._names[name] = None
        if name in league_export.DERIVED_FILES:
            self._derived_files[name] = body
            if name == league_export.STREAM:
                self._read_stream(body)
        elif self._stream is not None and name not in self._expected:
            self.flaw(name, _("does not belong here: {stream} does not name it").format(stream=league_export.STREAM))
        else:
            self._take_match(name, body)

    def _read_stream(self, body: bytes) -> None:
        try:
            self._stream = VerifiedLeagueEventStream(body)
            self._expected = dict.fromkeys(league_export.DERIVED_FILES, "")
            matches = matches_of(self._stream.league, None)
            self._expected |= {league_export.match_file_name(match): match for match in matches}
        except InvalidLogError as error:
            self.flaw(league_export.STREAM, str(error))

    def _take_match(self, name: str, body: bytes) -> None:
        try:
            verdict = verify_lines(body.splitlines(keepends=True), thorough=self._thorough)
        except InvalidLogError as error:
            self.flaw(name, str(error))
            return
        self.check_match_log(name, verdict)

    def check_match_log(self, name: str, verdict: VerifiedMatchLog) -> None:
        """Compare a match's verified log with the league's log, and record differences as flaws."""
        match_id = self._expected.get(name, name)
        self._names.setdefault(name)
        self._heads[match_id] = verdict.head
        self._other_builds += not verdict.same_build
        self._old_rules[verdict.version] += 1
        if self._stream is not None:
            for difference in compare_with_stream(self._stream, match_id, verdict):
                self.flaw(name, difference)

    def report(self, *, is_complete: bool = True) -> ExportVerificationReport:
        """Finish the checks and return the report. With `is_complete`, a missing file is a flaw."""
        stream = self._stream
        if stream is None:
            if is_complete and league_export.STREAM not in self._names:
                self.flaw(league_export.STREAM, _("is missing"))
            return ExportVerificationReport(flaws=tuple(self._flaws), notes=(), summary="")
        acts = tuple[str, ...]()
        try:
            for text in stream.flaws():
                self.flaw(league_export.STREAM, text)
            self.skipped += stream.skipped_checks()
            self._notes += stream.notes()
            acts = tuple(stream.acts())
            self._check_keys(stream)
            if is_complete:
                self._check_names()
                self._check_derived_files(stream)
        except COMMAND_ERRORS as error:  # of forged facts
            self.flaw(league_export.STREAM, _("nothing more can be checked: {error}").format(error=repr(error)))
        if self._other_builds:
            message = _("{other_builds} matches were played by another build of the game, with the same outcome")
            self._notes.append(message.format(other_builds=self._other_builds))
        for version in self._old_rules.keys() - {0}:
            message = _("{matches} matches were played by the old version {version} of the game's rules")
            self._notes.append(message.format(matches=self._old_rules[version], version=version))
        header = stream.league.header
        counts = _("{entrants} bots, {closed_rounds} rounds, {heads} matches").format(
            entrants=len(stream.league.entrants), closed_rounds=stream.league.closed_rounds, heads=len(self._heads)
        )
        summary = _("{slug}, a league of {game}: {counts}").format(slug=header.slug, game=header.game, counts=counts)
        flaws, notes, skipped = tuple(self._flaws), tuple(self._notes), tuple(self.skipped)
        return ExportVerificationReport(flaws=flaws, notes=notes, summary=summary, acts=acts, skipped=skipped)

    def _check_keys(self, stream: VerifiedLeagueEventStream) -> None:
        """Check all signatures. If the user gave a public key, it must match all of them."""
        try:
            for forgery in stream.signature_flaws():
                self.flaw(league_export.STREAM, forgery)
        except CryptographyPackageMissing as error:
            self.skipped.append(str(error))
        keys = list(dict.fromkeys(fact.key for _seq, fact in stream.signatures))
        for key in keys[1:]:
            message = _("the key changed: the stream was first signed by {keys}, later by {key}")
            self._notes.append(message.format(keys=keys[0], key=key))
        for seq, fact in stream.signatures:
            # a key file may have other line ends
            if self._key is not None and try_public_pem(fact.key).split() != self._key.split():
                self.flaw(
                    league_export.STREAM,
                    _("entry {seq} is signed by key {key}, not by the one given").format(seq=seq, key=fact.key),
                )

    def _check_names(self) -> None:
        """Check that the export has all files that the league's log names, in the order of the log."""
        for name in self._expected:
            if name not in self._names:
                self.flaw(name, _("is missing; {stream} names it").format(stream=league_export.STREAM))
        found = (name for name in self._names if name in self._expected)
        for name, other in zip(found, (name for name in self._expected if name in self._names), strict=True):
            if name != other:
                self.flaw(name, _("is in the place of {other}").format(other=other))
                break

    def _check_derived_files(self, stream: VerifiedLeagueEventStream) -> None:
        """Compare the exported derived files, such as the results, with files that are built again from the logs."""
        league = stream.league
        self._compare(league_export.README, league_export.README_TEXT)
        if stream.signatures:
            self._compare(league_export.KEY, try_public_pem(stream.signatures[-1][1].key))
        try:
            self._compare(league_export.RESULTS, league_export.build_results_file(league))
        except NumpyMissingError as error:
            message = _("{results} was NOT checked, since its standings need court ratings: {error}")
            self.skipped.append(message.format(results=league_export.RESULTS, error=error))
        except COMMAND_ERRORS as error:
            self.flaw(league_export.STREAM, _("its results make no standings: {error}").format(error=repr(error)))
        if set(self._heads) == set(stream.results):
            self._check_roots(stream)
            self._compare(league_export.ROOTS, league_export.build_roots_file(league, self._heads))
        elif not self._flaws:
            self.flaw(league_export.STREAM, _("its results are not those of the logs, so no signed root was checked"))

    def _check_roots(self, stream: VerifiedLeagueEventStream) -> None:
        for seq, fact in stream.signatures:
            heads = {match_id: self._heads[match_id] for match_id in matches_of(stream.league, round_of(fact))}
            actual, claimed = (len(heads), root_over(heads)), (fact.matches, fact.root)
            if actual != claimed:
                self.flaw(
                    league_export.STREAM,
                    _("entry {seq} signs root {root} over {count} matches, they have {actual_root}").format(
                        seq=seq, root=claimed[1], count=claimed[0], actual_root=actual[1]
                    ),
                )

    def _compare(self, name: str, expected: bytes) -> None:
        actual = self._derived_files.get(name)
        if actual is not None and actual != expected:
            self.flaw(name, describe_first_difference(actual, expected))
