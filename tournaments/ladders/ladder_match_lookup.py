"""Lookup of a ladder's matches in the database tables or in the event stream."""
# Before the position `LadderProjection.pruned_before`, the tables have only each bot's latest matches. Correcting such
# an early match reads the whole stream.

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Exists, OuterRef
from msgspec.structs import replace

from bots.versions.queries import find_slugs
from ftk_core.hash_chained_log import lines_of
from replays.event_stream_storage import EventAppender
from replays.queries import read_seats
from tournaments.ladders.ladder_event_types import (
    LadderFact,
    LeagueMatchRated,
    NonLeagueMatchRated,
    ResultCorrected,
    read,
    stream_of,
)
from tournaments.ladders.ladder_storage import read_match
from tournaments.ladders.match_rating_order import OrderedLadderMatch, sort_facts
from tournaments.models import ALL_TIME, LadderProjection, LeagueMatch, RatedMatchSeat


def read_facts(stream: EventAppender) -> list[LadderFact]:
    """Return all events in the stream of a ladder."""
    return [read(line) for line in lines_of(stream)]


def read_renamed_facts(stream: EventAppender) -> list[LadderFact]:
    """Return all events in the stream of a ladder, with the present names of the bots."""
    # The bot of an erased person gets another name, and its former name may belong to another bot now. The stream keeps
    # the names of its time, so they are read from the seats of the matches.
    facts = read_facts(stream)
    seats = read_seats([fact.match for fact in facts if not isinstance(fact, ResultCorrected)])
    slugs = find_slugs({version for versions in seats.values() for version in versions})
    return [_rename_bots(fact, [slugs[version] for version in seats.get(fact.match, ())]) for fact in facts]


def _rename_bots(fact: LadderFact, names: Sequence[str]) -> LadderFact:
    match fact:
        case LeagueMatchRated() | NonLeagueMatchRated() if len(names) == len(fact.names):
            return replace(fact, names=tuple(names))
        case _:
            return fact


def find_ladders(match: str) -> list[tuple[str, str]]:
    """Return (game, season) of each ladder on which a match is rated, the all-time ladder first."""
    rows = RatedMatchSeat.objects.filter(match=match, seat=0)
    places = {(game, season): at for game, season, at in rows.values_list("ladder__game", "ladder__season", "at")}
    at = max(places.values(), default=0)
    games = LeagueMatch.objects.filter(match=match).values("league__game")
    for ladder in LadderProjection.objects.filter(pruned_before__gt=at, game__in=games):
        if _read_from_stream(ladder, match) is not None:
            places[ladder.game, ladder.season] = at
    return sorted(places)


def find_match(ladder: LadderProjection, match: str) -> OrderedLadderMatch:
    """Return a match of a ladder, even if its database rows were deleted.

    Raises LookupError if the match does not count on the ladder.
    """
    try:
        return read_match(ladder, match)
    except LookupError:
        if ladder.pruned_before and (match_from_stream := _read_from_stream(ladder, match)):
            return match_from_stream
        raise


def has_all_time_results(version_id: int) -> bool:
    """Return True if a bot version has a result on the all-time ladder of its game."""
    # Leagues of remote bots are rated elsewhere, and organisers withdraw results.
    rated = RatedMatchSeat.objects.filter(match=OuterRef("match_id"), ladder__season=ALL_TIME, place__gt=0)
    return LeagueMatch.objects.filter(Exists(rated), match__seats__version=version_id).exists()


def must_read_stream(ladder: LadderProjection, at: int) -> bool:
    """Return True if the event stream is needed to recompute the ratings from a match on.

    `at` is the position of the match in the rating order. If False, the database tables suffice.
    """
    # Before `pruned_before`, rows may have been deleted.
    return at < ladder.pruned_before


def _read_from_stream(ladder: LadderProjection, match: str) -> OrderedLadderMatch | None:
    facts = read_facts(EventAppender(stream_of(ladder.game, ladder.season)))
    return next((counted for counted in sort_facts(facts) if counted.match == match), None)
