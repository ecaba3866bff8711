"""Queries for the pages of a league; none reads the matches of more than one round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext

from foundation.paging import BadCursor, Column, place_in, read_number, slice_of
from ftk_core.games import game
from ftk_core.league.ledger import Exact
from ftk_core.league.standings import Row, standings
from ftk_core.league.state import LeagueState
from ftk_core.league.tallies import cross_table
from ftk_core.league.tiebreaks import TIEBREAKS, tiebreaks_of
from replays.queries import list_players
from tournaments.deeds import list_announcements, tell
from tournaments.league_overviews import (
    DECIDED,
    Acts,
    CrossTable,
    LeagueOverview,
    RoundRow,
    StandingRow,
    Standings,
    TableRow,
)
from tournaments.league_stages import last_round, list_stages, outline_round
from tournaments.league_words import tell_conditions, tell_more
from tournaments.models import Entrant, League, TableMatch
from tournaments.projections import load

LINES, TABLES, CROSSED, ACTS, FOLDED = 50, 24, 40, 50, 40
"""Page sizes: rows of the standings, tables of a round, bots of the cross table, acts, and rounds."""
ANNOUNCEMENTS = 3
IN_ORDER = (Column("number", read_number), Column("game", read_number))


@dataclass(frozen=True, slots=True)
class Seen:
    """A league at one head of its stream, as a cache key."""

    head: bytes
    state: LeagueState = field(compare=False)


@lru_cache(maxsize=8)
def list_rows(seen: Seen) -> tuple[Row, ...]:
    """Return the standings of a league."""
    return tuple(standings(seen.state))


def _load(slug: str) -> tuple[League, LeagueState, tuple[Row, ...]]:
    """Return a league, its state, and its standings; raises League.DoesNotExist."""
    league = League.objects.sound().get(slug=slug)
    stream, state = load(league)
    return league, state, list_rows(Seen(stream.head, state))


def read_league(slug: str) -> LeagueOverview:
    """Return a league's page; raises League.DoesNotExist."""
    league, state, rows = _load(slug)
    header, last = state.header, last_round(state) if state.draft else state.playing
    older = range(last - 1, max(0, last - 1 - FOLDED), -1)
    return LeagueOverview(
        id=league.pk,
        slug=league.slug,
        in_pairs=all(stage.seats == 2 and stage.games == 1 for stage in state.stages),
        name=league.name,
        game=league.game,
        game_title=game(league.game).title,
        season=league.season,
        status=league.status,
        round=league.round,
        rounds=league.rounds,
        entries=len(state.entrants),
        entries_until=league.entries_until,
        paused=state.paused,
        waits=league.waits,
        seal=header.secret_seal,
        anchor=header.luck,
        header=header,
        conditions=tell_conditions(header),
        more=tell_more(header),
        stages=list_stages(state, league.rounds),
        standings=_standings(league, state, rows, ""),
        newest=_round(league, state, last, "") if last else None,
        older=list(older),
        oldest=older[-1] - 1 if older else 0,
        acts=len(state.noted),
        announcements=list_announcements(state)[:ANNOUNCEMENTS],
    )


def read_standings(slug: str, after: str = "") -> tuple[League, Standings]:
    """Return a league and a page of its standings; raises League.DoesNotExist or BadCursor."""
    league, state, rows = _load(slug)
    return league, _standings(league, state, rows, after)


def list_standings(slug: str) -> list[StandingRow]:
    """Return all rows of a league's standings; raises League.DoesNotExist."""
    league, _, rows = _load(slug)
    return _lines(league, rows)


def read_round(slug: str, number: int, after: str = "") -> tuple[League, RoundRow]:
    """Return a league and a round with a page of its tables.

    Raises League.DoesNotExist, ObjectDoesNotExist for a round that does not exist yet, or BadCursor.
    """
    league = League.objects.sound().get(slug=slug)
    _, state = load(league)
    if not 0 < number <= last_round(state):
        raise ObjectDoesNotExist(
            gettext("%(league)s has no round %(number)s yet") % {"league": league.name, "number": number}
        )
    return league, _round(league, state, number, after)


