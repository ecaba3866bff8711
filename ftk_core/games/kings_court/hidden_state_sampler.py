"""Random game states that agree with everything one viewer knows."""
# Simulated matches start from them. They differ in the thefts that are hidden from the viewer.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import prod
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import OMNISCIENT, Fact, Viewer
from ftk_core.games.kings_court import theft_rules
from ftk_core.games.kings_court.facts import (
    BoxContentsSeen,
    DiamondsHidden,
    DismissalDecided,
    SeatTookFromBox,
    TheftRulesBroken,
)
from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox
from ftk_core.games.kings_court.possible_thefts import (
    NOTHING,
    SHARES,
    ContinuationWeightedChoices,
    PossibleThefts,
    PublicKnowledgeAboutNeighbours,
    PublicKnowledgeAboutTheft,
    Share,
    possible_thefts_of,
)
from ftk_core.games.kings_court.roles_and_options import (
    CARDS,
    DIAMONDS,
    GUARD,
    MAX_HIDDEN_DIAMONDS,
    PRINCESS,
    THIEF,
    URCHIN,
)
from ftk_core.games.kings_court.table_state import BoxContents, TableState, count_stolen, new_court
from ftk_core.random_streams import MatchRandomness, RandomBitStream

DISMISSED_SHARES = (*((card, False) for card in CARDS), NOTHING)
RichestDiamonds = int | None
"""Number of diamonds that each of the richest seats has, if the Princess chooses between them; None if she does not."""


def resample(table: TableState, viewer: Viewer, chance: MatchRandomness) -> TableState:
    """Return a random game state that the viewer cannot tell from the real one.

    Return the real state if nothing is hidden: to the omniscient viewer, before the box goes round, and after the end.
    """
    # All legal sequences of thefts are equally likely if they agree with the boxes that the viewer saw, everything
    # revealed, the Guard's cry, the seats tied for the Princess, and the fact that diamonds are still missing while the
    # game goes on. Claims and questions prove nothing.
    if viewer == OMNISCIENT or table.ending or table.hidden is None:
        return table
    ways, draw = _possible_thefts(table, viewer), chance.at("resample")
    while True:
        spans, number = ways.find(_draw_below(draw, ways.count))
        drawn = list[tuple[int, Mapping[int, ItemsTakenFromBox]]]()
        for thefts in spans:
            number, one = divmod(number, thefts.count)
            drawn.append(thefts.numbered(one))
        hidden = DIAMONDS - drawn[0][0]
        takes = {seat: take for _, span_takes in drawn for seat, take in span_takes.items()}
        other = _with_thefts(table, viewer, hidden, takes)
        if other is not None and (_is_over(table) or not _is_over(other)):
            return other


@lru_cache(64)
def _possible_thefts(table: TableState, viewer: Viewer) -> ContinuationWeightedChoices[tuple[PossibleThefts, ...]]:
    """Return all sequences of thefts that are possible for the viewer."""
    # Cached, because many samples are drawn of one game state.
    worlds = [
        tuple(map(possible_thefts_of, _split_spans(table, viewer, rich))) for rich in _possible_riches(table, viewer)
    ]
    return ContinuationWeightedChoices((spans, prod(thefts.count for thefts in spans)) for spans in worlds)


def _draw_below(draw: RandomBitStream, bound: int) -> int:
    """Return a uniform random integer from 0 to `bound` - 1."""
    # Draws several words of 32 bits if a single draw is too small.
    word_count = (bound.bit_length() + 31) // 32 or 1
    while True:
        number = 0
        for _ in range(word_count):
            number = number << 32 | draw.below(1 << 32)
        limit = (1 << 32 * word_count) - (1 << 32 * word_count) % bound
        if number < limit:
            return number % bound


def _is_over(table: TableState) -> bool:
    """Return True if the King has all stolen diamonds back, which ends the game."""
    return table.arrivals[0] is not None and table.recovered == count_stolen(table)


def _possible_riches(table: TableState, viewer: Viewer) -> Iterable[RichestDiamonds]:
    """Return the numbers of diamonds that each seat in `table.tied` can have. All these seats have the same number.

    If no seats are tied, the only item is None.
    """
    # The Princess must choose between the tied seats.
    if not table.tied:
        return (None,)
    own = table.takes[viewer] if viewer > 0 else None
    if 0 in table.tied:
        return (table.recovered,)
    if viewer in table.tied and own:
        return (own.diamonds,)
    least = max(table.recovered, own.diamonds if own and not table.revealed[viewer] else 0)
    return range(least + 1, DIAMONDS + 1)


def _split_spans(
    table: TableState, viewer: Viewer, rich: RichestDiamonds
) -> tuple[PublicKnowledgeAboutNeighbours, ...]:
    """Split a viewer's knowledge about the thefts into the parts before and after the viewer's own turn."""
    # A viewer who had the box knows its contents at that time. So the thefts before and after can be drawn separately.
    # For other viewers, and before the viewer's turn ends, there is only one part.
    helped = [seat for seat in range(1, table.seats) if table.takes[seat] is not None]
    start = new_court(table.seats, table.cards, fake=table.fake, gifts=table.gifts).box
    can_be = tuple(DIAMONDS - hidden for hidden in range(MAX_HIDDEN_DIAMONDS + 1))
    arrival = table.arrivals[viewer] if viewer >= 0 else None
    if viewer == 0:
        can_be = (DIAMONDS - (table.hidden or 0),)
    if viewer <= 0 or arrival is None:
        return (_build_span(table, helped, rich, start, can_be, arrival, dismissal=table.considered),)
    before = [seat for seat in helped if seat < viewer]
    first = _build_span(table, before, rich, start, can_be, arrival, dismissal=table.considered and viewer > 1)
    if viewer not in helped and not table.fumbled[viewer]:
        return (first,)
    after = [seat for seat in helped if seat > viewer]
    box = _box_passed_on(table, viewer, arrival)
    return (first, _build_span(table, after, rich, box, (box.diamonds,), None, dismissal=False))


