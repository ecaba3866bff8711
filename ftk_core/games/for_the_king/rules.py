"""Rules of the game For the King (and Me)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import Action, Fact
from ftk_core.game import Game, IllegalChoiceError, NoGameOptions, apply_automatic_facts
from ftk_core.games.for_the_king import facts, king_cards, payment, phase1_influence, phase2_esteem, scoring
from ftk_core.games.for_the_king.cards import CARDS, OFFICES, REMOVED_CARD_COUNTS, cards_for, offices_for
from ftk_core.games.for_the_king.fact_sentences import DURATIONS, MARKS, SOUNDS, format_score, heading, labels, say
from ftk_core.games.for_the_king.hidden_state_sampler import resample
from ftk_core.games.for_the_king.human_player_texts import BY_HAND, INTRODUCTION
from ftk_core.games.for_the_king.player_view import view
from ftk_core.games.for_the_king.playout_policy import quick
from ftk_core.games.for_the_king.table_scene import scene
from ftk_core.games.for_the_king.table_state import (
    MAX_BID,
    START_DUTY,
    Step,
    TableState,
    is_distributed,
    is_solvent,
    next_seat,
    seat_with_step,
    sorted_cards,
    step,
    to_act,
)
from ftk_core.games.for_the_king.tooltips import ABOUT
from ftk_core.random_streams import MatchRandomness


def setup(seats: int, _options: NoGameOptions) -> TableState:
    """Return the initial state of the game, before the shuffle."""
    empty: tuple[tuple[str, ...], ...] = ((),) * seats
    return TableState(
        seats=seats, duties=(START_DUTY,) * len(offices_for(seats)), hands=empty, known=empty, favored=empty, lost=empty
    )


def deal(table: TableState, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Shuffle the cards, and return the events up to the first choice."""
    cards = chance.at("deck").shuffled(cards_for(table.seats))
    removed = REMOVED_CARD_COUNTS[table.seats]
    shuffled = facts.DeckShuffled(cards[removed:], cards[:removed])
    passed = facts.DeckPassed(0)
    return (
        shuffled,
        passed,
        *apply_automatic_facts(apply(apply(table, shuffled), passed), chance, _next_fact, apply)[0],
    )


def turn(table: TableState) -> tuple[int, ...]:
    """Return the one seat that must choose, as a tuple; empty once the game is over."""
    return to_act(table)


MENUS: dict[Step, Callable[[TableState], tuple[Action, ...]]] = {
    "king": lambda table: king_cards.list_decrees(CARDS[table.king or ""].king or "PM", table.duties),
    "place": phase1_influence.place_menu,
    "choose": phase1_influence.take_menu,
    "pay": payment.list_next_payments,
    "bid": lambda table: phase2_esteem.BID_MENUS[table.bid],
}


def legal(table: TableState, seat: int) -> tuple[Action, ...]:
    """Return the legal actions of a player. There are none if the player need not act."""
    # The first action is played for a player who does not answer.
    kind = step(table)
    return MENUS[kind](table) if (seat,) == seat_with_step(table, kind) else ()


def veiled(table: TableState) -> bool:
    """Return True if the other players must not learn how many legal actions a player has."""
    # In a payment, the number reveals something about the cards in the hand.
    return step(table) == "pay"


def decide(table: TableState, seat: int, action: Action, chance: MatchRandomness) -> tuple[Fact, ...]:
    """Return the events that a choice causes, up to the next choice.

    Raises IllegalChoiceError if the choice is not legal.
    """
    if (seat,) != turn(table) or not _allowed(table, action):
        raise IllegalChoiceError(f"seat {seat} may not {action}")
    return follow(table, seat, action, chance)[0]


def follow(
    table: TableState, seat: int, action: Action, chance: MatchRandomness
) -> tuple[tuple[Fact, ...], TableState]:
    """Apply a legal choice. Return the events up to the next choice, and the new state."""
    fact = _fact_of(table, seat, action)
    more, table = apply_automatic_facts(apply(table, fact), chance, _next_fact, apply)
    return (fact, *more), table


def _allowed(table: TableState, action: Action) -> bool:
    if isinstance(action, facts.BidAction):  # faster than searching a hundred bids
        return step(table) == "bid" and type(action.amount) is int and table.bid < action.amount <= MAX_BID
    return action in MENUS[step(table)](table)


def _fact_of(table: TableState, seat: int, action: Action) -> Fact:
    match action:
        case facts.BidAction(amount=amount):
            return facts.BidMade(seat, amount)
        case facts.LeaveAuctionAction():
            return facts.BidderPassed(seat)
        case facts.PlaceAction():
            return phase1_influence.place_fact(table, action)
        case facts.TakeAction(card=card):
            return facts.CardTaken(seat, card)
        case facts.DecreeAction(up=up, down=down):
            return facts.OfficePointsChangedByKing(seat, table.king or "", up, down)
        case facts.PayAction(card=card):
            gold_lot = CARDS[table.lot or ""].kind == "gold"
            return facts.CardDiscarded(seat, card) if gold_lot else facts.GoldCardPaid(seat, CARDS[card].value, card)
    raise IllegalChoiceError(f"{action} is no action of this game")


