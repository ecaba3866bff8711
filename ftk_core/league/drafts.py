"""A drafted round: whether it can still begin, that it begins, and that two entries of it change places."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace as put

from ftk_core.league import acts
from ftk_core.league.facts import RoundDrafted, RoundPaired
from ftk_core.league.folding import exchanged
from ftk_core.league.formats import formats
from ftk_core.league.formats.seating import barred_among
from ftk_core.league.organising import Hand, attribution_of
from ftk_core.league.progress import Round, progress_of
from ftk_core.league.state import LeagueState, NotNow


def begin(league: LeagueState, at: int) -> RoundPaired:
    """Return the fact that a drafted round begins; raises NotNow where an act since then makes the draft invalid."""
    draft = _draft(league)
    if outdated := flaw_of_draft(league):
        raise NotNow(f"{outdated}; draft round {draft.round} again")
    weighed = draft.weighed
    if draft.round in league.changed:
        from ftk_core.league.certificates import certificate  # who only folds and verifies a league need not have numpy

        weighed = certificate(progress_of(league, link=draft.link), Round(tables=draft.tables, rests=draft.rests))
    return RoundPaired(
        round=draft.round,
        tables=draft.tables,
        weighed=weighed,
        rests=draft.rests,
        link=draft.link,
        at=at,
        draft=draft.draft,
    )


def flaw_of_draft(league: LeagueState) -> str:
    """Return why the drafted round cannot begin any more, after what was done since; empty if it can or none waits."""
    draft = league.draft
    if draft is None:
        return ""
    progress = progress_of(put(league, drafts=draft.draft), link=draft.link)
    seated = {entry for table in draft.tables for entry in table.seating}
    absent = {rest.entry for rest in draft.rests if rest.why == "absent"}
    drawn = seated | {rest.entry for rest in draft.rests}
    name = league.entrant
    if gone := sorted((drawn - absent - progress.present) | (absent - progress.excused)):
        return f"{name(gone[0]).name} is not there any more"
    if pair := barred_among(progress, [table.seating for table in draft.tables]):
        return f"{name(min(pair)).name} and {name(max(pair)).name} would meet, which is forbidden"
    form = formats()[progress.terms.format]
    if not form.fixed:
        if league.corrected:
            return "a result was corrected since it was drafted"
        back = sorted(progress.present - drawn)
        return f"{name(back[0]).name} is there now, and not in it" if back else ""
    again = form.next_round(progress)
    same = isinstance(again, Round) and (again.tables, again.rests) == (draft.tables, draft.rests)
    return "" if same else "others are to meet after what was done since"


def exchange(league: LeagueState, one: int, other: int, hand: Hand) -> acts.RoundChanged:
    """Return the fact that two entries of the drafted round change places, if its format lets them."""
    draft = _draft(league)
    here = [entry for table in draft.tables for entry in table.seating] + [rest.entry for rest in draft.rests]
    for entry in (one, other):
        if entry not in here or league.entrant(entry).withdrawn:
            raise NotNow(f"entry {entry} is not in round {draft.round}")
    sat = {entry: table.number for table in draft.tables for entry in table.seating}
    tables = sat.get(one, 0), sat.get(other, 0)
    fact = acts.RoundChanged(round=draft.round, one=one, other=other, tables=tables, **attribution_of(hand))
    after = exchanged(draft, fact)
    if one == other or after == msgspec.structs.replace(draft, weighed=None):
        raise NotNow(f"exchanging entries {one} and {other} changes nothing")
    for table in after.tables:
        if meeting := next((pair for pair in league.forbidden if pair <= set(table.seating)), None):
            raise NotNow(f"then entries {min(meeting)} and {max(meeting)} meet, which is forbidden")
    if fixed := formats()[league.terms_of(draft.round).format].fixed:
        raise NotNow(f"{fixed}; a round of it is not changed by hand")
    return fact


def _draft(league: LeagueState) -> RoundDrafted:
    if league.draft is None:
        raise NotNow(f"no round of {league.header.name} is drafted and waits")
    return league.draft
