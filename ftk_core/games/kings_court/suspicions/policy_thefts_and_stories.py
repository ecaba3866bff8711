"""Thefts and claims of players who follow the fast policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ftk_core.games.kings_court.facts import TakeAction
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox, PlayerClaim, Topic
from ftk_core.games.kings_court.roles_and_options import APPRENTICE, GUARD, PEASANT, PRINCESS, USURPER
from ftk_core.games.kings_court.suspicions.speaker_claim_likelihoods import is_first_thief
from ftk_core.games.kings_court.table_state import BoxContents, TableState


class TheftChoiceWeights(NamedTuple):
    """Relative weights of the things that a player may take from the box."""

    diamonds: int
    cards: dict[str, int]
    apprentice_behind_winner: int
    """Weight of the Apprentice card, for a seat whose right neighbour is expected to win."""
    fake: int
    """Weight of the fake diamond without other diamonds."""
    nothing: int


KING_LIKELY_WINS_WEIGHTS = TheftChoiceWeights(
    4, {PEASANT: 60, USURPER: 2, APPRENTICE: 10, GUARD: 60, PRINCESS: 2}, 60, 2, 30
)
"""Weights if the King is likely to win, which favour the roles that win with him."""
KING_LIKELY_ERRS_WEIGHTS = TheftChoiceWeights(
    1, {PEASANT: 2, USURPER: 80, APPRENTICE: 4, GUARD: 2, PRINCESS: 80}, 60, 20, 200
)
"""Weights if the King is likely to accuse the wrong seats."""
CALM_DIAMONDS = (3, 4, 10, 11)
"""Numbers of diamonds in the box at which a seat assumes that the King is likely to win.

The seat then uses `KING_LIKELY_WINS_WEIGHTS`.
"""
BOLD, EXTRA_DIAMONDS = 120, 4
"""Values for a seat that uses `KING_LIKELY_ERRS_WEIGHTS` and can steal at least as many diamonds as any earlier seat.

`BOLD` is the weight of stealing diamonds. The seat then steals just over half of them, and up to
`EXTRA_DIAMONDS` - 1 more.
"""
STATEMENTS: tuple[Topic, ...] = ("received_diamonds", "passed_diamonds", "received_cards")
"""Topics of the King's questions, and of a subject's statements, in the order in which they are chosen."""


def list_thefts(box: BoxContents, seat: int, last: int) -> list[tuple[TakeAction, int]]:
    """Return what a player may take from the box, each with its weight.

    Diamonds come first, with the number 0 instead of an amount of `list_amounts`. `last` is the last seat, the only one
    that may take nothing.
    """
    # The number of diamonds tells whether the King is likely to win or to accuse wrongly. The player prefers things
    # with which it wins then.
    calm = box.diamonds in CALM_DIAMONDS
    tastes, behind_winner = (KING_LIKELY_WINS_WEIGHTS, seat == 1) if calm else (KING_LIKELY_ERRS_WEIGHTS, seat == 2)
    bold = not calm and is_first_thief(box.diamonds)
    options = [(TakeAction(0, None, box.fake), BOLD if bold else tastes.diamonds)] if box.diamonds else []
    for card in dict.fromkeys(box.cards):
        favourite = card == APPRENTICE and behind_winner
        options.append((TakeAction(0, card), tastes.apprentice_behind_winner if favourite else tastes.cards[card]))
    options += [(TakeAction(0, None, fake=True), tastes.fake)] if box.fake else []
    return options + ([(TakeAction(), tastes.nothing)] if seat == last else [])


def list_amounts(diamonds: int) -> list[int]:
    """Return the equally likely numbers of diamonds that a Thief takes from a box with this number; some are equal."""
    half = diamonds // 2 + 1
    if not is_first_thief(diamonds):
        return list(range(1, diamonds + 1))
    return [half] if diamonds in CALM_DIAMONDS else [min(diamonds, half + more) for more in range(EXTRA_DIAMONDS)]


def is_liar(take: ItemsTakenFromBox) -> bool:
    """Return True for a player who claims to be a Peasant because of what it took."""
    return bool(take.diamonds) or take.card == USURPER


def claim_on_box(topic: Topic, came: BoxContents, went: BoxContents) -> PlayerClaim | None:
    """Return a claim about the box that a player received or passed on; None for other topics."""
    box = came if topic.startswith("received") else went
    match topic:
        case "received_diamonds" | "passed_diamonds":
            return PlayerClaim(topic=topic, number=box.diamonds)
        case "received_cards" | "passed_cards":
            return PlayerClaim(topic=topic, cards=box.cards)
        case "received_fake" | "passed_fake":
            return PlayerClaim(topic=topic, fake=box.fake)
    return None


def true_boxes(table: TableState, seat: int, take: ItemsTakenFromBox) -> tuple[BoxContents, BoxContents]:
    """Return the real contents of the box before and after a player's turn."""
    came = table.arrivals[seat]
    assert came is not None
    cards = list(came.cards)
    for card in (take.card, table.dismissed if seat == 1 else None):
        if card is not None:
            cards.remove(card)
    return came, BoxContents(came.diamonds - take.diamonds, tuple(cards), came.fake and not take.fake)


def tell_peasants_story(
    all_cards: Sequence[str], came: BoxContents, went: BoxContents, *, blames_next: bool
) -> tuple[BoxContents, BoxContents]:
    """Return the boxes that a liar claims to have received and passed on, given the true ones."""
    # The liar pretends to have taken a Peasant card or nothing, and blames the next player (claims that all diamonds
    # were passed on) or the previous one (claims that they were missing).
    if blames_next:
        cards = list(came.cards)
        if PEASANT in cards:
            cards.remove(PEASANT)
        return came, BoxContents(came.diamonds, tuple(cards), came.fake)
    fits = went.cards.count(PEASANT) < all_cards.count(PEASANT)
    return BoxContents(went.diamonds, (PEASANT, *went.cards) if fits else came.cards, went.fake), went
