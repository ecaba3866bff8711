"""The rounds of a league that are not closed: which matches they wait for, and whether a draft still holds."""

from __future__ import annotations

from ftk_core.league.formats import formats
from ftk_core.league.formats.seating import barred_among
from ftk_core.league.progress import Round, progress_of
from ftk_core.league.state import Key, LeagueState


def list_open(league: LeagueState) -> list[Key]:
    """Return the matches of rounds that are not closed which have no result and are waited for."""
    return [
        (paired.round, table.number, game)
        for paired in league.rounds[league.closed_rounds :]
        for table in paired.tables
        for game in range(league.terms_of(paired.round).games)
        if (paired.round, table.number, game) not in league.recorded
    ]


def flaw_of_draft(league: LeagueState) -> str:
    """Return why the drafted round cannot begin any more, after what was done since; empty if it can or none waits."""
    draft = league.draft
    if draft is None:
        return ""
    progress = progress_of(league, link=draft.link)
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
