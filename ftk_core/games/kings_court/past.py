"""Earlier versions of the rules, to read and rerun old logs."""

from __future__ import annotations

from dataclasses import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import RuleError
from ftk_core.games.kings_court.claims import FAKE_TOPICS
from ftk_core.games.kings_court.facts import Ask, Say
from ftk_core.games.kings_court.rules import GAME, follow, legal
from ftk_core.games.kings_court.state import Table, to_act
from ftk_core.rng import Chance


def _legal_1(table: Table, seat: int) -> tuple[Action, ...]:
    """Return the menu without questions and statements about the fake diamond in the box."""
    return tuple(action for action in legal(table, seat) if _topic(action) not in FAKE_TOPICS)


def _decide_1(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    if seat not in to_act(table) or action not in _legal_1(table, seat):
        raise RuleError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def _topic(action: Action) -> str:
    match action:
        case Ask(topic=topic):
            return topic
        case Say(claim=claim):
            return claim.topic
    return ""


PAST = (replace(GAME, version=1, legal=_legal_1, decide=_decide_1, follow=None),)
"""Oldest first."""
