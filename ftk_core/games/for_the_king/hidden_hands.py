"""Random reconstruction of hidden hands: cards they may have held, and later losses and payments."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from ftk_core.facts import Viewer
from ftk_core.games.for_the_king.box import CARDS
from ftk_core.games.for_the_king.purses import Coins, Fate, Happening, Purse, Purses, weighted
from ftk_core.games.for_the_king.state import Dealing, Table, sorted_cards
from ftk_core.rng import Chance, Draw


@dataclass
class Life:
    """A hand, and the cards that left it, in order."""

    hand: list[str]
    coins: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Knowledge of a viewer about all other hands, by seat. It is the same for all tables dealt again."""

    dealings: dict[int, list[Dealing]]
    purses: dict[int, Purse]
    fates: dict[int, Fate]
    bound: list[int]
    """Seats whose hands are constrained by their payments. The others can have kept anything."""
    worked: Purses
    """Possible distributions of the gold over the constrained hands."""


@lru_cache(64)
def known(table: Table, viewer: Viewer, unseen: frozenset[str]) -> Known:
    """Compute the knowledge of a viewer who has not seen these cards."""
    dealings = {seat: [d for d in table.dealings if d.seat == seat] for seat in range(table.seats) if seat != viewer}
    purses = {seat: _purse(table, seat, its) for seat, its in dealings.items()}
    fates = {seat: Fate(purse) for seat, purse in purses.items()}
    bound = [seat for seat, fate in fates.items() if fate.end]
    values = [gold_value(card) for card in unseen]
    coins = values.count(1), values.count(2), values.count(3)
    others = sum(not value and not CARDS[card].king for card, value in zip(unseen, values, strict=True))
    worked = Purses(tuple(purses[seat] for seat in bound), coins, others)
    fates.update(zip(bound, worked.fates, strict=True))
    return Known(dealings=dealings, purses=purses, fates=fates, bound=bound, worked=worked)


def lived(table: Table, viewer: Viewer, unseen: list[str], chance: Chance) -> tuple[dict[int, Life], list[str]]:
    """Return all other hands by seat, and the rest of the unseen cards, which are given in random order."""
    found = known(table, viewer, frozenset(unseen))
    purses, dealings, fates = found.purses, found.dealings, found.fates
    shares = dict(zip(found.bound, found.worked.dealt(chance.at("resample", "gold")), strict=True))
    kept, rest = dict[int, list[str]](), list(unseen)
    for seat, share in shares.items():
        kept[seat], rest = _kept(rest, purses[seat][0], share)
    if shares:  # the constrained seats took the first fitting cards: the rest is no longer in random order
        rest = list(chance.at("resample", "left").shuffled(rest))
    for seat in purses.keys() - kept.keys():
        kept[seat], rest = _kept(rest, purses[seat][0], None)
    hands = {seat: chance.at("resample", "hand", seat) for seat in purses}
    return {seat: _life(table, seat, fates[seat], kept[seat], dealings[seat], hands[seat]) for seat in purses}, rest


def gold_value(card: str) -> int:
    """Return the value of a gold card, 0 for any other."""
    return CARDS[card].value if CARDS[card].kind == "gold" else 0


def _purse(table: Table, seat: int, dealings: list[Dealing]) -> Purse:
    """Return how many cards a seat kept, and the public history of its hand."""
    kept = size = sum(dealing.what == "kept" for dealing in dealings)
    happenings = list[Happening]()
    for dealing in dealings:
        if dealing.what == "gained":
            happenings.append(("gained", gold_value(dealing.card or ""), size))
        elif dealing.what != "kept":
            happenings.append((dealing.what, dealing.number, size))
        size += {"kept": 0, "short": 0, "gained": 1, "coin": -1, "lost": -1}[dealing.what]
    if table.paying and seat == table.leader and CARDS[table.lot or ""].kind != "gold":
        left = table.bid - sum(CARDS[card].value for card in table.paid)
        highest = CARDS[table.paid[-1]].value if table.paid else 3
        if left > 0:
            happenings.append(("rich", 10 * left + highest, size))
    return kept, tuple(happenings)


def _kept(cards: list[str], count: int, share: Coins | None) -> tuple[list[str], list[str]]:
    """Take `count` cards except Kings from randomly ordered cards: any, or with this share of gold."""
    wanted = None if share is None else [count - sum(share), *share]
    kept, rest = list[str](), list[str]()
    for card in cards:
        fits = len(kept) < count and not CARDS[card].king
        if fits and wanted is not None:
            fits = wanted[gold_value(card)] > 0
            wanted[gold_value(card)] -= fits
        (kept if fits else rest).append(card)
    return kept, rest


def _life(table: Table, seat: int, fate: Fate, kept: list[str], dealings: list[Dealing], draw: Draw) -> Life:
    """Replay the public history of a hand."""
    life, payment = Life(kept), list[str]()
    happened = [dealing for dealing in dealings if dealing.what != "kept"]
    paying_cards = table.paying and seat == table.leader and CARDS[table.lot or ""].kind == "gold"
    begun = len(table.paid) if paying_cards else 0
    for at, dealing in enumerate(happened[: len(happened) - begun]):
        if dealing.what == "gained":  # after a payment, whose cards are discarded in canonical order
            life.lost += sorted_cards(tuple(payment))
            life.hand.append(dealing.card or "")
            payment = []
        elif dealing.what == "coin":
            life.coins.append(_taken(life, [min(_alike(life.hand, dealing.number))], draw))
        elif dealing.what == "lost":
            value = weighted(draw, fate.ways(at, _gold(life.hand)))
            by_lot = happened[at - 1].what == "short" if at else False
            (life.lost if by_lot else payment).append(_taken(life, _alike(life.hand, value), draw))
    if begun:
        _begin_paying(life, begun, table.bid, draw)
    return life


def _alike(hand: list[str], value: int) -> list[str]:
    return [card for card in hand if gold_value(card) == value]


def _gold(hand: list[str]) -> Coins:
    values = [gold_value(card) for card in hand]
    return values.count(1), values.count(2), values.count(3)


def _taken(life: Life, cards: list[str], draw: Draw) -> str:
    """Take one of these cards out of the hand."""
    card = draw.pick(cards)
    life.hand.remove(card)
    return card


def _begin_paying(life: Life, begun: int, bid: int, draw: Draw) -> None:
    """Discard the first cards of a payment. It is in canonical order, so enough cards must follow them."""
    low = sorted_cards(tuple(life.hand))[: len(life.hand) - (bid - begun)]
    paid = sorted_cards(draw.shuffled(low)[:begun])
    life.lost += paid
    life.hand = [card for card in life.hand if card not in paid]
