"""The picture and the sentences of a court, which must agree with the events."""

from __future__ import annotations

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC
from ftk_core.game import Viewer
from ftk_core.games.kings_court.fact_sentences import say
from ftk_core.games.kings_court.facts import (
    BreakTheftRulesAction,
    DismissAction,
    HideAction,
    InvestigationEnded,
    TakeAction,
)
from ftk_core.games.kings_court.player_view import view
from ftk_core.games.kings_court.table_scene import scene
from ftk_core.games.kings_court.table_state import TableState, new_court
from tests.support.games.kings_court.courts import accuse_seats, build_court, play

NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛")


def faces(table: TableState, seat: int, viewer: Viewer = PUBLIC) -> list[str]:
    """Return the contents of a seat's pocket, as the viewer may know them."""
    zones = {zone.key: zone for zone in scene(view(table, viewer)).zones}
    return [piece.face for piece in zones[f"seat-{seat}"].pieces if piece.key not in ("the-box", f"wins-{seat}")]


def test_a_caught_thief_is_drawn_as_a_thief() -> None:
    table = build_court([5, "peasant", "apprentice", 6, "usurper"], hidden=2)
    assert faces(table, 1) == [""], "nobody knows yet"
    assert faces(table, 1, OMNISCIENT) == ["diamond-5"]
    caught = accuse_seats(table, 1)
    assert not caught.ending
    for viewer in (PUBLIC, OMNISCIENT, 0, 1, 3):
        assert faces(caught, 1, viewer) == ["thief"]


def test_a_thief_caught_with_the_fake_diamond_is_drawn_with_the_fake_diamond() -> None:
    """K12: the thief shows only the fake diamond at first."""
    shares = ["peasant", (3, "fake"), "peasant", "apprentice", 10, "peasant", 0]
    cards = ("peasant",) * 4 + ("apprentice",)
    table = build_court(shares, cards=cards, fake=True, gifts=1)
    shown = accuse_seats(table, 2)
    assert (shown.fake_shown[2], shown.exiled[2]) == (True, False)
    caught = accuse_seats(shown, 2)
    assert caught.exiled[2]
    assert faces(caught, 2) == ["thief", "fake"]


def test_the_final_picture_shows_the_diamonds_of_an_uncaught_thief_and_the_role_of_an_urchin() -> None:
    over = accuse_seats(build_court([10, "apprentice", "usurper", 0, 0], hidden=3, dismissed="peasant"), 4)
    assert over.ending == "exile"
    assert faces(over, 4) == ["urchin"]
    assert faces(over, 1) == ["diamond-10"]


@pytest.mark.parametrize("ending", ["king", "usurper", "guard", "princess", "exile"])
def test_the_sentence_about_the_end_of_the_game_is_entirely_in_the_requested_language(ending: str) -> None:
    fact = InvestigationEnded(ending=ending, winners=(0, 2), hidden=1, dismissed=None, takes=(None,) * 8)  # type: ignore[arg-type]  # the law of a closed list
    said = say(fact, NAMES, "zh-Hant")
    assert not any(letter.isascii() and letter.isalpha() for letter in said), said
    assert "甲、丙" in said


def test_a_player_who_broke_the_rules_of_taking_is_drawn_without_a_role_and_without_a_share() -> None:
    """K6: such a player takes nothing from the box."""
    table = play(new_court(6), HideAction(2), DismissAction(), BreakTheftRulesAction(), TakeAction(4))
    for viewer in (PUBLIC, OMNISCIENT, 0, 1):
        assert faces(table, 1, viewer) == ["none"]


def test_the_diamonds_of_all_players_are_counted_at_the_end_also_if_a_player_broke_the_rules_of_taking() -> None:
    table = play(new_court(6), HideAction(2), DismissAction(), BreakTheftRulesAction(), *map(TakeAction, (4, 3, 2, 1)))
    assert "diamonds" in {meter.key for meter in scene(view(table, OMNISCIENT)).meters}
