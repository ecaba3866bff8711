"""Sentences of To Court the King, in English and Traditional Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ftk_core.facts import Fact
from ftk_core.game import Mark
from ftk_core.games.to_court_the_king.facts import DiceChanged, FinalRolled, KingClaimed
from ftk_core.words import sayer, seat_name

CHINESE = {
    "FOOL": "弄臣",
    "CHARLATAN": "騙子",
    "FARMER": "農夫",
    "SERVING_MAID": "女僕",
    "PHILOSOPHER": "哲學家",
    "LABORER": "工人",
    "GUARD": "衛兵",
    "HUNTER": "獵人",
    "ASTRONOMER": "天文學家",
    "MERCHANT": "商人",
    "NOBLEWOMAN": "貴婦",
    "PAWN_BROKER": "當鋪老闆",
    "KNIGHT": "騎士",
    "MAGICIAN": "魔術師",
    "ALCHEMIST": "煉金術士",
    "BISHOP": "主教",
    "NOBLEMAN": "貴族",
    "GENERAL": "將軍",
    "KING": "國王",
    "QUEEN": "王后",
}
TEMPLATES = {
    "en": {
        "round_began": "Round {round}: {seat} is the start player.",
        "final_began": "The final round: {seat} rolls first.",
        "dice_rolled": "{seat} rolls {faces}.",
        "card_used": "{seat} uses the {card}.",
        "dice_changed": "The {card} turns {before} into {after}.",
        "die_added": "The {card} adds a die showing {after}.",
        "dice_set_aside": "{seat} sets aside {faces}.",
        "rolling_ended": "{seat} has {faces}.",
        "card_acquired": "{seat} acquires the {card}.",
        "nothing_acquired": "{seat} acquires nobody.",
        "king_claimed": "{seat} wins the King's ear with {set}.",
        "final_rolled": "{seat} ends with {set}{ahead}.",
        "conceded": "{seat} does not roll.",
        "court_decided": "{seat} wins the court.",
    },
    "zh-Hant": {
        "round_began": "第 {round} 輪：{seat} 為起始玩家。",
        "final_began": "最終輪：{seat} 先擲骰。",
        "dice_rolled": "{seat} 擲出 {faces}。",
        "card_used": "{seat} 使用{card}。",
        "dice_changed": "{card}將 {before} 變為 {after}。",
        "die_added": "{card}加入一顆 {after} 點的骰子。",
        "dice_set_aside": "{seat} 留下 {faces}。",
        "rolling_ended": "{seat} 的結果為 {faces}。",
        "card_acquired": "{seat} 獲得{card}。",
        "nothing_acquired": "{seat} 沒有獲得角色。",
        "king_claimed": "{seat} 以{set}贏得國王支持。",
        "final_rolled": "{seat} 擲出{set}{ahead}。",
        "conceded": "{seat} 放棄擲骰。",
        "court_decided": "{seat} 獲勝。",
    },
}
AHEAD = {"en": " and holds the King", "zh-Hant": "，持有國王"}
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NONE = {"en": "no die", "zh-Hant": "無骰"}
MARKS: Mapping[str, Mark] = {
    "round_began": "turn",
    "final_began": "phase",
    "king_claimed": "phase",
    "card_acquired": "key",
    "final_rolled": "key",
    "court_decided": "phase",
}


def card_name(card: str, language: str) -> str:
    """Return the display name of a character."""
    return CHINESE[card] if language == "zh-Hant" else card.replace("_", " ").title()


LABELS = {
    "zh-Hant": {
        **{f"Row {row}": f"第 {row} 列" for row in ("I", "II", "III", "IV", "V")},
        **{card_name(card, "en"): chinese for card, chinese in CHINESE.items()},
        "Active dice": "可擲的骰子",
        "Set aside": "留下的骰子",
        "Die: #": "骰子：# 點",
        "Court": "宮廷",
        "# dice": "# 顆骰子",
        "# dice of #": "# 個 # 點",
        "Dice at the start": "起始骰數",
        "Characters": "角色數",
    }
}


def _card(value: Any, _names: Sequence[str], language: str) -> str:
    return card_name(value, language)


def _faces(value: Any, _names: Sequence[str], language: str) -> str:
    return "-".join(map(str, value)) or NONE.get(language, NONE["en"])


_say = sayer(
    TEMPLATES,
    {"seat": seat_name, "card": _card, "faces": _faces, "before": _faces, "after": _faces},
)


def set_name(count: int, value: int, language: str) -> str:
    """Return the name of a set of equal dice, e.g. ``two 6s``."""
    if language == "zh-Hant":
        return f" {count} 個 {value} 點"
    return "no dice" if not count else f"{NUMBERS[count]} {value}{'' if count == 1 else 's'}"


def say(fact: Fact, names: Sequence[str], language: str) -> str:
    """Describe a fact in one sentence."""
    templates = TEMPLATES.get(language, TEMPLATES["en"])
    match fact:
        case DiceChanged(card=card, before=(), after=after):
            added = _faces(after, names, language)
            return templates["die_added"].format(card=card_name(card, language), after=added)
        case KingClaimed(seat=seat, count=count, value=value):
            return templates["king_claimed"].format(seat=names[seat], set=set_name(count, value, language))
        case FinalRolled(seat=seat, count=count, value=value):
            ahead = AHEAD.get(language, AHEAD["en"]) if fact.ahead else ""
            return templates["final_rolled"].format(seat=names[seat], set=set_name(count, value, language), ahead=ahead)
    return _say(fact, names, language)
