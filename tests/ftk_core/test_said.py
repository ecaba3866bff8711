"""What games say and show reads as a reader would have it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from ftk_core.facts import PUBLIC
from ftk_core.games import game
from ftk_core.games.for_the_king.picture import scene
from ftk_core.games.for_the_king.sight import view
from ftk_core.games.kings_court.claims import Claim
from ftk_core.games.kings_court.facts import CourtClosed, Said
from ftk_core.games.to_court_the_king.facts import DiceChanged, FinalRolled, KingClaimed
from ftk_core.words import LANGUAGES
from tests.support.laws.tables import told

NAMES = ("Ada", "Bo", "Cy")


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (DiceChanged(0, "LABORER", (), (1,)), "The Laborer adds a die showing 1."),
        (DiceChanged(0, "NOBLEWOMAN", (3,), (4,)), "The Noblewoman turns 3 into 4."),
        (FinalRolled(0, 2, 6, ahead=False), "Ada ends with two 6s."),
        (FinalRolled(1, 1, 4, ahead=True), "Bo ends with one 4 and holds the King."),
        (KingClaimed(2, 7, 5), "Cy wins the King's ear with seven 5s."),
    ],
)
def test_dice_are_told_as_players_tell_of_them(fact: object, sentence: str) -> None:
    assert game("to_court_the_king").say(fact, NAMES, "en") == sentence


@pytest.mark.parametrize(("role", "named"), [("usurper", "a usurper"), ("urchin", "an urchin"), ("guard", "a guard")])
def test_a_role_has_its_article(role: str, named: str) -> None:
    assert (
        game("kings_court").say(Said(1, Claim(topic="role_of", seat=2, role=role)), NAMES, "en")
        == f"Bo: Cy is {named}."
    )


def test_an_investigation_ends_in_words() -> None:
    say = game("kings_court").say
    assert say(CourtClosed(ending="king", winners=(0,), hidden=0, dismissed=None, takes=()), NAMES, "en") == (
        "The investigation ends: the King's side wins. Winners: Ada."
    )
    for ending in ("king", "usurper", "guard", "princess", "exile"):
        for language in LANGUAGES:
            assert ending not in say(
                CourtClosed(ending=cast("Any", ending), winners=(0,), hidden=0, dismissed=None, takes=()),
                NAMES,
                language,
            )


def test_a_hand_of_which_all_is_known_has_no_empty_place_beside_it() -> None:
    for match in told("for_the_king", 3):
        for state in match.states[:: max(1, len(match.states) // 60)]:
            for zone in scene(view(state, PUBLIC)).zones:
                if zone.key.startswith("hand-") and zone.note != "0 cards":
                    assert zone.pieces
                    hidden = sum(not piece.face for piece in zone.pieces)
                    assert ("all known" in zone.note) == (not hidden and "unseen" not in zone.note)
