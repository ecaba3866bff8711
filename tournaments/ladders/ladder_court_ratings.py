"""Court ratings: strengths of a ladder's bot versions, estimated together from the results of its matches."""
# The same matches always give the same numbers. Ladders outside leagues grow without end, so a fit uses only their
# latest matches. A fit locks only a `CourtRatingFit` row, and therefore never delays a league.

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from bots.versions.queries import BotVersionPrimaryKeys, list_versions
from ftk_core.games import list_games
from ftk_core.league.court_rating import BotRatingFit, MatchArrays, VersionRating, fit_ratings
from ftk_core.league.court_rating.rating_fit import DIGITS, POINTS_PER_STRENGTH
from replays.background_work_retries import run_with_retries
from replays.event_stream_queries import list_heads
from replays.event_stream_storage import EventAppender
from tournaments.ladders import ladder_deviation_ratings
from tournaments.ladders.ladder_event_types import ladder_of, stream_of
from tournaments.ladders.rated_match_cache import ArraysBySize, read_matches
from tournaments.league_limits import CHALLENGES, CONTINUOUS
from tournaments.models import CourtRating, CourtRatingFit, Rating

MAX_FITTED_MATCHES = 20_000
"""Maximum number of matches per table size that a fit uses on ladders outside leagues; it uses the latest ones.

These ladders have no end, so the limit bounds the cost of a fit. The latest matches are chosen by stream order, so that
the result does not depend on the time of the fit.
"""
FIT_TIME_SHARE = 0.01
"""Maximum share of time that a process spends on fits of one ladder. After a slow fit the next one waits longer."""
MAX_FIRST_MATCHES = 3
"""A fit is due at once if a bot without a court rating has played at most this number of matches."""
_next_fit_times: dict[tuple[str, str], float] = {}
"""For each ladder (game, season): time of the monotonic clock from which on this process may fit it again."""
_bots_without_fit: dict[tuple[str, str], set[int]] = {}
"""For each ladder (game, season): ids of the bots without a rating after its last fit by this process, as their matches
are older than the fitted ones. They are not new any more."""
CHANGED_SQL = """
SELECT DISTINCT game, season FROM tournaments_courtrating AS rated
WHERE cardinality(fitted_versions) IS DISTINCT FROM 1 AND version IS DISTINCT FROM (
    SELECT coalesce(max(number) FILTER (WHERE status = 'active'), max(number)) FROM bots_botversion AS fitted
    WHERE fitted.bot_id = rated.bot_id AND fitted.number = ANY(rated.fitted_versions))
"""


def list_stale(game: str | None = None) -> list[tuple[str, str]]:
    """Return (game, season) of each ladder with matches, or changes of active versions, newer than its last fit."""
    fitted = {(fit_row.game, fit_row.season): bytes(fit_row.head) for fit_row in CourtRatingFit.objects.all()}
    heads = {ladder_of(stream): head for stream, head in list_heads(stream_of(game or "")).items()}
    changed = _list_ladders_with_changed_versions()
    stale = [which for which, head in heads.items() if fitted.get(which) != head or which in changed]
    return [which for which in stale if game in (None, which[0])]


def _list_ladders_with_changed_versions() -> set[tuple[str, str]]:
    """Return (game, season) of each ladder where another version of a bot would have its rating now."""
    # Authors activate older versions again, staff retire and ban, and accounts are erased.
    with connection.cursor() as cursor:
        cursor.execute(CHANGED_SQL)
        return set(cursor.fetchall())


def list_due(game: str | None = None) -> list[tuple[str, str]]:
    """Return (game, season) of each ladder whose court ratings must be fitted now.

    These are the ladders with new matches. If this process has fitted a ladder recently, the ladder must wait, unless a
    new bot needs a rating.
    """
    # Otherwise a process spends at most the share `FIT_TIME_SHARE` of its time on one ladder.
    now, newcomers = time.monotonic(), list_ladders_with_new_bots()
    return [which for which in list_stale(game) if _next_fit_times.get(which, now) <= now or which in newcomers]


