"""The labels of a table are translated into every language."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.resources import files

import pytest

from ftk_core.games import list_games
from ftk_core.views.fact_sentences import SEPARATORS, join_list, label_translator, translate_label
from ftk_core.views.scene import ScenePiece, SceneZone, SeatCounter, TableScene

LABELS = {"Hand": "手牌", "# cards": "# 張", "bid #": "出價 #", "King +1": "加一"}


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Hand", "手牌"),
        ("12 cards", "12 張"),
        ("3 cards; bid 4", "3 張；出價 4"),
        ("Hand, bid 4", "手牌、出價 4"),
        ("King +1", "加一"),
        ("unheard of", "unheard of"),
        ("", ""),
    ],
)
def test_a_label_is_translated_as_a_whole_if_possible_and_otherwise_part_by_part(english: str, chinese: str) -> None:
    assert translate_label(english, {**SEPARATORS("zh-Hant"), **LABELS}) == chinese


def test_translating_the_picture_of_a_game_state_changes_only_its_labels() -> None:
    lying = ScenePiece(key="card-1", kind="card", face="king-P", label="King +1", tags=("king",))
    scene = TableScene(
        (SceneZone(key="hand-0", label="Hand", seat=0, layout="fan", pieces=(lying,), note="1 cards"),),
        (SeatCounter("m", "Hand", (1,)),),
        (0,),
    )
    read = ScenePiece(key="card-1", kind="card", face="king-P", label="加一", tags=("king",))
    assert label_translator(LABELS, "zh-Hant")(scene) == TableScene(
        (SceneZone(key="hand-0", label="手牌", seat=0, layout="fan", pieces=(read,), note="1 張"),),
        (SeatCounter("m", "手牌", (1,)),),
        (0,),
    )
    assert label_translator({}, "zh-Hant")(scene) is scene


def test_a_list_is_joined_with_the_punctuation_of_its_language() -> None:
    assert (join_list("ab", "en"), join_list("ab", "zh-Hant")) == ("a, b", "a、b")


@pytest.mark.parametrize("name", list_games())
def test_every_code_reference_in_the_rules_document_of_a_game_exists(name: str) -> None:
    package = f"ftk_core.games.{name}"
    rules = (files(package) / "RULES.md").read_text()
    named = re.findall(r"`([a-z_]+)\.([A-Za-z_]+)`", rules)
    for module, attribute in named:
        loaded = import_module(f"{package}.{module}")
        assert attribute == "py" or hasattr(loaded, attribute), f"{module}.{attribute}"