def read_cross(slug: str, after: str = "", around: str = "") -> tuple[League, CrossTable]:
    """Return a league and a section of its cross table, after the cursor or around an entry.

    Raises League.DoesNotExist or BadCursor.
    """
    league, state, rows = _load(slug)
    first = _window(rows, around) if around else place_in(rows, after)
    order = [row.entry for row in rows[first : first + CROSSED]]
    cells = cross_table(state, frozenset(order))
    names = [(at, entry, state.entrant(entry).name) for at, entry in enumerate(order, first + 1)]
    table = [["" if (a, b) not in cells else _cell(*cells[a, b]) for b in order] for a in order]
    before, behind = max(0, first - CROSSED), first + CROSSED
    return league, CrossTable(
        names=names,
        cells=table,
        of=len(rows),
        before=str(before or ""),
        after=str(behind) if behind < len(rows) else "",
    )


def read_acts(slug: str, after: str = "") -> tuple[League, Acts]:
    """Return a league and a page of its acts, newest first; raises League.DoesNotExist or BadCursor."""
    league = League.objects.sound().get(slug=slug)
    _, state = load(league)
    until = place_in(state.noted, after) or len(state.noted)
    first = max(0, until - ACTS)
    return league, Acts([tell(state, noted) for noted in reversed(state.noted[first:until])], str(first or ""))


def _window(rows: Sequence[Row], around: str) -> int:
    """Return the start of a section centred on an entry; raises BadCursor for an unknown entry."""
    at = next((at for at, row in enumerate(rows) if str(row.entry) == around), None)
    if at is None:
        raise BadCursor(gettext("%(around)r is no entry of this league") % {"around": around[:60]})
    return max(0, min(at - CROSSED // 2, len(rows) - CROSSED))


def _standings(league: League, state: LeagueState, rows: Sequence[Row], after: str) -> Standings:
    first = place_in(rows, after)
    behind = first + LINES
    return Standings(
        rows=_lines(league, rows[first:behind]),
        tiebreaks=[(one.name, one.what) for one in tiebreaks_of(state.terms_of(len(state.rounds)))],
        of=len(rows),
        at=after,
        after=str(behind) if behind < len(rows) else "",
    )


def _lines(league: League, rows: Sequence[Row]) -> list[StandingRow]:
    here = league.entrants.filter(number__in=[row.entry for row in rows]).select_related("version__bot")
    entrants = {entrant.number: entrant for entrant in here}
    return [_line(row, entrants[row.entry]) for row in rows]


def _line(row: Row, entry: Entrant) -> StandingRow:
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
        decided=DECIDED.get(row.decided) or TIEBREAKS[row.decided].name,
    )


def _short(value: Exact) -> str:
    """Return a number with at most two decimals."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _cell(won: Fraction, of: int) -> str:
    return f"{_short(won)}/{of}"


def _round(league: League, state: LeagueState, number: int, after: str) -> RoundRow:
    """Return a round: its outline from the stream, and a page of its tables from the database."""
    outlined = outline_round(state, number, after, TABLES)
    if outlined.drafted:
        return outlined
    rows = league.tables.filter(round=number).select_related("match").prefetch_related("match__seats__version__bot")
    piece = slice_of(rows, IN_ORDER, after, TABLES)
    groups = [table.group for table in state.rounds[number - 1].tables]
    return replace(
        outlined, tables=[_table(table, groups[table.number - 1]) for table in piece.rows], after=piece.after
    )


def _table(table: TableMatch, group: int) -> TableRow:
    return TableRow(
        number=table.number,
        group=group,
        game=table.game,
        match_id=table.match_id,
        status=table.match.status,
        seats=list_players(table.match),
        released=table.match.released,
    )
