"""Types of the events in a ladder's stream: rated matches and corrected results."""

from __future__ import annotations

import msgspec

from ftk_core.facts import Fact
from tournaments.models import ALL_TIME


class LeagueMatchRated(Fact, frozen=True, kw_only=True, tag="match_counted"):
    """Event: a league match was added to its ladder and rated."""

    # Matches are rated in the order of league, round, table and game, so that ratings do not depend on when results
    # arrive.

    match: str
    league: int
    """Id of the league."""
    round: int
    table: int
    game: int
    names: tuple[str, ...]
    """Slugs of the bots, by seat."""
    places: tuple[int, ...]
    """Places from 1, by seat."""


class NonLeagueMatchRated(Fact, frozen=True, kw_only=True, tag="bout_counted"):
    """Event: a match outside leagues counts on its ladder."""

    # Such matches are rated in the order of `number`.

    match: str
    number: int
    """Number of the bout, or primary key of the `ChallengeMatch`."""
    names: tuple[str, ...]
    """Slugs of the bots, by seat."""
    places: tuple[int, ...]
    """Places from 1, by seat."""


class ResultCorrected(Fact, frozen=True):
    """Event: the result of a rated match was corrected or withdrawn."""

    match: str
    places: tuple[int, ...]
    """Corrected places, by seat; empty if the result is withdrawn."""
    why: str


LadderFact = LeagueMatchRated | NonLeagueMatchRated | ResultCorrected
_decoder: msgspec.json.Decoder[LadderFact] = msgspec.json.Decoder(LadderFact)


def read(line: bytes) -> LadderFact:
    """Decode a line of a ladder's event stream."""
    return _decoder.decode(line)


def stream_of(game: str, season: str = ALL_TIME) -> str:
    """Return the name of the stream of a game's ladder, for all time or for a season."""
    return f"ladder/{game}/{season}" if season else f"ladder/{game}"


def ladder_of(stream: str) -> tuple[str, str]:
    """Return (game, season) for the name of a ladder's stream. The season of the all-time ladder is empty.

    >>> ladder_of("ladder/go/2026"), ladder_of("ladder/go")
    (('go', '2026'), ('go', ''))
    """
    game, _, season = stream.removeprefix("ladder/").partition("/")
    return game, season
