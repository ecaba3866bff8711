"""Events for changes of a league by hand, such as a withdrawal or a pause.

Each has a time, a reason and an actor: a person or the league's own rules.
"""

from __future__ import annotations

from ftk_core.facts import Fact

MAX_LEAGUE_NAME_CHARACTERS, MAX_DESCRIPTION_CHARACTERS = 80, 10_000
"""Maximum lengths of a league's name and of its description in characters."""


class InterventionFact(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Base class of the events that record a change of a league by hand, such as a pause."""

    by: str = ""
    """Name of the actor; empty if the league's own terms caused the event."""
    at: int = 0
    """Time in seconds since 1970 (UTC)."""
    why: str = ""
    approved: str = ""
    """Second organiser who approved, required if the actor has a bot in the league."""


class BotWithdrew(Fact, frozen=True, kw_only=True, omit_defaults=True):
    """Withdrawal of a bot from its league: it is no longer paired."""

    entry: int
    reason: str
    by: str = ""
    at: int = 0
    approved: str = ""


class EntrantBotVersionUpdated(InterventionFact, frozen=True, kw_only=True, tag="version_renewed"):
    """Replacement of a bot in the league by a newer version."""

    # When the bot entered, its author asked for newer versions until its first round is paired.

    entry: int
    version: int
    """Key of the bot version."""
    name: str
    old: str
    """Name of the previous version."""


class AuthorInvited(InterventionFact, frozen=True, kw_only=True):
    """Invitation of an author to a league that only invited authors may enter."""

    author: str


class WithdrawnBotReturned(InterventionFact, frozen=True, kw_only=True, tag="bot_returned"):
    """Return of a withdrawn bot: it is paired again."""

    entry: int


class BotAbsenceGranted(InterventionFact, frozen=True, kw_only=True, tag="bot_excused"):
    """Excuse of a bot: it is absent from the given rounds, which are not yet paired."""

    entry: int
    rounds: tuple[int, ...]


class BotDisqualified(InterventionFact, frozen=True, kw_only=True):
    """Disqualification of a bot, which ranks last; its past matches still count."""

    entry: int


class PairingForbidden(InterventionFact, frozen=True, kw_only=True, tag="meeting_forbidden"):
    """Ban that keeps two bots from being paired with each other from now on."""

    one: int
    other: int


class DraftedRoundChanged(InterventionFact, frozen=True, kw_only=True, tag="round_changed"):
    """Exchange of the seats of two bots in a round that has not begun."""

    # If one of them has a bye, the other takes the bye.

    round: int
    one: int
    other: int
    tables: tuple[int, ...] = ()
    """Tables of the two bots before the exchange, 0 for a bye; empty in old streams."""


class MatchReplaced(InterventionFact, frozen=True, kw_only=True):
    """Replacement of a match without a valid result by a new match."""

    round: int
    table: int
    game: int
    old: str
    new: str
    deal: int = 0
    """Number of the deal (the random start of a match) that the new match uses at its table, from 0."""


class MatchVoided(InterventionFact, frozen=True, kw_only=True):
    """Cancellation of a match, which does not count any more."""

    # If the match has a result, the result is removed. If not, the round can end without one.

    round: int
    table: int
    game: int
    match: str


class ResultOverruled(InterventionFact, frozen=True, kw_only=True):
    """Correction of a match result by an organiser: the match counts with the new places."""

    round: int
    table: int
    game: int
    match: str
    places: tuple[int, ...]
    """By seat: the place reached, from 1."""


class LeaguePaused(InterventionFact, frozen=True, kw_only=True):
    """Pause of the league: rounds in progress finish, but none begins."""


class LeagueResumed(InterventionFact, frozen=True, kw_only=True):
    """End of a pause by an organiser: rounds can begin again."""


class LeagueExtended(InterventionFact, frozen=True, kw_only=True):
    """Change of the number of rounds in the current stage by an organiser."""

    rounds: int
    """New number of rounds."""


class StageEndedEarly(InterventionFact, frozen=True, kw_only=True, tag="stage_cut"):
    """Early end of the current stage: no further rounds, and open matches do not count."""

    stage: int


class LeagueEndedEarly(InterventionFact, frozen=True, kw_only=True, tag="league_ended"):
    """Early end of the league by an organiser, before all its rounds were played."""


class LeagueCancelled(InterventionFact, frozen=True, kw_only=True):
    """Cancellation of the league by an organiser, before its first round began."""


class LeagueCorrected(InterventionFact, frozen=True, kw_only=True):
    """Correction of the league's settings by an organiser. Fields of settings that stay the same are None."""

    name: str | None = None
    entries_until: int | None = None
    """New entry deadline in seconds since 1970 (UTC); 0 if the organiser begins the league instead."""
    description: str | None = None


class ReplaysReleased(InterventionFact, frozen=True, kw_only=True):
    """Publication of replays by an organiser, before the time that the league's settings give."""

    round: int = 0
    """Round whose replays are released; 0 for all rounds, including future ones."""


class AnnouncementMade(InterventionFact, frozen=True, kw_only=True):
    """Message published by an organiser."""

    text: str


Act = (
    BotWithdrew
    | WithdrawnBotReturned
    | BotAbsenceGranted
    | BotDisqualified
    | PairingForbidden
    | DraftedRoundChanged
    | MatchReplaced
    | ResultOverruled
    | MatchVoided
    | LeaguePaused
    | LeagueResumed
    | LeagueExtended
    | StageEndedEarly
    | LeagueEndedEarly
    | LeagueCancelled
    | LeagueCorrected
    | EntrantBotVersionUpdated
    | AuthorInvited
    | ReplaysReleased
    | AnnouncementMade
)
"""Union of all events that record an intervention in a league."""
