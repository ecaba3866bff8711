"""What is said at court reads as a reader would have it."""

from __future__ import annotations

from typing import get_args

import pytest

from ftk_core.games.kings_court.claims import Claim
from ftk_core.games.kings_court.facts import CourtClosed, Ending, Said
from ftk_core.games.kings_court.rules import GAME
from ftk_core.words import LANGUAGES

NAMES = ("Ada", "Bo", "Cy")


@pytest.mark.parametrize(("role", "named"), [("usurper", "a usurper"), ("urchin", "an urchin"), ("guard", "a guard")])
def test_a_role_has_its_article(role: str, named: str) -> None:
    assert GAME.say(Said(1, Claim(topic="role_of", seat=2, role=role)), NAMES, "en") == f"Bo: Cy is {named}."


def test_an_investigation_ends_in_words() -> None:
    assert GAME.say(CourtClosed(ending="king", winners=(0,), hidden=0, dismissed=None, takes=()), NAMES, "en") == (
        "The investigation ends: the King's side wins. Winners: Ada."
    )
    for ending in get_args(Ending):
        closed = CourtClosed(ending=ending, winners=(0,), hidden=0, dismissed=None, takes=())
        assert [language for language in LANGUAGES if ending in GAME.say(closed, NAMES, language)] == []
