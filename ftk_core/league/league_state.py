"""State of a league, computed from the events of its stream alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import msgspec

from ftk_core.i18n import Message
from ftk_core.league import intervention_facts, league_facts
from ftk_core.league.event_fields import QualifiedEntrant, StageSettings, TableSeating
from ftk_core.league.intervention_facts import Act
from ftk_core.league.league_facts import BotEntered, LeagueOpened, ResultRecorded, RoundDrafted, RoundPaired
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned

WIN = Fraction(1)
"""Points of an entry for a match in which it finished ahead of all opponents."""
MatchKey = tuple[int, int, int]
"""Key of a match in a league: (round, table, game). It stays the same if the match is replayed under another id."""
RecordedResult = ResultRecorded | intervention_facts.ResultOverruled | intervention_facts.MatchVoided
NotedFact = Act | BotEntered | ResultRecorded
"""Events shown on a league's page: interventions, late entries, and results by a ruling on a void match."""


class LeagueEntrant(msgspec.Struct, frozen=True, kw_only=True):
    """Entry in a league: a bot version that takes part, with its author and status."""

    entry: int
    version: int
    name: str
    author: str = ""
    since: int = 1
    """First round that the entry plays."""
    points: str = "0"
    """Points granted for the rounds before the bot entered, an exact fraction such as "3/2"."""
    withdrawn: bool = False
    gone_after: int = 0
    """Number of closed rounds when the entry withdrew."""
    disqualified: bool = False
    excused: frozenset[int] = frozenset()
    """Rounds from which the entry is excused."""
    newest: bool = False
    """True if the entry changes to newer bot versions until its first round is paired."""


class StageState(msgspec.Struct, frozen=True, kw_only=True):
    """State of a league stage that has begun: its bots, its first round, and changes by organisers."""

    number: int
    """Number of the stage, from 1."""
    first: int
    """First round of the stage; rounds are numbered over the whole league."""
    entries: tuple[QualifiedEntrant, ...] = ()
    """Entries of the stage, in the order of its `StageBegun` event; empty if all entries of the league take part."""
    ended: bool = False
    extended: int = 0
    """Number of rounds of the stage as set by an organiser; 0 if no organiser changed it."""
    cut: bool = False
    """True if an organiser ended the stage early."""
    ratings: Mapping[int, int] = {}
    """Entry -> court rating, if the stage is seeded by rating."""