def _box_passed_on(table: TableState, viewer: int, box: BoxContents) -> BoxContents:
    """Return the contents of the box after the viewer's turn; `box` is its contents before the turn."""
    cards, take = list(box.cards), table.takes[viewer] or ItemsTakenFromBox()
    for card in (take.card, table.dismissed if viewer == 1 else None):
        if card is not None:
            cards.remove(card)
    return BoxContents(box.diamonds - take.diamonds, tuple(cards), box.fake and not take.fake)


def _build_span(
    table: TableState,
    seats: list[int],
    rich: RichestDiamonds,
    start: BoxContents,
    diamonds: tuple[int, ...],
    left: BoxContents | None,
    *,
    dismissal: bool,
) -> PublicKnowledgeAboutNeighbours:
    chairs = [_seat_knowledge(table, seat, rich) for seat in seats]
    if dismissal:
        chairs.insert(0, PublicKnowledgeAboutTheft(seat=0, shares=DISMISSED_SHARES, refusing=True))
    end = None if left is None else (left.diamonds, _counts(left.cards), left.fake)
    return PublicKnowledgeAboutNeighbours(
        chairs=tuple(chairs), cards=_counts(start.cards), fake=start.fake, diamonds=diamonds, left=end
    )


def _counts(cards: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(cards.count(card) for card in CARDS)


def _seat_knowledge(table: TableState, seat: int, rich: RichestDiamonds) -> PublicKnowledgeAboutTheft:
    """Return the public knowledge about what a player took."""
    # `rich` is the assumed number of diamonds of each of the richest players, if the Princess must choose one of them.
    take, last = table.takes[seat], seat == table.seats - 1
    if take is not None and table.revealed[seat]:
        share: Share = (take.card or (THIEF if take.diamonds else URCHIN), take.fake)
        return PublicKnowledgeAboutTheft(seat=seat, shares=(share,), diamonds=take.diamonds or None, refusing=last)
    if seat in table.tied:
        both: tuple[Share, ...] = ((THIEF, False), (THIEF, True))
        shown = both[1:] if table.fake_shown[seat] else both
        return PublicKnowledgeAboutTheft(seat=seat, shares=shown, diamonds=rich)
    below = 99 if rich is None else rich
    if table.fake_shown[seat]:
        return PublicKnowledgeAboutTheft(seat=seat, shares=((THIEF, True), (URCHIN, True)), below=below)
    if table.tied and seat == table.accused:
        return PublicKnowledgeAboutTheft(seat=seat, shares=((PRINCESS, False),), below=below)
    if seat == table.shout:
        return PublicKnowledgeAboutTheft(seat=seat, shares=((GUARD, False),), below=below)
    return PublicKnowledgeAboutTheft(seat=seat, shares=SHARES, below=below, refusing=last)


def _with_thefts(
    table: TableState, viewer: Viewer, hidden: int, takes: Mapping[int, ItemsTakenFromBox]
) -> TableState | None:
    """Return the game state with assumed thefts, or None if these are impossible. Keep the viewer's own theft.

    `hidden` is the assumed number of diamonds that the King kept. `takes` holds the assumed things that each seat took.
    """
    # A player can only break the rules of taking if something is in the box.
    own = {viewer: table.takes[viewer]} if viewer > 0 else {}
    dismissed = table.dismissed if viewer == 1 else takes[0].card if 0 in takes else None
    other = theft_rules.apply_diamonds_hidden(
        new_court(table.seats, table.cards, fake=table.fake, gifts=table.gifts), DiamondsHidden(0, hidden)
    )
    for seat in (*range(1, table.seats), 0):
        if table.arrivals[seat] is None:
            break
        if table.fumbled[seat] and other.box.empty:
            return None
        for fact in _facts_of_turn(table, seat, dismissed, {**takes, **own}.get(seat), other.box):
            other = FACT_APPLIERS[type(fact)](other, fact)
    return replace(table, hidden=hidden, dismissed=dismissed, box=other.box, arrivals=other.arrivals, takes=other.takes)


FACT_APPLIERS: dict[type[Fact], Callable[[TableState, Any], TableState]] = {
    BoxContentsSeen: theft_rules.apply_box_received,
    DismissalDecided: theft_rules.apply_box_considered,
    SeatTookFromBox: theft_rules.apply_share_taken,
    TheftRulesBroken: theft_rules.apply_fumbled,
}


def _facts_of_turn(
    table: TableState, seat: int, dismissed: str | None, take: ItemsTakenFromBox | None, box: BoxContents
) -> Iterable[Fact]:
    """Yield the events that record a player's turn with the box."""
    yield BoxContentsSeen(seat, box.diamonds, box.cards, box.fake)
    if seat == 1 and table.considered:
        yield DismissalDecided(seat, dismissed)
    if table.fumbled[seat]:
        yield TheftRulesBroken(seat)
    elif take is not None and seat:
        yield SeatTookFromBox(seat, take.diamonds, take.card, take.fake)
