"""Fast policy that chooses actions in simulated matches of Kings Court."""
# It only uses what the player knows. The random numbers come from the argument `draw`.

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ftk_core.facts import Action
from ftk_core.games.kings_court.facts import (
    AccuseAction,
    AskAction,
    ClaimAction,
    ClaimMade,
    PlayerQuestioned,
    TakeAction,
)
from ftk_core.games.kings_court.interrogation_rules import DONT_KNOW
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox, PlayerClaim, Topic
from ftk_core.games.kings_court.roles_and_options import (
    APPRENTICE,
    GUARD,
    MAX_HIDDEN_DIAMONDS,
    PEASANT,
    PRINCESS,
    USURPER,
)
from ftk_core.games.kings_court.suspicions.seat_role_probabilities import SeatRoleProbabilities
from ftk_core.games.kings_court.suspicions.speaker_claim_likelihoods import is_first_thief
from ftk_core.games.kings_court.table_state import (
    MAX_QUESTIONS_PER_SEAT,
    STATEMENTS_PER_SUBJECT,
    BoxContents,
    TableState,
    list_targets,
    step,
)
from ftk_core.random_streams import RandomBitStream


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


def quick(table: TableState, seat: int, menu: Sequence[Action], draw: RandomBitStream) -> int:
    """Return the index of the menu item that the policy chooses."""
    if len(menu) == 1:
        return 0
    match step(table):
        case "hide":
            return MAX_HIDDEN_DIAMONDS
        case "help":
            return menu.index(_take(table, draw))
        case "king":
            return menu.index(_find_question(table) or _accuse(table))
        case "answer":
            topic = table.answering.topic if table.answering else "took"
            return menu.index(_claim_on(table, seat, topic, draw))
        case "floor":
            topic = STATEMENTS[STATEMENTS_PER_SUBJECT - table.statements[seat]]
            return menu.index(_claim_on(table, seat, topic, draw))
        case "princess":
            return draw.below(len(menu))
    return 0  # dismiss nothing, and let accusations go on


def _take(table: TableState, draw: RandomBitStream) -> TakeAction:
    """Draw at random what a player takes from the box."""
    # The number of diamonds tells whether the King is likely to win or to accuse wrongly. The player prefers things
    # with which it wins then.
    box, seat = table.box, table.at
    calm = box.diamonds in CALM_DIAMONDS
    tastes, behind_winner = (KING_LIKELY_WINS_WEIGHTS, seat == 1) if calm else (KING_LIKELY_ERRS_WEIGHTS, seat == 2)
    bold = not calm and is_first_thief(box.diamonds)
    options = [(TakeAction(0, None, box.fake), BOLD if bold else tastes.diamonds)] if box.diamonds else []
    for card in dict.fromkeys(box.cards):
        favourite = card == APPRENTICE and behind_winner
        options.append((TakeAction(0, card), tastes.apprentice_behind_winner if favourite else tastes.cards[card]))
    options += [(TakeAction(0, None, fake=True), tastes.fake)] if box.fake else []
    options += [(TakeAction(), tastes.nothing)] if seat == table.seats - 1 else []
    number, at = draw.below(sum(weight for _, weight in options)), 0
    while number >= options[at][1]:
        number, at = number - options[at][1], at + 1
    if at or not box.diamonds:
        return options[at][0]
    return TakeAction(_count_to_steal(box.diamonds, draw, calm=calm, bold=bold), None, box.fake)


def _count_to_steal(diamonds: int, draw: RandomBitStream, *, calm: bool, bold: bool) -> int:
    just_over_half = diamonds // 2 + 1
    if bold:
        return min(diamonds, just_over_half + draw.below(EXTRA_DIAMONDS))
    return just_over_half if calm and is_first_thief(diamonds) else 1 + draw.below(diamonds)


