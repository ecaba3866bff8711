"""The sentences about dice read as players would say them."""

from __future__ import annotations

import pytest

from ftk_core.facts import Fact
from ftk_core.games.to_court_the_king.facts import DiceChanged, FinalRoundTurnFinished, KingClaimed
from ftk_core.games.to_court_the_king.rules import GAME

NAMES = ("Ada", "Bo", "Cy")


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (DiceChanged(0, "LABORER", (), (1,)), "The Laborer adds a die showing 1."),
        (DiceChanged(0, "NOBLEWOMAN", (3,), (4,)), "The Noblewoman turns 3 into 4."),
        (FinalRoundTurnFinished(0, 2, 6, ahead=False), "Ada ends with two 6s."),
        (FinalRoundTurnFinished(1, 1, 4, ahead=True), "Bo ends with one 4 and leads."),
        (KingClaimed(2, 7, 5), "Cy wins the King's ear with seven 5s."),
    ],
)
def test_events_with_dice_are_described_by_the_expected_sentences(fact: Fact, sentence: str) -> None:
    assert GAME.say(fact, NAMES, "en") == sentence
