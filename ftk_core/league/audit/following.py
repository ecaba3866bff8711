"""Replay of a league's stream: for each fact, rerun the command that could have made it, and compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec.structs import replace as put

from ftk_core.league import acts
from ftk_core.league.acts import Act
from ftk_core.league.audit.acts import repeat
from ftk_core.league.audit.differences import difference, kind_of
from ftk_core.league.audit.matches import MatchIds, check_result
from ftk_core.league.audit.terms import flaws_of_terms
from ftk_core.league.commands import ahead, closing, enter, proceed, record, redraft
from ftk_core.league.facts import (
    BotEntered,
    LeagueClosed,
    LeagueFact,
    LeagueOpened,
    ResultRecorded,
    RoundClosed,
    RoundDrafted,
    RoundPaired,
    StageBegun,
    StageEnded,
)
from ftk_core.league.folding import apply, fold
from ftk_core.league.luck import follows, next_link
from ftk_core.league.organising import Hand, attribution_of, begin
from ftk_core.league.own_court import NoNumbers
from ftk_core.league.rematches import rule
from ftk_core.league.roots import round_of, unsigned
from ftk_core.league.signatures import LeagueSigned, RoundSigned
from ftk_core.league.state import LeagueState, NotNow

Coming = StageBegun | StageEnded | RoundDrafted | RoundPaired | LeagueClosed
"""Facts that follow automatically between two rounds."""
UNREADABLE = (LookupError, ValueError, ArithmeticError, TypeError, msgspec.MsgspecError)
"""Errors that a command may raise for a forged fact."""


class Audit:
    """Rerun of a league's commands. The stream must begin with an opened league and be foldable."""

    def __init__(self, facts: Sequence[LeagueFact]) -> None:
        self._facts = facts
        self._league = fold(facts[:1])
        self._due: tuple[LeagueFact, ...] = ()
        """Facts that must come next: the rest of a command's output."""
        self._match_ids = MatchIds()
        self._secret = next((fact.secret for fact in facts if isinstance(fact, LeagueClosed)), "")
        self.not_drawn = ""
        """Reason why rounds were not drawn again; empty if they were. Set once all flaws have been read."""
        self.drawn_otherwise = False
        """True if a round was drawn differently from the stream. Set once all flaws have been read."""

    def flaws(self) -> Iterator[str]:
        """Yield a sentence for each fact that its command does not produce."""
        wrong = list(flaws_of_terms(self._league.header))
        yield from wrong
        if wrong:
            return
        for seq, fact in enumerate(self._facts[1:], 1):
            flaw = self._follow(seq, fact)
            if flaw:
                yield f"entry {seq} ({kind_of(fact)}): {flaw}"
            try:
                self._league = apply(self._league, fact)
            except UNREADABLE as error:
                yield f"entry {seq} ({kind_of(fact)}): nothing can follow it: {error!r}"
                return

    def _follow(self, seq: int, fact: LeagueFact) -> str:
        """Return the flaw of the next fact; empty if there is none."""
        try:
            made = self._due if self._due and not self._is_rematch(seq, fact) else self._make(seq, fact)
        except NotNow as error:
            self._due = ()
            return f"{error}"
        except (ImportError, NoNumbers) as error:
            self._due, self.not_drawn = (), str(error)
            return ""
        except UNREADABLE as error:
            self._due = ()
            return f"its command fails: {error!r}"
        first, *rest = made
        flaw = "" if first == fact else difference(fact, first)
        self._due = () if flaw else tuple(rest)
        self.drawn_otherwise |= bool(flaw) and isinstance(fact, RoundDrafted | RoundPaired)
        return flaw

    def _make(self, seq: int, fact: LeagueFact) -> Sequence[LeagueFact]:
        """Return the facts expected now, the first of them in place of this one."""
        match fact:
            case BotEntered():
                return (_entered(self._league, fact),)
            case StageBegun() | StageEnded() | RoundDrafted() | RoundPaired() | LeagueClosed():
                return self._next(seq, fact)
            case ResultRecorded():
                return self._record(fact)
            case RoundSigned() | LeagueSigned():
                if unsigned(self._league)[:1] != [round_of(fact)]:
                    raise NotNow(f"to be signed are {unsigned(self._league)}")
                return (fact,)
            case LeagueOpened() | RoundClosed():
                raise NotNow("nothing before it brings it about")
            case _:
                return self._act(fact)

    def _act(self, fact: Act) -> Sequence[LeagueFact]:
        made = repeat(self._league, fact)
        if not isinstance(fact, acts.MatchVoided | acts.MatchReplaced):
            return (made,)
        self._match_ids.take(fact)
        return (made, *closing(apply(self._league, made)))

    def _is_rematch(self, seq: int, fact: LeagueFact) -> bool:
        """Return whether a removed match of the round is replayed."""
        before = self._facts[seq - 1]
        if not (isinstance(fact, acts.MatchReplaced) and isinstance(before, acts.MatchVoided)):
            return False
        return (fact.round, fact.table, fact.game) == (before.round, before.table, before.game)

    def _record(self, fact: ResultRecorded) -> Sequence[LeagueFact]:
        league = self._league
        check_result(league, fact)
        if fact.ruled:
            key, last = (fact.round, fact.table, fact.game), len(fact.seating)
            blamed = fact.places.index(last) if fact.ruled == "loss" and last in fact.places else None
            if (ruled := rule(league, key, fact.match, blamed)) != fact:
                raise NotNow(difference(fact, ruled))
        made = record(league, fact)
        if not made:
            raise NotNow(f"round {league.playing} is played and does not wait for this match")
        self._match_ids.take(fact)
        return made

    def _next(self, seq: int, fact: Coming) -> Sequence[LeagueFact]:
        league = self._league
        if isinstance(fact, RoundPaired) and league.draft is not None:
            return (begin(league, fact.at),)
        if league.draft is not None:
            return self._redraft(seq, league.draft)
        if isinstance(fact, RoundPaired) and not league.between:
            _check_link(league, fact.link)
            if not (made := ahead(league, fact.link, fact.at)):
                raise NotNow(f"it begins while round {league.playing} is played")
            return made
        return self._proceed(seq)

    def _redraft(self, seq: int, draft: RoundDrafted) -> Sequence[LeagueFact]:
        """Return the facts expected instead of a draft: another draft, perhaps of the next stage, or the end."""
        drawn = next((one for one in self._together(seq) if isinstance(one, RoundDrafted)), draft)
        hand = Hand(by=drawn.by or "-", at=drawn.at, why=drawn.why or "-", approved=drawn.approved)
        after = redraft(self._league, draft.link, hand)
        return (*after.facts, LeagueClosed(self._secret)) if after.over else after.facts

    def _together(self, seq: int) -> list[Coming]:
        """Return the facts between two rounds, starting with this one."""
        coming = (self._facts[number] for number in range(seq, len(self._facts)))
        return [one for one in takewhile(lambda one: isinstance(one, Coming), coming) if isinstance(one, Coming)]

    def _proceed(self, seq: int) -> Sequence[LeagueFact]:
        """Return the facts expected between two rounds, drawn with the link from the next round or from the secret."""
        league, at = self._league, 0
        together = self._together(seq)
        drawn = next((one for one in together if isinstance(one, RoundDrafted | RoundPaired)), None)
        if drawn is None:
            link = next_link(bytes.fromhex(self._secret), league)
        else:
            link, at = drawn.link, drawn.at if isinstance(drawn, RoundPaired) else 0
            _check_link(league, link)
        ratings = {entry: rating for one in together if isinstance(one, StageBegun) for entry, rating in one.ratings}
        after = proceed(league, link, at, ratings=ratings)
        return (*after.facts, LeagueClosed(self._secret)) if after.over else after.facts


def _entered(league: LeagueState, fact: BotEntered) -> BotEntered:
    """Rerun the command `enter` with the same arguments."""
    if not fact.name or fact.version < 1:
        raise NotNow("a bot enters by its name and version")
    until = league.header.entries_until
    if until and fact.at > until and not league.rounds and _can_begin(league):
        raise NotNow(f"entries closed at {until}, it came at {fact.at}")
    made = enter(league, fact.version, fact.name, fact.author, newest=fact.newest, by=fact.by, at=fact.at)
    if not fact.why and not fact.approved:
        return made
    hand = Hand(by=fact.by, at=fact.at, why=fact.why, approved=fact.approved)
    return put(made, **attribution_of(hand))


def _can_begin(league: LeagueState) -> bool:
    try:
        return bool(proceed(league, "").facts)
    except NotNow:
        return False


def _check_link(league: LeagueState, link: str) -> None:
    if not league.header.luck and not link:
        return
    if not follows(link, league.links[-1] if league.links else league.header.luck):
        raise NotNow(f"its link {link!r} is not the next one of the chain of luck")
