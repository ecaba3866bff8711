"""What lies on a table is named in every language we speak."""

from __future__ import annotations

import pytest

from ftk_core.scene import Meter, Piece, Scene, Zone
from ftk_core.words import label_in, listed, relabeller

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
def test_a_label_is_found_whole_by_its_figures_or_by_its_parts(english: str, chinese: str) -> None:
    assert label_in(english, LABELS) == chinese


def test_a_picture_is_relabelled_and_keeps_all_else() -> None:
    lying = Piece(key="card-1", kind="card", face="king-P", label="King +1", tags=("king",))
    scene = Scene(
        (Zone(key="hand-0", label="Hand", seat=0, layout="fan", pieces=(lying,), note="1 cards"),),
        (Meter("m", "Hand", (1,)),),
        (0,),
    )
    read = Piece(key="card-1", kind="card", face="king-P", label="加一", tags=("king",))
    assert relabeller(LABELS)(scene) == Scene(
        (Zone(key="hand-0", label="手牌", seat=0, layout="fan", pieces=(read,), note="1 張"),),
        (Meter("m", "手牌", (1,)),),
        (0,),
    )
    assert relabeller({})(scene) is scene


def test_a_list_reads_as_its_language_has_it() -> None:
    assert (listed("ab", "en"), listed("ab", "zh-Hant")) == ("a, b", "a、b")
