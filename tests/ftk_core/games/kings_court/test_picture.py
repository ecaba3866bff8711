"""What is drawn and said of a court is what happened there."""

from __future__ import annotations

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.game import Viewer
from ftk_core.games.kings_court.facts import CourtClosed
from ftk_core.games.kings_court.picture import scene
from ftk_core.games.kings_court.sight import view
from ftk_core.games.kings_court.state import Table
from ftk_core.games.kings_court.words import say
from tests.support.games.kings_court.courts import accuse, court

NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛")


def faces(table: Table, seat: int, viewer: Viewer = PUBLIC) -> list[str]:
    """Return what lies in a seat's pocket, as the viewer may know it."""
    zones = {zone.key: zone for zone in scene(view(table, viewer)).zones}
    return [piece.face for piece in zones[f"seat-{seat}"].pieces if piece.key != "the-box"]


def test_a_caught_thief_is_drawn_as_a_thief() -> None:
    table = court([5, "peasant", "apprentice", 6, "usurper"], hidden=2)
    assert faces(table, 1) == [""], "nobody knows yet"
    assert faces(table, 1, OMNISCIENT) == ["diamond-5"]
    caught = accuse(table, 1)
    assert not caught.ending
    for viewer in (PUBLIC, OMNISCIENT, 0, 1, 3):
        assert faces(caught, 1, viewer) == ["thief"]


def test_a_thief_caught_with_the_fake_is_drawn_as_a_thief_with_the_fake() -> None:
    """K12: the fake alone is shown first."""
    shares = ["peasant", (3, "fake"), "peasant", "apprentice", 10, "peasant", 0]
    cards = ("peasant",) * 4 + ("apprentice",)
    table = court(shares, cards=cards, fake=True, gifts=1)
    shown = accuse(table, 2)
    assert (shown.fake_shown[2], shown.exiled[2]) == (True, False)
    caught = accuse(shown, 2)
    assert caught.exiled[2]
    assert faces(caught, 2) == ["thief", "fake"]


def test_a_street_urchin_is_drawn_as_one_and_a_thief_at_large_by_the_diamonds() -> None:
    over = accuse(court([10, "apprentice", "usurper", 0, 0], hidden=3, dismissed="peasant"), 4)
    assert over.ending == "exile"
    assert faces(over, 4) == ["urchin"]
    assert faces(over, 1) == ["diamond-10"]


@pytest.mark.parametrize("ending", ["king", "usurper", "guard", "princess", "exile"])
def test_the_last_sentence_is_all_in_the_language_that_is_asked_for(ending: str) -> None:
    fact = CourtClosed(ending=ending, winners=(0, 2), hidden=1, dismissed=None, takes=(None,) * 8)  # type: ignore[arg-type]  # the law of a closed list
    said = say(fact, NAMES, "zh-Hant")
    assert not any(letter.isascii() and letter.isalpha() for letter in said), said
    assert "甲、丙" in said
