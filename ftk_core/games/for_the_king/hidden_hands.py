"""Random guesses at the hands that a viewer cannot see."""
# Simulated matches start from such guesses. Each agrees with the cards that the players saw a hand gain and pay.

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from ftk_core.facts import Viewer
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.gold_distribution import (
    Coins,
    HandEvent,
    HandHistoryLikelihood,
    HandRecord,
    HiddenGoldSampler,
    choose_weighted,
)
from ftk_core.games.for_the_king.table_state import HandChange, TableState, sorted_cards
from ftk_core.random_streams import MatchRandomness, RandomBitStream


@dataclass
class ReconstructedHand:
    """Random guess at the cards that a hidden hand holds, paid and lost."""

    # The paid cards and the lost cards are in the order in which they left the hand.

    hand: list[str]
    coins: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicKnowledgeAboutHands:
    """Everything that all players know about the hands hidden from a viewer, by seat."""

    # Computed once for a game state, and reused each time that hands are drawn at random.

    dealings: dict[int, list[HandChange]]
    """All changes of the seat's hand, in order."""
    records: dict[int, HandRecord]
    """Public record of the seat's hand."""
    likelihoods: dict[int, HandHistoryLikelihood]
    """Model of the probability of the seat's public record, given the gold in its hand."""
    constrained: list[int]
    """Seats whose payments limit the cards that they can have kept. All other seats can have kept any cards."""
    gold_distribution: HiddenGoldSampler
    """Distribution from which the hidden gold in the hands of the seats in `constrained` is drawn at random."""


@lru_cache(64)
def compute_knowledge(table: TableState, viewer: Viewer, unseen: frozenset[str]) -> PublicKnowledgeAboutHands:
    """Compute the public knowledge about all hands except the viewer's own.

    `unseen` holds the cards that the viewer has never seen.
    """
    dealings = {seat: [d for d in table.dealings if d.seat == seat] for seat in range(table.seats) if seat != viewer}
    records = {seat: _public_history(table, seat, its) for seat, its in dealings.items()}
    likelihoods = {seat: HandHistoryLikelihood(hand_record) for seat, hand_record in records.items()}
    constrained = [seat for seat, hand_likelihood in likelihoods.items() if hand_likelihood.end]
    values = [gold_value(card) for card in unseen]
    coins = values.count(1), values.count(2), values.count(3)
    others = sum(not value and not CARDS[card].king for card, value in zip(unseen, values, strict=True))
    gold_distribution = HiddenGoldSampler(tuple(records[seat] for seat in constrained), coins, others)
    likelihoods.update(zip(constrained, gold_distribution.likelihoods, strict=True))
    return PublicKnowledgeAboutHands(
        dealings=dealings,
        records=records,
        likelihoods=likelihoods,
        constrained=constrained,
        gold_distribution=gold_distribution,
    )


def reconstruct_hands(
    table: TableState, viewer: Viewer, unseen: list[str], chance: MatchRandomness
) -> tuple[dict[int, ReconstructedHand], list[str]]:
    """Guess all hands that the viewer cannot see.

    Returns the hands by seat, and the cards in no hand. `unseen` holds the cards that the viewer has never seen, in
    random order.
    """
    knowledge = compute_knowledge(table, viewer, frozenset(unseen))
    records, dealings, likelihoods = knowledge.records, knowledge.dealings, knowledge.likelihoods
    shares = dict(
        zip(knowledge.constrained, knowledge.gold_distribution.dealt(chance.at("resample", "gold")), strict=True)
    )
    kept_cards, remaining_cards = dict[int, list[str]](), list(unseen)
    for seat, share in shares.items():
        kept_cards[seat], remaining_cards = _draw_kept_cards(remaining_cards, records[seat][0], share)
    if shares:  # the constrained seats took the first fitting cards: the rest is no longer in random order
        remaining_cards = list(chance.at("resample", "left").shuffled(remaining_cards))
    for seat in records.keys() - kept_cards.keys():
        kept_cards[seat], remaining_cards = _draw_kept_cards(remaining_cards, records[seat][0], None)
    hands = {seat: chance.at("resample", "hand", seat) for seat in records}
    return {
        seat: _replay_history(table, seat, likelihoods[seat], kept_cards[seat], dealings[seat], hands[seat])
        for seat in records
    }, remaining_cards


