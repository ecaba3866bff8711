"""Database queries that load leagues for the web pages."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Case, Count, Max, Min, Q, QuerySet, When
from django.utils.translation import gettext

from foundation.paging import Column, read_number, read_time, slice_of
from ftk_core.games import game
from ftk_core.kit.keys import public_pem
from ftk_core.league.luck_shares import LEAST, SOURCES
from ftk_core.league.state import NotNow
from replays.queries import CLOSED, VOID
from tournaments.export import archive
from tournaments.league_words import RELEASES, SHARED
from tournaments.models import League, LuckMeasure, TableMatch
from tournaments.overviews import (
    LeagueCard,
    LeagueList,
    LuckOverview,
    LuckPart,
    Place,
    RoundTime,
)
from tournaments.projections import CALLED, load
from tournaments.signing import signer


def list_leagues(limit: int = 50) -> list[LeagueCard]:
    """Return the leagues, newest first."""
    return list_leagues_from("", limit).cards


def _listed(*, single: bool) -> QuerySet[League]:
    """Return the leagues proper, or those of a single match, such as shows for spectators."""
    rows = League.objects.sound().annotate(matches=Count("tables")).prefetch_related("entrants")
    alone = Q(matches=1, rounds=1)
    return rows.filter(alone) if single else rows.exclude(alone)


def list_leagues_from(cursor: str, size: int = 30, *, single: bool = False) -> LeagueList:
    """Return a page of leagues, newest first, or of those of a single match; raises BadCursor."""
    order = (Column("created_at", read_time, falling=True), Column("id", read_number, falling=True))
    piece = slice_of(_listed(single=single), order, cursor, size)
    return LeagueList([_card(row) for row in piece.rows], piece.after)


def _card(t: League) -> LeagueCard:
    title, entries = game(t.game).title, len(t.entrants.all())
    return LeagueCard(
        id=t.pk,
        slug=t.slug,
        name=t.name,
        game=t.game,
        game_title=title,
        season=t.season,
        status=t.status,
        round=t.round,
        rounds=t.rounds,
        entries=entries,
        entries_until=t.entries_until,
    )


def read_card(slug: str) -> LeagueCard:
    """Return a league's row for lists; raises League.DoesNotExist."""
    return _card(League.objects.sound().get(slug=slug))


def list_current(limit: int) -> list[LeagueCard]:
    """Return leagues: open ones by start, then running ones, then ended ones."""
    rank = Case(When(status=League.Status.OPEN, then=0), When(status=League.Status.RUNNING, then=1), default=2)
    rows = _listed(single=False).order_by(rank, "entries_until", "-created_at")
    return [_card(row) for row in rows[:limit]]


def list_round_times(slug: str) -> list[RoundTime]:
    """Return the start and end of each round of a league that has begun, in order."""
    ended = Count("pk", filter=Q(match__status__in=(CLOSED, VOID)))
    rows = (
        TableMatch.objects.filter(league__slug=slug)
        .values_list("round")
        .annotate(of=Count("pk"), done=ended, begun=Min("match__opened_at"), end=Max("match__closed_at"))
        .order_by("round")
    )
    return [
        RoundTime(number=number, matches=of, closed=done, opened_at=begun, closed_at=end if done == of else None)
        for number, of, done, begun, end in rows
        if begun
    ]


def list_slugs(limit: int = 200) -> list[str]:
    """Return the slugs of the leagues, newest first, for choices."""
    return list(League.objects.sound().order_by("-created_at").values_list("slug", flat=True)[:limit])


def count_unsound() -> int:
    """Return the number of leagues whose invalid rows cannot be listed; our own code never writes such rows."""
    return League.objects.count() - League.objects.sound().count()


def list_untended(at: datetime) -> list[int]:
    """Return the leagues with possibly due work: recording, rulings, start or pairing."""
    ended = TableMatch.objects.filter(CALLED, recorded=False, match__status__in=(CLOSED, VOID)).values("league")
    sound = League.objects.sound().exclude(status=League.Status.CLOSED)
    to_begin = Q(status=League.Status.OPEN, entries_until__lte=at)
    between = Q(status=League.Status.RUNNING, paused=False) & ~Q(tables__recorded=False)
    rows = sound.filter(Q(pk__in=ended) | to_begin | between)
    return list(rows.order_by("pk").values_list("pk", flat=True).distinct())


def league_exists(slug: str) -> bool:
    """Return True if a league with that slug exists."""
    return League.objects.filter(slug=slug).exists()


def find_table(league_id: int, match_id: str) -> tuple[int, int, int]:
    """Return (round, table, game) of a match of a league; raises NotNow if the league has no such match."""
    table = TableMatch.objects.filter(league=league_id, match_id=match_id).first()
    if table is None:
        raise NotNow(
            gettext("the league has no match %(match_id)r; one that was replaced counts no more")
            % {"match_id": match_id}
        )
    return table.round, table.number, table.game


def find_place(match_id: str) -> Place | None:
    """Return the place of a match in its league; None outside leagues."""
    table = TableMatch.objects.select_related("league").filter(match_id=match_id).first()
    return Place(table.league.slug, table.league.name, table.round, table.number) if table else None


def read_release(slug: str, round_: int) -> str:
    """Return the release rule of a league's round in words; raises League.DoesNotExist."""
    _, state = load(League.objects.get(slug=slug))
    return SHARED if state.is_released(round_) else RELEASES[state.header.release]


def read_progress(slug: str) -> tuple[str, int, int]:
    """Return a league's status, its number of ended matches, and the total."""
    league = League.objects.sound().get(slug=slug)
    _, folded = load(league)
    ahead = range(len(folded.rounds) + 1, league.rounds + 1)
    stages = [folded.terms_of(number) for number in ahead]
    coming = sum(-(-len(folded.entrants) // stage.seats) * stage.games for stage in stages)
    return league.status, len(folded.results), league.tables.count() + coming


def list_closed_matches(slug: str) -> list[str]:
    """Return the ids of a league's closed matches, in order of round, table and game."""
    rows = TableMatch.objects.filter(league__slug=slug, match__status=CLOSED)
    return list(rows.order_by("round", "number", "game").values_list("match_id", flat=True))


def export(slug: str) -> Iterator[bytes]:
    """Return a finished league as a tar, in pieces; raises League.DoesNotExist or NotNow."""
    return archive(slug)


def read_signing_key() -> bytes:
    """Return the public key that signs the leagues, in PEM."""
    return public_pem(signer().public)


def read_luck(game_name: str) -> LuckOverview:
    """Return the latest luck measure of a game."""
    row = LuckMeasure.objects.filter(game=game_name).first() or LuckMeasure(seats=0, matches=0, deals=0)
    held = {name: max(0.0, row.shares[name]["value"]) for name in SOURCES if row.shares}
    parts, begin = list[LuckPart](), 0.0
    for name, value in held.items():
        width = 100 * value / sum(held.values())
        low, high = (_percent(row.shares[name][end]) for end in ("low", "high"))
        parts.append(
            LuckPart(
                source=name, percent=_percent(value), low=low, high=high, begin=round(begin, 2), width=round(width, 2)
            )
        )
        begin += width
    return LuckOverview(seats=row.seats, matches=row.matches, deals=row.deals, least=LEAST, parts=parts)


def _percent(share: float) -> str:
    """Return a share in per cent, clipped to the possible range."""
    return f"{100 * min(1.0, max(0.0, share)):.0f}"
