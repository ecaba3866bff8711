"""What organisers, authors and the arena's own rules do to a league: facts that say who, when and why."""

from __future__ import annotations

from ftk_core.facts import Fact


class Deed(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """The base of these facts."""

    by: str = ""
    """Who did it, by name; empty where the arena did it by the league's own terms."""
    at: int = 0
    """When, in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""
    """Which second organiser agreed, where whoever did it has a bot of his own in the league."""


class BotWithdrew(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """An entry is not paired any more."""

    entry: int
    reason: str
    by: str = ""
    at: int = 0
    approved: str = ""


class VersionRenewed(Deed, frozen=True, kw_only=True):
    """An entry plays as another version of its bot: the newest one, as was asked for when it entered."""

    entry: int
    version: int
    """The bot version's key."""
    name: str
    old: str
    """What it was called before."""


class AuthorInvited(Deed, frozen=True, kw_only=True):
    """An author may enter a league that is for those who were invited."""

    author: str


class BotReturned(Deed, frozen=True, kw_only=True):
    """An entry that withdrew is paired again."""

    entry: int


class BotExcused(Deed, frozen=True, kw_only=True):
    """An entry is absent from rounds that are not paired yet."""

    entry: int
    rounds: tuple[int, ...]


class BotDisqualified(Deed, frozen=True, kw_only=True):
    """An entry is not paired any more and stands behind all others; what it played stays."""

    entry: int


class MeetingForbidden(Deed, frozen=True, kw_only=True):
    """Two entries are not to meet from now on."""

    one: int
    other: int


class RoundChanged(Deed, frozen=True, kw_only=True):
    """Two entries of a drafted round changed places, or one with somebody who rests."""

    round: int
    one: int
    other: int
    tables: tuple[int, ...] = ()
    """At which tables the two sat before, 0 for who rested; empty in streams from before it was said."""


class MatchReplaced(Deed, frozen=True, kw_only=True):
    """A match that was void is played again, as another one."""

    round: int
    table: int
    game: int
    old: str
    new: str
    deal: int = 0
    """Which deal of the table it is played on; counts from 0."""


class MatchVoided(Deed, frozen=True, kw_only=True):
    """A match counts for nobody: its result is taken away, or it is not waited for any more."""

    round: int
    table: int
    game: int
    match: str


class ResultOverruled(Deed, frozen=True, kw_only=True):
    """A match counts with other places than it was played to."""

    round: int
    table: int
    game: int
    match: str
    places: tuple[int, ...]
    """By seat."""


class LeaguePaused(Deed, frozen=True, kw_only=True):
    """No round begins until the league is resumed; what has begun is played to its end."""


class LeagueResumed(Deed, frozen=True, kw_only=True):
    """Rounds begin again."""


class LeagueExtended(Deed, frozen=True, kw_only=True):
    """The stage that is being played has more rounds than announced, or fewer."""

    rounds: int
    """How many it has now."""


class StageCut(Deed, frozen=True, kw_only=True):
    """The stage that is played ends now: no further round of it is drawn, and its open matches are voided."""

    stage: int


class LeagueEnded(Deed, frozen=True, kw_only=True):
    """The league ends now, whatever of it was still to be played."""


class ReplaysReleased(Deed, frozen=True, kw_only=True):
    """Everybody may see what happened within matches from now on, earlier than by the league's terms."""

    round: int = 0
    """Those of one round; 0 for all, those to come too."""


class AnnouncementMade(Deed, frozen=True, kw_only=True):
    """An organiser told everybody something."""

    text: str


Act = (
    BotWithdrew
    | BotReturned
    | BotExcused
    | BotDisqualified
    | MeetingForbidden
    | RoundChanged
    | MatchReplaced
    | ResultOverruled
    | MatchVoided
    | LeaguePaused
    | LeagueResumed
    | LeagueExtended
    | StageCut
    | LeagueEnded
    | VersionRenewed
    | AuthorInvited
    | ReplaysReleased
    | AnnouncementMade
)
"""Acts of people on a league; each states who acted, when and why."""
