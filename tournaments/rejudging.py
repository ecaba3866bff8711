"""Preview of an act: its effect on a copy of the league's state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from msgspec.structs import replace

from ftk_core.league.acts import Act, MatchVoided, ResultOverruled
from ftk_core.league.commands import proceed
from ftk_core.league.facts import BotEntered, RoundDrafted
from ftk_core.league.folding import fold
from ftk_core.league.standings import standings
from ftk_core.league.state import LeagueState, NotNow, standing
from tournaments import ladder
from tournaments.kinds import is_of_all_time
from tournaments.models import ALL_TIME, League
from tournaments.projections import load


@dataclass(frozen=True, slots=True)
class Shifted:
    """A changed place, table or rating."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Effect of an act that is not executed."""

    act: Act | BotEntered
    places: list[Shifted]
    """In the current standings."""
    tables: list[Shifted]
    """In a new draft of the drafted round with the same random seed; empty without a draft."""
    ratings: list[Shifted]
    """On the ladder of all time."""


def preview(league_id: int, deed: Callable[[LeagueState], Act | BotEntered]) -> Preview:
    """Return the effect of an act; raises NotNow if it is impossible."""
    league = League.objects.get(pk=league_id)
    _, state = load(league)
    fact = deed(state)
    after = fold([fact], state)
    return Preview(
        act=fact,
        places=_shifted(state, _places(state), _places(after)),
        tables=_tables(state, after),
        ratings=_ratings(league, state, after, fact),
    )


def _shifted(state: LeagueState, before: dict[int, str], after: dict[int, str]) -> list[Shifted]:
    entries = sorted(before | after)
    return [
        Shifted(state.entrant(entry).name, before.get(entry, ""), after.get(entry, ""))
        for entry in entries
        if before.get(entry) != after.get(entry)
    ]


def _places(state: LeagueState) -> dict[int, str]:
    return {row.entry: str(row.place) for row in standings(state)}


def _tables(state: LeagueState, after: LeagueState) -> list[Shifted]:
    """Return the changes of tables; a round that nobody has seen yet must not be revealed."""
    if state.draft is None or after.draft is None:
        return []
    try:
        coming = proceed(replace(after, draft=None), state.draft.link).facts[-1]
    except NotNow:
        return []
    return _shifted(state, _seated(state.draft), _seated(coming) if isinstance(coming, RoundDrafted) else {})


def _seated(draft: RoundDrafted) -> dict[int, str]:
    return {entry: f"table {table.number}" for table in draft.tables for entry in table.seating} | {
        rest.entry: "rests" for rest in draft.rests
    }


def _ratings(league: League, state: LeagueState, after: LeagueState, fact: Act | BotEntered) -> list[Shifted]:
    if not isinstance(fact, ResultOverruled | MatchVoided) or fact.round > state.closed_rounds:
        return []
    result = standing(after.history[fact.round, fact.table, fact.game])
    head = state.header
    season = ALL_TIME if is_of_all_time(head.kinds, mixed=head.mixed) else head.season
    shifts = ladder.preview(league.game, season, {fact.match: result.places if result else None})
    return [Shifted(one.name, _points(one.before), _points(one.after)) for one in shifts if one.before != one.after]


def _points(thousandths: int) -> str:
    return f"{thousandths / 1000:.1f}"
