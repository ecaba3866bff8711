"""Random complete game states that fit everything one viewer knows: the starting points of simulated matches."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

from msgspec.structs import replace

from ftk_core.facts import OMNISCIENT, Viewer
from ftk_core.games.for_the_king.cards import CARDS
from ftk_core.games.for_the_king.hidden_hands import ReconstructedHand, reconstruct_hands
from ftk_core.games.for_the_king.table_state import TableState
from ftk_core.random_streams import MatchRandomness, RandomBitStream


def resample(table: TableState, viewer: Viewer, chance: MatchRandomness) -> TableState:
    """Return a random game state that would have looked the same to the viewer.

    For the omniscient viewer, or after the end, it is the real state.
    """
    # Every deal that agrees with the viewer's cards and with the public events is equally likely: no kept card is a
    # King, and payments and failed payments fit the gold of a hand. Motives of the other players are ignored.
    if viewer == OMNISCIENT or table.phase == "over":
        return table
    unseen = shuffle_cards(chance.at("resample", "cards"), list_hidden_cards(table, viewer))
    lives, remaining_cards = reconstruct_hands(table, viewer, unseen, chance)
    hidden = list(chance.at("resample", "rest").shuffled(remaining_cards))
    table = _with_histories(table, lives)
    if table.drawn is not None and viewer != table.adviser:
        table = replace(table, drawn=hidden.pop())
    table = _redeal_favor_deck(table, viewer, hidden, chance.at("resample", "favor"))
    removed, deck = len(table.removed), len(table.deck)
    return replace(table, removed=tuple(hidden[:removed]), deck=tuple(hidden[removed : removed + deck]))


def shuffle_cards(draw: RandomBitStream, cards: Iterable[str]) -> list[str]:
    """Shuffle cards with the random bits of `draw`. The order in which the cards are passed does not matter."""
    return list(draw.shuffled(sorted(cards, key=lambda card: CARDS[card].order)))


def list_hidden_cards(table: TableState, viewer: Viewer) -> set[str]:
    """Return the cards that the viewer has never seen, among all cards that this match uses."""
    piles = (table.deck, table.removed, table.favor, table.coins, *table.hands, *table.lost)
    cards = {card for pile in piles for card in pile} | ({table.drawn} if table.drawn else set[str]())
    cards -= {dealing.card for dealing in table.dealings if dealing.card}
    if viewer >= 0:
        cards -= {*table.hands[viewer], *table.lost[viewer], *table.favored[viewer], *list_own_coins(table, viewer)}
        cards -= {table.drawn} if viewer == table.adviser else set()
    return cards


def list_own_coins(table: TableState, seat: int) -> list[str]:
    """Return the gold cards that a seat paid in auctions; the seat itself knows them."""
    payers = [dealing.seat for dealing in table.dealings if dealing.what == "coin"]
    return [coin for payer, coin in zip(payers, table.coins, strict=True) if payer == seat]


def _with_histories(table: TableState, lives: dict[int, ReconstructedHand]) -> TableState:
    """Replace the real hidden hands, and the cards that they paid and lost, by guesses."""
    coins = {seat: iter(life.coins) for seat, life in lives.items()}
    payers = [dealing.seat for dealing in table.dealings if dealing.what == "coin"]
    paid = tuple(
        next(coins[payer]) if payer in lives else coin for payer, coin in zip(payers, table.coins, strict=True)
    )
    instead = dict(zip(table.coins, paid, strict=True))
    hands = tuple(tuple(lives[seat].hand) if seat in lives else hand for seat, hand in enumerate(table.hands))
    lost = tuple(tuple(lives[seat].lost) if seat in lives else cards for seat, cards in enumerate(table.lost))
    count = len(table.paid)
    if table.leader in lives and count:
        life = lives[table.leader]
        paying = life.coins if CARDS[table.lot or ""].kind != "gold" else life.lost
        table = replace(table, paid=tuple(paying[-count:]))
    discards = tuple(instead.get(card, card) for card in table.discards)
    return replace(table, hands=hands, lost=lost, coins=paid, discards=discards)


def _redeal_favor_deck(table: TableState, viewer: Viewer, hidden: list[str], draw: RandomBitStream) -> TableState:
    """Replace the cards that opponents set aside for auction by random hidden cards."""
    # `favored` records which player set which cards aside; it must agree with the new deck.
    own = table.favored[viewer] if viewer >= 0 else ()
    if table.phase == "influence":
        favor = tuple(card if card in own else hidden.pop() for card in table.favor)
        laid = favor[::-1]
        favored = tuple(laid[seat :: table.seats] for seat in range(table.seats))
        return replace(table, favor=favor, favored=favored)
    shown = [sale.card for sale in table.sales] + ([table.lot] if table.lot else [])
    left = [card for card in own if card not in shown]
    below = [hidden.pop() for _ in range(len(table.favor) - len(left))]
    favor = draw.shuffled([*left, *below])
    others = draw.shuffled([*below, *(card for card in shown if card not in own)])
    sizes = [0 if seat == viewer else len(cards) for seat, cards in enumerate(table.favored)]
    ends = list(accumulate(sizes))
    favored = tuple(
        own if seat == viewer else others[end - size : end]
        for seat, (size, end) in enumerate(zip(sizes, ends, strict=True))
    )
    return replace(table, favor=favor, favored=favored)
