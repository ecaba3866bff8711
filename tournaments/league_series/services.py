"""Commands on series of leagues: open a series, and add or remove a league."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from ftk_core.games import list_games
from ftk_core.hash_chained_log import lines_of
from ftk_core.league.league_state import CommandRejected
from people.person_roles import is_organiser
from people.staff_audit_trail import ActingStaffMember, record_staff_act
from replays.event_stream_storage import EventAppender
from tournaments.league_limits import MAX_NAME_CHARACTERS, SLUG_PATTERN
from tournaments.league_series.league_series_facts import (
    LeagueJoinedSeries,
    LeagueLeftSeries,
    SeriesFact,
    SeriesOpened,
    read_fact,
    write_fact,
)
from tournaments.models import League
from tournaments.models.series import Series
from tournaments.organisers.league_access_rights import ACT, has_own_bot, may
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import MissingRightError

MAX_LEAGUES = 60
"""Maximum number of leagues in a series."""
MAX_DROPS = 50
"""Maximum number of leagues that a series may drop for each bot."""
MAX_POINT_PLACES, MAX_POINTS = 100, 10_000
"""Maximum number of places that get points, and maximum number of points for a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueSeriesSettings:
    """Settings of a new series of leagues."""

    slug: str
    name: str
    game: str
    drops: int = 0
    """Number of each bot's worst leagues that do not count."""
    points: tuple[int, ...] = ()
    """Points by place, first place first. If empty, a bot gets 100 times the share of bots that finish behind it."""


def owns_series(person: object, series: Series) -> bool:
    """Return True if the person may change the series: the organiser who opened it, or staff."""
    return isinstance(person, User) and person.is_active and (person.is_staff or person.pk == series.owner_id)


@transaction.atomic
def open_series(person: User, terms: LeagueSeriesSettings) -> Series:
    """Open a series. Raises MissingRightError if the person is no organiser, or CommandRejected for wrong settings."""
    if not is_organiser(person):
        raise MissingRightError(gettext("only organisers open series"))
    _check_terms(terms)
    series, is_new = Series.objects.get_or_create(
        slug=terms.slug, defaults={"name": terms.name, "game": terms.game, "owner": person}
    )
    if not is_new:
        raise CommandRejected(
            gettext("there is a series %(slug)s already; choose another address") % {"slug": terms.slug}
        )
    opened = SeriesOpened(
        slug=terms.slug,
        name=terms.name,
        game=terms.game,
        drops=terms.drops,
        points=terms.points,
        by=person.get_username(),
        at=_now(),
    )
    _append(series, opened)
    return series


def _check_terms(terms: LeagueSeriesSettings) -> None:
    if not re.fullmatch(SLUG_PATTERN, terms.slug):
        raise CommandRejected(gettext("the address has letters, digits, - and _ (got %(slug)r)") % {"slug": terms.slug})
    if not 0 < len(terms.name.strip()) <= len(terms.name) <= MAX_NAME_CHARACTERS:
        raise CommandRejected(gettext("the name has 1 to %(most)s characters") % {"most": MAX_NAME_CHARACTERS})
    if terms.game not in list_games():
        raise CommandRejected(gettext("there is no game %(game)r") % {"game": terms.game})
    if not 0 <= terms.drops <= MAX_DROPS:
        raise CommandRejected(gettext("dropped leagues must be 0 to %(most)s") % {"most": MAX_DROPS})
    falls = all(one >= other for one, other in zip(terms.points, terms.points[1:], strict=False))
    if len(terms.points) > MAX_POINT_PLACES or not falls or not all(0 <= one <= MAX_POINTS for one in terms.points):
        raise CommandRejected(
            gettext(
                "points by place must be at most %(places)s whole numbers from 0 to %(most)s,"
                " none larger than the one before it"
            )
            % {"places": MAX_POINT_PLACES, "most": MAX_POINTS}
        )