def _find_question(table: TableState) -> AskAction | None:
    """Return the King's next question, or None if no question is left."""
    if not table.questions:
        return None
    heard = set[tuple[int, Topic]]()
    for utterance in table.said:
        match utterance:
            case ClaimMade(seat=seat, claim=claim):
                heard.add((seat, claim.topic))
            case PlayerQuestioned(seat=seat, topic=topic):
                heard.add((seat, topic))
    seats = [seat for seat in list_targets(table) if table.asked[seat] < MAX_QUESTIONS_PER_SEAT]
    return next((AskAction(seat, topic) for topic in STATEMENTS for seat in seats if (seat, topic) not in heard), None)


def _accuse(table: TableState) -> AccuseAction:
    """Return the King's most promising accusation."""
    return AccuseAction(max(list_targets(table), key=SeatRoleProbabilities(table).worth))


def _claim_on(table: TableState, seat: int, topic: Topic, draw: RandomBitStream) -> Action:
    """Return the claim that a player makes on a topic, or "I do not know"."""
    # A player with diamonds or a Usurper card claims to be a Peasant. Any other player tells the truth.
    take = table.takes[seat] or ItemsTakenFromBox()
    lies = bool(take.diamonds) or take.card == USURPER
    came, went = _peasants_story(table, seat, take, draw) if lies else _true_boxes(table, seat, take)
    match topic:
        case "received_diamonds" | "passed_diamonds":
            box = came if topic == "received_diamonds" else went
            return ClaimAction(PlayerClaim(topic=topic, number=box.diamonds))
        case "received_cards" | "passed_cards":
            return ClaimAction(PlayerClaim(topic=topic, cards=(came if topic == "received_cards" else went).cards))
        case "received_fake" | "passed_fake":
            return ClaimAction(PlayerClaim(topic=topic, fake=(came if topic == "received_fake" else went).fake))
        case "took":
            return ClaimAction(
                PlayerClaim(topic=topic, number=0, role=PEASANT if lies else take.card, fake=not lies and take.fake)
            )
    return DONT_KNOW


def _true_boxes(table: TableState, seat: int, take: ItemsTakenFromBox) -> tuple[BoxContents, BoxContents]:
    """Return the real contents of the box before and after a player's turn."""
    came = table.arrivals[seat]
    assert came is not None
    cards = list(came.cards)
    for card in (take.card, table.dismissed if seat == 1 else None):
        if card is not None:
            cards.remove(card)
    return came, BoxContents(came.diamonds - take.diamonds, tuple(cards), came.fake and not take.fake)


def _peasants_story(
    table: TableState, seat: int, take: ItemsTakenFromBox, draw: RandomBitStream
) -> tuple[BoxContents, BoxContents]:
    """Return the contents of the box that a liar claims to have received and passed on."""
    # The liar pretends to have taken a Peasant card or nothing, and blames the next player (claims that all diamonds
    # were passed on) or the previous one (claims that they were missing).
    came, went = _true_boxes(table, seat, take)
    if _blames_next(table, seat, came.diamonds, draw):
        cards = list(came.cards)
        if PEASANT in cards:
            cards.remove(PEASANT)
        return came, BoxContents(came.diamonds, tuple(cards), came.fake)
    fits = went.cards.count(PEASANT) < table.cards.count(PEASANT)
    return BoxContents(went.diamonds, (PEASANT, *went.cards) if fits else came.cards, went.fake), went


def _blames_next(table: TableState, seat: int, received: int, draw: RandomBitStream) -> bool:
    """Return True if a liar blames the next player. Otherwise it blames the previous player."""
    # The King knows what the first player received and the last one passed on. Others agree with their own earlier
    # claims.
    if seat in (1, table.seats - 1):
        return seat == 1
    for utterance in table.said:
        if isinstance(utterance, ClaimMade) and utterance.seat == seat and utterance.claim.topic in STATEMENTS[:2]:
            return utterance.claim.number == received
    return draw.below(2) == 0
