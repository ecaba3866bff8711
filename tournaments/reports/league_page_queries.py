"""Queries for the pages of a league. Each query reads the matches of at most one round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from django.core.exceptions import ObjectDoesNotExist
from django.utils.translation import gettext

from foundation.keyset_pagination import InvalidCursorError, SortColumn, offset_of_cursor, read_number, read_page
from ftk_core.games import title_of
from ftk_core.league.league_state import LeagueState
from ftk_core.league.scoring.entrant_stage_totals import cross_table
from ftk_core.league.scoring.tiebreak_inputs import Exact
from ftk_core.league.scoring.tiebreaks import TieBreak, find_tiebreak, tiebreaks_of
from ftk_core.league.standings import EntrantStanding, standings
from replays.queries import list_players
from tournaments.comment_publication_modes import takes_comments
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.stage_and_round_descriptions import find_last_round, list_stages, outline_round
from tournaments.models import Entrant, League, LeagueMatch
from tournaments.organisers.public_organiser_action_descriptions import list_announcements
from tournaments.reports.upcoming_league_description import list_preview_sentences
from tournaments.summaries.league_overviews import (
    DECISION_NAMES,
    CrossTableSection,
    LeagueOverview,
    PaginatedStandings,
    RoundDetails,
    RoundMatch,
    StandingRow,
)
from tournaments.summaries.league_terms import describe_common_terms, describe_further_terms
from tournaments.translatable_message_json import decode_message

STANDINGS_PAGE, TABLES_PAGE, CROSS_TABLE_PAGE, ROUNDS_PAGE = 50, 24, 40, 40
"""Page sizes: entries in the standings, matches of a round, entries in the cross table, and earlier rounds."""
MAX_ANNOUNCEMENTS = 3
"""Maximum number of announcements on the main page, the latest ones."""
TABLE_ORDER = (SortColumn("number", read_number), SortColumn("game", read_number))


@dataclass(frozen=True, slots=True)
class LeagueCacheKey:
    """Cache key for the standings of a league: the last hash of its event stream."""

    # `state` is used to compute the standings if they are not cached. It is not compared, because `head` determines it.

    head: bytes
    state: LeagueState = field(compare=False)


@lru_cache(maxsize=8)
def compute_standings(league: LeagueCacheKey) -> tuple[EntrantStanding, ...]:
    """Return the standings of a league. They are cached until the league's stream grows."""
    return tuple(standings(league.state))


def _load(slug: str) -> tuple[League, LeagueState, tuple[EntrantStanding, ...]]:
    """Return a league, its state and its standings; raises League.DoesNotExist."""
    league = League.objects.readable().get(slug=slug)
    stream, state = load(league)
    return league, state, compute_standings(LeagueCacheKey(stream.head, state))


def read_league(slug: str) -> LeagueOverview:
    """Return the content of a league's main page; raises League.DoesNotExist."""
    league, state, rows = _load(slug)
    header, shown_round = state.header, find_last_round(state) if state.draft else state.playing
    older = range(shown_round - 1, max(0, shown_round - 1 - ROUNDS_PAGE), -1)
    return LeagueOverview(
        id=league.pk,
        slug=league.slug,
        in_pairs=[(stage.seats, stage.games) for stage in state.stages] == [(2, 1)],
        name=league.name,
        game=league.game,
        game_title=title_of(league.game),
        season=league.season,
        status=league.status,
        round=league.round,
        rounds=league.rounds,
        entries=len(state.entrants),
        entries_until=league.entries_until,
        cancelled=league.cancelled,
        announced_at=league.created_at,
        logo=league.logo,
        predictions=league.predictions,
        has_comments=takes_comments(league.comments, league.game),
        paused=state.paused,
        waits=decode_message(league.waits),
        seal=header.secret_seal,
        anchor=header.luck,
        header=header,
        conditions=describe_common_terms(header),
        more=describe_further_terms(header),
        stages=list_stages(state, league.rounds),
        standings=_make_standings_page(league, state, rows, ""),
        newest=_make_round(league, state, shown_round, "") if shown_round else None,
        older=list(older),
        oldest=older[-1] - 1 if older else 0,
        acts=len(state.noted),
        announcements=list_announcements(state)[:MAX_ANNOUNCEMENTS],
        preview=list_preview_sentences(state, league.rounds),
    )


def read_standings(slug: str, after: str = "", size: int = STANDINGS_PAGE) -> tuple[League, PaginatedStandings]:
    """Return a league and one page of its standings; raises League.DoesNotExist or InvalidCursorError."""
    league, state, rows = _load(slug)
    return league, _make_standings_page(league, state, rows, after, size)


def list_standings(slug: str) -> list[StandingRow]:
    """Return the complete standings of a league; raises League.DoesNotExist."""
    league, state, rows = _load(slug)
    return _make_standing_rows(league, state, rows)


def read_round(slug: str, number: int, after: str = "", size: int = TABLES_PAGE) -> tuple[League, RoundDetails]:
    """Return a league and one of its rounds, with one page of matches.

    Raises League.DoesNotExist, ObjectDoesNotExist for a round that is not paired yet, or InvalidCursorError.
    """
    league = League.objects.readable().get(slug=slug)
    _, state = load(league)
    if not 0 < number <= find_last_round(state):
        raise ObjectDoesNotExist(
            gettext("%(league)s has no round %(number)s yet") % {"league": league.name, "number": number}
        )
    return league, _make_round(league, state, number, after, size)


