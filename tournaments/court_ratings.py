"""The court ratings: a projection of the rated matches of a ladder, and of which version sat where in them.

A ladder is fitted as a whole, from nothing, in an order that follows from the matches alone: whatever came first, and
however often it is fitted, the digits are the same. Only a `CourtFit` is held meanwhile, no league and no ladder.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from django.db import transaction
from django.db.models import Exists, OuterRef

from bots.version_queries import VersionOf, list_versions
from ftk_core.games import shelf
from ftk_core.league.court import Court, Played, Rated, fit
from ftk_core.league.court.fitting import DIGITS, POINT
from replays.failed_work import run_bounded
from replays.queries import list_heads
from replays.store import StreamLog
from tournaments import deviations
from tournaments.bounds import CONTINUOUS, FRIENDLY
from tournaments.court_matches import BySize, read_matches
from tournaments.ladder_facts import ladder_of, stream_of
from tournaments.models import CourtFit, CourtRating, Rating

RECENT = 20_000
"""Of the ladders outside leagues, which go on for ever, the last so many matches of each table size are fitted: a refit
costs the same however long they have gone on. They are taken in the order of the stream, so that the digits are the
same whenever they are fitted."""
SHARE = 0.01
"""How much of a processor's time goes into fits of a ladder that goes on: the more it holds, the rarer they are."""
FIRST_MATCHES = 3
"""After so many matches a bot that has no court rating yet waits for the ladder's next fit as all others do."""
_due: dict[tuple[str, str], float] = {}
"""Before when this process fits no ladder anew of its own accord, as its own clock has it."""


def list_stale(game: str | None = None) -> list[tuple[str, str]]:
    """Return the ladders, by game and season, that went on since they were last fitted; of one game, or of all."""
    fitted = {(row.game, row.season): bytes(row.head) for row in CourtFit.objects.all()}
    heads = {ladder_of(stream): head for stream, head in list_heads(stream_of(game or "")).items()}
    return [which for which, head in heads.items() if game in (None, which[0]) and fitted.get(which) != head]


def list_due(game: str | None = None) -> list[tuple[str, str]]:
    """Return those of the ladders that went on which were not fitted here a moment ago, as `SHARE` says.

    A ladder with a newcomer, who has no court rating yet, is due at once.
    """
    now, newcomers = time.monotonic(), list_with_newcomers()
    return [which for which in list_stale(game) if _due.get(which, now) <= now or which in newcomers]


def list_with_newcomers() -> set[tuple[str, str]]:
    """Return the ladders, by game and season, with a bot that has played its first matches and has no court rating."""
    rated = CourtRating.objects.filter(bot=OuterRef("bot"), season=OuterRef("season"))
    first = Rating.objects.filter(~Exists(rated), matches__range=(1, FIRST_MATCHES))
    return set(first.values_list("game", "season").distinct())


def refit_due(game: str) -> int:
    """Fit anew those of a game's ladders that went on and whose turn it is; returns how many these were."""
    return sum(
        run_bounded("court rating", f"{name}/{season}", partial(_refit, name, season), otherwise=False)
        for name, season in list_due(game)
    )


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
    CourtFit.objects.filter(game=game).update(head=b"", matches=0, bound=0, width=None, spread=None, seats=[], roles=[])
    return refit(game)


def _refit(game: str, season: str) -> bool:
    CourtFit.objects.get_or_create(game=game, season=season)
    with transaction.atomic():
        free = CourtFit.objects.select_for_update(skip_locked=True)
        row = free.filter(game=game, season=season).first()
        if row is None:
            return False
        stream = StreamLog(stream_of(game, season))
        if bytes(row.head) == stream.head:  # somebody fitted it while we came
            return False
        row.head, began = stream.head, time.monotonic()
        _fit(row, _recent(season, read_matches(stream)))
        row.save()
        deviations.refit(game, season)
        ended = time.monotonic()
        _due[game, season] = ended + (ended - began) / SHARE
    return True


def _recent(season: str, tables: BySize) -> BySize:
    if season not in (CONTINUOUS, FRIENDLY):
        return tables
    return {
        size: replace(table, ids=table.ids[-RECENT:], versions=table.versions[-RECENT:], places=table.places[-RECENT:])
        for size, table in tables.items()
    }


def _fit(row: CourtFit, tables: BySize) -> None:
    """Fit a ladder's matches, and write what comes of it into its tables."""
    counted = {size: table.places[:, 0] > 0 for size, table in tables.items()}
    CourtRating.objects.filter(game=row.game, season=row.season).delete()
    if not any(which.any() for which in counted.values()):
        row.matches, row.bound, row.width, row.spread, row.seats, row.roles = 0, 0, None, None, [], []
        return
    keys = np.unique(np.concatenate([np.unique(table.versions[counted[size]]) for size, table in tables.items()]))
    versions = list_versions(keys.tolist())
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[np.searchsorted(keys, [version.id for version in versions])] = np.arange(len(versions))
    roles, names = _roles(row.game, tables)
    played = [
        Played(numbers[np.searchsorted(keys, table.versions[counted[size]])], table.places[counted[size]], roles[size])
        for size, table in tables.items()
    ]
    before = _before(versions)
    court = fit(played, before)
    row.width = round(court.prior.later * POINT, DIGITS) if (before >= 0).any() else None
    row.spread = round(court.prior.first * POINT, DIGITS)
    row.matches, row.bound, row.seats = sum(len(each.versions) for each in played), court.bound, _seats(court)
    row.roles = [[name, *_values(court.role(number))] for number, name in enumerate(names)]
    CourtRating.objects.bulk_create(_ratings(row, court, versions))


def _before(versions: Sequence[VersionOf]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return each version's predecessor among those that are rated, -1 for a bot's first; they come bot by bot."""
    bots = [None, *(version.bot_id for version in versions)]
    return np.array([at - 1 if bots[at] == bots[at + 1] else -1 for at in range(len(versions))], dtype=np.intp)


def _roles(name: str, sizes: Collection[int]) -> tuple[dict[int, tuple[int, ...]], list[str]]:
    """Return by table size the number of each seat's role, none where the game's seats are alike, and the roles."""
    roles = {size: shelf()[name].roles.get(size, ()) if name in shelf() else () for size in sizes}
    names = sorted({role for seats in roles.values() for role in seats})
    return {size: tuple(names.index(role) for role in seats) for size, seats in roles.items()}, names


def _seats(court: Court) -> list[list[list[float]]]:
    return [[_values(court.seat(size, seat)) for seat in range(size)] for size in sorted(court.layout.seats)]


def _values(rated: Rated) -> list[float]:
    return [rated.rating, rated.low, rated.high]


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
