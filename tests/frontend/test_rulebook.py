"""The rules of a game as a page."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from frontend.drawing.rulebook import RULE_NUMBER, list_sample_bots, read_rulebook
from ftk_core.games import list_games


@pytest.mark.parametrize("name", list_games())
def test_every_rule_number_in_a_tooltip_has_exactly_one_anchor_on_the_rules_page_of_its_game(name: str) -> None:
    rules = read_rulebook(name)
    anchors = Counter(re.findall(r'<span id="rule-(\w+)">\1</span>', rules.short + rules.full))
    named = set(RULE_NUMBER.findall(" ".join(list_games()[name].about("en").values())))
    assert named <= anchors.keys()
    assert set(anchors.values()) <= {1}
    assert name == "pig" or len(anchors) > 20


@pytest.mark.parametrize("name", list_games())
def test_the_introduction_of_every_game_is_translated_into_chinese(name: str) -> None:
    texts = {list_games()[name].title, read_rulebook(name).first, *(bot.about for bot in list_sample_bots(name))}
    assert set(list_games()[name].introduction("en")) == texts
    chinese = list_games()[name].introduction("zh-Hant")
    assert [text for text in texts if chinese[text].isascii()] == []
