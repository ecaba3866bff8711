"""The court ratings: a projection of the rated matches of a ladder, and of which version sat where in them.

A ladder is fitted as a whole, from nothing, in an order that follows from the matches alone: whatever came first, and
however often it is fitted, the digits are the same. Only a `CourtFit` is held meanwhile, no league and no ladder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
import numpy as np
from django.db import transaction

from bots.version_queries import VersionOf, list_versions
from ftk_core.league.court import Court, Played, fit
from replays.queries import list_heads, read_pages, read_seats
from tournaments.ladder import MatchRated, ladder_of, stream_of
from tournaments.models import CourtFit, CourtRating

_decoder = msgspec.json.Decoder(MatchRated)


def list_stale(game: str | None = None) -> list[tuple[str, str]]:
    """Return the ladders, by game and season, that went on since they were last fitted; of one game, or of all."""
    fitted = {(row.game, row.season): bytes(row.head) for row in CourtFit.objects.all()}
    heads = {ladder_of(stream): head for stream, head in list_heads(stream_of(game or "")).items()}
    return [which for which, head in heads.items() if game in (None, which[0]) and fitted.get(which) != head]


def refit(game: str) -> int:
    """Fit anew those of a game's ladders that went on since their last fit; returns how many these were.

    A ladder that somebody else is fitting is left to them: if it went on meanwhile, the sweeper rings again.
    """
    return sum(_refit(name, season) for name, season in list_stale(game))


@transaction.atomic
def rebuild(game: str) -> int:
    """Make a game's court ratings again, of all time and of each season; returns how many ladders were fitted."""
    list(CourtFit.objects.select_for_update().filter(game=game).order_by("season"))
    CourtRating.objects.filter(game=game).delete()
    CourtFit.objects.filter(game=game).update(head=b"", matches=0, bound=0, seats=[])
    return refit(game)


def _refit(game: str, season: str) -> bool:
    CourtFit.objects.get_or_create(game=game, season=season)
    with transaction.atomic():
        free = CourtFit.objects.select_for_update(skip_locked=True)
        row = free.filter(game=game, season=season).first()
        if row is None:
            return False
        pages = read_pages({stream_of(game, season): -1})[stream_of(game, season)]
        if bytes(row.head) == pages[-1].head:  # somebody fitted it while we came
            return False
        facts = [_decoder.decode(line) for page in pages for line in page.body.splitlines()]
        row.head, row.matches = pages[-1].head, len(facts)
        _fit(row, facts)
        row.save()
    return True


def _fit(row: CourtFit, facts: Sequence[MatchRated]) -> None:
    """Fit a ladder's matches, and write what comes of it into its tables."""
    seats = read_seats([fact.match for fact in facts])
    if unknown := [fact.match for fact in facts if len(seats.get(fact.match, ())) != len(fact.places)]:
        raise LookupError(f"the ladder of {row} rates {unknown[0]}, of which is not stored who sat there")
    versions = list_versions({version for seated in seats.values() for version in seated})
    court = fit(_played(facts, seats, versions), _before(versions))
    row.bound, row.seats = court.bound, _seats(court)
    CourtRating.objects.filter(game=row.game, season=row.season).delete()
    CourtRating.objects.bulk_create(_ratings(row, court, versions))


def _played(facts: Sequence[MatchRated], seats: dict[str, list[int]], versions: Sequence[VersionOf]) -> list[Played]:
    """Return the matches by table size; roles are chosen at the table, so that they are part of how well one plays."""
    numbers = {version.id: number for number, version in enumerate(versions)}
    sizes: dict[int, list[MatchRated]] = defaultdict(list)
    for fact in facts:
        sizes[len(fact.places)].append(fact)
    return [
        Played(
            np.array([[numbers[version] for version in seats[fact.match]] for fact in some]),
            np.array([fact.places for fact in some]),
        )
        for some in sizes.values()
    ]


def _before(versions: Sequence[VersionOf]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return each version's predecessor among those that are rated, -1 for a bot's first; they come bot by bot."""
    bots = [None, *(version.bot_id for version in versions)]
    return np.array([at - 1 if bots[at] == bots[at + 1] else -1 for at in range(len(versions))], dtype=np.intp)


def _seats(court: Court) -> list[list[list[float]]]:
    rated = [[court.seat(size, seat) for seat in range(size)] for size in sorted(court.layout.seats)]
    return [[[one.rating, one.low, one.high] for one in table] for table in rated]


def _ratings(row: CourtFit, court: Court, versions: Sequence[VersionOf]) -> list[CourtRating]:
    """Return the ratings of the bots' newest versions, the best first; equals in the order of their names."""
    newest = {version.bot_id: number for number, version in enumerate(versions)}
    rated = {number: court.rated(number) for number in newest.values()}
    order = sorted(rated, key=lambda number: -rated[number].rating)
    return [
        CourtRating(
            bot_id=versions[number].bot_id,
            game=row.game,
            season=row.season,
            version=versions[number].number,
            value=_hundredths(rated[number].rating),
            low=_hundredths(rated[number].low),
            high=_hundredths(rated[number].high),
            provisional=rated[number].provisional,
            ahead=None if following is None else court.superiority(number, following),
        )
        for number, following in zip(order, [*order[1:], None], strict=True)
    ]


def _hundredths(points: float) -> int:
    return round(100 * points)
