"""A league on paper: all that is public of it on one page, as its stream says it; no match is read for it."""

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
"""Of so many bots the cross table fits on a page that lies on its side."""
MATCHES = 6_000
"""So many matches are printed, the newest rounds; as many as 1,000 bots play by twos in 12 rounds."""
Results = dict[tuple[int, int, int], ResultRecorded]


@dataclass(frozen=True, slots=True)
class PaperSeat:
    """Who sat where in a match, and what came of it; no place where no result counts."""

    name: str
    place: int | None = None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """One match of a table; of those with a result the best come first."""

    table: str
    seats: list[PaperSeat]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRound:
    """One round with all its matches."""

    number: int
    stage: str
    drafted: bool
    rests: list[RestRow]
    matches: list[PaperMatch]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A league as it is printed."""

    league: LeagueOverview
    at: datetime
    """When it was."""
    standings: list[StandingRow]
    cross: CrossTable | None
    """None where it is too large for a page, or where nobody has met yet."""
    rounds: list[PaperRound]
    left_out: int
    """How many of the first rounds are not printed."""


def read_paper(slug: str) -> Paper:
    """Return a league as it is printed; raises League.DoesNotExist."""
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
    """Return the newest rounds whose matches are not too many, at least one; from the first to the last."""
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
