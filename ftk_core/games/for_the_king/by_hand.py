"""Texts for people who play For the King (and Me)."""

from __future__ import annotations

from collections.abc import Sequence

from ftk_core.facts import Action
from ftk_core.games.for_the_king.facts import Bid, Decree, Pass, Pay, Place, Take
from ftk_core.games.for_the_king.words import OFFICE_NAMES, card_name
from ftk_core.hands import ByHand
from ftk_core.words import listed

PHRASES = {
    "en": {
        "middle": "Lay the card into the middle",
        "favor": "Lay the card face down on the Favor deck",
        "self": "Keep the card",
        "take": "Take {card}",
        "pass": "Pass",
        "bid": "Bid {amount}",
        "pay": "Pay with {card}",
    },
    "zh-Hant": {
        "middle": "將牌放在桌面中央",
        "favor": "將牌面朝下放到恩賜牌堆",
        "self": "將牌留在自己面前",
        "take": "選擇{card}",
        "pass": "跳過",
        "bid": "出價 {amount}",
        "pay": "支付{card}",
    },
}
GUIDE = {
    "en": {
        "place": "You are the Adviser: of the cards that you draw one goes face down on the Favor deck, one stays with "
        "you, and one for each opponent lies in the middle. You decide on each before you see the next.",
        "take": "Take one card from the middle. At the end, whoever holds the best cards of an office has its Primary "
        "Duty, and the points on it; the second has the Secondary Duty.",
        "decree": "A King changes what offices are worth, from 1 to 6 points: raise those that you lead, lower others.",
        "bid": "The Favor deck is sold card by card. You may bid more than you have, but who cannot pay loses a card "
        "and is out of this round; gold cards are paid with cards of any kind, all others with gold.",
        "pay": "You won the auction. Discard cards one by one until the bid is paid; too much gold is not given back.",
    },
    "zh-Hant": {
        "place": "你是顧問：抽出的牌中，一張面朝下放到恩賜牌堆，一張留給自己，其餘每位對手一張放在桌面中央。"
        "看下一張之前必須先決定這一張。",
        "take": "從桌面中央選一張。遊戲結束時，某職務的牌最強者獲得主要職位與其點數，次強者獲得次要職位。",
        "decree": "國王會改變職務的價值（1 至 6 點）：提高你領先的，降低別人的。",
        "bid": "恩賜牌堆逐張競標。出價可以超過手中的黃金，但付不出來就要失去一張牌並退出本輪；"
        "黃金牌以任意的牌支付，其他的牌以黃金支付。",
        "pay": "你贏得競標。逐張棄牌直到付清；多付的黃金不找零。",
    },
}


def phrase(action: Action, _names: Sequence[str], language: str) -> str:
    """Describe an item of the menu in a sentence."""
    words = PHRASES.get(language, PHRASES["en"])
    match action:
        case Place(area=area):
            return words[area]
        case Take(card=card):
            return words["take"].format(card=card_name(card, language))
        case Pay(card=card):
            return words["pay"].format(card=card_name(card, language))
        case Bid(amount=amount):
            return words["bid"].format(amount=amount)
        case Decree(up=up, down=down):
            offices = OFFICE_NAMES.get(language, OFFICE_NAMES["en"])
            moves = [f"{offices[office]} +1" for office in up] + [f"{offices[office]} -1" for office in down]
            return listed(moves, language)
    return words["pass"]


def touches(action: Action, seat: int) -> tuple[str, ...]:
    """Return the card taken or paid, the place a card is laid on, or the duties that a King changes."""
    match action:
        case Place(area=area):
            return (f"hand-{seat}" if area == "self" else area,)
        case Take(card=card) | Pay(card=card):
            return (card,)
        case Decree(up=up, down=down):
            return tuple(f"primary-{office}" for office in (*up, *down))
        case Bid() | Pass():
            return ("lot",)
    return ()


BY_HAND = ByHand(phrase=phrase, touches=touches, guide=GUIDE, adviser="counter")