class LeagueState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Complete state of a league after the events folded so far."""

    opened: LeagueOpened | None = None
    """Opening event of the league, with its terms as announced."""
    terms: LeagueOpened | None = None
    """Opening event with the terms as corrected; None if no organiser corrected any term."""
    entrants: tuple[LeagueEntrant, ...] = ()
    begun: tuple[StageState, ...] = ()
    rounds: tuple[RoundPaired, ...] = ()
    draft: RoundDrafted | None = None
    """Draft of the next round, if it waits until an organiser begins it."""
    corrected: bool = False
    """True if an organiser overruled or voided a result since the next round was drafted."""
    drafts: int = 0
    """Number of drafts of the next round so far; always 0 in version 0 of the league rules."""
    changed: frozenset[int] = frozenset()
    """Rounds whose drafts an organiser changed before the rounds began."""
    history: Mapping[MatchKey, tuple[RecordedResult, ...]] = {}
    """All results and corrections of each match, oldest first; matches in the order of their first mention."""
    recorded: frozenset[MatchKey] = frozenset()
    """Matches of open rounds that have a result, or were voided so that the league does not wait for them."""
    voids: Mapping[MatchKey, int] = {}
    """Number of times each match was replaced by a new one."""
    forbidden: frozenset[frozenset[int]] = frozenset()
    invited: frozenset[str] = frozenset()
    """Invited authors, by name."""
    released: frozenset[int] = frozenset()
    """Rounds whose replays an organiser released; 0 stands for all."""
    closed_rounds: int = 0
    paused: bool = False
    ended: bool = False
    """True if an organiser ended or cancelled the league: no further match is played, and the next event closes it."""
    closed: bool = False
    links: tuple[str, ...] = ()
    """Revealed links of the hash chain, the newest last."""
    signed: tuple[RoundSigned | LeagueSigned, ...] = ()
    noted: tuple[NotedFact, ...] = ()
    """Events shown on the league's page, in order."""

    @property
    def header(self) -> LeagueOpened:
        """Opening event of the league, with later corrections of its settings. Raise ValueError if there is none."""
        if self.opened is None:
            raise ValueError("the stream does not begin with an opened league")
        return self.terms or self.opened

    def check_rules(self) -> None:
        """Raise CommandRejected if the league was announced under newer league rules than this release knows."""
        if self.opened and self.opened.rules > league_facts.LEAGUE_RULES:
            raise CommandRejected(
                "%(league)s was announced under league rules %(rules)s, and this release knows rules up to %(known)s; "
                "upgrade it",
                league=self.header.name, rules=self.opened.rules, known=league_facts.LEAGUE_RULES,
            )  # fmt: skip

    @cached_property
    def stages(self) -> tuple[StageSettings, ...]:
        """Terms (settings) of the league's stages in order; at least one."""
        head = self.header
        alone = {name: getattr(head, name) for name in ("format", "seats", "least", "rounds", "games", "worth")}
        return head.stages or (StageSettings(**alone),)

    @cached_property
    def is_cancelled(self) -> bool:
        """True if an organiser cancelled the league."""
        return any(isinstance(fact, intervention_facts.LeagueCancelled) for fact in self.noted)

    @cached_property
    def results(self) -> tuple[ResultRecorded, ...]:
        """Match results that count, in the order in which the matches ended."""
        # A match ends with its first result or when it is voided. A later correction does not change the order.
        return tuple(result for past in self.history.values() if (result := effective_result(past)))

    @property
    def playing(self) -> int:
        """Number of the round being played, or of the last round played; 0 before the first round."""
        # If the next round was paired early, two rounds are played at once: the earlier one counts.
        return min(len(self.rounds), self.closed_rounds + 1)

    @property
    def is_ended_early(self) -> bool:
        """True if an organiser ended or cancelled the league, or ended its current stage."""
        return self.ended or (bool(self.begun) and self.begun[-1].cut)

    @property
    def between(self) -> bool:
        """True if no round is being played and the league is not closed."""
        return not self.closed and self.closed_rounds == len(self.rounds)

    @property
    def due(self) -> bool:
        """True if the league must produce its next events now, such as a new round, without an organiser."""
        # The start of the first round does not count. Before it, this is True only if the league or its first stage was
        # ended or the league cancelled, so that it can be closed or go on with the next stage.
        if self.ended:
            return self.between
        can_proceed = bool(self.rounds) or self.is_ended_early
        return can_proceed and self.between and self.draft is None and not self.paused

    def is_released(self, round_: int) -> bool:
        """Return whether the replays of a round are public."""
        if self.closed or self.released & {0, round_}:
            return True
        release = self.header.release
        return release == "at_once" or (release == "after_round" and round_ <= self.closed_rounds)

    @property
    def open_matches(self) -> list[MatchKey]:
        """Matches of rounds in progress that have no result yet."""
        return [
            (paired.round, table.number, game)
            for paired in self.rounds[self.closed_rounds :]
            for table in paired.tables
            for game in range(self.terms_of(paired.round).games)
            if (paired.round, table.number, game) not in self.recorded
        ]

    def entrant(self, entry: int) -> LeagueEntrant:
        """Return the entry (a bot in the league) with the given number, from 1."""
        return self.entrants[entry - 1]

    def table_of(self, key: MatchKey) -> TableSeating:
        """Return the table of a match; raise CommandRejected if no such match was drawn."""
        round_, table, game = key
        tables = self.rounds[round_ - 1].tables if 1 <= round_ <= len(self.rounds) else ()
        if not (1 <= table <= len(tables) and 0 <= game < self.terms_of(round_).games):
            raise CommandRejected(
                "%(league)s has no match %(game)s at table %(table)s of round %(round)s",
                league=self.header.name, game=game + 1, table=table, round=round_,
            )  # fmt: skip
        return tables[table - 1]

    def stage_of(self, round_: int) -> StageState:
        """Return the stage to which a round belongs. For a round that is not paired yet, return the latest stage."""
        old = StageState(number=1, first=1)  # old streams have no StageBegun event
        return next((begun for begun in reversed(self.begun) if begun.first <= round_), old)

    def announced_rounds(self, begun: StageState) -> int:
        """Return the announced number of rounds of a stage, after extensions; 0 if no number was announced."""
        return begun.extended or self.stages[begun.number - 1].rounds

    def terms_of(self, round_: int) -> StageSettings:
        """Return the terms (settings) of the stage to which a round belongs."""
        return self.stages[self.stage_of(round_).number - 1]


EMPTY_LEAGUE = LeagueState()
"""State of a league before its first event."""


class CommandRejected(Exception):
    """Raised for a command that the state of the league does not allow.

    `message` gives the reason. It can be a template such as "%(league)s is over", with its values as keyword
    arguments.
    """

    # Pages can translate the template, see `ftk_core.i18n.Message`.

    def __init__(self, message: str, **values: object) -> None:
        super().__init__(Message(message, **values) if values else message)


def effective_result(past: Sequence[RecordedResult]) -> ResultRecorded | None:
    """Return the result of a match after all corrections by organisers, or None.

    `past` holds the recorded results and corrections, oldest first.
    """
    if len(past) == 1 and isinstance(past[0], ResultRecorded):  # the usual case
        return past[0]
    recorded: ResultRecorded | None = None
    for fact in past:
        match fact:
            case ResultRecorded():
                recorded = fact
            case intervention_facts.ResultOverruled() if recorded:
                recorded = msgspec.structs.replace(recorded, places=fact.places)
            case _:
                recorded = None
    return recorded
