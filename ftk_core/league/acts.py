"""Log entries of actions on a league, each with actor, time and reason; an actor may be the league's own rules."""

from __future__ import annotations

from ftk_core.facts import Fact


class Deed(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Base class of these facts."""

    by: str = ""
    """Name of the actor; empty if the league's own terms caused the act."""
    at: int = 0
    """Time in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""
    """Second organiser who approved, required if the actor has a bot in the league."""


class BotWithdrew(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """An entry withdrew: it is no longer paired."""

    entry: int
    reason: str
    by: str = ""
    at: int = 0
    approved: str = ""


class VersionRenewed(Deed, frozen=True, kw_only=True):
    """An entry changed to a newer version of its bot, as requested when it entered."""

    entry: int
    version: int
    """Key of the bot version."""
    name: str
    old: str
    """Name of the previous version."""


class AuthorInvited(Deed, frozen=True, kw_only=True):
    """An author may enter a league that is by invitation only."""

    author: str


class BotReturned(Deed, frozen=True, kw_only=True):
    """A withdrawn entry is paired again."""

    entry: int


class BotExcused(Deed, frozen=True, kw_only=True):
    """An entry is absent from rounds that are not yet paired."""

    entry: int
    rounds: tuple[int, ...]


class BotDisqualified(Deed, frozen=True, kw_only=True):
    """An entry is no longer paired and ranks below all others. Its matches still count."""

    entry: int


class MeetingForbidden(Deed, frozen=True, kw_only=True):
    """Two entries must not meet from now on."""

    one: int
    other: int


class RoundChanged(Deed, frozen=True, kw_only=True):
    """Two entries of a drafted round exchanged places, or an entry exchanged with one that rests."""

    round: int
    one: int
    other: int
    tables: tuple[int, ...] = ()
    """Tables of the two before the exchange, 0 for a rest; empty in old streams that do not record it."""


class MatchReplaced(Deed, frozen=True, kw_only=True):
    """A void match is replayed as a new match."""

    round: int
    table: int
    game: int
    old: str
    new: str
    deal: int = 0
    """Number of the deal of the table that it is played on, from 0."""


class MatchVoided(Deed, frozen=True, kw_only=True):
    """A match does not count: its result is removed, or the league no longer waits for it."""

    round: int
    table: int
    game: int
    match: str


class ResultOverruled(Deed, frozen=True, kw_only=True):
    """A match counts with other places than those played."""

    round: int
    table: int
    game: int
    match: str
    places: tuple[int, ...]
    """Place of each seat."""


class LeaguePaused(Deed, frozen=True, kw_only=True):
    """No round begins until the league is resumed. Rounds in progress are finished."""


class LeagueResumed(Deed, frozen=True, kw_only=True):
    """Rounds can begin again."""


class LeagueExtended(Deed, frozen=True, kw_only=True):
    """The current stage has more or fewer rounds than announced."""

    rounds: int
    """New number of rounds."""


class StageCut(Deed, frozen=True, kw_only=True):
    """The current stage ends now: no further round of it is drawn, and its open matches are voided."""

    stage: int


class LeagueEnded(Deed, frozen=True, kw_only=True):
    """The league ends now, even if parts of it were not played."""


class ReplaysReleased(Deed, frozen=True, kw_only=True):
    """Replays are public from now on, earlier than the league's terms say."""

    round: int = 0
    """Round whose replays are released; 0 for all rounds, including future ones."""


class AnnouncementMade(Deed, frozen=True, kw_only=True):
    """An organiser published a message."""

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
"""Acts on a league. Each states actor, time and reason."""
