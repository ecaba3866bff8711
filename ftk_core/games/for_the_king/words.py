"""Sentences of For the King (and Me), in English and Traditional Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ftk_core.facts import Fact
from ftk_core.game import Mark
from ftk_core.games.for_the_king.box import CARDS, OFFICES
from ftk_core.games.for_the_king.facts import Decreed, Defaulted
from ftk_core.words import listed, sayer, seat_name

OFFICE_NAMES: dict[str, dict[str, str]] = {
    "en": dict(zip(OFFICES, (office.capitalize() for office in OFFICES), strict=True)),
    "zh-Hant": dict(zip(OFFICES, ("外交", "娛樂", "畜牧", "建築", "軍事", "糧食"), strict=True)),
}
KING_NAMES = {"PM": "+1 / -1", "P": "+1", "M": "-1", "PP": "+1 +1", "MM": "-1 -1", "MIX": "+1, -1"}
HIDDEN = {"en": "a card", "zh-Hant": "一張卡牌"}
NOBODY = {"en": "nobody", "zh-Hant": "無人"}

TEMPLATES = {
    "en": {
        "deck_shuffled": "The deck is shuffled; some cards go back into the box unseen.",
        "deck_passed": "{seat} takes the deck and is the Adviser.",
        "card_drawn": "{seat} draws {card}.",
        "card_kept": "{seat} keeps {card}.",
        "card_shown": "{seat} lays {card} into the middle.",
        "card_favored": "{seat} lays {card} on the Favor deck.",
        "card_taken": "{seat} takes {card} from the middle.",
        "king_revealed": "{seat} keeps {card} and must reveal it.",
        "king_idle": "{seat} reveals {card}, which can change nothing.",
        "favor_shuffled": "The Favor deck is shuffled; {first} opens the first auction.",
        "favor_revealed": "{seat} turns up {card} from the Favor deck.",
        "bid_made": "{seat} bids {amount}.",
        "passed": "{seat} passes.",
        "auction_won": "{seat} wins the auction with {amount} and pays.",
        "gold_paid": "{seat} pays {card}.",
        "coin_paid": "{seat} pays {value}.",
        "card_discarded": "{seat} discards {card} face down.",
        "defaulted": "{seat} cannot pay {amount}, loses {card}, and is out of this round.",
        "favor_taken": "{seat} takes {card}.",
        "favor_unsold": "Nobody buys {card}; it is discarded.",
        "council_named": "The council is named. Primary duties: {primaries}. Secondary duties: {secondaries}.",
    },
    "zh-Hant": {
        "deck_shuffled": "牌堆已洗勻，部分卡牌未經查看放回遊戲盒。",
        "deck_passed": "{seat} 拿起牌堆，擔任顧問。",
        "card_drawn": "{seat} 抽出{card}。",
        "card_kept": "{seat} 將{card}留在自己面前。",
        "card_shown": "{seat} 將{card}放在桌面中央。",
        "card_favored": "{seat} 將{card}放到恩賜牌堆。",
        "card_taken": "{seat} 從桌面中央選擇{card}。",
        "king_revealed": "{seat} 留下{card}，立即展示。",
        "king_idle": "{seat} 展示{card}，但無法更動任何職位。",
        "favor_shuffled": "恩賜牌堆已洗勻，由 {first} 開始競取名望。",
        "favor_revealed": "{seat} 展示恩賜牌堆頂的{card}。",
        "bid_made": "{seat} 出價 {amount}。",
        "passed": "{seat} 跳過。",
        "auction_won": "{seat} 以 {amount} 贏得競標，開始支付。",
        "gold_paid": "{seat} 支付{card}。",
        "coin_paid": "{seat} 支付{value}。",
        "card_discarded": "{seat} 面朝下棄掉{card}。",
        "defaulted": "{seat} 無法支付 {amount}，失去{card}，本輪不得再出價。",
        "favor_taken": "{seat} 獲得{card}。",
        "favor_unsold": "無人購買{card}，將其棄掉。",
        "council_named": "國王議會成立。主要職位：{primaries}。次要職位：{secondaries}。",
    },
}
MARKS: Mapping[str, Mark] = {
    "favor_shuffled": "phase",
    "deck_passed": "turn",
    "favor_revealed": "turn",
    "council_named": "phase",
    "decreed": "key",
    "favor_taken": "key",
    "defaulted": "key",
}


def card_name(card: str, language: str) -> str:
    """Return the display name of a card, e.g. ``Diplomacy 3 (B)``."""
    row = CARDS[card]
    if row.kind == "government":
        office = OFFICE_NAMES.get(language, OFFICE_NAMES["en"])[OFFICES[row.office]]
        return f"{office} {row.value} ({row.letter})"
    if row.kind == "gold":
        return f"黃金 {row.value}" if language == "zh-Hant" else f"Gold {row.value}"
    return f"國王 {KING_NAMES[row.king or 'PM']}" if language == "zh-Hant" else f"King {KING_NAMES[row.king or 'PM']}"


def _card(value: Any, _names: Sequence[str], language: str) -> str:
    return HIDDEN.get(language, HIDDEN["en"]) if value is None else card_name(value, language)


def _coin(value: int, _names: Sequence[str], language: str) -> str:
    return card_name(f"GOLD-{value}-01", language)


def _holders(value: Any, names: Sequence[str], language: str) -> str:
    offices = OFFICE_NAMES.get(language, OFFICE_NAMES["en"])
    nobody = NOBODY.get(language, NOBODY["en"])
    pairs = zip(OFFICES, value, strict=False)
    return listed((f"{offices[office]} {nobody if seat is None else names[seat]}" for office, seat in pairs), language)


LABELS = {
    "zh-Hant": {
        "Deck": "牌堆",
        "Favor deck": "恩賜牌堆",
        "Discards": "棄牌堆",
        "Put back unseen": "未經查看放回盒中",
        "Government board": "政府版圖",
        "Middle of the table": "桌面中央",
        "On offer": "競標中",
        "King card": "國王卡牌",
        "Hand": "手牌",
        "Just drawn": "剛抽出",
        "Discarded unseen": "面朝下棄掉",
        "face down": "面朝下",
        "# card": "# 張",
        "# cards": "# 張",
        "all known": "全部已知",
        "# discarded unseen": "# 張面朝下棄掉",
        "no bid yet": "尚未出價",
        "bid #": "出價 #",
        "Cards in hand": "手牌張數",
        "Gold in hand": "手中黃金",
        "Points in sight": "已知點數",
        "Victory points": "勝利點數",
        **{card_name(card, "en"): card_name(card, "zh-Hant") for card in CARDS},
        **{
            f"{office.capitalize()}: {english} Duty #": f"{OFFICE_NAMES['zh-Hant'][office]}：{chinese}職位 #"
            for office in OFFICES
            for english, chinese in (("Primary", "主要"), ("Secondary", "次要"))
        },
    }
}
DECREED = {"en": "{seat} plays {card}: {moves}.", "zh-Hant": "{seat} 使用{card}：{moves}。"}
EMPTY_HANDED = {
    "en": "{seat} cannot pay {amount}, has no card to lose, and is out of this round.",
    "zh-Hant": "{seat} 無法支付 {amount}，也沒有手牌可棄，本輪不得再出價。",
}

_say = sayer(
    TEMPLATES,
    {
        "seat": seat_name,
        "first": seat_name,
        "card": _card,
        "value": _coin,
        "primaries": _holders,
        "secondaries": _holders,
    },
)


def say(fact: Fact, names: Sequence[str], language: str) -> str:
    """Describe a fact, as the viewer may know it, in one sentence."""
    if isinstance(fact, Decreed):
        return _decree(fact, names, language)
    if isinstance(fact, Defaulted) and not fact.lost:
        sentence = EMPTY_HANDED.get(language, EMPTY_HANDED["en"])
        return sentence.format(seat=names[fact.seat], amount=fact.amount)
    return _say(fact, names, language)


def _decree(fact: Decreed, names: Sequence[str], language: str) -> str:
    offices = OFFICE_NAMES.get(language, OFFICE_NAMES["en"])
    moves = [f"{offices[office]} +1" for office in fact.up] + [f"{offices[office]} -1" for office in fact.down]
    sentence = DECREED.get(language, DECREED["en"])
    return sentence.format(seat=names[fact.seat], card=card_name(fact.card, language), moves=listed(moves, language))
