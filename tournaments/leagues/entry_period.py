"""Entry period of a league, the time in which bots can enter.

It ends at the entry deadline if the league can begin then, or earlier when the first round begins. In formats without
late entries, it also ends when the first round is drafted (paired, but not begun). Leagues that allow late entries
accept bots in their first rounds too.
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext

from ftk_core.league.entry_and_start_rules import check_entry_open
from ftk_core.league.formats import find_format
from ftk_core.league.league_state import CommandRejected, LeagueState
from tournaments.leagues.league_next_step import can_be_paired
from tournaments.models import League


def check_entry_period(league: League, state: LeagueState) -> None:
    """Raise CommandRejected if no bot can enter the league any more."""
    check_entry_open(state)
    if state.rounds:
        return
    # A verifier accepts entries between the first draft and the first round, because leagues of earlier releases have
    # them. Therefore only the arena refuses them.
    if state.begun and not find_format(state.stages[0].format).takes_late:
        raise CommandRejected(
            gettext("the first round of %(league)s is drafted, and its format takes nobody late; enter the next league")
            % {"league": league.name}
        )
    has_deadline_passed = league.entries_until and league.entries_until <= timezone.now()
    if has_deadline_passed and (_has_final_draft(state) or can_be_paired(league, state)):
        raise CommandRejected(
            gettext("entries to %(league)s are closed; it is about to begin") % {"league": league.name}
        )


def _has_final_draft(state: LeagueState) -> bool:
    """Return True if the first round is drafted (paired, but not begun) and the league allows no late entries."""
    # A late entry would need another draft.
    return state.draft is not None and state.header.late <= 1
