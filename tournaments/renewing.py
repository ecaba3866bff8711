"""Renewal of entries that always play their bot's newest version until their first round."""

from __future__ import annotations

from bots.version_queries import find_newest
from ftk_core.league.acts import VersionRenewed
from ftk_core.league.folding import fold
from ftk_core.league.organising import renew
from ftk_core.league.state import LeagueState


def renewals(state: LeagueState, at: int) -> tuple[VersionRenewed, ...]:
    """Return the facts of renewed entries before a round is paired."""
    coming = len(state.rounds) + 1
    waiting = [e for e in state.entrants if e.newest and e.since == coming and not e.withdrawn]
    newest, facts = find_newest([e.version for e in waiting], state.header.languages), list[VersionRenewed]()
    for entrant in waiting:
        new = newest.get(entrant.version)
        # if another entry of the bot plays that version already, this one keeps its own
        if new and all(new.pk != other.version for other in state.entrants):
            facts.append(renew(state, entrant.entry, new.pk, new.label, at))
            state = fold(facts[-1:], state)
    return tuple(facts)
