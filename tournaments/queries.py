"""What the pages ask of the leagues and the ladders."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import msgspec
from django.db.models import Case, Count, Max, Min, Q, QuerySet, When

from foundation.paging import Column, read_number, read_time, slice_of
from ftk_core.games import game
from ftk_core.kit.keys import public_pem
from ftk_core.league.facts import LeagueOpened
from ftk_core.league.standings import Row, cross_table, standings
from ftk_core.league.state import LeagueState
from ftk_core.league.tiebreaks import TIEBREAKS, Exact
from replays.queries import CLOSED, VOID, list_players
from tournaments.certificates import read_aloud
from tournaments.export import archive
from tournaments.models import Entrant, League, TableMatch
from tournaments.overviews import (
    Conditions,
    CrossTable,
    LeagueCard,
    LeagueList,
    LeagueOverview,
    Place,
    RoundRow,
    RoundTime,
    StandingRow,
    TableRow,
)
from tournaments.projections import load
from tournaments.signing import signer


def list_leagues(limit: int = 50) -> list[LeagueCard]:
    """Return the leagues, newest first."""
    return list_leagues_from("", limit).cards


def _listed(*, single: bool) -> QuerySet[League]:
    """Return the leagues proper, or those of a single match, such as are played for an audience."""
    rows = League.objects.sound().annotate(matches=Count("tables")).prefetch_related("entrants")
    alone = Q(matches=1, rounds=1)
    return rows.filter(alone) if single else rows.exclude(alone)


def list_leagues_from(cursor: str, size: int = 30, *, single: bool = False) -> LeagueList:
    """Return the leagues behind the cursor, newest first, or those of a single match; raises BadCursor."""
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
    """Return a league as it stands in a list; raises League.DoesNotExist."""
    return _card(League.objects.sound().get(slug=slug))


def list_current(limit: int) -> list[LeagueCard]:
    """Return leagues: those open for entries by when they begin, then those running, then those that ended."""
    rank = Case(When(status=League.Status.OPEN, then=0), When(status=League.Status.RUNNING, then=1), default=2)
    rows = _listed(single=False).order_by(rank, "entries_until", "-created_at")
    return [_card(row) for row in rows[:limit]]


def list_round_times(slug: str) -> list[RoundTime]:
    """Return when each round of a league that has begun was opened and closed, in order."""
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
    """Return the names of the leagues in addresses, newest first, to choose from."""
    return list(League.objects.sound().order_by("-created_at").values_list("slug", flat=True)[:limit])


def count_unsound() -> int:
    """Return how many leagues no list can show: what their rows hold can have come through no door of ours."""
    return League.objects.count() - League.objects.sound().count()


def league_exists(slug: str) -> bool:
    """Tell whether there is a league of that name."""
    return League.objects.filter(slug=slug).exists()


def read_league(slug: str) -> LeagueOverview:
    """Return a league's page; raises League.DoesNotExist."""
    league = League.objects.sound().get(slug=slug)
    _, folded = load(league)
    entries = {entry.number: entry for entry in league.entrants.select_related("version__bot")}
    names = {entry.number: entry.name for entry in entries.values()}
    rows = standings(folded)
    return LeagueOverview(
        id=league.pk,
        slug=league.slug,
        name=league.name,
        game=league.game,
        game_title=game(league.game).title,
        season=league.season,
        status=league.status,
        round=league.round,
        rounds=league.rounds,
        entries_until=league.entries_until,
        seal=folded.header.secret_seal,
        conditions=_conditions(folded.header),
        standings=[_standing(row, entries[row.entry]) for row in rows],
        tiebreak_names=[(tiebreak.name, tiebreak.what) for tiebreak in TIEBREAKS],
        rounds_played=_rounds(league, folded, names),
        cross=_cross([row.entry for row in rows], names, cross_table(folded)),
    )


def _conditions(header: LeagueOpened) -> Conditions:
    usual = msgspec.to_builtins(game(header.game).options())
    options = {name: value for name, value in json.loads(header.options or "{}").items() if value != usual.get(name)}
    return Conditions(
        format=header.format.replace("_", " "),
        seats=header.seats,
        games=header.games,
        move_s=header.move_ms / 1000,
        bank_s=header.bank_ms / 1000,
        worth=header.worth,
        options=[(name, json.dumps(value).strip('"')) for name, value in options.items()],
        pace_s=header.pace_ms / 1000,
    )


def find_place(match_id: str) -> Place | None:
    """Return where in a league a match is played; None for one of no league."""
    table = TableMatch.objects.select_related("league").filter(match_id=match_id).first()
    return Place(table.league.slug, table.league.name, table.round, table.number) if table else None


def _standing(row: Row, entry: Entrant) -> StandingRow:
    return StandingRow(
        place=row.place,
        entry_id=entry.number,
        name=entry.name,
        bot_slug=entry.version.bot.slug,
        version=entry.version.number,
        points=_short(row.points),
        played=row.played,
        byes=row.byes,
        tiebreaks=[_short(value) for value in row.tiebreaks],
    )


def _short(value: Exact) -> str:
    """Return a number with at most two decimals."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _rounds(league: League, folded: LeagueState, names: dict[int, str]) -> list[RoundRow]:
    """Return the rounds, the newest first."""
    tables: dict[int, list[TableRow]] = defaultdict(list)
    for table in league.tables.select_related("match").prefetch_related("match__seats__version__bot"):
        tables[table.round].append(_table(table))
    return [
        RoundRow(paired.round, tables[paired.round], [names[e] for e in paired.byes], read_aloud(paired.weighed))
        for paired in reversed(folded.rounds)
    ]


def _table(table: TableMatch) -> TableRow:
    return TableRow(
        number=table.number,
        game=table.game,
        match_id=table.match_id,
        status=table.match.status,
        seats=list_players(table.match),
    )


def _cross(order: list[int], names: dict[int, str], cells: dict[tuple[int, int], tuple[Fraction, int]]) -> CrossTable:
    rows = [["" if (a, b) not in cells else _cell(*cells[a, b]) for b in order] for a in order]
    return CrossTable([names[entry] for entry in order], rows)


def _cell(won: Fraction, of: int) -> str:
    return f"{_short(won)}/{of}"


def read_progress(slug: str) -> tuple[str, int, int]:
    """Return a league's status, and how many of all its matches are through."""
    league = League.objects.sound().get(slug=slug)
    _, folded = load(league)
    header = folded.header
    per_round = -(-len(folded.entrants) // header.seats) * header.games
    return league.status, len(folded.results), per_round * header.rounds


def list_closed_matches(slug: str) -> list[str]:
    """Return the ids of a league's matches that are closed, in order of round, table and game."""
    rows = TableMatch.objects.filter(league__slug=slug, match__status=CLOSED)
    return list(rows.order_by("round", "number", "game").values_list("match_id", flat=True))


def export(slug: str) -> Iterator[bytes]:
    """Return a finished league as a tar, piece by piece; raises League.DoesNotExist or NotNow."""
    return archive(slug)


def read_signing_key() -> bytes:
    """Return the public key that signs the leagues, in PEM."""
    return public_pem(signer().public)