def _next_fact(table: TableState, chance: MatchRandomness) -> Fact | None:
    if table.king is not None and not king_cards.list_decrees(CARDS[table.king].king or "PM", table.duties):
        return facts.KingCardDiscardedWithoutEffect(table.king_seat, table.king)
    if table.paying and payment.is_paid(table):
        return facts.FavorCardTaken(table.leader, table.lot or "")
    if table.phase == "over" or step(table) != "none":
        return None
    return _next_influence(table, chance) if table.phase == "influence" else _next_esteem(table, chance)


def _next_influence(table: TableState, chance: MatchRandomness) -> Fact:
    """Return the next automatic event of the first phase."""
    if not is_distributed(table):
        return facts.CardDrawn(table.adviser, table.deck[0])
    if table.deck:
        return facts.DeckPassed(next_seat(table, table.adviser))
    return facts.FavorDeckShuffled(next_seat(table, table.adviser), chance.at("favor").shuffled(table.favor))


def _next_esteem(table: TableState, chance: MatchRandomness) -> Fact:
    """Return the next automatic event of the second phase, the auctions."""
    if table.lot is None:
        if table.favor:
            return facts.FavorCardRevealed(table.first, table.favor[0])
        return facts.DutiesAwarded(*scoring.award_duties(table), tuple(map(sorted_cards, table.hands)))
    if table.leader < 0:  # everybody has passed or is excluded (F12, F21)
        return facts.FavorCardUnsold(table.lot)
    if is_solvent(table):
        return facts.AuctionWon(table.leader, table.bid)
    hand = table.hands[table.leader]
    draw = chance.at("penalty", table.lots, table.leader)
    return facts.BidderDefaulted(table.leader, table.bid, len(hand[:1]), draw.pick(hand) if hand else None)


def _apply_decreed(table: TableState, fact: facts.OfficePointsChangedByKing) -> TableState:
    duties = tuple(
        value + (office in fact.up) - (office in fact.down)
        for office, value in zip(OFFICES, table.duties, strict=False)
    )
    return replace(table, duties=duties, king=None, discards=(*table.discards, fact.card))


def _apply_king_idle(table: TableState, fact: facts.KingCardDiscardedWithoutEffect) -> TableState:
    return replace(table, king=None, discards=(*table.discards, fact.card))


FACT_APPLIERS: dict[type[Fact], Callable[[TableState, Any], TableState]] = {
    facts.DeckShuffled: phase1_influence.apply_deck_shuffled,
    facts.DeckPassed: phase1_influence.apply_deck_passed,
    facts.CardDrawn: phase1_influence.apply_card_drawn,
    facts.CardKept: phase1_influence.apply_card_kept,
    facts.CardShown: phase1_influence.apply_card_shown,
    facts.CardAddedToFavorDeck: phase1_influence.apply_card_favored,
    facts.CardTaken: phase1_influence.apply_card_taken,
    facts.KingCardRevealed: phase1_influence.apply_king_revealed,
    facts.OfficePointsChangedByKing: _apply_decreed,
    facts.KingCardDiscardedWithoutEffect: _apply_king_idle,
    facts.FavorDeckShuffled: phase2_esteem.apply_favor_shuffled,
    facts.FavorCardRevealed: phase2_esteem.apply_favor_revealed,
    facts.BidMade: phase2_esteem.apply_bid_made,
    facts.BidderPassed: phase2_esteem.apply_passed,
    facts.AuctionWon: phase2_esteem.apply_auction_won,
    facts.LegacyGoldCardPaid: phase2_esteem.apply_gold_paid,
    facts.GoldCardPaid: phase2_esteem.apply_coin_paid,
    facts.CardDiscarded: phase2_esteem.apply_card_discarded,
    facts.BidderDefaulted: phase2_esteem.apply_defaulted,
    facts.FavorCardTaken: phase2_esteem.apply_favor_taken,
    facts.FavorCardUnsold: phase2_esteem.apply_favor_unsold,
    facts.DutiesAwarded: phase2_esteem.apply_council_named,
}


def apply(table: TableState, fact: Fact) -> TableState:
    """Return the state of the game after one more event."""
    return FACT_APPLIERS[type(fact)](table, fact)


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
    score_text=format_score,
    labels=labels,
    about=ABOUT,
    introduction=INTRODUCTION,
    by_hand=BY_HAND,
    heading=heading,
    marks=MARKS,
    durations=DURATIONS,
    sounds=SOUNDS,
)
