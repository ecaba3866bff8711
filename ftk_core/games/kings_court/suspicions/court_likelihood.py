"""Likelihood of a complete state of Kings Court if all seats but one have played by the fast policy."""
# The C++ rules (likelihood.hpp) compute the same numbers by the same operations in the same order.

from __future__ import annotations

from ftk_core.facts import Viewer
from ftk_core.games.kings_court.facts import ClaimMade
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.roles_and_options import MAX_HIDDEN_DIAMONDS
from ftk_core.games.kings_court.suspicions.policy_thefts_and_stories import (
    STATEMENTS,
    claim_on_box,
    is_liar,
    list_amounts,
    list_thefts,
    tell_peasants_story,
    true_boxes,
)
from ftk_core.games.kings_court.table_state import BoxContents, TableState

OFF_POLICY = 0.02
"""Likelihood of what the policy never does."""


def likelihood(table: TableState, viewer: Viewer) -> float:
    """Return the product of the likelihoods of all thefts and claims but the viewer's, up to a constant factor."""
    value = 1.0 if table.hidden == MAX_HIDDEN_DIAMONDS else OFF_POLICY
    if table.dismissed:
        value *= OFF_POLICY
    for seat in range(1, table.seats):
        take, came = table.takes[seat], table.arrivals[seat]
        if seat == viewer or take is None or came is None:
            continue
        box = true_boxes(table, seat, ItemsTakenFromBox())[1]  # without the card that the first seat dismissed
        value *= _theft_likelihood(box, take, seat, table.seats - 1)
        value *= _talk_likelihood(table, seat, take, came)
    return value


def _theft_likelihood(box: BoxContents, take: ItemsTakenFromBox, seat: int, last: int) -> float:
    """Return the probability that a seat takes these things from the box."""
    options = list_thefts(box, seat, last)
    total, chosen = sum(weight for _, weight in options), 0.0
    if total == 0:
        return 1.0
    for at, (option, weight) in enumerate(options):
        has_diamonds = at == 0 and box.diamonds > 0
        if (option.card, option.fake, has_diamonds) != (take.card, take.fake, take.diamonds > 0):
            continue
        amounts = list_amounts(box.diamonds) if has_diamonds else [0]
        chosen = weight * amounts.count(take.diamonds) / len(amounts)
    return max(OFF_POLICY, chosen / total)


def _talk_likelihood(table: TableState, seat: int, take: ItemsTakenFromBox, came: BoxContents) -> float:
    """Return the probability of a seat's claims: they are the truth, or one of the two stories of a liar."""
    _, went = true_boxes(table, seat, take)
    if not is_liar(take):
        return _claims_likelihood(table, seat, came, went)
    next_seat, seat_before = (
        _claims_likelihood(table, seat, *tell_peasants_story(table.cards, came, went, blames_next=blames_next))
        for blames_next in (True, False)
    )
    if seat == 1:
        return next_seat
    return seat_before if seat == table.seats - 1 else (next_seat + seat_before) / 2


def _claims_likelihood(table: TableState, seat: int, came: BoxContents, went: BoxContents) -> float:
    """Return the probability of a seat's claims on the topics of `STATEMENTS`, if it tells of these boxes."""
    value = 1.0
    claims = [said.claim for said in table.said if isinstance(said, ClaimMade) and said.seat == seat]
    for claim in claims:
        if claim.topic in STATEMENTS and claim != claim_on_box(claim.topic, came, went):
            value *= OFF_POLICY
    return value
