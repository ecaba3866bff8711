"""Mistakes planted in matches: reviews name them, and name nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

from ftk_core.analysis.playouts import PlayoutPosition
from ftk_core.analysis.position_estimates import left_behind
from ftk_core.facts import OMNISCIENT
from ftk_core.games import game
from ftk_core.log_entries import ChoiceMade, read
from ftk_core.match_state_from_log import AnyGame
from ftk_core.native.native_game_rules import PlayoutStartingPosition
from ftk_core.players import PlayerAnswer, QuestionToSeat
from ftk_core.random_streams import seed_of
from tests.support.lengths import short_or_long
from tests.support.reviews import PolicyPlayer, log_by, log_of, policy_for, review_of

MATCHES = short_or_long(6, 100)
SEATS = 3
PLAYOUTS = 120
"""Playouts of each option in the search for the worst one."""
GAP = 0.3
"""Least difference between the shares of the best and the worst option of a large mistake."""
MAX_MENU = 40


@dataclass
class Planted:
    """The one mistake of a match."""

    earliest: int
    """Number of the first question, of all seats, at which it may be planted."""
    asked: int = 0
    question: int | None = None
    """Number of the question at which it was planted."""


class BlunderingPlayer(PolicyPlayer):
    """A player that plays as playouts do, but once with the worst item."""

    def __init__(self, rules: AnyGame, seed: bytes, planted: Planted) -> None:
        super().__init__(rules, policy_for(rules.name), SEATS, seed)
        self._rules, self._planted = rules, planted

    def choose(self, ask: QuestionToSeat) -> PlayerAnswer:
        """Answer as the policy does, or with the worst item."""
        planted, answer = self._planted, super().choose(ask)
        planted.asked += 1
        if planted.question is None and planted.asked >= planted.earliest and len(ask.menu) <= MAX_MENU:
            shares = self._shares(ask, range(len(ask.menu)), range(PLAYOUTS))
            ends = shares.index(min(shares)), shares.index(max(shares))
            if max(shares) - min(shares) >= GAP and self._gap(ask, ends) >= GAP:
                planted.question = planted.asked
                return PlayerAnswer(ends[0])
        return answer

    def _gap(self, ask: QuestionToSeat, ends: tuple[int, int]) -> float:
        """Measure both extreme options in other playouts, because an option can be the extreme of many by luck."""
        worst, best = self._shares(ask, ends, range(PLAYOUTS, 5 * PLAYOUTS))
        return best - worst

    def _shares(self, ask: QuestionToSeat, items: Sequence[int], numbers: range) -> list[float]:
        viewer = ask.seat if self._rules.resample else OMNISCIENT
        position = PlayoutStartingPosition(game=self._rules, state=ask._state, seats=SEATS, viewer=viewer)
        playable = PlayoutPosition(position, policy_for(self._rules.name), ("planted",))
        by_item = playable.play_out_items(ask.seat, items, numbers)
        return [
            sum(left_behind(places)[ask.seat] for places in results) / (2 * (SEATS - 1) * len(numbers))
            for results in by_item
        ]


def is_named_first(name: str, number: int) -> bool | None:
    """Return True if the review names the planted mistake first; None if the match had no chance for a large one."""
    planted, rules = Planted(Random(f"planted {name} {number}").randrange(5, 60)), game(name)
    players = [BlunderingPlayer(rules, seed_of("planted", number, seat), planted) for seat in range(SEATS)]
    lines = log_by(name, players, number)
    if planted.question is None:
        return None
    entries = [entry.seq for entry in map(read, lines) if isinstance(entry, ChoiceMade)]
    named = [choice.entry for choice in review_of(lines, 100, eyes="own").costliest]
    return named[:1] == [entries[planted.question - 1]]


@pytest.mark.nightly
def test_nine_of_ten_reviews_list_a_large_planted_mistake_first() -> None:
    numbers = range(MATCHES)
    verdicts = [verdict for number in numbers if (verdict := is_named_first("for_the_king", number)) is not None]
    assert len(verdicts) >= MATCHES // 6
    assert sum(verdicts) >= round(0.9 * len(verdicts))


@pytest.mark.nightly
def test_a_review_assigns_no_cost_to_a_choice_whose_options_all_win_or_all_lose() -> None:
    found = [review_of(log_of("for_the_king", seats), 40, eyes=eyes) for seats in (2, 3) for eyes in ("own", "all")]
    weighed = [choice.weighing for review in found for choice in review.choices if choice.weighing]
    same = [one for one in weighed if {option.share for option in one.options} in ({"0"}, {"1"})]
    assert len(same) > 5
    assert all(one.loss is None and Fraction(one.cost) == 0 for one in same)