def list_ladders_with_new_bots() -> set[tuple[str, str]]:
    """Return (game, season) of each ladder on which a new bot has played but has no rating."""
    return {ladder for ladder, bot in _list_new_bots() if bot not in _bots_without_fit.get(ladder, ())}


def _list_new_bots() -> list[tuple[tuple[str, str], int]]:
    """Return ((game, season), bot id) of each bot with at most `MAX_FIRST_MATCHES` matches and no fitted rating."""
    rated = CourtRating.objects.filter(bot=OuterRef("bot"), season=OuterRef("season"))
    first = Rating.objects.filter(~Exists(rated), matches__range=(1, MAX_FIRST_MATCHES))
    return [((game, season), bot) for game, season, bot in first.values_list("game", "season", "bot")]


def refit_due(game: str) -> int:
    """Fit the court ratings of a game's ladders that are due; return the number of fitted ladders."""
    return sum(
        run_with_retries("court rating", f"{name}/{season}", partial(_refit_ladder, name, season), otherwise=False)
        for name, season in list_due(game)
    )


def refit(game: str) -> int:
    """Recompute the ratings on a game's ladders with new matches; return the number of ladders."""
    # A ladder is skipped while another process computes its ratings. The periodic task `tournaments.sweep` enqueues
    # matches that arrive meanwhile.
    return sum(_refit_ladder(name, season) for name, season in list_stale(game))


@transaction.atomic
def rebuild(game: str) -> int:
    """Delete and recompute all fitted ratings of a game; return the number of ladders."""
    list(CourtRatingFit.objects.select_for_update().filter(game=game).order_by("season"))
    CourtRating.objects.filter(game=game).delete()
    CourtRatingFit.objects.filter(game=game).update(
        head=b"", matches=0, bound=0, width=None, spread=None, seats=[], roles=[]
    )
    return refit(game)


def _refit_ladder(game: str, season: str) -> bool:
    CourtRatingFit.objects.get_or_create(game=game, season=season)
    new_before = {bot for ladder, bot in _list_new_bots() if ladder == (game, season)}
    with transaction.atomic():
        unlocked = CourtRatingFit.objects.select_for_update(skip_locked=True)
        fit_row = unlocked.filter(game=game, season=season).first()
        if fit_row is None:
            return False
        stream = EventAppender(stream_of(game, season))
        if bytes(fit_row.head) == stream.head and (game, season) not in _list_ladders_with_changed_versions():
            return False  # another process fitted it meanwhile
        fit_row.head, began = stream.head, time.monotonic()
        _fit(fit_row, _limit_to_recent(season, read_matches(stream)))
        fit_row.save()
        ladder_deviation_ratings.refit(game, season)
        still_new = {bot for ladder, bot in _list_new_bots() if ladder == (game, season)}
        _bots_without_fit[game, season] = new_before & still_new
        ended = time.monotonic()
        _next_fit_times[game, season] = ended + (ended - began) / FIT_TIME_SHARE
    return True


def _limit_to_recent(season: str, tables: ArraysBySize) -> ArraysBySize:
    if season not in (CONTINUOUS, CHALLENGES):
        return tables
    return {
        size: replace(
            table,
            ids=table.ids[-MAX_FITTED_MATCHES:],
            versions=table.versions[-MAX_FITTED_MATCHES:],
            places=table.places[-MAX_FITTED_MATCHES:],
        )
        for size, table in tables.items()
    }