@transaction.atomic
def add_league(person: User, slug: str, league_slug: str) -> None:
    """Add a league to a series.

    Raises Series.DoesNotExist or League.DoesNotExist. Raises MissingRightError if the person may not change both, or if
    the league has begun and a bot of the person plays in it. Raises CommandRejected if the league has another game, if
    the series already contains it, or if the series is full.
    """
    # The league's final places give points in the series once the league is closed.
    series, league = _lock_series(person, slug), find_league(league_slug)
    if not may(ACT, person, league):
        raise MissingRightError(gettext("only organisers of %(league)s add it to a series") % {"league": league})
    if league.game != series.game:
        raise CommandRejected(
            gettext("%(series)s is a series of %(game)s, and %(league)s plays %(other)s")
            % {"series": series, "game": series.game, "league": league, "other": league.game}
        )
    if series.leagues.filter(pk=league.pk).exists():
        raise CommandRejected(gettext("%(league)s is in %(series)s already") % {"league": league, "series": series})
    if series.leagues.count() >= MAX_LEAGUES:
        raise CommandRejected(gettext("a series has at most %(most)s leagues") % {"most": MAX_LEAGUES})
    _check_impartial(person, series, league)
    _append(series, LeagueJoinedSeries(league=league.pk, slug=league.slug, by=person.get_username(), at=_now()))
    _record_staff(person, series, f"add {league.slug}")


@transaction.atomic
def remove_league(person: User, slug: str, league_slug: str) -> None:
    """Remove a league from a series.

    Raises Series.DoesNotExist or League.DoesNotExist. Raises MissingRightError if the person may not change the series,
    or if the league has begun and a bot of the person plays in a league of the series that has begun.
    """
    series = _lock_series(person, slug)
    league = series.leagues.filter(slug=league_slug).first()
    if league is None:
        raise League.DoesNotExist(
            gettext("%(series)s has no league %(slug)r") % {"series": series, "slug": league_slug[:60]}
        )
    _check_impartial(person, series, league)
    _append(series, LeagueLeftSeries(league=league.pk, slug=league.slug, by=person.get_username(), at=_now()))
    _record_staff(person, series, f"remove {league.slug}")


def _check_impartial(person: User, series: Series, league: League) -> None:
    """Raise MissingRightError if a league has begun, and a bot of the person plays in it or another of the series."""
    # A person who knows the results could otherwise move the own bot up, also by results of others.
    if league.status == League.Status.OPEN:
        return
    begun = [league, *series.leagues.exclude(pk=league.pk).exclude(status=League.Status.OPEN)]
    if own := next((one for one in begun if has_own_bot(person, one)), None):
        raise MissingRightError(
            gettext(
                "a bot of yours plays in %(league)s, which has begun; ask somebody without one, such as staff, to"
                " change the series"
            )
            % {"league": own}
        )


def _record_staff(person: User, series: Series, what: str) -> None:
    """Log a change of a series as an action of staff, unless the person opened the series."""
    if person.pk != series.owner_id:
        staff = ActingStaffMember(by=person, name=person.get_username())
        record_staff_act(staff, "series", f"series {series.slug}: {what}")


@transaction.atomic
def rebuild_all_series() -> int:
    """Rebuild the database tables of all series from their event streams; return the number of series."""
    all_series = list(Series.objects.select_for_update().order_by("pk"))
    for series in all_series:
        series.leagues.clear()
        for line in lines_of(EventAppender.open_locked(series.stream_id)):
            _project(series, read_fact(line))
    return len(all_series)


def _lock_series(person: User, slug: str) -> Series:
    series = Series.objects.select_for_update().filter(slug=slug).first()
    if series is None:
        raise Series.DoesNotExist(gettext("there is no series %(slug)r") % {"slug": slug[:60]})
    if not owns_series(person, series):
        raise MissingRightError(gettext("only the organiser who opened %(series)s changes it") % {"series": series})
    return series


def _append(series: Series, fact: SeriesFact) -> None:
    stream = EventAppender.open_locked(series.stream_id)
    stream.append([write_fact(fact)], stream.length)
    _project(series, fact)


def _project(series: Series, fact: SeriesFact) -> None:
    match fact:
        case SeriesOpened():
            series.name, series.game, series.drops, series.points = fact.name, fact.game, fact.drops, list(fact.points)
            series.owner = User.objects.filter(username=fact.by).first()
            series.save()
        case LeagueJoinedSeries():
            series.leagues.add(fact.league)
        case LeagueLeftSeries():
            series.leagues.remove(fact.league)


def _now() -> int:
    return int(timezone.now().timestamp())
