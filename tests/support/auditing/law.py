"""Verdicts on a changed stream: refused, listed, the same league, or invisible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from ftk_core.kit.verify_league import Report
from ftk_core.league.facts import LeagueFact
from ftk_core.league.folding import fold
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.standings import standings
from ftk_core.league.state import LeagueState
from tests.support.auditing.exports import UNMAKEABLE, Logs, is_signature, logs_of, report_on, sign_again, sign_words
from tests.support.auditing.leagues import Busy
from tests.support.auditing.mutating import ORDER, Mutation, of_fields, of_order

REFUSED, LISTED, SAME, SILENT = "refused", "listed", "the same league", "silent"


def mutations_of(facts: Sequence[LeagueFact], draw: Random) -> Iterator[Mutation]:
    """Yield each way to change one fact of a stream."""
    for at in range(len(facts)):
        yield from of_fields(facts, at, draw)
        yield from of_order(facts, at, draw)


class Law:
    """An honest league, and what a rigging organiser would make of it."""

    def __init__(self, run: Busy) -> None:
        self.facts, self.league = sign_again(run.facts), run.league
        self.logs: Logs = logs_of(self.facts, run.secret)
        self.honest: Report = report_on(self.facts, self.logs)

    def outcome(self, mutation: Mutation) -> str:
        """Return what becomes of a changed stream that is chained and signed anew."""
        try:
            facts = self._signed(mutation)
        except UNMAKEABLE:
            return REFUSED  # it does not fold, so that nobody can sign it
        report = report_on(facts, self.logs)
        if report.flaws:
            return REFUSED
        if _lines(report) - _lines(self.honest):
            return LISTED
        return SAME if mutation.what in ORDER and _outcome(fold(facts)) == _outcome(self.league) else SILENT

    def _signed(self, mutation: Mutation) -> Sequence[LeagueFact]:
        """Return the stream signed anew; a signature that was changed itself is made for what it says."""
        facts, at = mutation.facts, mutation.at
        if mutation.what in ORDER or not is_signature(self.facts[at]):
            return sign_again(facts)
        changed = facts[at]
        if mutation.what not in ("key", "signature") and isinstance(changed, RoundSigned | LeagueSigned):
            changed = sign_words(self.league, changed)
        return [*facts[:at], changed, *facts[at + 1 :]]


def _lines(report: Report) -> Counter[str]:
    """Return the notes and the lines on single acts, without those that count them."""
    return Counter([*report.notes, *(line for line in report.acts if line.startswith(" "))])


def _outcome(league: LeagueState) -> object:
    """Return what a league came to, in whatever order it was told."""
    results = sorted(league.results, key=lambda result: (result.round, result.table, result.game))
    return league.rounds, results, standings(league), league.entrants