def _fit(fit_row: CourtRatingFit, tables: ArraysBySize) -> None:
    """Fit ratings to the matches in `tables`, and replace the stored ratings of their ladder."""
    # `tables` has the matches as arrays, by number of seats. The caller must save `fit_row`, which gets the values of
    # the whole ladder.
    counted = {size: table.places[:, 0] > 0 for size, table in tables.items()}
    CourtRating.objects.filter(game=fit_row.game, season=fit_row.season).delete()
    if not any(which.any() for which in counted.values()):
        fit_row.matches, fit_row.bound, fit_row.seats, fit_row.roles = 0, 0, [], []
        fit_row.width = fit_row.spread = None
        return
    keys = np.unique(np.concatenate([np.unique(table.versions[counted[size]]) for size, table in tables.items()]))
    versions = list_versions(keys.tolist())
    numbers = np.empty(len(keys), dtype=np.int64)
    numbers[np.searchsorted(keys, [version.id for version in versions])] = np.arange(len(versions))
    roles, names = _index_roles(fit_row.game, tables)
    played = [
        MatchArrays(
            numbers[np.searchsorted(keys, table.versions[counted[size]])], table.places[counted[size]], roles[size]
        )
        for size, table in tables.items()
    ]
    predecessors = _find_predecessors(versions)
    court = fit_ratings(played, predecessors)
    fit_row.width = round(court.prior.later * POINTS_PER_STRENGTH, DIGITS) if (predecessors >= 0).any() else None
    fit_row.spread = round(court.prior.first * POINTS_PER_STRENGTH, DIGITS)
    fit_row.matches, fit_row.bound, fit_row.seats = (
        sum(len(each.versions) for each in played),
        court.bound,
        _list_seat_values(court),
    )
    fit_row.roles = [[name, *_list_interval(court.role(number))] for number, name in enumerate(names)]
    CourtRating.objects.bulk_create(_make_ratings(fit_row, court, versions))


def _find_predecessors(versions: Sequence[BotVersionPrimaryKeys]) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the index of each bot version's predecessor (the bot's previous version); -1 without one."""
    # The fit expects consecutive versions to have similar strengths. The versions must be grouped by bot.
    bots = [None, *(version.bot_id for version in versions)]
    return np.array([at - 1 if bots[at] == bots[at + 1] else -1 for at in range(len(versions))], dtype=np.intp)


def _index_roles(name: str, sizes: Collection[int]) -> tuple[dict[int, tuple[int, ...]], list[str]]:
    """Return the roles of the seats, by number of seats, and the names of all roles.

    A role is a kind of seat with its own powers from the start of a match. Each role is given as its index in the
    names. A game without roles has an empty tuple for each number of seats, and no names.
    """
    roles = {size: list_games()[name].roles.get(size, ()) if name in list_games() else () for size in sizes}
    names = sorted({role for seats in roles.values() for role in seats})
    return {size: tuple(names.index(role) for role in seats) for size, seats in roles.items()}, names


def _list_seat_values(court: BotRatingFit) -> list[list[list[float]]]:
    return [[_list_interval(court.seat(size, seat)) for seat in range(size)] for size in sorted(court.layout.seats)]


def _list_interval(rated: VersionRating) -> list[float]:
    return [rated.rating, rated.low, rated.high]


def _make_ratings(
    fit_row: CourtRatingFit, court: BotRatingFit, versions: Sequence[BotVersionPrimaryKeys]
) -> list[CourtRating]:
    """Return the fitted rating of each bot's newest active version, the strongest first.

    A bot without an active version has the rating of its newest version.
    """
    # After an author has activated an older version again, the newest one rests and would keep its rating for ever.
    newest, fitted_versions = dict[int, int](), defaultdict[int, list[int]](list)
    for number, version in enumerate(versions):
        fitted_versions[version.bot_id].append(version.number)
        before = newest.setdefault(version.bot_id, number)
        if version.is_active or not versions[before].is_active:
            newest[version.bot_id] = number
    rated = {number: court.rated(number) for number in newest.values()}
    order = sorted(rated, key=lambda number: -rated[number].rating)
    return [
        CourtRating(
            bot_id=versions[number].bot_id,
            game=fit_row.game,
            season=fit_row.season,
            version=versions[number].number,
            fitted_versions=fitted_versions[versions[number].bot_id],
            value=_round_to_hundredths(rated[number].rating),
            low=_round_to_hundredths(rated[number].low),
            high=_round_to_hundredths(rated[number].high),
            provisional=rated[number].provisional,
            ahead=None if following is None else court.superiority(number, following),
        )
        for number, following in zip(order, [*order[1:], None], strict=True)
    ]


def _round_to_hundredths(points: float) -> int:
    return round(100 * points)
