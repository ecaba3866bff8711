"""Facts (events) in the append-only stream of a league."""

from __future__ import annotations

from ftk_core.facts import Fact
from ftk_core.game import Worth
from ftk_core.league.event_fields import (
    EntrantBye,
    Granted,
    PairingQualityCertificate,
    QualifiedEntrant,
    Release,
    Ruling,
    StageSettings,
    TableSeating,
    Who,
)
from ftk_core.league.intervention_facts import Act
from ftk_core.league.signature_facts import LeagueSigned, RoundSigned

LEAGUE_RULES = 4
"""Version of the league rules. Increase it with any change of the code that makes leagues proceed differently.

Version 3: a round that is drafted again takes the next link of the hash chain.
Version 2: tie-breaks decide positions within groups, a group stops when its schedule is used up, a withdrawal after its
last match changes no tie-break, and under the scoring rule `wins` a match ruled as shared is worth one win in all. In a
knockout, bots that were absent from the first round rank below those that played it. Late entries with mean points get
the mean of the closed rounds for each missed round. In a gauntlet, all challengers leave out the same bots, whose byes
are worth a table of each challenger. No bot enters after the last round, an early end, or the draft of a format without
late entries. No draft begins in a pause, no league is closed before its first round, bots change only to newer
versions, a match given up in a league with remote bots or people is played again on a new deal, and the audit refuses
terms that no arena has.
Version 1: each round can be drawn again from the events before it. Version 0: streams without a version.
"""


class LeagueOpened(Fact, frozen=True, kw_only=True):
    """First event of a league: its announcement with all settings."""

    slug: str
    name: str
    game: str
    format: str
    """Name of the league format, such as "swiss"; `ftk_core.league.formats` lists the names."""
    seats: int
    """Number of bots at a full table."""
    least: int
    """Minimum number of bots at a table."""
    rounds: int
    """Total number of rounds of all `stages`; a stage whose format decides its number of rounds counts as 0."""
    games: int
    """Number of matches that each table plays in a round, with rotated seats."""
    move_ms: int
    bank_ms: int
    """Extra time of each seat for the whole match, in milliseconds, used when a move takes longer than `move_ms`."""
    secret_seal: str
    """SHA-256 of the secret from which the deals (random seeds) of all matches are derived; revealed at the end."""
    worth: Worth = "places"
    """Rule for the points that a match gives for each place."""
    options: str = ""
    """Game options as JSON; empty for the game's defaults."""
    pace_ms: int = 0
    """Minimum time in milliseconds between two moves of a match, so that spectators can follow."""
    season: str = ""
    """Season of the league: its matches count for the rating of this season. Empty in streams older than seasons."""
    entries_until: int = 0
    """Time at which the league begins by itself, in seconds since 1970 (UTC); 0 if its organiser begins it."""
    stages: tuple[StageSettings, ...] = ()
    """Stages of the league; empty in older streams, whose only stage has the terms of this event."""
    luck: str = ""
    """Anchor of the hash chain whose links make the draws random, one per round; empty in older streams."""
    late: int = 0
    """Number of the last round in which a late entry may start; 0 if bots can only enter before the first round."""
    granted: Granted = "none"
    """Rule for the points that late entries receive for the rounds they missed."""
    per_author: int = 0
    """Maximum number of bots per author; 0 for unlimited."""
    tries: int = 0
    """Number of times that a void match is replayed before `ruling` gives its result; 0 if the organiser decides."""
    ruling: Ruling = "share"
    held: bool = False
    """True if drafted rounds wait until the organiser begins them."""
    by: str = ""
    """Name of the organiser."""
    at: int = 0
    """Time of the announcement in seconds since 1970 (UTC)."""
    who: Who = "anybody"
    """Authors who may enter their bots: anybody, or only invited authors."""
    rated_from: int = 0
    """Minimum court rating of an entry; 0 for no minimum, which also admits unrated bots."""
    rated_to: int = 0
    """Maximum court rating of an entry; 0 for no maximum."""
    release: Release = "at_once"
    """Rule for the time at which replays become public."""
    languages: tuple[str, ...] = ()
    """Programming languages allowed for bots; empty for any."""
    kinds: tuple[str, ...] = ()
    """Kinds of players that may enter: uploaded, remote, person; empty for uploaded bots only."""
    mixed: bool = False
    """True if the league counts for the all-time ladder even if remote bots or persons may enter."""
    rules: int = 0
    """Version of the league rules (`LEAGUE_RULES`); 0 in streams without one."""
    description: str = ""
    """Text by the organiser, in Markdown."""
    questions: tuple[str, ...] = ()
    """Questions to entrants, such as ``Size? * | S | M``; the answers are not in the stream."""

    @property
    def admits_outside_players(self) -> bool:
        """True if remote bots or people may enter. They remember earlier matches, and may take long to answer."""
        return bool(set(self.kinds) - {"uploaded"})


