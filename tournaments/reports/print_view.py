"""Print view of a league: its public data on one page, computed from the event stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from ftk_core.league.event_fields import TableSeating
from ftk_core.league.league_facts import ResultRecorded, RoundDrafted, RoundPaired
from ftk_core.league.league_state import LeagueState
from tournaments.leagues.league_event_projection import load
from tournaments.leagues.stage_and_round_descriptions import outline_round
from tournaments.models import League
from tournaments.reports.league_page_queries import list_standings, read_cross, read_league
from tournaments.summaries.league_overviews import CrossTableSection, EntriesWithoutMatch, LeagueOverview, StandingRow

MAX_CROSS_TABLE_BOTS = 24
"""Maximum number of entries whose cross table fits on a landscape page."""
MAX_PRINTED_MATCHES = 6_000
"""Maximum number of printed matches; of more matches, those of early rounds are left out.

It is enough for 12 rounds of 1,000 bots that play in pairs.
"""
ResultsByKey = dict[tuple[int, int, int], ResultRecorded]


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """One seat of a match. Place and score are None if the match has no result."""

    name: str
    place: int | None = None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class PrintedMatch:
    """One match; the seats of a finished match are sorted by place."""

    table: str
    seats: list[PrintedSeat]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedRound:
    """One round with all its matches."""

    number: int
    stage: str
    drafted: bool
    rests: list[EntriesWithoutMatch]
    matches: list[PrintedMatch]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePrintView:
    """All public data of a league for printing."""

    league: LeagueOverview
    at: datetime
    """Time of printing."""
    standings: list[StandingRow]
    cross: CrossTableSection | None
    """Cross table; None if it is too large for a page, or if there are no results yet."""
    rounds: list[PrintedRound]
    left_out: int
    """Number of early rounds that are not printed, because the view has too many matches."""


def read_print_view(slug: str) -> LeaguePrintView:
    """Return all public data of a league for printing; raises League.DoesNotExist."""
    league = read_league(slug)
    _, state = load(League.objects.readable().get(slug=slug))
    rounds = _list_rounds(state)
    return LeaguePrintView(
        league=league,
        at=timezone.now(),
        standings=list_standings(slug),
        cross=read_cross(slug)[1] if state.results and league.entries <= MAX_CROSS_TABLE_BOTS else None,
        rounds=rounds,
        left_out=rounds[0].number - 1 if rounds else 0,
    )


def _list_rounds(league: LeagueState) -> list[PrintedRound]:
    """Return the newest rounds of a league with at most `MAX_PRINTED_MATCHES` matches, oldest first."""
    # The newest round is always included, even if it alone has more matches.
    paired_rounds: Sequence[RoundPaired | RoundDrafted] = (*league.rounds, *((league.draft,) if league.draft else ()))
    results: ResultsByKey = {(result.round, result.table, result.game): result for result in league.results}
    rounds: list[PrintedRound] = []
    remaining = MAX_PRINTED_MATCHES
    for plan in reversed(paired_rounds):
        remaining -= len(plan.tables) * league.terms_of(plan.round).games
        if remaining < 0 and rounds:
            break
        rounds.insert(0, _make_round(league, plan, results))
    return rounds


def _make_round(league: LeagueState, paired: RoundPaired | RoundDrafted, results: ResultsByKey) -> PrintedRound:
    outline = outline_round(league, paired.round, "", 0)
    games = league.terms_of(paired.round).games
    keys = [(table, game) for table in paired.tables for game in range(games)]
    return PrintedRound(
        number=paired.round,
        stage=outline.stage,
        drafted=outline.drafted,
        rests=outline.rests,
        matches=[
            PrintedMatch(
                f"{table.number}.{game + 1}" if games > 1 else str(table.number),
                _list_seats(league, table, results.get((paired.round, table.number, game))),
            )
            for table, game in keys
        ],
    )


def _list_seats(league: LeagueState, table: TableSeating, result: ResultRecorded | None) -> list[PrintedSeat]:
    if result is None:
        return [PrintedSeat(league.entrant(entry).name) for entry in table.seating]
    rows = zip(result.seating, result.places, result.scores, strict=True)
    return [
        PrintedSeat(league.entrant(entry).name, place, score)
        for entry, place, score in sorted(rows, key=lambda row: row[1])
    ]
