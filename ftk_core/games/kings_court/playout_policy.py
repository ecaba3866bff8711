"""Fast policy that chooses actions in simulated matches of Kings Court."""
# It only uses what the player knows. The random numbers come from the argument `draw`.

from __future__ import annotations

from collections.abc import Sequence

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
from ftk_core.games.kings_court.roles_and_options import MAX_HIDDEN_DIAMONDS, PEASANT
from ftk_core.games.kings_court.suspicions.policy_thefts_and_stories import (
    CALM_DIAMONDS,
    STATEMENTS,
    claim_on_box,
    is_liar,
    list_amounts,
    list_thefts,
    tell_peasants_story,
    true_boxes,
)
from ftk_core.games.kings_court.suspicions.seat_role_probabilities import SeatRoleProbabilities
from ftk_core.games.kings_court.suspicions.speaker_claim_likelihoods import is_first_thief
from ftk_core.games.kings_court.table_state import (
    MAX_QUESTIONS_PER_SEAT,
    STATEMENTS_PER_SUBJECT,
    TableState,
    list_targets,
    step,
)
from ftk_core.random_streams import RandomBitStream


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
    box = table.box
    options = list_thefts(box, table.at, table.seats - 1)
    number, at = draw.below(sum(weight for _, weight in options)), 0
    while number >= options[at][1]:
        number, at = number - options[at][1], at + 1
    if at or not box.diamonds:
        return options[at][0]
    amounts = list_amounts(box.diamonds)
    certain = box.diamonds in CALM_DIAMONDS and is_first_thief(box.diamonds)
    return TakeAction(amounts[0 if certain else draw.below(len(amounts))], None, box.fake)


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
    lies = is_liar(take)
    came, went = true_boxes(table, seat, take)
    if lies:
        came, went = tell_peasants_story(
            table.cards, came, went, blames_next=_blames_next(table, seat, came.diamonds, draw)
        )
    if topic == "took":
        return ClaimAction(
            PlayerClaim(topic=topic, number=0, role=PEASANT if lies else take.card, fake=not lies and take.fake)
        )
    claim = claim_on_box(topic, came, went)
    return ClaimAction(claim) if claim else DONT_KNOW


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
