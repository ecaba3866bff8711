"""Verification of a league's event log: hash chain, rounds, signatures, and random seeds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from gettext import gettext

import msgspec

from ftk_core.hash_chained_log import GENESIS, BrokenHashChainError, LogPage
from ftk_core.kit.verify.canonical_json_line_check import flaws_of_line
from ftk_core.kit.verify.match_log_verification import InvalidLogError
from ftk_core.kit.verify.public_keys import is_signature
from ftk_core.league.event_audit import (
    LeagueEventStreamAudit,
    check_fact_sizes,
    check_table_sizes,
    describe_drawing_libraries,
    flaws_of_unannounced_terms,
    list_backward_times,
    list_intervention_lines,
    list_notes_on_rules,
)
from ftk_core.league.event_fields import TableSeating
from ftk_core.league.intervention_facts import MatchReplaced, MatchVoided
from ftk_core.league.league_facts import LeagueClosed, LeagueFact, LeagueOpened, ResultRecorded, RoundClosed
from ftk_core.league.league_state import LeagueState, RecordedResult
from ftk_core.league.league_state_from_events import decode_fact, fold_facts
from ftk_core.league.match_seating_and_random_seeds import RandomSeedArguments, rotate_seating
from ftk_core.league.pairing_checks import flaws as pairing_flaws
from ftk_core.league.publication.signed_merkle_roots import SignatureFact, round_of, statement_of
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from ftk_core.league.statistics.round_seed_hash_chain import anchor_of
from ftk_core.match_log_file import parse_pages
from ftk_core.random_streams import seal_of


class VerifiedLeagueEventStream:
    """A league's events, and the state computed from them.

    The constructor raises InvalidLogError for an invalid log.
    """

    def __init__(self, body: bytes) -> None:
        try:
            self._pages = list(parse_pages(body.splitlines(keepends=True)))
        except BrokenHashChainError as error:
            raise InvalidLogError(str(error)) from error
        self.facts = tuple(_read(page.first + n, line) for page in self._pages for n, line in enumerate(page.lines))
        if not self.facts or not isinstance(self.facts[0], LeagueOpened):
            raise InvalidLogError(gettext("entry 0 is not the opening of a league"))
        for seq, fact in enumerate(self.facts[1:], 1):
            if isinstance(fact, LeagueOpened):
                raise InvalidLogError(gettext("entry {seq} opens the league again").format(seq=seq))
        try:
            check_fact_sizes(self.facts)
            self.league: LeagueState = fold_facts(self.facts)
            check_table_sizes(self.league.stages)
            for paired in self.league.rounds:
                self.league.terms_of(paired.round)
        except (LookupError, ValueError) as error:
            raise InvalidLogError(
                gettext("the facts do not make a league: {error}").format(error=repr(error))
            ) from error
        self._audit = LeagueEventStreamAudit(self.facts)

    @cached_property
    def results(self) -> dict[str, tuple[int, ResultRecorded]]:
        """Number and event of the log entry that records the last result of each match, by match id."""
        return {fact.match: (seq, fact) for seq, fact in enumerate(self.facts) if isinstance(fact, ResultRecorded)}

    @property
    def signatures(self) -> list[tuple[int, SignatureFact]]:
        """Pairs of entry number and signature event."""
        return [(seq, fact) for seq, fact in enumerate(self.facts) if isinstance(fact, (RoundSigned, LeagueSigned))]

    @cached_property
    def secret(self) -> bytes:
        """The secret of 32 bytes that determines the random seeds of all matches; empty if it is not revealed."""
        # An arena draws it at random. A shorter one, or one that anybody knows, could be found before the matches.
        secret = next((fact.secret for fact in self.facts if isinstance(fact, LeagueClosed)), "")
        return bytes.fromhex(secret) if re.fullmatch("[0-9a-f]{64}", secret) else b""

    def acts(self) -> list[str]:
        """Return the lines of a report on the interventions, such as rulings, that could affect results."""
        return list(list_intervention_lines(self.facts))

    @cached_property
    def _plans(self) -> dict[tuple[int, int], TableSeating]:
        return {(paired.round, t.number): t for paired in self.league.rounds for t in paired.tables}

    @cached_property
    def _deals(self) -> dict[str, int]:
        return {fact.new: fact.deal for fact in self.facts if isinstance(fact, MatchReplaced)}

    def plan(self, round_: int, table: int) -> TableSeating | None:
        """Return the planned seating of one table in a round; return None if the league's log plans no such table."""
        return self._plans.get((round_, table))

    def seed_arguments(self, result: ResultRecorded) -> RandomSeedArguments:
        """Return the keyword arguments for `table_seed`, which computes the random seed of a match from them."""
        deal = self._deals.get(result.match, 0)
        return {"stage": self.league.terms_of(result.round), "game": result.game, "deal": deal}

    def head_before(self, seq: int) -> str:
        """Return the last hash of the hash chain before the page that contains entry `seq`, in hexadecimal."""
        # A signature in entry `seq` must state this hash.
        before: list[LogPage] = [page for page in self._pages if page.last < seq]
        return (before[-1].head if before else GENESIS).hex()

    def flaws(self) -> Iterator[str]:
        """Yield a sentence for each flaw of the league's log, except invalid signatures."""
        yield from self._flaws_of_the_end()
        yield from self._flaws_of_the_rounds()
        yield from self._flaws_of_the_audit()
        for seq, fact in enumerate(self.facts):
            if isinstance(fact, ResultRecorded):
                yield from self._flaws_of_a_result(seq, fact)
        yield from self._flaws_of_the_signatures()
        lines = (line for page in self._pages for line in page.lines)
        for seq, (line, fact) in enumerate(zip(lines, self.facts, strict=True)):
            yield from (f"entry {seq}: {flaw}" for flaw in flaws_of_line(line, fact))

    def _flaws_of_the_audit(self) -> Iterator[str]:
        """Yield a sentence for each event or pairing that breaks the league's rules."""
        if self.league.header.rules:
            yield from self._audit.flaws()
            yield from flaws_of_unannounced_terms(self.league.header)
        yield from pairing_flaws(self.facts, certificates_alone=self.league.header.rules > 0)

    def skipped_checks(self) -> Iterator[str]:
        """Yield a sentence for each group of checks that `flaws`, which must be exhausted, could not make here."""
        if self._audit.not_drawn:
            yield gettext(
                "rounds were NOT drawn again, and ends of stages, qualified bots and entries after the deadline were"
                " NOT all checked, which needs numpy, rustworkx and scipy: {not_drawn}"
            ).format(not_drawn=self._audit.not_drawn)

    def notes(self) -> Iterator[str]:
        """Yield remarks that are not flaws, such as late signatures; exhaust the iterator `flaws` first."""
        yield from list_notes_on_rules(self.league.header)
        if self._audit.drawn_otherwise and not self._audit.not_drawn:
            yield gettext(
                "rounds were drawn again here with {libraries}; try the server's versions before you accuse anybody"
            ).format(libraries=describe_drawing_libraries())
        yield from list_backward_times(self.facts)
        closed = {fact.round: seq for seq, fact in enumerate(self.facts) if isinstance(fact, RoundClosed)}
        for seq, fact in self.signatures:
            if isinstance(fact, RoundSigned) and seq - closed.get(fact.round, seq) > 1:
                yield gettext("round {round} was signed only {entries} entries after its end").format(
                    round=fact.round, entries=seq - closed[fact.round]
                )

    def _flaws_of_the_end(self) -> Iterator[str]:
        league, last = self.league, len(self.facts) - 1
        if not isinstance(self.facts[-1], LeagueSigned):
            yield gettext("entry {last} is the last, but not the signature of the league").format(last=last)
        if not league.closed or league.closed_rounds != len(league.rounds):
            yield gettext("entry {last} is the last, with {closed_rounds} of {rounds} rounds closed").format(
                last=last, closed_rounds=league.closed_rounds, rounds=len(league.rounds)
            )
        elif not self.secret:
            yield gettext("the league reveals no secret of 64 digits (0-9, a-f), from which its deals follow")
        elif seal_of(self.secret) != league.header.secret_seal:
            yield gettext("entry 0 seals another secret ({secret_seal}) than the one revealed at the end").format(
                secret_seal=league.header.secret_seal
            )
        elif league.header.luck and anchor_of(self.secret) != league.header.luck:
            yield gettext(
                "entry 0 publishes {luck} as the anchor, but the hash chain of the secret has another anchor"
            ).format(luck=league.header.luck)

    def _flaws_of_the_rounds(self) -> Iterator[str]:
        league = self.league
        if [paired.round for paired in league.rounds] != list(range(1, len(league.rounds) + 1)):
            yield gettext("rounds {paired} were paired, not 1 to {rounds}").format(
                paired=[paired.round for paired in league.rounds], rounds=len(league.rounds)
            )
        if not league.begun and not league.ended and len(league.rounds) != league.header.rounds:
            yield gettext("{paired} rounds were paired, {announced} were announced").format(
                paired=len(league.rounds), announced=league.header.rounds
            )
        planned = Counter(
            (p.round, t.number, game)
            for p in league.rounds
            for t in p.tables
            for game in range(league.terms_of(p.round).games)
        )
        for key in sorted(set(planned) | set(league.history)):
            round_, table, game = key
            past = league.history.get(key, ())
            if planned[key] != 1 or not _has_expected_results(past):
                results = sum(isinstance(fact, ResultRecorded) for fact in past)
                yield gettext(
                    "round {round}, table {table}, game {game} is drawn {drawn}x and recorded {recorded}x"
                ).format(round=round_, table=table, game=game, drawn=planned[key], recorded=results)

    def _flaws_of_a_result(self, seq: int, result: ResultRecorded) -> Iterator[str]:
        plan = self.plan(result.round, result.table)
        if plan is not None and result.seating != (drawn := rotate_seating(plan.seating, result.game)):
            yield gettext("entry {seq} gives match {match} the seating {seating}; the drawn seating is {drawn}").format(
                seq=seq, seating=result.seating, match=result.match, drawn=drawn
            )
        if self.results[result.match][0] != seq:
            yield gettext("entry {seq} records match {match}, as entry {results} does").format(
                seq=seq, match=result.match, results=self.results[result.match][0]
            )

    def _flaws_of_the_signatures(self) -> Iterator[str]:
        counts = Counter(round_of(fact) for _, fact in self.signatures)
        for scope in (*range(1, self.league.closed_rounds + 1), None):
            if counts[scope] != 1:
                yield gettext("{f} must have one signature (got {counts})").format(
                    f=gettext("the league") if scope is None else gettext("round {scope}").format(scope=scope),
                    counts=counts[scope],
                )
        pages = {(page.first, page.last) for page in self._pages}
        for seq, fact in self.signatures:
            if (seq, seq) not in pages:  # it would not cover the entries before it in its page
                yield gettext("entry {seq} is a signature, but not alone in its page").format(seq=seq)
            if fact.after != (before := self.head_before(seq)):
                yield gettext("entry {seq} is signed after head {after}, where the stream's is {before}").format(
                    seq=seq, after=fact.after, before=before
                )

    def signature_flaws(self) -> Iterator[str]:
        """Yield a sentence for each invalid signature; raises CryptographyPackageMissing if they cannot be checked."""
        for seq, fact in self.signatures:
            if not is_signature(fact.key, fact.signature, statement_of(self.league.header.slug, fact)):
                yield gettext("entry {seq}: the signature is not by key {key} for what the entry says").format(
                    seq=seq, key=fact.key
                )


def _has_expected_results(past: Sequence[RecordedResult]) -> bool:
    """Return True if a match has a possible number of results: 1, or at most n + 1 if it was voided n times."""
    # A match that was voided n times is played again n times at most, each time with or without a further result.
    voids = sum(isinstance(fact, MatchVoided) for fact in past)
    results = sum(isinstance(fact, ResultRecorded) for fact in past)
    return results <= voids + 1 if voids else results == 1


def _read(seq: int, line: bytes) -> LeagueFact:
    try:
        return decode_fact(line)
    except msgspec.MsgspecError as error:
        raise InvalidLogError(gettext("entry {seq} cannot be read: {error}").format(seq=seq, error=error)) from error
