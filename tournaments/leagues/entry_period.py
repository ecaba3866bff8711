"""Entry period of a league, the time in which bots can enter.

The period ends when the first round begins. The entry deadline ends it earlier if the league can begin then. In formats
without late entries, it also ends when the first round is drafted (paired, but not begun). Leagues with late entries
accept bots again during their first rounds.
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext

from ftk_core.league.entry_and_qualification_rules import check_entry_open, has_final_draft
from ftk_core.league.league_state import CommandRejected, LeagueState
from tournaments.leagues.league_next_step import can_be_paired
from tournaments.models import League


def check_entry_period(league: League, state: LeagueState) -> None:
    """Raise CommandRejected if no bot can enter the league any more."""
    check_entry_open(state, strictly=True)
    if state.rounds:
        return
    has_deadline_passed = league.entries_until and league.entries_until <= timezone.now()
    if has_deadline_passed and (has_final_draft(state) or can_be_paired(league, state)):
        raise CommandRejected(
            gettext("entries to %(league)s are closed; it is about to begin") % {"league": league.name}
        )
