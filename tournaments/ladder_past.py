"""The past of a ladder: places of its order before which the stream alone holds every match.

The tables keep the last matches of each bot there (`LadderFold.pruned_before`). Whatever changes something before that
place folds the whole stream.
"""

from __future__ import annotations

from ftk_core.log import lines_of
from replays.store import StreamLog
from tournaments.ladder_facts import LadderFact, read, stream_of
from tournaments.ladder_order import LEAGUE, Counted, ordered
from tournaments.ladder_rows import read_match
from tournaments.models import LadderFold, RatedSeat, TableMatch


def read_facts(stream: StreamLog) -> list[LadderFact]:
    """Return all facts of a ladder."""
    return [read(line) for line in lines_of(stream)]


def find_ladders(match: str) -> list[tuple[str, str]]:
    """Return game and season of the ladders on which a league's match counts, that of all time first."""
    rows = RatedSeat.objects.filter(match=match, seat=0)
    found = {(game, season): at for game, season, at in rows.values_list("ladder__game", "ladder__season", "at")}
    at = max(found.values(), default=0)
    games = TableMatch.objects.filter(match=match).values("league__game")
    for ladder in LadderFold.objects.filter(pruned_before__gt=at, game__in=games):
        if _read_from_stream(ladder, match) is not None:
            found[ladder.game, ladder.season] = at
    return sorted(found)


def find_match(ladder: LadderFold, match: str) -> Counted:
    """Return a match of a ladder, from the stream where its rows are gone; raises LookupError if it does not count."""
    try:
        return read_match(ladder, match)
    except LookupError:
        if ladder.pruned_before and (found := _read_from_stream(ladder, match)):
            return found
        raise


def is_past(ladder: LadderFold, at: int) -> bool:
    """Return True if only the ladder's stream holds every match from a place on."""
    return at < max(LEAGUE, ladder.pruned_before)


def _read_from_stream(ladder: LadderFold, match: str) -> Counted | None:
    facts = read_facts(StreamLog(stream_of(ladder.game, ladder.season)))
    return next((counted for counted in ordered(facts) if counted.match == match), None)
