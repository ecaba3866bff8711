"""Explanations of each character and die by its tags, in every language, shown on hover."""

from __future__ import annotations

from ftk_core.games.to_court_the_king.box import CHARACTERS

DOES = {
    "FOOL": ("re-roll one active die", "重擲一顆可擲的骰子"),
    "CHARLATAN": ("one more die at the start of a turn", "回合開始時多一顆骰子"),
    "FARMER": ("one more die at the start of a turn", "回合開始時多一顆骰子"),
    "SERVING_MAID": ("add 1 to 3 pips to one active die", "將一顆可擲的骰子加 1 至 3 點"),
    "PHILOSOPHER": ("move pips from one active die to another", "將點數由一顆可擲的骰子移到另一顆"),
    "LABORER": ("bring in a die showing 1", "加入一顆 1 點的骰子"),
    "GUARD": ("bring in a die showing 2", "加入一顆 2 點的骰子"),
    "HUNTER": ("bring in a die showing 3", "加入一顆 3 點的骰子"),
    "ASTRONOMER": ("make an active die equal to one set aside (T11)", "使一顆可擲的骰子與一顆留下的相同（T11）"),
    "MERCHANT": ("re-roll any active dice", "重擲任意數量的可擲骰子"),
    "NOBLEWOMAN": ("add one pip to any active dice (T9)", "將任意數量的可擲骰子各加 1 點（T9）"),
    "PAWN_BROKER": ("bring in a die showing 4", "加入一顆 4 點的骰子"),
    "KNIGHT": ("bring in a die showing 5", "加入一顆 5 點的骰子"),
    "MAGICIAN": ("set an active die to any value", "將一顆可擲的骰子變為任意點數"),
    "ALCHEMIST": ("move pips among two or three active dice (T10)", "在兩或三顆可擲骰子之間移動點數（T10）"),
    "BISHOP": ("bring in a die showing 6", "加入一顆 6 點的骰子"),
    "NOBLEMAN": ("add two pips to any active dice (T9)", "將任意數量的可擲骰子各加 2 點（T9）"),
    "GENERAL": ("two more dice at the start of a turn", "回合開始時多兩顆骰子"),
    "KING": ("brings the Queen and starts the final round", "帶來王后，並開始最終輪"),
    "QUEEN": ("bring in a die of any value", "加入一顆任意點數的骰子"),
}
"""English and Traditional Chinese text."""
COSTS = {
    "a pair": "一對",
    "all dice odd": "全部奇數",
    "all dice even": "全部偶數",
    "15 pips": "總和 15 點",
    "20 pips": "總和 20 點",
    "30 pips": "總和 30 點",
    "three of a kind": "三個同點",
    "four of a kind": "四個同點",
    "five of a kind": "五個同點",
    "six of a kind": "六個同點",
    "seven of a kind": "七個同點",
    "two pairs": "兩對",
    "three pairs": "三對",
    "two triplets": "兩組三個同點",
    "full house": "葫蘆",
    "straight of five": "五連順",
    "straight of six": "六連順",
}
OTHERWISE = {
    "FOOL": ("for a result that buys nobody (T1)", "沒有獲得任何角色時取得（T1）"),
    "CHARLATAN": ("a Fool turned over (T1, T2)", "由弄臣翻面而來（T1、T2）"),
    "QUEEN": ("with the King", "隨國王一起獲得"),
}
"""Ways to get the characters that no dice buy."""


PASSIVE = ("CHARLATAN", "FARMER", "GENERAL", "KING")
"""Characters with a permanent effect, which are not used in a turn."""
SENTENCES = (
    ("Cost: {}. Once a turn: {}.", "Cost: {}. Always: {}."),
    ("花費：{}。每回合一次：{}。", "花費：{}。效果：{}。"),
)


def _about(name: str, language: int) -> str:
    """Describe the cost and effect of a character; `language` is the index in the pairs above."""
    if name in OTHERWISE:
        cost = OTHERWISE[name][language]
    else:
        cost = (CHARACTERS[name].cost, COSTS[CHARACTERS[name].cost])[language]
    return SENTENCES[language][name in PASSIVE].format(cost, DOES[name][language])


USED = ("Used already: each character helps once a turn.", "本回合已使用：每個角色每回合只能使用一次。")
DIE = (
    "Roll it while it is active; set at least one aside after each roll. What is set aside buys a character.",
    "可擲時可以重擲，每次擲骰後至少留下一顆；最後以留下的骰子獲得一名角色。",
)
ABOUT = {
    tongue: {
        **{f"character:{name.lower()}": _about(name, language) for name in DOES},
        "used": USED[language],
        "die": DIE[language],
    }
    for language, tongue in enumerate(("en", "zh-Hant"))
}
