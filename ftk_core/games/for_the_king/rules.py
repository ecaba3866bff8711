"""For the King (and Me): the `Game` object, its functions, and automatic facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import Game, RuleError, StandardOptions, settled
from ftk_core.games.for_the_king import esteem, facts, influence, kings, payment, scoring
from ftk_core.games.for_the_king.about import ABOUT
from ftk_core.games.for_the_king.box import CARDS, OFFICES, REMOVED, cards_for, offices_for
from ftk_core.games.for_the_king.by_hand import BY_HAND
from ftk_core.games.for_the_king.picture import scene
from ftk_core.games.for_the_king.quick import quick
from ftk_core.games.for_the_king.resample import resample
from ftk_core.games.for_the_king.sight import view
from ftk_core.games.for_the_king.state import (
    MAX_BID,
    START_DUTY,
    Step,
    Table,
    distributed,
    next_seat,
    solvent,
    sorted_cards,
    step,
    to_act,
    who_does,
)
from ftk_core.games.for_the_king.words import LABELS, MARKS, say
from ftk_core.rng import Chance


def setup(seats: int, _options: StandardOptions) -> Table:
    """Return the board with every Primary Duty at 3, before the deck is shuffled."""
    empty: tuple[tuple[str, ...], ...] = ((),) * seats
    return Table(
        seats=seats, duties=(START_DUTY,) * len(offices_for(seats)), hands=empty, known=empty, favored=empty, lost=empty
    )


def deal(table: Table, chance: Chance) -> tuple[Fact, ...]:
    """Shuffle: remove some cards unseen, make the deck of the rest; seat 0 is the first Adviser (F31)."""
    cards = chance.at("deck").shuffled(cards_for(table.seats))
    removed = REMOVED[table.seats]
    shuffled = facts.DeckShuffled(cards[removed:], cards[:removed])
    passed = facts.DeckPassed(0)
    return (shuffled, passed, *settled(apply(apply(table, shuffled), passed), chance, _next_fact, apply)[0])


def turn(table: Table) -> tuple[int, ...]:
    """Return the one seat that must choose; empty once the council is named."""
    return to_act(table)


MENUS: dict[Step, Callable[[Table], tuple[Action, ...]]] = {
    "king": lambda table: kings.decrees(CARDS[table.king or ""].king or "PM", table.duties),
    "place": influence.place_menu,
    "choose": influence.take_menu,
    "pay": payment.payments,
    "bid": lambda table: esteem.BID_MENUS[table.bid],
}


def legal(table: Table, seat: int) -> tuple[Action, ...]:
    """Return the menu of a seat, the mildest item first (F33); empty unless it must act."""
    kind = step(table)
    return MENUS[kind](table) if (seat,) == who_does(table, kind) else ()


def veiled(table: Table) -> bool:
    """Return whether forced moves must be hidden: they would reveal what the seat can still pay with."""
    return step(table) == "pay"


def decide(table: Table, seat: int, action: Action, chance: Chance) -> tuple[Fact, ...]:
    """Return the fact of a choice and all automatic facts after it; raise RuleError if it is not on the menu."""
    if (seat,) != turn(table) or not _allowed(table, action):
        raise RuleError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def follow(table: Table, seat: int, action: Action, chance: Chance) -> tuple[tuple[Fact, ...], Table]:
    """Apply a legal choice: return its event, the events that follow automatically, and the new table."""
    fact = _fact_of(table, seat, action)
    more, table = settled(apply(table, fact), chance, _next_fact, apply)
    return (fact, *more), table


def _allowed(table: Table, action: Action) -> bool:
    if isinstance(action, facts.Bid):  # faster than searching a hundred bids
        return step(table) == "bid" and type(action.amount) is int and table.bid < action.amount <= MAX_BID
    return action in MENUS[step(table)](table)


def _fact_of(table: Table, seat: int, action: Action) -> Fact:
    match action:
        case facts.Bid(amount=amount):
            return facts.BidMade(seat, amount)
        case facts.Pass():
            return facts.Passed(seat)
        case facts.Place():
            return influence.place_fact(table, action)
        case facts.Take(card=card):
            return facts.CardTaken(seat, card)
        case facts.Decree(up=up, down=down):
            return facts.Decreed(seat, table.king or "", up, down)
        case facts.Pay(card=card):
            gold_lot = CARDS[table.lot or ""].kind == "gold"
            return facts.CardDiscarded(seat, card) if gold_lot else facts.CoinPaid(seat, CARDS[card].value, card)
    raise RuleError(f"{action} is no action of this game")


def _next_fact(table: Table, chance: Chance) -> Fact | None:
    if table.king is not None and not kings.decrees(CARDS[table.king].king or "PM", table.duties):
        return facts.KingIdle(table.king_seat, table.king)
    if table.paying and payment.is_paid(table):
        return facts.FavorTaken(table.leader, table.lot or "")
    if table.phase == "over" or step(table) != "none":
        return None
    return _next_influence(table, chance) if table.phase == "influence" else _next_esteem(table, chance)


def _next_influence(table: Table, chance: Chance) -> Fact:
    """Return the next draw, the next Adviser, or the start of the second phase."""
    if not distributed(table):
        return facts.CardDrawn(table.adviser, table.deck[0])
    if table.deck:
        return facts.DeckPassed(next_seat(table, table.adviser))
    return facts.FavorShuffled(next_seat(table, table.adviser), chance.at("favor").shuffled(table.favor))


def _next_esteem(table: Table, chance: Chance) -> Fact:
    """Return the next card for auction, the end of an auction, or the end of the game."""
    if table.lot is None:
        if table.favor:
            return facts.FavorRevealed(table.first, table.favor[0])
        return facts.CouncilNamed(*scoring.council(table), tuple(map(sorted_cards, table.hands)))
    if table.leader < 0:  # everybody has passed or is excluded (F12, F21)
        return facts.FavorUnsold(table.lot)
    if solvent(table):
        return facts.AuctionWon(table.leader, table.bid)
    hand = table.hands[table.leader]
    draw = chance.at("penalty", table.lots, table.leader)
    return facts.Defaulted(table.leader, table.bid, len(hand[:1]), draw.pick(hand) if hand else None)


def _decreed(table: Table, fact: facts.Decreed) -> Table:
    """Change the duties and return the King to the box."""
    duties = tuple(
        value + (office in fact.up) - (office in fact.down)
        for office, value in zip(OFFICES, table.duties, strict=False)
    )
    return replace(table, duties=duties, king=None, discards=(*table.discards, fact.card))


def _king_idle(table: Table, fact: facts.KingIdle) -> Table:
    return replace(table, king=None, discards=(*table.discards, fact.card))


CHANGES: dict[type[Fact], Callable[[Table, Any], Table]] = {
    facts.DeckShuffled: influence.deck_shuffled,
    facts.DeckPassed: influence.deck_passed,
    facts.CardDrawn: influence.card_drawn,
    facts.CardKept: influence.card_kept,
    facts.CardShown: influence.card_shown,
    facts.CardFavored: influence.card_favored,
    facts.CardTaken: influence.card_taken,
    facts.KingRevealed: influence.king_revealed,
    facts.Decreed: _decreed,
    facts.KingIdle: _king_idle,
    facts.FavorShuffled: esteem.favor_shuffled,
    facts.FavorRevealed: esteem.favor_revealed,
    facts.BidMade: esteem.bid_made,
    facts.Passed: esteem.has_passed,
    facts.AuctionWon: esteem.auction_won,
    facts.GoldPaid: esteem.gold_paid,
    facts.CoinPaid: esteem.coin_paid,
    facts.CardDiscarded: esteem.card_discarded,
    facts.Defaulted: esteem.defaulted,
    facts.FavorTaken: esteem.favor_taken,
    facts.FavorUnsold: esteem.favor_unsold,
    facts.CouncilNamed: esteem.council_named,
}


def apply(table: Table, fact: Fact) -> Table:
    """Return the table after a fact."""
    return CHANGES[type(fact)](table, fact)


GAME = Game(
    name="for_the_king",
    title="For the King (and Me)",
    version=2,
    seats=range(2, 6),
    longest_menu=1 + MAX_BID,
    actions=facts.AnyAction,
    facts=facts.AnyFact,
    setup=setup,
    deal=deal,
    turn=turn,
    legal=legal,
    decide=decide,
    apply=apply,
    follow=follow,
    quick=quick,
    view=view,
    resample=resample,
    scene=scene,
    result=scoring.result,
    veiled=veiled,
    say=say,
    labels=LABELS,
    about=ABOUT,
    by_hand=BY_HAND,
    marks=MARKS,
)
