"""Audit of a league's event stream, by running its commands again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec.structs import replace as put

from ftk_core.facts import tag_of
from ftk_core.league import intervention_facts
from ftk_core.league.entry_and_qualification_rules import has_final_draft
from ftk_core.league.event_audit.intervention_kinds import rerun_command
from ftk_core.league.event_audit.league_event_differences import describe_difference
from ftk_core.league.event_audit.league_settings_checks import flaws_of_terms
from ftk_core.league.event_audit.match_id_and_result_checks import MatchIdRegister, check_result
from ftk_core.league.formats import find_format
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_command_handlers import draw_ahead, enter, proceed, record, redraft, round_end_facts
from ftk_core.league.league_event_actors import LeagueActor, attribution_of
from ftk_core.league.league_facts import (
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
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.league_state_from_events import apply_fact, fold_facts
from ftk_core.league.organiser_command_handlers import begin_draft
from ftk_core.league.publication.signed_merkle_roots import list_unsigned_scopes, round_of
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned
from ftk_core.league.statistics.round_seed_hash_chain import is_next_link, next_link, repeated_drafts_keep_link
from ftk_core.league.statistics.stage_court_rating import NumpyMissingError
from ftk_core.league.voided_match_rules import rule_on_match

AutomaticFact = StageBegun | StageEnded | RoundDrafted | RoundPaired | LeagueClosed
"""Union of the events that follow automatically between two rounds, without an act of a person."""
COMMAND_ERRORS = (LookupError, ValueError, ArithmeticError, TypeError, msgspec.MsgspecError)
"""Errors that a command may raise for a forged event."""


class LeagueEventStreamAudit:
    """Audit that compares each event of a league with the event that its command produces now.

    `facts` is the whole event stream of the league.
    """

    def __init__(self, facts: Sequence[LeagueFact]) -> None:
        self._facts = facts
        self._league = fold_facts(facts[:1])
        self._due: tuple[LeagueFact, ...] = ()
        """Events that the last command produced and that the stream must record next."""
        self._match_ids = MatchIdRegister()
        self._secret = next((fact.secret for fact in facts if isinstance(fact, LeagueClosed)), "")
        self.not_drawn = ""
        """Reason why rounds could not be drawn again; empty if all could. Complete once `flaws()` is exhausted."""
        self.drawn_otherwise = False
        """True if a round drawn again differs from the recorded round. Complete once `flaws()` is exhausted."""

    def flaws(self) -> Iterator[str]:
        """Yield a sentence for each recorded event that differs from the expected one."""
        # If the settings that the league announced are wrong, only their flaws.
        wrong = list(flaws_of_terms(self._league.header))
        yield from wrong
        if wrong:
            return
        for seq, fact in enumerate(self._facts[1:], 1):
            flaw = self._follow(seq, fact)
            if flaw:
                yield f"entry {seq} ({tag_of(fact)}): {flaw}"
            try:
                self._league = apply_fact(self._league, fact)
            except COMMAND_ERRORS as error:
                yield f"entry {seq} ({tag_of(fact)}): nothing can follow it: {error!r}"
                return

    def _follow(self, seq: int, fact: LeagueFact) -> str:
        """Describe how a recorded event differs from the expected one; "" if they are equal."""
        # Also "" if a library that is needed to draw the round is missing; `not_drawn` then says so.
        try:
            expected = self._due if self._due and not self._is_rematch(seq, fact) else self._make(seq, fact)
        except CommandRejected as error:
            self._due = ()
            return f"{error}"
        except (ImportError, NumpyMissingError) as error:
            self._due, self.not_drawn = (), str(error)
            return ""
        except COMMAND_ERRORS as error:
            self._due = ()
            return f"its command fails: {error!r}"
        first, *following_facts = expected
        flaw = "" if first == fact else describe_difference(fact, first)
        self._due = () if flaw else tuple(following_facts)
        self.drawn_otherwise |= bool(flaw) and isinstance(fact, RoundDrafted | RoundPaired)
        return flaw

    def _make(self, seq: int, fact: LeagueFact) -> Sequence[LeagueFact]:
        """Run the command behind a recorded event again, and return its events."""
        match fact:
            case BotEntered():
                return (self._rerun_entry(seq, fact),)
            case StageBegun() | StageEnded() | RoundDrafted() | RoundPaired() | LeagueClosed():
                return self._next(seq, fact)
            case ResultRecorded():
                return self._record(fact)
            case RoundSigned() | LeagueSigned():
                if list_unsigned_scopes(self._league)[:1] != [round_of(fact)]:
                    raise CommandRejected(f"to be signed are {list_unsigned_scopes(self._league)}")
                return (fact,)
            case RoundClosed() if due := round_end_facts(self._league):
                return due  # the round was paired ahead, and its matches became void before the round before it ended
            case LeagueOpened() | RoundClosed():
                raise CommandRejected("nothing before it brings it about")
            case _:
                return self._act(seq, fact)

    def _act(self, seq: int, fact: Act) -> Sequence[LeagueFact]:
        if isinstance(fact, intervention_facts.EntrantBotVersionUpdated):
            self._check_is_before_step(seq)
        expected = rerun_command(self._league, fact)
        if not isinstance(fact, intervention_facts.MatchVoided | intervention_facts.MatchReplaced):
            return (expected,)
        self._match_ids.take(self._league, fact)
        return (expected, *round_end_facts(apply_fact(self._league, expected)))

    def _check_is_before_step(self, seq: int) -> None:
        """Check that the league renews a bot's version, in the event with index `seq`, at an allowed time.

        The next event must be automatic, such as a new round, or renew another version. Raises CommandRejected.
        """
        following = self._facts[seq + 1 : seq + 2]
        if not any(isinstance(one, intervention_facts.EntrantBotVersionUpdated | AutomaticFact) for one in following):
            raise CommandRejected("versions are renewed directly before the next step of the league")

    def _rerun_entry(self, seq: int, fact: BotEntered) -> BotEntered:
        league = self._league
        is_anonymous = league.header.rules >= 3 and not fact.author.strip()
        if not fact.name or fact.version < 1 or is_anonymous:
            raise CommandRejected("a bot enters by its name, version and author")
        until, is_drafted = league.header.entries_until, league.header.rules >= 2 and has_final_draft(league)
        if until and fact.at > until and not league.rounds and (is_drafted or self._can_begin(seq)):
            raise CommandRejected(f"entries closed at {until}, it came at {fact.at}")
        expected = enter(league, fact.version, fact.name, fact.author, newest=fact.newest, by=fact.by, at=fact.at)
        if not fact.why and not fact.approved:
            return expected
        actor = LeagueActor(by=fact.by, at=fact.at, why=fact.why, approved=fact.approved)
        return put(expected, **attribution_of(actor))

    def _can_begin(self, seq: int) -> bool:
        """Return True if the first round could certainly be paired before the event with index `seq`."""
        # Where seeds decide who meets, the ratings at that time may decide whether a forbidden pair must meet.
        # Only the ratings at the beginning of the stage are known.
        league, coming = self._league, self._facts[seq:]
        terms = league.stages[0]
        if league.forbidden and terms.seeding == "rating" and find_format(terms.format).fixed:
            return False
        drawn = next((one for one in coming if isinstance(one, RoundDrafted | RoundPaired)), None)
        try:
            return bool(proceed(league, self._link_of(drawn)).facts)
        except CommandRejected:
            return False

    def _is_rematch(self, seq: int, fact: LeagueFact) -> bool:
        """Return True if the event replaces a match, and the event before it voided the same match."""
        before = self._facts[seq - 1]
        if not (
            isinstance(fact, intervention_facts.MatchReplaced) and isinstance(before, intervention_facts.MatchVoided)
        ):
            return False
        return (fact.round, fact.table, fact.game) == (before.round, before.table, before.game)

    def _record(self, fact: ResultRecorded) -> Sequence[LeagueFact]:
        league = self._league
        if league.is_ended_early:
            raise CommandRejected("the league or stage was ended early, which makes all open matches void")
        check_result(league, fact)
        if fact.ruled:
            key, last = (fact.round, fact.table, fact.game), len(fact.seating)
            blamed = fact.places.index(last) if fact.ruled == "loss" and last in fact.places else None
            if (ruled := rule_on_match(league, key, fact.match, blamed)) != fact:
                raise CommandRejected(describe_difference(fact, ruled))
        expected = record(league, fact)
        if not expected:
            raise CommandRejected(f"round {league.playing} is played and does not wait for this match")
        self._match_ids.take(league, fact)
        return expected

    def _next(self, seq: int, fact: AutomaticFact) -> Sequence[LeagueFact]:
        league = self._league
        if isinstance(fact, RoundPaired) and league.draft is not None:
            return (begin_draft(league, fact.at),)
        if league.draft is not None:
            return self._redraft(seq)
        if isinstance(fact, RoundPaired) and not league.between:
            if not (expected := draw_ahead(league, self._link_of(fact), fact.at)):
                raise CommandRejected(f"it begins while round {league.playing} is played")
            return expected
        return self._proceed(seq)

    def _redraft(self, seq: int) -> Sequence[LeagueFact]:
        """Run the command again that paired a drafted round anew, and return its events."""
        together = self._together(seq)
        drawn = next((one for one in together if isinstance(one, RoundDrafted)), None)
        actor = LeagueActor(by="-", at=0, why="-")
        if drawn is not None:
            actor = LeagueActor(by=drawn.by or "-", at=drawn.at, why=drawn.why or "-", approved=drawn.approved)
        link = "" if repeated_drafts_keep_link(self._league.header.rules) else self._link_of(drawn)
        after = redraft(self._league, link, actor, _list_ratings(together))
        return (*after.facts, LeagueClosed(self._secret)) if after.over else after.facts

    def _together(self, seq: int) -> list[AutomaticFact]:
        """Return the unbroken run of automatic events that begins at index `seq`."""
        # An automatic event, for example a drawn round, follows from earlier events without any action by a person.
        coming = (self._facts[number] for number in range(seq, len(self._facts)))
        automatic = takewhile(lambda one: isinstance(one, AutomaticFact), coming)
        return [one for one in automatic if isinstance(one, AutomaticFact)]

    def _proceed(self, seq: int) -> Sequence[LeagueFact]:
        """Return the events that the league should produce between two rounds."""
        together = self._together(seq)
        drawn = next((one for one in together if isinstance(one, RoundDrafted | RoundPaired)), None)
        at = drawn.at if isinstance(drawn, RoundPaired) else 0
        after = proceed(self._league, self._link_of(drawn), at, ratings=_list_ratings(together))
        return (*after.facts, LeagueClosed(self._secret)) if after.over else after.facts

    def _link_of(self, drawn: RoundDrafted | RoundPaired | None) -> str:
        """Return the random seed of the next round, which is a link of the league's hash chain.

        If the round `drawn` follows, the seed is in it; if none follows, it is computed from the league's secret.
        Raises CommandRejected if the seed in `drawn` is not the next link.
        """
        league = self._league
        if drawn is None:
            return next_link(bytes.fromhex(self._secret), league)
        if not (drawn.link or league.header.luck):
            return ""
        if not is_next_link(drawn.link, league.links[-1] if league.links else league.header.luck):
            raise CommandRejected(f"its link {drawn.link!r} is not the next one of the hash chain")
        return drawn.link


def _list_ratings(facts: Sequence[AutomaticFact]) -> dict[int, int]:
    return {entry: rating for fact in facts if isinstance(fact, StageBegun) for entry, rating in fact.ratings}