def gold_value(card: str) -> int:
    """Return the value of a gold card; 0 for any other card."""
    return CARDS[card].value if CARDS[card].kind == "gold" else 0


def _public_history(table: TableState, seat: int, dealings: list[HandChange]) -> HandRecord:
    """Return the public record of a hand: the number of cards that it kept face down, and its other events."""
    kept_count = size = sum(dealing.what == "kept" for dealing in dealings)
    hand_events = list[HandEvent]()
    for dealing in dealings:
        if dealing.what == "gained":
            hand_events.append(("gained", gold_value(dealing.card or ""), size))
        elif dealing.what != "kept":
            hand_events.append((dealing.what, dealing.number, size))
        size += {"kept": 0, "short": 0, "gained": 1, "coin": -1, "lost": -1}[dealing.what]
    if table.paying and seat == table.leader and CARDS[table.lot or ""].kind != "gold":
        left = table.bid - sum(CARDS[card].value for card in table.paid)
        highest = CARDS[table.paid[-1]].value if table.paid else 3
        if left > 0:
            hand_events.append(("rich", 10 * left + highest, size))
    return kept_count, tuple(hand_events)


def _draw_kept_cards(cards: list[str], count: int, share: Coins | None) -> tuple[list[str], list[str]]:
    """Guess which of the unseen `cards` a hand kept face down; return these, then all other unseen cards."""
    # `cards` are in random order, so the first that fit are chosen. `share` is the number of gold cards of each value;
    # None if any number fits. A King card never fits, because a kept King is revealed.
    missing_by_value = None if share is None else [count - sum(share), *share]
    kept_cards, other_cards = list[str](), list[str]()
    for card in cards:
        fits = len(kept_cards) < count and not CARDS[card].king
        if fits and missing_by_value is not None:
            fits = missing_by_value[gold_value(card)] > 0
            missing_by_value[gold_value(card)] -= fits
        (kept_cards if fits else other_cards).append(card)
    return kept_cards, other_cards


def _replay_history(
    table: TableState,
    seat: int,
    hand_likelihood: HandHistoryLikelihood,
    kept_cards: list[str],
    dealings: list[HandChange],
    draw: RandomBitStream,
) -> ReconstructedHand:
    """Guess a hand by replaying all its changes, with random cards in place of hidden cards."""
    life, payment = ReconstructedHand(kept_cards), list[str]()
    happened = [dealing for dealing in dealings if dealing.what != "kept"]
    paying_cards = table.paying and seat == table.leader and CARDS[table.lot or ""].kind == "gold"
    begun = len(table.paid) if paying_cards else 0
    for at, dealing in enumerate(happened[: len(happened) - begun]):
        if dealing.what == "gained":  # the cards paid before it are discarded in canonical order
            life.lost += sorted_cards(tuple(payment))
            life.hand.append(dealing.card or "")
            payment = []
        elif dealing.what == "coin":
            life.coins.append(_take_card(life, [min(_coins_of_value(life.hand, dealing.number))], draw))
        elif dealing.what == "lost":
            value = choose_weighted(draw, hand_likelihood.ways(at, _gold_counts(life.hand)))
            by_lot = happened[at - 1].what == "short" if at else False
            (life.lost if by_lot else payment).append(_take_card(life, _coins_of_value(life.hand, value), draw))
    if begun:
        _begin_paying(life, begun, table.bid, draw)
    return life


def _coins_of_value(hand: list[str], value: int) -> list[str]:
    return [card for card in hand if gold_value(card) == value]


def _gold_counts(hand: list[str]) -> Coins:
    values = [gold_value(card) for card in hand]
    return values.count(1), values.count(2), values.count(3)


def _take_card(life: ReconstructedHand, cards: list[str], draw: RandomBitStream) -> str:
    """Remove one of these cards, chosen at random, from the hand and return it."""
    card = draw.pick(cards)
    life.hand.remove(card)
    return card


def _begin_paying(life: ReconstructedHand, begun: int, bid: int, draw: RandomBitStream) -> None:
    """Guess which cards a player has paid so far in an unfinished payment."""
    # Cards are paid in the order of `CARDS`, so the last `bid` - `begun` cards of the hand cannot be paid yet: without
    # them, the payment could not be completed.
    low = sorted_cards(tuple(life.hand))[: len(life.hand) - (bid - begun)]
    paid = sorted_cards(draw.shuffled(low)[:begun])
    life.lost += paid
    life.hand = [card for card in life.hand if card not in paid]
