"""Checks that a drafted round can still begin. A drafted round is paired, but has not begun."""

from __future__ import annotations

from msgspec.structs import replace as put

from ftk_core.i18n import Message
from ftk_core.league.formats import find_format
from ftk_core.league.formats.round_tables_and_byes import forbidden_pair_among
from ftk_core.league.league_state import CommandRejected, LeagueState
from ftk_core.league.stage_progress import NextRoundDecision, progress_of


def flaw_of_draft(league: LeagueState) -> str:
    """Return the reason why the paired round can no longer begin, or ""."""
    draft = league.draft
    if draft is None:
        return ""
    progress = progress_of(put(league, drafts=draft.draft), link=draft.link)
    seated = {entry for table in draft.tables for entry in table.seating}
    absent = {rest.entry for rest in draft.rests if rest.why == "absent"}
    drawn = seated | {rest.entry for rest in draft.rests}
    name = league.entrant
    if gone := sorted((drawn - absent - progress.present) | (absent - progress.excused)):
        return Message("the status of %(bot)s has changed since the draft", bot=name(gone[0]).name)
    if pair := forbidden_pair_among(progress, [table.seating for table in draft.tables]):
        return Message(
            "%(one)s and %(other)s would meet, which is forbidden",
            one=name(min(pair)).name, other=name(max(pair)).name,
        )  # fmt: skip
    form = find_format(progress.terms.format)
    if not form.fixed:
        if league.corrected:
            return Message("a result was corrected since it was drafted")
        back = sorted(progress.present - drawn)
        return Message("%(bot)s can play now, but is not in the draft", bot=name(back[0]).name) if back else ""
    again = form.next_round(progress)
    same = isinstance(again, NextRoundDecision) and (again.tables, again.rests) == (draft.tables, draft.rests)
    return "" if same else Message("after the changes made since the draft, the pairing would be different")


def check_draft(league: LeagueState) -> None:
    """Raise CommandRejected if the league's next, paired round can no longer begin."""
    if league.draft and (flaw := flaw_of_draft(league)):
        raise CommandRejected("%(flaw)s; draft round %(round)s again", flaw=flaw, round=league.draft.round)


def check_not_paired_ahead(league: LeagueState, one: int, other: int) -> None:
    """Raise CommandRejected if two bots are paired with each other in a future round."""
    # Such a round is paired early, while the current round is still being played.
    for round_, table, _ in league.open_matches:
        if round_ > league.playing and {one, other} <= set(league.rounds[round_ - 1].tables[table - 1].seating):
            raise CommandRejected(
                "%(one)s and %(other)s meet at table %(table)s of round %(round)s, which is paired already;"
                " void their matches there first, or wait until they are over",
                one=league.entrant(one).name, other=league.entrant(other).name, table=table, round=round_,
            )  # fmt: skip
