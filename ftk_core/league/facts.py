"""Facts of a league's stream."""

from __future__ import annotations

from ftk_core.facts import Fact
from ftk_core.game import Worth
from ftk_core.league.acts import Act
from ftk_core.league.plans import Granted, Qualified, Release, Rest, Ruling, Stage, TablePlan, Weighed, Who
from ftk_core.league.signatures import LeagueSigned, RoundSigned

LEAGUE_RULES = 1
"""Version of the league rules. Raise it if the same facts must lead to other facts.

Version 1: each round can be drawn again from the facts before it. Version 0: streams without a version.
"""


class LeagueOpened(Fact, frozen=True, kw_only=True):
    """A league was announced."""

    slug: str
    name: str
    game: str
    format: str
    """Name of a module in ``formats/``."""
    seats: int
    """Number of bots at a full table."""
    least: int
    """Number of bots at the shortest table that the game allows."""
    rounds: int
    games: int
    """Number of matches of each pairing, with rotated seats."""
    move_ms: int
    bank_ms: int
    secret_seal: str
    """SHA-256 of the secret that all deals are derived from."""
    worth: Worth = "places"
    """Value of a match for a seat."""
    options: str = ""
    """Game options as JSON; empty for the defaults of the rule book."""
    pace_ms: int = 0
    """Minimum time between two choices of a match in milliseconds, for spectators."""
    season: str = ""
    """Season in which it is rated, besides the all-time rating; empty in streams older than seasons."""
    entries_until: int = 0
    """Time at which it begins automatically, in seconds since 1970 (UTC); 0 if its organiser begins it."""
    stages: tuple[Stage, ...] = ()
    """Stages; empty in streams older than stages, which have one stage with the fields above."""
    luck: str = ""
    """Anchor of the hash chain for each round's luck; empty in streams older than the chain."""
    late: int = 0
    """Last round that can still be entered; 0 if none."""
    granted: Granted = "none"
    """Points granted to late entries."""
    per_author: int = 0
    """Maximum number of bots per author; 0 for unlimited."""
    tries: int = 0
    """Number of replays of a void match before `ruling` applies; 0 if replays are up to the organiser."""
    ruling: Ruling = "share"
    held: bool = False
    """True if drafted rounds wait until the organiser begins them."""
    by: str = ""
    """Name of the organiser."""
    at: int = 0
    """Time of the announcement in seconds since 1970 (UTC)."""
    who: Who = "anybody"
    """Authors whose bots may enter."""
    rated_from: int = 0
    """Minimum court rating of an entry; 0 for no minimum, which also admits unrated bots."""
    rated_to: int = 0
    """Maximum court rating of an entry; 0 for no maximum."""
    release: Release = "at_once"
    """Time at which its replays become public."""
    languages: tuple[str, ...] = ()
    """Programming languages allowed for bots; empty for any."""
    kinds: tuple[str, ...] = ()
    """Kinds of bots that may enter: uploaded, remote, person; empty for uploaded only."""
    mixed: bool = False
    """True if it counts for the all-time ladder although not only uploaded bots may enter."""
    rules: int = 0
    """Version of the league rules (`LEAGUE_RULES`); 0 in streams without one."""


class BotEntered(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A bot version entered."""

    entry: int
    """Number of the entry, from 1 in the order of entering: the seeding."""
    version: int
    """Key of the bot version."""
    name: str
    author: str = ""
    """Author of the bot; empty in old streams that do not record it."""
    round: int = 1
    """First round that it plays."""
    points: str = "0"
    """Points granted for the rounds it missed, an exact fraction."""
    by: str = ""
    at: int = 0
    why: str = ""
    approved: str = ""
    """Second organiser who approved, if required."""
    newest: bool = False
    """True if it changes to newer versions (see `VersionRenewed`) until its first round is paired."""


class StageBegun(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A stage of the league began."""

    stage: int
    """Number of the stage, from 1."""
    entries: tuple[Qualified, ...]
    """Its entries, in the order of entry or of the stage before; `Stage.seeding` orders the seeds."""
    ratings: tuple[tuple[int, int], ...] = ()
    """(entry, court rating when the stage began), if the stage is seeded by rating."""


class RoundDrafted(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A round was drafted and awaits its organiser."""

    round: int
    tables: tuple[TablePlan, ...]
    rests: tuple[Rest, ...]
    link: str
    weighed: Weighed | None = None
    draft: int = 0
    """Number of earlier drafts of the round. Under league rules 1 the luck follows from the link and this number."""
    by: str = ""
    """Person who had the round drafted again; empty for the first draft."""
    at: int = 0
    """Time of the new draft in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""


class RoundPaired(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """The tables of a round were drawn, and it began."""

    round: int
    tables: tuple[TablePlan, ...]
    byes: tuple[int, ...] = ()
    """Entries that rest this round for the points of a win, in streams older than `rests`."""
    weighed: Weighed | None = None
    """Pairing certificate; None in streams older than certificates."""
    rests: tuple[Rest, ...] = ()
    link: str = ""
    """Link of the hash chain that it was drawn with."""
    at: int = 0
    """Time in seconds since 1970 (UTC)."""
    draft: int = 0
    """Number of the draft that was begun, from 0."""


class ResultRecorded(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A match of a table ended."""

    round: int
    table: int
    game: int
    """Number of the pairing's match, from 0."""
    match: str
    seating: tuple[int, ...]
    """Entry in each seat."""
    places: tuple[int, ...]
    """Place of each seat."""
    scores: tuple[int, ...]
    """Score of each seat."""
    excuses: tuple[int, ...] = ()
    """By seat: number of missing valid answers; empty if there were none, and in old streams."""
    ruled: Ruling | None = None
    """Rule that decided the result, if the match was void too often and never completed."""


class RoundClosed(Fact, frozen=True):
    """Every match of a round has a result."""

    round: int


class StageEnded(Fact, frozen=True):
    """The last round of a stage is closed; its standings decide who plays the next one."""

    stage: int


class LeagueClosed(Fact, frozen=True):
    """The last round is closed; the secret behind the deals is revealed."""

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
