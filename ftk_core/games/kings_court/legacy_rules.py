"""Earlier versions of the rules, to read and rerun old logs."""

from __future__ import annotations

from dataclasses import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import IllegalChoiceError
from ftk_core.games.kings_court.facts import AskAction, ClaimAction
from ftk_core.games.kings_court.player_claims import FAKE_TOPICS
from ftk_core.games.kings_court.rules import GAME, follow, legal
from ftk_core.games.kings_court.table_state import TableState, to_act
from ftk_core.random_streams import MatchRandomness


def _legal_1(table: TableState, seat: int) -> tuple[Action, ...]:
    """Return the legal actions under version 1 of the rules."""
    # Version 1 has no questions and claims about the fake diamond.
    return tuple(action for action in legal(table, seat) if _topic(action) not in FAKE_TOPICS)


def _decide_1(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    if seat not in to_act(table) or action not in _legal_1(table, seat):
        raise IllegalChoiceError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def _topic(action: Action) -> str:
    match action:
        case AskAction(topic=topic):
            return topic
        case ClaimAction(claim=claim):
            return claim.topic
    return ""


PAST = (replace(GAME, version=1, legal=_legal_1, decide=_decide_1, follow=None),)
"""Earlier versions of the game, oldest first."""
