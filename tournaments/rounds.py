"""How a league comes to its next facts and its next round, which is drafted while nobody has to wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction

from ftk_core.league.facts import LeagueFact, RoundPaired
from ftk_core.league.state import LeagueState, NotNow, fold, write
from replays.store import StreamLog
from tournaments.formats import formats
from tournaments.models import League
from tournaments.projections import load, order_tables, project

DRAFTS = 3
"""Of a round that are made while the league may move."""


def locked(league_id: int) -> League:
    """Return a league that nobody else can append to until the transaction is over."""
    return League.objects.select_for_update().get(pk=league_id)


def append(league: League, stream: StreamLog, state: LeagueState, facts: Sequence[LeagueFact]) -> LeagueState:
    """Append facts to a league that is locked, and project them; returns the fold behind them."""
    stream.append([write(fact) for fact in facts], stream.length)
    state = fold(facts, state)
    project(league, state, facts)
    return state


def pair_if(due: Callable[[LeagueState], bool], league_id: int) -> bool:
    """Pair a round if that is due, and order its matches; returns whether it was. Raises NotNow if it cannot be paired.

    It is drafted while nobody has to wait, and the draft holds only if the league has not moved since. One that moves
    again and again is held for the last draft.
    """
    for _ in range(DRAFTS):
        seen, state = load(League.objects.get(pk=league_id))
        if not due(state):
            return False
        if _pair(due, league_id, _drafted(state), seen.head):
            return True
    return _pair(due, league_id)


@transaction.atomic
def _pair(
    due: Callable[[LeagueState], bool], league_id: int, draft: RoundPaired | None = None, at: bytes = b""
) -> bool:
    """Append a draft that was made at that head of the stream, or one that is made now; returns whether it could."""
    league = locked(league_id)
    stream, state = load(league)
    if not due(state) or (draft and stream.head != at):
        return False
    paired = draft or _drafted(state)
    order_tables(league, append(league, stream, state, [paired]), paired)
    return True


def _drafted(state: LeagueState) -> RoundPaired:
    try:
        return formats()[state.header.format](state)
    except ValueError as error:
        raise NotNow(str(error)) from error


def can_be_paired(state: LeagueState) -> bool:
    """Tell whether a round can be paired, of which nothing is kept here."""
    try:
        _drafted(state)
    except NotNow:
        return False
    return True
