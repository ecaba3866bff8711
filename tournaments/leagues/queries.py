"""Database queries for the web pages of leagues."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Case, Count, Max, Min, Q, QuerySet, When
from django.utils.translation import gettext

from foundation.keyset_pagination import SortColumn, read_number, read_page, read_time
from ftk_core.games import game
from ftk_core.kit.verify.public_keys import public_pem
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.statistics.luck_variance_shares import MIN_REPEATED_DEALS, SOURCES
from replays.queries import CLOSED, VOID
from tournaments.leagues.export import stream_export
from tournaments.leagues.league_projection import HAS_BEGUN, load
from tournaments.models import League, LuckMeasure, TableMatch
from tournaments.signing_key import load_signer
from tournaments.summaries.overviews import (
    LeagueList,
    LeagueSummary,
    LuckOverview,
    LuckShare,
    MatchLocation,
    RoundTimes,
)
from tournaments.summaries.term_descriptions import RELEASE_NAMES, SHARED_DEAL_RELEASE


def list_leagues(limit: int = 50) -> list[LeagueSummary]:
    """Return the newest leagues with more than one match, newest first."""
    return list_leagues_from("", limit).cards


def _select_leagues(*, single: bool) -> QuerySet[League]:
    """Return a query for leagues with more than one match or, with `single`, for leagues that consist of one match."""
    rows = League.objects.valid().annotate(matches=Count("tables")).prefetch_related("entrants")
    is_single = Q(matches=1, rounds=1)
    return rows.filter(is_single) if single else rows.exclude(is_single)


def list_leagues_from(cursor: str, size: int = 30, *, single: bool = False) -> LeagueList:
    """Return one page of leagues, newest first; raises InvalidCursorError.

    Leagues that consist of a single match are left out. With `single`, only these leagues are returned.
    """
    order = (SortColumn("created_at", read_time, descending=True), SortColumn("id", read_number, descending=True))
    page = read_page(_select_leagues(single=single), order, cursor, size)
    return LeagueList([_make_card(row) for row in page.rows], page.after)


def _make_card(league: League) -> LeagueSummary:
    title, entries = game(league.game).title, len(league.entrants.all())
    return LeagueSummary(
        id=league.pk,
        slug=league.slug,
        name=league.name,
        game=league.game,
        game_title=title,
        season=league.season,
        status=league.status,
        round=league.round,
        rounds=league.rounds,
        entries=entries,
        entries_until=league.entries_until,
        cancelled=league.cancelled,
        logo=league.logo,
    )


def read_card(slug: str) -> LeagueSummary:
    """Return the summary of one league that lists show; raises League.DoesNotExist."""
    return _make_card(League.objects.valid().get(slug=slug))


def read_terms(slug: str) -> LeagueOpened:
    """Return the first fact of a league, which states its terms; raises League.DoesNotExist."""
    return load(League.objects.valid().get(slug=slug))[1].header


def list_current(limit: int) -> list[LeagueSummary]:
    """Return up to `limit` leagues for the home page: open ones by entry deadline, then running, then finished ones."""
    rank = Case(When(status=League.Status.OPEN, then=0), When(status=League.Status.RUNNING, then=1), default=2)
    rows = _select_leagues(single=False).order_by(rank, "entries_until", "-created_at")
    return [_make_card(row) for row in rows[:limit]]


def list_round_times(slug: str) -> list[RoundTimes]:
    """Return the start and the end of each round that has begun, in order."""
    count_ended = Count("pk", filter=Q(match__status__in=(CLOSED, VOID)))
    rows = (
        TableMatch.objects.filter(league__slug=slug)
        .values_list("round")
        .annotate(of=Count("pk"), done=count_ended, begun=Min("match__opened_at"), end=Max("match__closed_at"))
        .order_by("round")
    )
    return [
        RoundTimes(
            number=number,
            matches=matches,
            closed=ended_matches,
            opened_at=begun,
            closed_at=end if ended_matches == matches else None,
        )
        for number, matches, ended_matches, begun, end in rows
        if begun
    ]


def list_slugs(limit: int = 200) -> list[str]:
    """Return the slugs of the newest leagues, newest first, for the choices of a form field."""
    return list(League.objects.valid().order_by("-created_at").values_list("slug", flat=True)[:limit])


def count_invalid() -> int:
    """Return the number of leagues that no page lists: their database row is invalid, or their game is unknown."""
    return League.objects.count() - League.objects.valid().count()


def list_due(at: datetime) -> list[int]:
    """Return the ids of leagues that may have due work.

    Such a league has results to record or void matches to settle, or it is time to begin it or to pair its next round.
    """
    ended = TableMatch.objects.filter(HAS_BEGUN, recorded=False, match__status__in=(CLOSED, VOID)).values("league")
    unfinished = League.objects.valid().exclude(status=League.Status.CLOSED)
    is_due_to_begin = Q(status=League.Status.OPEN, entries_until__lte=at)
    is_between_rounds = Q(status=League.Status.RUNNING, paused=False) & ~Q(tables__recorded=False)
    rows = unfinished.filter(Q(pk__in=ended) | is_due_to_begin | is_between_rounds)
    return list(rows.order_by("pk").values_list("pk", flat=True).distinct())


def league_exists(slug: str) -> bool:
    """Return True if a league with this slug exists."""
    return League.objects.filter(slug=slug).exists()


def find_table(league_id: int, match_id: str) -> tuple[int, int, int]:
    """Return (round, table, game) of a league match; raises CommandRejected if the match is not in this league."""
    table = TableMatch.objects.filter(league=league_id, match_id=match_id).first()
    if table is None:
        raise CommandRejected(
            gettext("the league has no match %(match_id)r; one that was replaced counts no more")
            % {"match_id": match_id}
        )
    return table.round, table.number, table.game


def find_place(match_id: str) -> MatchLocation | None:
    """Return the league, round and table of a match; None for a match outside leagues."""
    table_match = TableMatch.objects.select_related("league").filter(match_id=match_id).first()
    return (
        MatchLocation(table_match.league.slug, table_match.league.name, table_match.round, table_match.number)
        if table_match
        else None
    )


def read_release(slug: str, round_: int) -> str:
    """Return, as text, the time at which the replays of a league's round become public; raises League.DoesNotExist."""
    _, state = load(League.objects.get(slug=slug))
    return SHARED_DEAL_RELEASE if state.is_released(round_) else RELEASE_NAMES[state.header.release]


