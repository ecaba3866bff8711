"""Queries for pages of predictions and of the people who predict best."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, F, Sum

from foundation.keyset_pagination import offset_of_cursor
from ftk_core.league.league_state import LeagueState
from tournaments.leagues.league_event_projection import load
from tournaments.models import League
from tournaments.models.predictions import POINT, Prediction
from tournaments.predictions.predictable_tables import PredictableTable, list_open_tables

TABLES_PAGE = 50
MAX_GUESSERS = 100
MAX_OLD_PREDICTIONS = 100


@dataclass(frozen=True, slots=True)
class PredictableWinner:
    """An entry that people can predict as the winner of its matches in a round."""

    entry: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTableWithUserPrediction:
    """A group of bots whose winner can be predicted, and one person's prediction."""

    round: int
    table: int
    """Number of the table; 0 for a round that is not paired yet."""
    choices: list[PredictableWinner]
    chosen: int
    """Number of the chosen entry; 0 without a choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedPrediction:
    """A person's prediction that can no longer be changed."""

    round: int
    table: int
    entry: int
    name: str
    points: float | None
    """Points that the prediction won; None until the round ends, or if the prediction does not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionLeaderboardRow:
    """A person in the list of people whose predictions won the most points."""

    place: int
    person: str
    predictions: int
    """Number of predictions that count."""
    points: float
    chance: float
    """Points that random choices would have won on average."""
    lead: float
    """Points above `chance`, by which the list is ordered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePredictionPageContent:
    """Content of a league's page of predictions, with the predictions of the person who reads it."""

    slug: str
    name: str
    allowed: bool
    """False if the organisers turned predictions off."""
    tables: list[GameTableWithUserPrediction]
    after: str
    """Cursor of the next page of `tables`."""
    old: list[ClosedPrediction]
    guessers: list[PredictionLeaderboardRow]


def read_predictions(slug: str, person: User | None, after: str = "") -> LeaguePredictionPageContent:
    """Return the content of a league's page of predictions, from the cursor `after` on.

    `person` None stands for an anonymous visitor. Raises League.DoesNotExist or InvalidCursorError.
    """
    league = League.objects.valid().get(slug=slug)
    state = load(league)[1]
    tables = list_open_tables(league, state)
    first = offset_of_cursor(tables, after)
    end = first + TABLES_PAGE
    own = list(Prediction.objects.filter(league=league, person=person)) if person else []
    return LeaguePredictionPageContent(
        slug=slug,
        name=league.name,
        allowed=league.predictions,
        tables=_make_tables(state, tables[first:end], own),
        after=str(end) if end < len(tables) else "",
        old=_make_old(state, tables, own),
        guessers=list_guessers(slug),
    )


def list_guessers(slug: str = "") -> list[PredictionLeaderboardRow]:
    """Return the people with the best predictions in a league or in all leagues, best first."""
    # They are sorted by the points that they won beyond the mean of random predictions.
    rows = Prediction.objects.filter(points__isnull=False, person__is_active=True)
    if slug:
        rows = rows.filter(league=League.objects.valid().get(slug=slug))
    sums = rows.values(name=F("person__username")).annotate(
        of=Count("pk"), won=Sum("points"), expected=Sum("chance"), lead=Sum("points") - Sum("chance")
    )
    best = list(sums.order_by("-lead", "name")[:MAX_GUESSERS])
    places = [next(at for at, other in enumerate(best, 1) if other["lead"] == row["lead"]) for row in best]
    return [
        PredictionLeaderboardRow(
            place=place,
            person=row["name"],
            predictions=row["of"],
            points=row["won"] / POINT,
            chance=row["expected"] / POINT,
            lead=row["lead"] / POINT,
        )
        for place, row in zip(places, best, strict=True)
    ]


def _make_tables(
    state: LeagueState, tables: Sequence[PredictableTable], own: Sequence[Prediction]
) -> list[GameTableWithUserPrediction]:
    chosen = {(one.round, one.table, *one.seating): one.entry for one in own}
    early = {(one.round, one.entry) for one in own if not one.table}
    return [
        GameTableWithUserPrediction(
            round=table.round,
            table=table.number,
            choices=[PredictableWinner(entry, state.entrant(entry).name) for entry in table.entries],
            chosen=chosen.get((table.round, table.number, *table.seating)) or _find_early_choice(table, early),
        )
        for table in tables
    ]


def _find_early_choice(table: PredictableTable, early: Collection[tuple[int, int]]) -> int:
    """Return the entry at this table that a person predicted before the round was paired, or 0 for no prediction."""
    return next((entry for entry in table.entries if (table.round, entry) in early), 0)


def _make_old(
    state: LeagueState, tables: Sequence[PredictableTable], own: Sequence[Prediction]
) -> list[ClosedPrediction]:
    still_open = {(table.round, table.number) for table in tables}
    open_entries = {(table.round, entry) for table in tables for entry in table.entries}
    past = [
        one
        for one in own
        if (one.round, one.table) not in still_open and (one.table or (one.round, one.entry) not in open_entries)
    ]
    return [
        ClosedPrediction(
            round=one.round,
            table=one.table,
            entry=one.entry,
            name=state.entrant(one.entry).name,
            points=None if one.points is None else one.points / POINT,
        )
        for one in sorted(past, key=lambda one: (-one.round, one.table))[:MAX_OLD_PREDICTIONS]
    ]
