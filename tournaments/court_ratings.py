"""Court ratings: a projection of a ladder's matches and the versions that sat in them.

A ladder is always fitted as a whole, in an order that depends on the matches alone, so the digits are the same whatever
came first and however often it is fitted. Only a `CourtFit` row is locked meanwhile, no league and no ladder.
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
"""Number of latest matches of each table size that are fitted on the endless ladders outside leagues.

The cost of a fit is therefore bounded. They are taken in stream order, so that the digits do not depend on the time of
the fit.
"""
SHARE = 0.01
"""Share of a processor's time spent on fits of a growing ladder: the more it holds, the rarer they are."""
FIRST_MATCHES = 3
"""After this many matches a bot without a court rating waits for the next regular fit."""
_due: dict[tuple[str, str], float] = {}
"""Times, by this process's clock, before which it does not fit a ladder again."""


def list_stale(game: str | None = None) -> list[tuple[str, str]]:
    """Return the ladders, as (game, season), with matches after their last fit; of one game, or of all."""
    fitted = {(row.game, row.season): bytes(row.head) for row in CourtFit.objects.all()}
    heads = {ladder_of(stream): head for stream, head in list_heads(stream_of(game or "")).items()}
    return [which for which, head in heads.items() if game in (None, which[0]) and fitted.get(which) != head]


def list_due(game: str | None = None) -> list[tuple[str, str]]:
    """Return the stale ladders that this process has not fitted recently, as `SHARE` determines.

    A ladder with a newcomer without a court rating is due at once.
    """
    now, newcomers = time.monotonic(), list_with_newcomers()
    return [which for which in list_stale(game) if _due.get(which, now) <= now or which in newcomers]


def list_with_newcomers() -> set[tuple[str, str]]:
    """Return the ladders, as (game, season), with a bot that has played its first matches and has no court rating."""
    rated = CourtRating.objects.filter(bot=OuterRef("bot"), season=OuterRef("season"))
    first = Rating.objects.filter(~Exists(rated), matches__range=(1, FIRST_MATCHES))
    return set(first.values_list("game", "season").distinct())


def refit_due(game: str) -> int:
    """Fit those of a game's stale ladders that are due; return their number."""
    return sum(
        run_bounded("court rating", f"{name}/{season}", partial(_refit, name, season), otherwise=False)
        for name, season in list_due(game)
    )


def refit(game: str) -> int:
    """Fit a game's stale ladders; return their number.

    A ladder locked by another process is skipped: if it grew meanwhile, the sweeper enqueues it again.
    """
    return sum(_refit(name, season) for name, season in list_stale(game))


@transaction.atomic
def rebuild(game: str) -> int:
    """Rebuild a game's court ratings, for all time and each season; return the number of ladders fitted."""
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
        if bytes(row.head) == stream.head:  # another process fitted it meanwhile
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
    """Fit a ladder's matches, and store the results."""
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
    """Return the index of each version's predecessor, -1 for a bot's first; versions are grouped by bot."""
    bots = [None, *(version.bot_id for version in versions)]
    return np.array([at - 1 if bots[at] == bots[at + 1] else -1 for at in range(len(versions))], dtype=np.intp)


def _roles(name: str, sizes: Collection[int]) -> tuple[dict[int, tuple[int, ...]], list[str]]:
    """Return the role index of each seat by table size, empty if all seats are alike, and the roles' names."""
    roles = {size: shelf()[name].roles.get(size, ()) if name in shelf() else () for size in sizes}
    names = sorted({role for seats in roles.values() for role in seats})
    return {size: tuple(names.index(role) for role in seats) for size, seats in roles.items()}, names


def _seats(court: Court) -> list[list[list[float]]]:
    return [[_values(court.seat(size, seat)) for seat in range(size)] for size in sorted(court.layout.seats)]


def _values(rated: Rated) -> list[float]:
    return [rated.rating, rated.low, rated.high]


def _ratings(row: CourtFit, court: Court, versions: Sequence[VersionOf]) -> list[CourtRating]:
    """Return the ratings of the bots' newest versions, best first; ties by name."""
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
