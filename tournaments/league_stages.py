"""Stages and rounds of a league for pages, from its stream without the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from foundation.paging import place_in
from ftk_core.league.facts import RoundDrafted, RoundPaired
from ftk_core.league.formats import formats
from ftk_core.league.plans import TablePlan
from ftk_core.league.progress import progress_of
from ftk_core.league.state import Begun, LeagueState
from ftk_core.league.tallies import rounds_of
from tournaments.certificates import read_aloud
from tournaments.league_overviews import DraftTable, EntrantList, RestRow, RoundRow, StageRow
from tournaments.league_words import WHY, name_format, tell_more_of_stage, tell_points, tell_stage

NAMED = 24
"""Maximum number of bots named in a list."""


def last_round(league: LeagueState) -> int:
    """Return the number of the last round, drafted or begun; 0 for none."""
    return len(league.rounds) + (league.draft is not None)


def list_stages(league: LeagueState, rounds: int) -> list[StageRow]:
    """Return a league's stages in order, given its total number of rounds."""
    return [_stage(league, number, rounds) for number in range(1, len(league.stages) + 1)]


def _stage(league: LeagueState, number: int, rounds: int) -> StageRow:
    terms = league.stages[number - 1]
    begun = _begun(league, number)
    status, told = _progress(league, begun, rounds) if begun else ("to come", "")
    return StageRow(
        number=number,
        format=name_format(terms),
        status=status,
        rounds=told,
        terms=tell_stage(terms),
        more=tell_more_of_stage(terms, number),
        worth=terms.worth,
        entries=name_some(league, [one.entry for one in begun.entries]) if begun and number > 1 else None,
    )


def _begun(league: LeagueState, number: int) -> Begun | None:
    """Return a stage if it has begun; older streams do not record the start of their only stage."""
    former = (league.stage_of(1),) if league.rounds else ()
    return next((begun for begun in league.begun or former if begun.number == number), None)


def _progress(league: LeagueState, begun: Begun, rounds: int) -> tuple[str, str]:
    """Return the status and the progress of a stage."""
    here = min(len(rounds_of(league, begun)), league.playing - begun.first + 1)
    if begun.ended or league.closed:
        return "ended", ngettext("%(n)s round", "%(n)s rounds", here) % {"n": here}
    last = begun.number == len(league.stages)
    planned = rounds - begun.first + 1 if last else _planned(league, begun)
    return "running", _("round %(round)s of %(rounds)s") % {"round": here, "rounds": planned}


def _planned(league: LeagueState, begun: Begun) -> int:
    terms = league.stages[begun.number - 1]
    return begun.extended or terms.rounds or formats()[terms.format].planned(progress_of(league, begun))


def name_some(league: LeagueState, entries: Sequence[int]) -> EntrantList:
    """Return the names of entries, up to the maximum."""
    return EntrantList([league.entrant(entry).name for entry in entries[:NAMED]], max(0, len(entries) - NAMED))


def outline_round(league: LeagueState, number: int, after: str, size: int) -> RoundRow:
    """Return a round without its matches; a drafted one has a page of its tables.

    Raises BadCursor.
    """
    drafted = number > len(league.rounds)
    plan = league.draft if drafted and league.draft else league.rounds[number - 1]
    first = place_in(plan.tables, after) if drafted else 0
    behind = first + size
    stage = league.terms_of(number)
    return RoundRow(
        number=number,
        stage=name_format(stage) if len(league.stages) > 1 else "",
        tables=[],
        draft=[_table(league, table) for table in plan.tables[first:behind]] if drafted else [],
        rests=_rests(league, plan),
        certificate=read_aloud(plan.weighed),
        link=plan.link,
        live=not league.closed and number > league.closed_rounds,
        at=after,
        after=str(behind) if drafted and behind < len(plan.tables) else "",
        drafted=drafted,
        last=last_round(league),
    )


def _table(league: LeagueState, table: TablePlan) -> DraftTable:
    return DraftTable(table.number, [league.entrant(entry).name for entry in table.seating])


def _rests(league: LeagueState, plan: RoundPaired | RoundDrafted) -> list[RestRow]:
    """Return the resting entries, grouped by reason."""
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for rest in plan.rests:
        alike[WHY[rest.why], tell_points(rest.points)].append(rest.entry)
    if isinstance(plan, RoundPaired) and plan.byes:  # an older stream without rests
        alike[WHY["odd"], "as much as a win"] = list(plan.byes)
    return [RestRow(why, points, name_some(league, entries)) for (why, points), entries in alike.items()]