class BotEntered(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Entry of a bot version into the league."""

    entry: int
    """Number of the entry, from 1 in the order of entering, which is also the default order of the seeds."""
    version: int
    """Key of the bot version."""
    name: str
    author: str = ""
    """Owner of the bot, one of its authors; empty in old streams that do not record it."""
    round: int = 1
    """First round that the entry plays."""
    points: str = "0"
    """Points granted for the rounds that the entry missed, an exact fraction such as "3/2"."""
    by: str = ""
    at: int = 0
    why: str = ""
    approved: str = ""
    """Second organiser who approved the entry, if required."""
    newest: bool = False
    """True if the entry changes to newer versions (see `EntrantBotVersionUpdated`) until its first round is paired."""


class StageBegun(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Beginning of a stage of the league, with the bots that take part in it."""

    stage: int
    """Number of the stage, from 1."""
    entries: tuple[QualifiedEntrant, ...]
    """Entries of the stage: in the first stage in the order of entry, later in the order of the previous standings."""
    ratings: tuple[tuple[int, int], ...] = ()
    """Pairs (entry, court rating when the stage began), if the stage is seeded by rating."""


class RoundDrafted(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Draft of a round: its bots are paired, but an organiser must start it."""

    round: int
    tables: tuple[TableSeating, ...]
    rests: tuple[EntrantBye, ...]
    link: str
    weighed: PairingQualityCertificate | None = None
    draft: int = 0
    """Number of earlier drafts of the round. Since league rules 1, `link` and `draft` give the draw's seed."""
    by: str = ""
    """Organiser who ordered the repeated draft; empty for the first draft."""
    at: int = 0
    """Time of a repeated draft in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""


class RoundPaired(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Beginning of a round, with its final tables and byes."""

    round: int
    tables: tuple[TableSeating, ...]
    byes: tuple[int, ...] = ()
    """Entries that have a bye in this round and get the points of a win, in streams older than `rests`."""
    weighed: PairingQualityCertificate | None = None
    """Pairing certificate; None in streams older than certificates."""
    rests: tuple[EntrantBye, ...] = ()
    link: str = ""
    """Hash-chain link with which the round was drawn."""
    at: int = 0
    """Time in seconds since 1970 (UTC)."""
    draft: int = 0
    """Number of the draft that became the round, from 0."""


class ResultRecorded(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Result of a match. An organiser may correct ("overrule") or void it later."""

    round: int
    table: int
    game: int
    """Number of the match at its table, from 0."""
    match: str
    seating: tuple[int, ...]
    """By seat: the entry that sat there."""
    places: tuple[int, ...]
    """By seat: the place reached, from 1."""
    scores: tuple[int, ...]
    """By seat: the game score."""
    excuses: tuple[int, ...] = ()
    """By seat: number of moves that the referee chose for lack of a valid answer; empty if none, and in old streams."""
    ruled: Ruling | None = None
    """Rule that gave the result of a match that was void too often; None if the match was completed."""


class RoundClosed(Fact, frozen=True):
    """End of a round: every match has a result or was voided."""

    round: int


class StageEnded(Fact, frozen=True):
    """End of a stage after its last round. Its standings decide who plays in the next stage."""

    stage: int


class LeagueClosed(Fact, frozen=True):
    """End of a league. It reveals the secret behind all random seeds of its matches."""

    secret: str


LeagueFact = (
    Act
    | LeagueOpened
    | BotEntered
    | StageBegun
    | RoundDrafted
    | RoundPaired
    | ResultRecorded
    | RoundClosed
    | RoundSigned
    | StageEnded
    | LeagueClosed
    | LeagueSigned
)
