"""The effect of a changed fact in a league's stream on the verification of the league's export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from ftk_core.kit.verify.league_export_verification import ExportVerificationReport
from ftk_core.league.league_facts import LeagueFact
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from ftk_core.league.standings import standings
from tests.support.auditing.exports import UNMAKEABLE, Logs, is_signature, logs_of, report_on, sign_again, sign_words
from tests.support.auditing.leagues import BusyLeague
from tests.support.auditing.mutating import ORDER, Mutation, mutate_fields, mutate_order

REFUSED, LISTED, SAME, SILENT = "refused", "listed", "the same league", "silent"
"""Effects of a change: the verification fails; the report lists it; the league stays the same; it is not noticed."""


def list_mutations(facts: Sequence[LeagueFact], draw: Random) -> Iterator[Mutation]:
    """Yield each way to change one fact of a stream."""
    for at in range(len(facts)):
        yield from mutate_fields(facts, at, draw)
        yield from mutate_order(facts, at, draw)


class MutationCheck:
    """An honest league to which changes are made that a cheating organiser could make."""

    def __init__(self, run: BusyLeague) -> None:
        self.facts, self.league = sign_again(run.facts), run.league
        self.logs: Logs = logs_of(self.facts, run.secret)
        self.honest: ExportVerificationReport = report_on(self.facts, self.logs)

    def outcome(self, mutation: Mutation) -> str:
        """Return the effect of a change (such as `REFUSED`) after the changed stream was chained and signed again."""
        try:
            facts = self._signed(mutation)
        except UNMAKEABLE:
            return REFUSED  # it cannot be folded, so that nobody can sign it
        report = report_on(facts, self.logs)
        if report.flaws:
            return REFUSED
        if _lines(report) - _lines(self.honest):
            return LISTED
        return SAME if mutation.what in ORDER and _outcome(fold_facts(facts)) == _outcome(self.league) else SILENT

    def _signed(self, mutation: Mutation) -> Sequence[LeagueFact]:
        """Return the changed stream signed again; a changed signature is made for its own contents."""
        facts, at = mutation.facts, mutation.at
        if mutation.what in ORDER or not is_signature(self.facts[at]):
            return sign_again(facts)
        changed = facts[at]
        if mutation.what not in ("key", "signature") and isinstance(changed, RoundSigned | LeagueSigned):
            changed = sign_words(self.league, changed)
        return [*facts[:at], changed, *facts[at + 1 :]]


def _lines(report: ExportVerificationReport) -> Counter[str]:
    """Return the report's notes and its lines on single acts, without counts of acts."""
    return Counter([*report.notes, *(line for line in report.acts if line.startswith(" "))])


def _outcome(league: LeagueState) -> object:
    """Return the standings and results of a league, independent of the order of its facts."""
    results = sorted(league.results, key=lambda result: (result.round, result.table, result.game))
    return league.rounds, results, standings(league), league.entrants