def read_progress(slug: str) -> tuple[str, int, int]:
    """Return the status of a league, its number of finished matches, and its expected total number of matches."""
    league = League.objects.valid().get(slug=slug)
    _, state = load(league)
    unpaired = range(len(state.rounds) + 1, league.rounds + 1)
    stages = [state.terms_of(number) for number in unpaired]
    expected = sum(-(-len(state.entrants) // stage.seats) * stage.games for stage in stages)
    return league.status, len(state.results), league.tables.count() + expected


def list_closed_matches(slug: str) -> list[str]:
    """Return the ids of a league's finished matches, ordered by round, table, and number within the table."""
    rows = TableMatch.objects.filter(league__slug=slug, match__status=CLOSED)
    return list(rows.order_by("round", "number", "game").values_list("match_id", flat=True))


def export(slug: str) -> Iterator[bytes]:
    """Return the chunks of a tar file with a finished league.

    Raises League.DoesNotExist, or CommandRejected before the league is closed and signed.
    """
    return stream_export(slug)


def read_signing_key() -> bytes:
    """Return the public key that verifies the server's signatures of leagues, in PEM format."""
    return public_pem(load_signer().public)


def read_luck(game_name: str) -> LuckOverview:
    """Return the latest measurement of how much luck decides the results of a game."""
    measure = LuckMeasure.objects.filter(game=game_name).first() or LuckMeasure(seats=0, matches=0, deals=0)
    values = {name: max(0.0, measure.shares[name]["value"]) for name in SOURCES if measure.shares}
    parts, begin = list[LuckShare](), 0.0
    for name, value in values.items():
        width = 100 * value / sum(values.values())
        low, high = (_format_percent(measure.shares[name][end]) for end in ("low", "high"))
        parts.append(
            LuckShare(
                source=name,
                percent=_format_percent(value),
                low=low,
                high=high,
                begin=round(begin, 2),
                width=round(width, 2),
            )
        )
        begin += width
    return LuckOverview(
        seats=measure.seats, matches=measure.matches, deals=measure.deals, least=MIN_REPEATED_DEALS, parts=parts
    )


def _format_percent(share: float) -> str:
    """Return a share from 0 to 1 as a whole percentage, without the sign."""
    return f"{100 * min(1.0, max(0.0, share)):.0f}"
