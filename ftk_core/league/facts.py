"""What can happen in a league: the facts of its stream."""

from __future__ import annotations

from ftk_core.facts import Fact
from ftk_core.game import Worth
from ftk_core.league.acts import Act
from ftk_core.league.plans import Granted, Qualified, Release, Rest, Ruling, Stage, TablePlan, Weighed, Who
from ftk_core.league.signatures import LeagueSigned, RoundSigned

LEAGUE_RULES = 1
"""The version of the league rules: raise it when the same facts are to be followed by other facts.

Version 1: each round can be drawn again from the facts before it. Version 0: streams without a version.
"""


class LeagueOpened(Fact, frozen=True, kw_only=True):
    """A league was announced."""

    slug: str
    name: str
    game: str
    format: str
    """The name of a module in ``formats/``."""
    seats: int
    """Bots at a full table."""
    least: int
    """Bots at the shortest table the game allows."""
    rounds: int
    games: int
    """Matches of each pairing, with rotated seats."""
    move_ms: int
    bank_ms: int
    secret_seal: str
    """SHA-256 of the secret that all deals follow from."""
    worth: Worth = "places"
    """What a match is worth to a seat."""
    options: str = ""
    """The game's options as JSON; empty as the rule book has it."""
    pace_ms: int = 0
    """The least time between two choices of a match, for those who watch."""
    season: str = ""
    """What it is rated in beside all time; empty in streams from before there were seasons."""
    entries_until: int = 0
    """When it begins by itself, in seconds since 1970 (UTC); 0 where its organiser begins it."""
    stages: tuple[Stage, ...] = ()
    """Its stages; empty in streams from before there were stages, which are one by the fields above."""
    luck: str = ""
    """The anchor of the chain that each round's luck comes from; empty in streams from before there was one."""
    late: int = 0
    """The last round that can still be entered; 0 if there is none."""
    granted: Granted = "none"
    """What late entries are given."""
    per_author: int = 0
    """So many bots an author may enter; 0 for any number."""
    tries: int = 0
    """How often a void match is played again before `ruling` applies; 0 for whenever its organiser wants it."""
    ruling: Ruling = "share"
    held: bool = False
    """Whether a round waits, drafted, until its organiser begins it."""
    by: str = ""
    """Who announced it."""
    at: int = 0
    """When, in seconds since 1970 (UTC)."""
    who: Who = "anybody"
    """Whose bots may enter."""
    rated_from: int = 0
    """The least court rating with which a bot may enter; 0 for any, and for none at all."""
    rated_to: int = 0
    """The greatest; 0 for any."""
    release: Release = "at_once"
    """When its replays are released to everybody."""
    languages: tuple[str, ...] = ()
    """In which languages bots that enter are written; empty for any."""
    kinds: tuple[str, ...] = ()
    """Which kinds of bots may enter, of uploaded, remote and person; empty for uploaded ones alone."""
    mixed: bool = False
    """Whether it counts on the ladder of all time though others than uploaded bots may enter."""
    rules: int = 0
    """The version of the league rules (`LEAGUE_RULES`); 0 in streams without one."""


class BotEntered(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A bot version entered."""

    entry: int
    """Counts from 1 in the order of entering: the seeding."""
    version: int
    """The bot version's key."""
    name: str
    author: str = ""
    """Whose bot it is; unknown in streams from before it was said."""
    round: int = 1
    """The first round that it plays."""
    points: str = "0"
    """What it is given for the rounds it missed, an exact fraction."""
    by: str = ""
    at: int = 0
    why: str = ""
    approved: str = ""
    """Which second organiser agreed, where whoever entered it needed that."""
    newest: bool = False
    """Whether it is renewed, as `VersionRenewed` says, until its first round is paired."""


class StageBegun(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A stage of the league began."""

    stage: int
    """From 1."""
    entries: tuple[Qualified, ...]
    """The entries that play it, in the order of entry or of the stage before; `Stage.seeding` orders the seeds."""
    ratings: tuple[tuple[int, int], ...] = ()
    """(entry, court rating when the stage began), where the stage is seeded by rating."""


class RoundDrafted(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A round was drafted, and waits for its organiser."""

    round: int
    tables: tuple[TablePlan, ...]
    rests: tuple[Rest, ...]
    link: str
    weighed: Weighed | None = None
    draft: int = 0
    """The number of earlier drafts of the round; by league rules 1 its luck follows from the link and this."""
    by: str = ""
    """The person who had it drafted again; empty for the first draft."""
    at: int = 0
    """When it was drafted again, in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""


class RoundPaired(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A round's tables were drawn, and it began."""

    round: int
    tables: tuple[TablePlan, ...]
    byes: tuple[int, ...] = ()
    """Entries that rest this round and are given the points of a win, in streams from before there were `rests`."""
    weighed: Weighed | None = None
    """Its certificate; None in streams from before there were certificates."""
    rests: tuple[Rest, ...] = ()
    link: str = ""
    """The link of the chain of luck that it was drawn with."""
    at: int = 0
    """When, in seconds since 1970 (UTC)."""
    draft: int = 0
    """The number of the draft that was begun; counts from 0."""


class ResultRecorded(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """A match of a table ended."""

    round: int
    table: int
    game: int
    """From 0: which of the pairing's matches."""
    match: str
    seating: tuple[int, ...]
    """Entries by seat."""
    places: tuple[int, ...]
    """By seat."""
    scores: tuple[int, ...]
    """By seat."""
    excuses: tuple[int, ...] = ()
    """By seat: how often it gave no valid answer; empty where nobody failed, and in streams from before it was said."""
    ruled: Ruling | None = None
    """By which rule, where the match was void too often and nobody played it to its end."""


class RoundClosed(Fact, frozen=True):
    """Every match of a round has a result."""

    round: int


class StageEnded(Fact, frozen=True):
    """A stage's last round is closed; its standings say who plays the next one."""

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
