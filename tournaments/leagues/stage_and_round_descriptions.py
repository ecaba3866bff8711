"""Descriptions of a league's stages and rounds for its pages, computed only from the league's event stream."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext as _, ngettext

from foundation.keyset_pagination import offset_of_cursor
from ftk_core.league.event_fields import TableSeating
from ftk_core.league.formats import find_format
from ftk_core.league.league_facts import RoundDrafted, RoundPaired
from ftk_core.league.league_state import LeagueState, StageState
from ftk_core.league.scoring.entrant_stage_totals import rounds_of
from ftk_core.league.stage_progress import progress_of
from tournaments.leagues.pairing_quality_certificate_texts import describe_certificate
from tournaments.summaries.league_overviews import (
    DraftedRoundSeating,
    EntrantList,
    EntriesWithoutMatch,
    RoundDetails,
    StageOverview,
)
from tournaments.summaries.league_terms import (
    REST_REASONS,
    describe_further_stage_terms,
    describe_points,
    describe_stage,
    name_format,
)

MAX_NAMED_BOTS = 24
"""Maximum number of names in a list of entries; lists show the number of further entries."""


def find_last_round(league: LeagueState) -> int:
    """Return the number of the league's last paired round, even if it has not begun; 0 without one."""
    return len(league.rounds) + (league.draft is not None)


def list_stages(league: LeagueState, rounds: int) -> list[StageOverview]:
    """Return descriptions of all stages of a league, in order. `rounds` is the league's planned number of rounds."""
    return [_make_stage_row(league, number, rounds) for number in range(1, len(league.stages) + 1)]


def _make_stage_row(league: LeagueState, number: int, rounds: int) -> StageOverview:
    terms = league.stages[number - 1]
    begun_stage = _find_begun_stage(league, number)
    status, progress = _describe_progress(league, begun_stage, rounds) if begun_stage else ("to come", "")
    return StageOverview(
        number=number,
        format=name_format(terms),
        status=status,
        rounds=progress,
        terms=describe_stage(terms),
        more=describe_further_stage_terms(terms, number),
        worth=terms.worth,
        entries=list_some_names(league, [one.entry for one in begun_stage.entries])
        if begun_stage and number > 1
        else None,
    )


def _find_begun_stage(league: LeagueState, number: int) -> StageState | None:
    """Return the state of a stage, or None if it has not begun."""
    # Old streams do not record the start of their only stage: it has begun if any round has begun.
    only_stage = (league.stage_of(1),) if league.rounds else ()
    return next((begun for begun in league.begun or only_stage if begun.number == number), None)


def _describe_progress(league: LeagueState, begun: StageState, rounds: int) -> tuple[str, str]:
    played_rounds = min(len(rounds_of(league, begun)), league.playing - begun.first + 1)
    if begun.ended or league.closed:
        return "ended", ngettext("%(n)s round", "%(n)s rounds", played_rounds) % {"n": played_rounds}
    is_last = begun.number == len(league.stages)
    planned = rounds - begun.first + 1 if is_last else _count_planned_rounds(league, begun)
    return "running", _("round %(round)s of %(rounds)s") % {"round": played_rounds, "rounds": planned}


def _count_planned_rounds(league: LeagueState, begun: StageState) -> int:
    """Return the planned number of rounds of a stage that has begun."""
    # It can be below the number in the league's settings: with several groups, each group repeats its schedule only as
    # a whole.
    progress = progress_of(league, begun)
    return len(progress.drawn) if begun.cut else find_format(progress.terms.format).planned(progress)


def list_some_names(league: LeagueState, entries: Sequence[int]) -> EntrantList:
    """Return the names of the first `MAX_NAMED_BOTS` entries, and the number of the other entries."""
    return EntrantList(
        [league.entrant(entry).name for entry in entries[:MAX_NAMED_BOTS]], max(0, len(entries) - MAX_NAMED_BOTS)
    )


def outline_round(league: LeagueState, number: int, after: str, size: int) -> RoundDetails:
    """Return the description of a round without its matches.

    For a round that has not begun, include `size` pairings from the cursor `after` on. Raises InvalidCursorError.
    """
    drafted = number > len(league.rounds)
    plan = league.draft if drafted and league.draft else league.rounds[number - 1]
    first = offset_of_cursor(plan.tables, after) if drafted else 0
    end = first + size
    stage = league.terms_of(number)
    return RoundDetails(
        number=number,
        stage=name_format(stage) if len(league.stages) > 1 else "",
        tables=[],
        draft=[_make_draft_table(league, table) for table in plan.tables[first:end]] if drafted else [],
        rests=_group_rests(league, plan),
        certificate=describe_certificate(plan.weighed),
        link=plan.link,
        live=not league.closed and number > league.closed_rounds,
        at=after,
        after=str(end) if drafted and end < len(plan.tables) else "",
        drafted=drafted,
        last=find_last_round(league),
    )


def _make_draft_table(league: LeagueState, table: TableSeating) -> DraftedRoundSeating:
    return DraftedRoundSeating(table.number, [league.entrant(entry).name for entry in table.seating])


def _group_rests(league: LeagueState, plan: RoundPaired | RoundDrafted) -> list[EntriesWithoutMatch]:
    entries_by_reason: dict[tuple[str, str], list[int]] = defaultdict(list)
    for rest in plan.rests:
        entries_by_reason[REST_REASONS[rest.why], describe_points(rest.points)].append(rest.entry)
    if isinstance(plan, RoundPaired) and plan.byes:  # an old stream, which does not record the reasons
        entries_by_reason[REST_REASONS["odd"], "as much as a win"] = list(plan.byes)
    return [
        EntriesWithoutMatch(reason, points, list_some_names(league, entries))
        for (reason, points), entries in entries_by_reason.items()
    ]
