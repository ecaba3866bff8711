"""Hints for people who play by hand, found by a search or by a built-in bot."""
# A hint uses only what the seat knows: the question that it was asked, or a state in which everything else was dealt
# again.

from __future__ import annotations

import json
import runpy
from collections import deque
from functools import lru_cache
from typing import Any

import msgspec
from django.contrib.auth.models import User

from ftk_core.facts import encode
from ftk_core.games import game
from ftk_core.hash_chained_log import lines_of
from ftk_core.kit.bot import Ask
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.match_fork import deal_again
from ftk_core.match_state_from_log import AnyGame, states
from ftk_core.native.native_game_rules import has_native_rules
from ftk_core.native.native_match import NativeMatch
from ftk_core.native.shared_rules_library import NativeError
from ftk_core.random_streams import MatchRandomness, seed_of
from replays.event_stream_storage import EventAppender
from replays.human_play.human_question_display import are_hints_allowed
from replays.human_play.questions_to_humans import read_question
from replays.models import Match, SeatQuestionMailbox

MAX_HINTS = 256
"""Number of hints that a process keeps."""
SEARCH_BUDGET = 20_000
"""Number of simulated choices, as many as the search bot `club` has. They take some 20 ms."""


def read_hint(match_id: str, seat: int, person: User) -> int | None:
    """Return the menu index of the action that a search finds best, or that the game's adviser would choose.

    The adviser is a built-in bot, for games without native rules. Return None if no answer is expected, if the game has
    neither, or if the arena allows no hints. Raises SeatQuestionMailbox.DoesNotExist if the person does not play the
    seat.
    """
    question = read_question(match_id, seat, person)
    if question.number == 0 or question.answered or question.over or not are_hints_allowed():
        return None
    return find_hint(match_id, seat, question.number, question.line)


@lru_cache(maxsize=MAX_HINTS)  # a page asks again every few seconds
def find_hint(match_id: str, seat: int, number: int, line: str) -> int | None:
    """Return the hint for the question `line`, which has this number, as `read_hint` does."""
    match = Match.objects.get(pk=match_id)
    rules = game(match.game)
    found = _search(rules, match, seat, number, line)
    return _ask_adviser(rules, match_id, seat, line) if found is None else found


def _search(rules: AnyGame, match: Match, seat: int, number: int, line: str) -> int | None:
    """Return the menu index that a search finds best; None if the rules of the match are not in the native library."""
    seats = match.seats.count()
    if not has_native_rules(rules) or rules.resample is None:
        return None
    seed = seed_of("hint", match.pk, seat, number)
    ((_entry, state),) = deque(states(rules, lines_of(EventAppender(match.stream_id))), maxlen=1)
    try:
        table = NativeMatch(rules.name, seats)
        table.set_state(encode(deal_again(rules, state, seat, MatchRandomness(seed))))
        if table.menu_size(seat) != len(msgspec.json.decode(line, type=_Question).menu):
            return None
        return table.search(seat, SEARCH_BUDGET, seed=int.from_bytes(seed[:4], "big"))[0]
    except NativeError:
        return None


class _Question(msgspec.Struct):
    menu: list[msgspec.Raw]


def _ask_adviser(rules: AnyGame, match_id: str, seat: int, line: str) -> int | None:
    adviser = list_built_in_bots(rules.name).get(rules.by_hand.adviser)
    if adviser is None:
        return None
    hello: dict[str, Any] = json.loads(SeatQuestionMailbox.objects.get(seat__match=match_id, seat__seat=seat).hello)
    choose = runpy.run_path(str(adviser))["choose"]  # code of this project, which sees only the seat's question
    return int(choose(Ask(hello, json.loads(line))))
