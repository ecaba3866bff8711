"""Replacement of bot versions in league entries by newer ones, until their first match is paired."""

from __future__ import annotations

from bots.versions.queries import find_newest
from ftk_core.league.intervention_facts import EntrantBotVersionUpdated
from ftk_core.league.league_state import LeagueState
from ftk_core.league.league_state_from_events import fold_facts
from ftk_core.league.organiser_command_handlers import renew_version


def list_renewals(state: LeagueState, at: int) -> tuple[EntrantBotVersionUpdated, ...]:
    """Return the events that switch league entries to the newest versions of their bots.

    `at` is the time of the events in seconds since 1970.
    """
    # An entry switches if its author chose this at entry, and only until the entry is paired for the first time.
    next_round = len(state.rounds) + 1
    waiting = [e for e in state.entrants if e.newest and e.since == next_round and not e.withdrawn]
    newest, facts = find_newest([e.version for e in waiting], state.header.languages), list[EntrantBotVersionUpdated]()
    for entrant in waiting:
        version = newest.get(entrant.version)
        # if another entry of the bot plays that version already, this entry keeps its own version
        if version and all(version.pk != entrant_after.version for entrant_after in state.entrants):
            facts.append(renew_version(state, entrant.entry, version.pk, version.label, at))
            state = fold_facts(facts[-1:], state)
    return tuple(facts)
