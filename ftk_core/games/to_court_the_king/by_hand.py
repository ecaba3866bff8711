"""Texts for people who play To Court the King."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.to_court_the_king.box import CHARLATAN, FOOL, KING, QUEEN
from ftk_core.games.to_court_the_king.facts import Acquire, Aim, SetAside, Use
from ftk_core.games.to_court_the_king.words import card_name
from ftk_core.hands import ByHand, dice_touched, kind_of_action

PHRASES = {
    "en": {
        "set_aside": "Set aside {before}",
        "roll": "Roll the active dice",
        "use": "Use the {card}",
        "aim": "Turn {before} into {after}",
        "reroll": "Roll {before} again",
        "add": "Bring in a {after}",
        "finish": "Bring in no more dice",
        "acquire": "Take the {card}",
        "acquire_nothing": "Take nobody",
        "concede": "Do not roll",
    },
    "zh-Hant": {
        "set_aside": "留下 {before}",
        "roll": "擲可擲的骰子",
        "use": "使用{card}",
        "aim": "將 {before} 變為 {after}",
        "reroll": "重擲 {before}",
        "add": "加入一顆 {after} 點的骰子",
        "finish": "不再加入骰子",
        "acquire": "獲得{card}",
        "acquire_nothing": "不獲得角色",
        "concede": "放棄擲骰",
    },
}
GUIDE = {
    "en": {
        "set_aside": "Set at least one die aside, then the rest may be rolled again. When none is left, the dice set "
        "aside buy one character. A Ctrl+click selects all dice that show something else, a Shift+click all others.",
        "roll": "You roll all dice that are still active; what you have set aside stays until your turn ends.",
        "use": "Each character helps once a turn: some bring in a die, others bend those that are still active.",
        "aim": "Say what the character does: which dice it takes, and what they become.",
        "finish": "No die is active any more. You may still bring dice into play, or take what you have now.",
        "acquire": "Your dice buy one character whose cost they meet. Seven of a kind claim the King, and with him "
        "the Queen: then everybody has one last turn.",
        "concede": "The last turn: only who beats the King's holder wins the court. You need not roll.",
    },
    "zh-Hant": {
        "set_aside": "至少留下一顆骰子，其餘可以再擲。沒有可擲的骰子時，留下的骰子可換取一名角色。"
        "Ctrl+點擊選取所有點數不同的骰子，Shift+點擊選取其他所有骰子。",
        "roll": "擲出所有仍可擲的骰子；留下的骰子到回合結束前不能再動。",
        "use": "每名角色每回合幫忙一次：有的加入骰子，有的改變可擲的骰子。",
        "aim": "決定角色如何作用：取哪些骰子，變成什麼。",
        "finish": "已沒有可擲的骰子。你仍可加入骰子，或以現有結果結束。",
        "acquire": "以骰子換取一名符合條件的角色。七顆相同可得國王與王后，之後每人還有最後一回合。",
        "concede": "最後一回合：只有勝過持有國王者才能獲勝。你可以不擲。",
    },
}


def _faces(faces: Sequence[int]) -> str:
    return "-".join(map(str, faces))


def phrase(action: Action, _names: Sequence[str], language: str) -> str:
    """Describe an item of the menu in a sentence."""
    words = PHRASES.get(language, PHRASES["en"])
    match action:
        case SetAside(faces=faces):
            return words["set_aside"].format(before=_faces(faces))
        case Aim(before=before, after=after):
            key = "add" if not before else "aim" if after else "reroll"
            return words[key].format(before=_faces(before), after=_faces(after))
        case Use(card=card) | Acquire(card=card):
            return words[kind_of_action(action)].format(card=card_name(card, language))
    return words[kind_of_action(action)]


def touches(action: Action, seat: int) -> tuple[str, ...]:
    """Return the dice or the character that an item concerns."""
    match action:
        case SetAside(faces=faces):
            return dice_touched("active", faces)
        case Aim(before=before):
            return dice_touched("active", before)
        case Use(card=card):
            return (card if card in (KING, QUEEN) else f"{card}-{seat}",)
        case Acquire(card=card) if card == CHARLATAN:
            return (f"{FOOL}-{seat}",)
        case Acquire(card=card) if card != FOOL:
            return (f"display-{card}",)
    return ()


BY_HAND = ByHand(phrase=phrase, touches=touches, guide=GUIDE, adviser="builder")
