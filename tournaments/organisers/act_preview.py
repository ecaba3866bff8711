"""Preview of an organiser's act: it is applied to a copy of the league's state, and nothing is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from ftk_core.league.league_commands import proceed
from ftk_core.league.league_facts import BotEntered, RoundDrafted
from ftk_core.league.league_fold import fold_facts
from ftk_core.league.league_state import CommandRejected, LeagueState, counting_result
from ftk_core.league.organiser_facts import Act, MatchVoided, ResultOverruled
from ftk_core.league.standings import standings
from tournaments.bot_kinds import is_of_all_time
from tournaments.ladders import counting as ladder_counting
from tournaments.leagues.league_projection import load
from tournaments.models import ALL_TIME, League


@dataclass(frozen=True, slots=True)
class ChangedStanding:
    """The place, table or rating of one entry or bot, before and after an act."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActPreview:
    """Values that an act would change."""

    act: Act | BotEntered
    places: list[ChangedStanding]
    """Changed places in the current standings."""
    tables: list[ChangedStanding]
    """Tables of the drafted round that change if it is drafted again with the same seed; empty without a draft."""
    ratings: list[ChangedStanding]
    """Changed ratings on the ladder that the league counts for: the game's ladder of all time, or that of a season."""


def preview(league_id: int, deed: Callable[[LeagueState], Act | BotEntered]) -> ActPreview:
    """Return the values that an act would change; raises CommandRejected if the act is impossible.

    `deed` returns the fact that the act would append to the league's stream.
    """
    league = League.objects.get(pk=league_id)
    _, state = load(league)
    fact = deed(state)
    after = fold_facts([fact], state)
    return ActPreview(
        act=fact,
        places=_shifted(state, _places(state), _places(after)),
        tables=_tables(state, after),
        ratings=_ratings(league, state, after, fact),
    )


def _shifted(state: LeagueState, before: dict[int, str], after: dict[int, str]) -> list[ChangedStanding]:
    entries = sorted(before | after)
    return [
        ChangedStanding(state.entrant(entry).name, before.get(entry, ""), after.get(entry, ""))
        for entry in entries
        if before.get(entry) != after.get(entry)
    ]


def _places(state: LeagueState) -> dict[int, str]:
    return {row.entry: str(row.place) for row in standings(state)}


def _tables(state: LeagueState, after: LeagueState) -> list[ChangedStanding]:
    """Return the changed tables of the drafted round. Rounds that are not drafted yet must not be revealed."""
    if state.draft is None or after.draft is None:
        return []
    try:
        coming = proceed(replace(after, draft=None), state.draft.link).facts[-1]
    except CommandRejected:
        return []
    return _shifted(state, _seated(state.draft), _seated(coming) if isinstance(coming, RoundDrafted) else {})


def _seated(draft: RoundDrafted) -> dict[int, str]:
    return {entry: f"table {table.number}" for table in draft.tables for entry in table.seating} | {
        rest.entry: "rests" for rest in draft.rests
    }


def _ratings(league: League, state: LeagueState, after: LeagueState, fact: Act | BotEntered) -> list[ChangedStanding]:
    if not isinstance(fact, ResultOverruled | MatchVoided) or fact.round > state.closed_rounds:
        return []
    result = counting_result(after.history[fact.round, fact.table, fact.game])
    head = state.header
    season = ALL_TIME if is_of_all_time(head.kinds, mixed=head.mixed) else head.season
    shifts = ladder_counting.preview(league.game, season, {fact.match: result.places if result else None})
    return [
        ChangedStanding(one.name, _points(one.before), _points(one.after)) for one in shifts if one.before != one.after
    ]


def _points(thousandths: int) -> str:
    return f"{thousandths / 1000:.1f}"
