"""Printable page of a league: all its public data, from its stream without its matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from ftk_core.league.facts import ResultRecorded, RoundDrafted, RoundPaired
from ftk_core.league.plans import TablePlan
from ftk_core.league.state import LeagueState
from tournaments.league_overviews import CrossTable, LeagueOverview, RestRow, StandingRow
from tournaments.league_queries import list_standings, read_cross, read_league
from tournaments.league_stages import outline_round
from tournaments.models import League
from tournaments.projections import load

CROSSED = 24
"""Maximum number of bots in a cross table that fits on a landscape page."""
MATCHES = 6_000
"""Maximum number of matches printed, of the newest rounds: 1,000 bots play as many in 12 rounds of pairs."""
Results = dict[tuple[int, int, int], ResultRecorded]


@dataclass(frozen=True, slots=True)
class PaperSeat:
    """A seat of a match with its result; no place if no result counts."""

    name: str
    place: int | None = None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """A match of a table; with a result, seats are sorted by place."""

    table: str
    seats: list[PaperSeat]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRound:
    """A round with all its matches."""

    number: int
    stage: str
    drafted: bool
    rests: list[RestRow]
    matches: list[PaperMatch]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A league for printing."""

    league: LeagueOverview
    at: datetime
    """Time of printing."""
    standings: list[StandingRow]
    cross: CrossTable | None
    """None if it is too large for a page, or if nobody has met yet."""
    rounds: list[PaperRound]
    left_out: int
    """Number of first rounds that are not printed."""


def read_paper(slug: str) -> Paper:
    """Return a league for printing; raises League.DoesNotExist."""
    league = read_league(slug)
    _, state = load(League.objects.sound().get(slug=slug))
    rounds = _rounds(state)
    return Paper(
        league=league,
        at=timezone.now(),
        standings=list_standings(slug),
        cross=read_cross(slug)[1] if state.results and league.entries <= CROSSED else None,
        rounds=rounds,
        left_out=rounds[0].number - 1 if rounds else 0,
    )


def _rounds(league: LeagueState) -> list[PaperRound]:
    """Return the newest rounds within the limit of matches, at least one, in order."""
    plans: Sequence[RoundPaired | RoundDrafted] = (*league.rounds, *((league.draft,) if league.draft else ()))
    results: Results = {(one.round, one.table, one.game): one for one in league.results}
    rounds: list[PaperRound] = []
    room = MATCHES
    for plan in reversed(plans):
        room -= len(plan.tables) * league.terms_of(plan.round).games
        if room < 0 and rounds:
            break
        rounds.insert(0, _round(league, plan, results))
    return rounds


def _round(league: LeagueState, plan: RoundPaired | RoundDrafted, results: Results) -> PaperRound:
    outline = outline_round(league, plan.round, "", 0)
    games = league.terms_of(plan.round).games
    keys = [(table, game) for table in plan.tables for game in range(games)]
    return PaperRound(
        number=plan.round,
        stage=outline.stage,
        drafted=outline.drafted,
        rests=outline.rests,
        matches=[
            PaperMatch(
                f"{table.number}.{game + 1}" if games > 1 else str(table.number),
                _seats(league, table, results.get((plan.round, table.number, game))),
            )
            for table, game in keys
        ],
    )


def _seats(league: LeagueState, table: TablePlan, result: ResultRecorded | None) -> list[PaperSeat]:
    if result is None:
        return [PaperSeat(league.entrant(entry).name) for entry in table.seating]
    rows = zip(result.seating, result.places, result.scores, strict=True)
    return [
        PaperSeat(league.entrant(entry).name, place, score)
        for entry, place, score in sorted(rows, key=lambda row: row[1])
    ]
