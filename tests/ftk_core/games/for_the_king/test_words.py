"""Sentences for every kind of fact, for viewers who know all of it and for viewers who do not."""

from __future__ import annotations

from typing import get_args

import pytest

from ftk_core.facts import OMNISCIENT, PUBLIC, Fact, redact
from ftk_core.games.for_the_king.fact_sentences import labels, say
from ftk_core.games.for_the_king.facts import (
    AnyFact,
    AuctionWon,
    BidderDefaulted,
    BidderPassed,
    BidMade,
    CardAddedToFavorDeck,
    CardDiscarded,
    CardDrawn,
    CardKept,
    CardShown,
    CardTaken,
    DeckPassed,
    DeckShuffled,
    DutiesAwarded,
    FavorCardRevealed,
    FavorCardTaken,
    FavorCardUnsold,
    FavorDeckShuffled,
    GoldCardPaid,
    KingCardDiscardedWithoutEffect,
    KingCardRevealed,
    LegacyGoldCardPaid,
    OfficePointsChangedByKing,
)

NAMES = ("Ada", "Ben", "Cleo")
CARD = "GOV-DIPLOMACY-E"
COUNCIL = DutiesAwarded((0, 1, 2, None, 0), (1, None, 0, None, 2), ((CARD,), (), ()))
SENTENCES: list[tuple[Fact, str, str]] = [
    (DeckShuffled((CARD,), ()), "The deck is shuffled; some cards go back into the box unseen.", "牌堆"),
    (DeckPassed(1), "Ben takes the deck and is the Adviser.", "顧問"),
    (CardDrawn(0, CARD), "Ada draws Diplomacy 3 (E).", "外交 3 (E)"),
    (CardKept(0, CARD), "Ada keeps Diplomacy 3 (E).", "留在自己面前"),
    (CardShown(0, "GOLD-2-01"), "Ada lays Gold 2 into the middle.", "黃金 2"),
    (CardAddedToFavorDeck(0, CARD), "Ada lays Diplomacy 3 (E) on the Favor deck.", "恩賜牌堆"),
    (CardTaken(2, CARD), "Cleo takes Diplomacy 3 (E) from the middle.", "選擇"),
    (KingCardRevealed(0, "KING-PM-1"), "Ada keeps King +1 / -1 and must reveal it.", "國王"),
    (
        OfficePointsChangedByKing(0, "KING-MIX-1", ("livestock",), ("military",)),
        "Ada plays King +1, -1: Livestock +1, Military -1.",
        "畜牧",
    ),
    (KingCardDiscardedWithoutEffect(0, "KING-P-1"), "Ada reveals King +1, which can change nothing.", "無法"),
    (FavorDeckShuffled(2, (CARD,)), "The Favor deck is shuffled; Cleo opens the first auction.", "競取名望"),
    (FavorCardRevealed(2, CARD), "Cleo turns up Diplomacy 3 (E) from the Favor deck.", "展示"),
    (BidMade(1, 4), "Ben bids 4.", "出價 4"),
    (BidderPassed(1), "Ben passes.", "跳過"),
    (AuctionWon(1, 4), "Ben wins the auction with 4 and pays.", "支付"),
    (LegacyGoldCardPaid(1, "GOLD-3-01"), "Ben pays Gold 3.", "黃金 3"),
    (GoldCardPaid(1, 3, "GOLD-3-01"), "Ben pays Gold 3.", "黃金 3"),
    (CardDiscarded(1, CARD), "Ben discards Diplomacy 3 (E) face down.", "面朝下"),
    (
        BidderDefaulted(1, 7, 1, CARD),
        "Ben cannot pay 7, loses Diplomacy 3 (E), and is out of this round.",
        "無法支付 7",
    ),
    (BidderDefaulted(1, 7, 0, None), "Ben cannot pay 7, has no card to lose, and is out of this round.", "沒有手牌"),
    (FavorCardTaken(1, CARD), "Ben takes Diplomacy 3 (E).", "獲得"),
    (FavorCardUnsold(CARD), "Nobody buys Diplomacy 3 (E); it is discarded.", "無人"),
    (COUNCIL, "The council is named. Primary duties: Diplomacy Ada, Entertainment Ben,", "主要職位"),
]


@pytest.mark.parametrize(("fact", "english", "chinese"), SENTENCES)
def test_each_event_of_the_game_is_described_by_the_expected_sentence(fact: Fact, english: str, chinese: str) -> None:
    assert say(redact(fact, OMNISCIENT), NAMES, "en").startswith(english)
    assert chinese in say(fact, NAMES, "zh-Hant")
    assert say(fact, NAMES, "tlh") == say(fact, NAMES, "en"), "an unknown language reads as English"


def test_every_kind_of_event_has_a_sentence() -> None:
    assert {type(fact) for fact, _, _ in SENTENCES} == set(get_args(AnyFact))


@pytest.mark.parametrize(
    ("fact", "sentence"),
    [
        (CardDrawn(0, CARD), "Ada draws a card."),
        (CardKept(0, CARD), "Ada keeps a card."),
        (CardAddedToFavorDeck(0, CARD), "Ada lays a card on the Favor deck."),
        (CardDiscarded(1, CARD), "Ben discards a card face down."),
        (BidderDefaulted(1, 7, 1, CARD), "Ben cannot pay 7, loses a card, and is out of this round."),
    ],
)
def test_a_sentence_about_a_card_hidden_from_the_reader_does_not_name_the_card(fact: Fact, sentence: str) -> None:
    assert say(redact(fact, PUBLIC), NAMES, "en") == sentence


def test_chinese_labels_on_the_board_use_the_names_of_the_printed_chinese_rules() -> None:
    """The printed rules in Traditional Chinese are the source of the names."""
    printed = labels("zh-Hant")
    assert printed["Government board"] == "政府版圖"
    assert printed["King card"] == "國王卡牌"
