"""Verification of a league's stream by itself: its hash chain, rounds, secret and signatures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import version

import msgspec

from ftk_core.filelog import parse
from ftk_core.kit.keys import signs
from ftk_core.kit.verify import Unsound
from ftk_core.league.acts import MatchReplaced, MatchVoided
from ftk_core.league.audit import Audit, list_acts, list_backward_times
from ftk_core.league.checking import flaws as pairing_flaws
from ftk_core.league.deals import Dealt, turned
from ftk_core.league.facts import LeagueClosed, LeagueFact, LeagueOpened, ResultRecorded
from ftk_core.league.folding import fold, read
from ftk_core.league.luck import anchor
from ftk_core.league.plans import TablePlan
from ftk_core.league.roots import Signed, round_of, statement_of
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import LeagueState, Result
from ftk_core.log import GENESIS, BrokenChain, Page
from ftk_core.rng import seal_of

BEFORE_AUDITS = (
    "this league was announced before rounds could be drawn again: its rounds, results and signatures were checked,"
    " but NOT that each round, entry and act is what the league's commands make of the facts before it"
)


class LeagueStream:
    """A league's stream, parsed and folded; raises Unsound if that fails."""

    def __init__(self, body: bytes) -> None:
        try:
            self._pages = list(parse(body.splitlines(keepends=True)))
        except BrokenChain as error:
            raise Unsound(str(error)) from error
        self.facts = tuple(_read(page.first + n, line) for page in self._pages for n, line in enumerate(page.lines))
        if not self.facts or not isinstance(self.facts[0], LeagueOpened):
            raise Unsound("entry 0 is not the opening of a league")
        try:
            self.league: LeagueState = fold(self.facts)
            for paired in self.league.rounds:
                self.league.terms_of(paired.round)
        except (LookupError, ValueError) as error:
            raise Unsound(f"the facts do not make a league: {error!r}") from error
        self._audit = Audit(self.facts)

    @cached_property
    def results(self) -> dict[str, tuple[int, ResultRecorded]]:
        """The entry number and result of every match, by match id."""
        return {fact.match: (seq, fact) for seq, fact in enumerate(self.facts) if isinstance(fact, ResultRecorded)}

    @property
    def signatures(self) -> list[tuple[int, Signed]]:
        """Every signature with its entry number."""
        return [(seq, fact) for seq, fact in enumerate(self.facts) if isinstance(fact, (RoundSigned, LeagueSigned))]

    @cached_property
    def secret(self) -> bytes:
        """The secret that seeds the deals; empty if the stream does not reveal it."""
        found = next((fact.secret for fact in self.facts if isinstance(fact, LeagueClosed)), "")
        try:
            return bytes.fromhex(found)
        except ValueError:
            return b""

    def acts(self) -> list[str]:
        """Return one line for each act that could affect results."""
        return list(list_acts(self.facts))

    @cached_property
    def _plans(self) -> dict[tuple[int, int], TablePlan]:
        return {(paired.round, t.number): t for paired in self.league.rounds for t in paired.tables}

    @cached_property
    def _deals(self) -> dict[str, int]:
        return {fact.new: fact.deal for fact in self.facts if isinstance(fact, MatchReplaced)}

    def plan(self, round_: int, table: int) -> TablePlan | None:
        """Return a table of a round's pairing."""
        return self._plans.get((round_, table))

    def dealt(self, result: ResultRecorded) -> Dealt:
        """Return the parameters that select the deal of a result."""
        deal = self._deals.get(result.match, 0)
        return {"stage": self.league.terms_of(result.round), "game": result.game, "deal": deal}

    def head_before(self, seq: int) -> str:
        """Return the head of the stream before the page with an entry, in hexadecimal."""
        before: list[Page] = [page for page in self._pages if page.last < seq]
        return (before[-1].head if before else GENESIS).hex()

    def flaws(self) -> Iterator[str]:
        """Yield the flaws of the stream by itself, without those of the signatures' cryptography."""
        yield from self._flaws_of_the_end()
        yield from self._flaws_of_the_rounds()
        yield from self._flaws_of_what_follows()
        for seq, fact in enumerate(self.facts):
            if isinstance(fact, LeagueOpened) and seq:
                yield f"entry {seq} opens the league again"
            if isinstance(fact, ResultRecorded):
                yield from self._flaws_of_a_result(seq, fact)
        yield from self._flaws_of_the_signatures()

    def _flaws_of_what_follows(self) -> Iterator[str]:
        """Yield facts that differ from what the league's commands derive from the facts before them."""
        if self.league.header.rules:
            yield from self._audit.flaws()
        yield from pairing_flaws(self.facts, certificates_alone=self.league.header.rules > 0)

    def notes(self) -> Iterator[str]:
        """Yield remarks about checks that were skipped and about suspicious facts; call it after `flaws`."""
        if not self.league.header.rules:
            yield BEFORE_AUDITS
        elif self._audit.not_drawn:
            yield f"rounds were NOT drawn again, which needs numpy, rustworkx and scipy: {self._audit.not_drawn}"
        elif self._audit.drawn_otherwise:
            libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "rustworkx"))
            yield f"rounds were drawn with {libraries}; try those of the server before you accuse anybody"
        yield from list_backward_times(self.facts)

    def _flaws_of_the_end(self) -> Iterator[str]:
        league, last = self.league, len(self.facts) - 1
        if not isinstance(self.facts[-1], LeagueSigned) or self._pages[-1].first != last:
            yield f"page {len(self._pages) - 1}: entry {last} is not the signature of the league, alone in its page"
        if not league.closed or league.closed_rounds != len(league.rounds):
            yield f"entry {last} is the last, with {league.closed_rounds} of {len(league.rounds)} rounds closed"
        elif seal_of(self.secret) != league.header.secret_seal:
            yield f"entry 0 seals another secret ({league.header.secret_seal}) than the one revealed at the end"
        elif league.header.luck and anchor(self.secret) != league.header.luck:
            yield f"entry 0 anchors another chain of luck ({league.header.luck}) than that of the secret"

    def _flaws_of_the_rounds(self) -> Iterator[str]:
        league = self.league
        if [paired.round for paired in league.rounds] != list(range(1, len(league.rounds) + 1)):
            yield f"rounds {[paired.round for paired in league.rounds]} were paired, not 1 to {len(league.rounds)}"
        if not league.begun and not league.ended and len(league.rounds) != league.header.rounds:
            yield f"{len(league.rounds)} rounds were paired, {league.header.rounds} were announced"
        planned = Counter(
            (p.round, t.number, game)
            for p in league.rounds
            for t in p.tables
            for game in range(league.terms_of(p.round).games)
        )
        for key in sorted(set(planned) | set(league.history)):
            round_, table, game = key
            recorded = _recorded(league.history.get(key, ()))
            if (counts := (planned[key], recorded)) != (1, 1):
                yield f"round {round_}, table {table}, game {game} is drawn {counts[0]}x and recorded {counts[1]}x"

    def _flaws_of_a_result(self, seq: int, result: ResultRecorded) -> Iterator[str]:
        plan = self.plan(result.round, result.table)
        if plan is not None and result.seating != (drawn := turned(plan, result.game)):
            yield f"entry {seq} seats {result.seating} in match {result.match}, drawn were {drawn}"
        if self.results[result.match][0] != seq:
            yield f"entry {seq} records match {result.match}, as entry {self.results[result.match][0]} does"

    def _flaws_of_the_signatures(self) -> Iterator[str]:
        counts = Counter(round_of(fact) for _, fact in self.signatures)
        for scope in (*range(1, self.league.closed_rounds + 1), None):
            if counts[scope] != 1:
                yield f"{'the league' if scope is None else f'round {scope}'} is signed {counts[scope]}x"
        for seq, fact in self.signatures:
            if fact.after != (before := self.head_before(seq)):
                yield f"entry {seq} is signed after head {fact.after}, where the stream's is {before}"

    def forged(self) -> Iterator[str]:
        """Yield the invalid signatures; raises NoCryptography if they cannot be checked here."""
        for seq, fact in self.signatures:
            if not signs(fact.key, fact.signature, statement_of(self.league.header.slug, fact)):
                yield f"entry {seq}: the signature is not by key {fact.key} for what the entry says"


def _recorded(past: Sequence[Result]) -> int:
    """Return how often a match is recorded.

    A voided match may be recorded once more, or not at all; both count as one.
    """
    voided = any(isinstance(said, MatchVoided) for said in past)
    times = sum(isinstance(said, ResultRecorded) for said in past)
    return 1 if voided and times <= 1 + sum(isinstance(said, MatchVoided) for said in past) else times


def _read(seq: int, line: bytes) -> LeagueFact:
    try:
        return read(line)
    except msgspec.MsgspecError as error:
        raise Unsound(f"entry {seq} cannot be read: {error}") from error