def read_cross(slug: str, after: str = "", around: str = "") -> tuple[League, CrossTableSection]:
    """Return a league and a section of its cross table of results between all entries.

    The section begins at the cursor `after`, or is centred on the entry number `around`. Raises League.DoesNotExist or
    InvalidCursorError.
    """
    league, state, rows = _load(slug)
    first = _find_window_start(rows, around) if around else offset_of_cursor(rows, after)
    order = [row.entry for row in rows[first : first + CROSS_TABLE_PAGE]]
    cells = cross_table(state, frozenset(order))
    names = [(at, entry, state.entrant(entry).name) for at, entry in enumerate(order, first + 1)]
    table = [
        ["" if (row_entry, other) not in cells else _format_cell(*cells[row_entry, other]) for other in order]
        for row_entry in order
    ]
    before, end = max(0, first - CROSS_TABLE_PAGE), first + CROSS_TABLE_PAGE
    return league, CrossTableSection(
        names=names,
        cells=table,
        of=len(rows),
        before=str(before or ""),
        after=str(end) if end < len(rows) else "",
    )


def _find_window_start(rows: Sequence[EntrantStanding], around: str) -> int:
    """Return the index of the first row on a page of the cross table whose middle row is the entry `around`."""
    # Raises InvalidCursorError for an unknown entry.
    at = next((at for at, row in enumerate(rows) if str(row.entry) == around), None)
    if at is None:
        raise InvalidCursorError(gettext("%(around)r is no entry of this league") % {"around": around[:60]})
    return max(0, min(at - CROSS_TABLE_PAGE // 2, len(rows) - CROSS_TABLE_PAGE))


def _make_standings_page(
    league: League, state: LeagueState, rows: Sequence[EntrantStanding], after: str, size: int = STANDINGS_PAGE
) -> PaginatedStandings:
    first = offset_of_cursor(rows, after)
    end = first + size
    return PaginatedStandings(
        rows=_make_standing_rows(league, state, rows[first:end]),
        tiebreaks=[(tiebreak.name, tiebreak.what) for tiebreak in _list_columns(state)],
        of=len(rows),
        at=after,
        after=str(end) if end < len(rows) else "",
    )


def _list_columns(state: LeagueState) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of the stage that began last, which are the columns of the standings."""
    return tiebreaks_of(state.stages[state.begun[-1].number - 1 if state.begun else 0])


def _make_standing_rows(league: League, state: LeagueState, rows: Sequence[EntrantStanding]) -> list[StandingRow]:
    columns = [column.slug for column in _list_columns(state)]
    slugs = [[tiebreak.slug for tiebreak in tiebreaks_of(stage)] for stage in state.stages]
    entrants_query = league.entrants.filter(number__in=[row.entry for row in rows]).select_related("version__bot")
    entrants = {entrant.number: entrant for entrant in entrants_query}
    return [_make_standing_row(row, entrants[row.entry], columns, slugs[row.stage - 1]) for row in rows]


def _make_standing_row(
    row: EntrantStanding, entry: Entrant, columns: Sequence[str], slugs: Sequence[str]
) -> StandingRow:
    """Return a row; `columns` are the tie-breaks of the page, `slugs` those of the last stage that the bot reached."""
    values = dict(zip(slugs, row.tiebreaks, strict=True))
    return StandingRow(
        place=row.place,
        entry_id=entry.number,
        name=entry.name,
        bot_slug=entry.version.bot.slug,
        version=entry.version.number,
        points=_format_number(row.points),
        played=row.played,
        byes=row.byes,
        tiebreaks=[_format_number(values[column]) if column in values else "–" for column in columns],
        decided=DECISION_NAMES.get(row.decided) or find_tiebreak(row.decided).name,
    )


def _format_number(value: Exact) -> str:
    """Return the number as text with at most two decimals."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def _format_cell(won: Fraction, of: int) -> str:
    return f"{_format_number(won)}/{of}"


def _make_round(league: League, state: LeagueState, number: int, after: str, size: int = TABLES_PAGE) -> RoundDetails:
    """Return a round: its description from the stream, and one page of its matches from the database."""
    outline = outline_round(state, number, after, size)
    if outline.drafted:
        return outline
    rows = league.tables.filter(round=number).select_related("match").prefetch_related("match__seats__version__bot")
    page = read_page(rows, TABLE_ORDER, after, size)
    groups = [table.group for table in state.rounds[number - 1].tables]
    return replace(
        outline, tables=[_make_table_row(table, groups[table.number - 1]) for table in page.rows], after=page.after
    )


def _make_table_row(table: LeagueMatch, group: int) -> RoundMatch:
    return RoundMatch(
        number=table.number,
        group=group,
        game=table.game,
        match_id=table.match_id,
        status=table.match.status,
        seats=list_players(table.match),
        released=table.match.released,
        opened_at=table.match.opened_at,
    )
