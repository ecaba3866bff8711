"""Resampling: a random court consistent with everything one viewer knows, with the hidden thefts redrawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import prod
from typing import Any

from msgspec.structs import replace

from ftk_core.facts import OMNISCIENT, Fact, Viewer
from ftk_core.games.kings_court import theft
from ftk_core.games.kings_court.box import CARDS, DIAMONDS, GUARD, MOST_HIDDEN, PRINCESS, THIEF, URCHIN
from ftk_core.games.kings_court.claims import Take
from ftk_core.games.kings_court.facts import BoxConsidered, BoxReceived, DiamondsHidden, Fumbled, ShareTaken
from ftk_core.games.kings_court.state import Box, Table, bare, stolen
from ftk_core.games.kings_court.thefts import NOTHING, SHARES, Chair, Share, Span, Thefts, Ways, thefts_of
from ftk_core.rng import Chance, Draw

ANY = tuple(share for share in SHARES if share != NOTHING)
DISMISSED = (*((card, False) for card in CARDS), NOTHING)
Rich = int | None
"""Diamonds of the richest, between whom the Princess chooses; None if she does not choose."""


def resample(table: Table, viewer: Viewer, chance: Chance) -> Table:
    """Return a court that the viewer cannot distinguish from this one by anything it was told so far.

    All legal sequences of hidden, dismissed and taken contents are equally likely that give the viewer the same box and
    agree with: everything revealed or shown, a Guard who cried HAULT, exactly the candidates that a Princess has, and a
    Thief still to be found while the investigation continues. Claims and the King's questions do not bind anybody and
    are not evidence. A closed court is returned unchanged, and so is any court for the omniscient viewer.
    """
    if viewer == OMNISCIENT or table.ending or table.hidden is None:
        return table
    ways, draw = _worlds(table, viewer), chance.at("resample")
    while True:
        spans, number = ways.find(_below(draw, ways.count))
        drawn = list[tuple[int, Mapping[int, Take]]]()
        for thefts in spans:
            number, one = divmod(number, thefts.count)
            drawn.append(thefts.numbered(one))
        hidden = DIAMONDS - drawn[0][0]
        takes = {seat: take for _, span_takes in drawn for seat, take in span_takes.items()}
        other = _committed(table, viewer, hidden, takes)
        if other is not None and (_is_over(table) or not _is_over(other)):
            return other


@lru_cache(64)
def _worlds(table: Table, viewer: Viewer) -> Ways[tuple[Thefts, ...]]:
    """Return all possible sequences of thefts; computed once for all courts that are dealt again."""
    worlds = [tuple(map(thefts_of, _spans(table, viewer, rich))) for rich in _riches(table, viewer)]
    return Ways((spans, prod(thefts.count for thefts in spans)) for spans in worlds)


def _below(draw: Draw, bound: int) -> int:
    """Return a uniform integer below a bound of any size."""
    words = (bound.bit_length() + 31) // 32 or 1
    while True:
        number = 0
        for _ in range(words):
            number = number << 32 | draw.below(1 << 32)
        limit = (1 << 32 * words) - (1 << 32 * words) % bound
        if number < limit:
            return number % bound


def _is_over(table: Table) -> bool:
    """Return whether the King has everything back: the court is closed, or closes with the next fact."""
    return table.arrivals[0] is not None and table.recovered == stolen(table)


def _riches(table: Table, viewer: Viewer) -> Iterable[Rich]:
    """Return the possible numbers of diamonds of the seats between whom the Princess chooses."""
    if not table.tied:
        return (None,)
    own = table.takes[viewer] if viewer > 0 else None
    if 0 in table.tied:
        return (table.recovered,)
    if viewer in table.tied and own:
        return (own.diamonds,)
    least = max(table.recovered, own.diamonds if own and not table.revealed[viewer] else 0)
    return range(least + 1, DIAMONDS + 1)


def _spans(table: Table, viewer: Viewer, rich: Rich) -> tuple[Span, ...]:
    """Return the seats before and after the viewer looked into the box; one span if it never did."""
    helped = [seat for seat in range(1, table.seats) if table.takes[seat] is not None]
    start = bare(table.seats, table.cards, fake=table.fake, gifts=table.gifts).box
    can_be = tuple(DIAMONDS - hidden for hidden in range(MOST_HIDDEN + 1))
    arrival = table.arrivals[viewer] if viewer >= 0 else None
    if viewer == 0:
        can_be = (DIAMONDS - (table.hidden or 0),)
    if viewer <= 0 or arrival is None:
        return (_span(table, helped, rich, start, can_be, arrival, dismissal=table.considered),)
    before = [seat for seat in helped if seat < viewer]
    first = _span(table, before, rich, start, can_be, arrival, dismissal=table.considered and viewer > 1)
    if viewer not in helped and not table.fumbled[viewer]:
        return (first,)
    after = [seat for seat in helped if seat > viewer]
    box = _behind(table, viewer, arrival)
    return (first, _span(table, after, rich, box, (box.diamonds,), None, dismissal=False))


def _behind(table: Table, viewer: int, box: Box) -> Box:
    """Return the box as the viewer passed it on."""
    cards, take = list(box.cards), table.takes[viewer] or Take()
    for card in (take.card, table.dismissed if viewer == 1 else None):
        if card is not None:
            cards.remove(card)
    return Box(box.diamonds - take.diamonds, tuple(cards), box.fake and not take.fake)


def _span(
    table: Table,
    seats: list[int],
    rich: Rich,
    start: Box,
    diamonds: tuple[int, ...],
    left: Box | None,
    *,
    dismissal: bool,
) -> Span:
    chairs = [_chair(table, seat, rich) for seat in seats]
    if dismissal:
        chairs.insert(0, Chair(seat=0, shares=DISMISSED, refusing=True))
    end = None if left is None else (left.diamonds, _counts(left.cards), left.fake)
    return Span(chairs=tuple(chairs), cards=_counts(start.cards), fake=start.fake, diamonds=diamonds, left=end)


def _counts(cards: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(cards.count(card) for card in CARDS)


def _chair(table: Table, seat: int, rich: Rich) -> Chair:
    """Return the public knowledge of what a seat took."""
    take, last = table.takes[seat], seat == table.seats - 1
    if take is not None and table.revealed[seat]:
        share: Share = (take.card or (THIEF if take.diamonds else URCHIN), take.fake)
        return Chair(seat=seat, shares=(share,), diamonds=take.diamonds or None, refusing=last)
    if seat in table.tied:
        both: tuple[Share, ...] = ((THIEF, False), (THIEF, True))
        shown = both[1:] if table.fake_shown[seat] else both
        return Chair(seat=seat, shares=shown, diamonds=rich)
    below = 99 if rich is None else rich
    if table.fake_shown[seat]:
        return Chair(seat=seat, shares=((THIEF, True), (URCHIN, True)), below=below)
    if table.tied and seat == table.accused:
        return Chair(seat=seat, shares=((PRINCESS, False),), below=below)
    if seat == table.shout:
        return Chair(seat=seat, shares=((GUARD, False),), below=below)
    return Chair(seat=seat, shares=SHARES, below=below, refusing=last)


def _committed(table: Table, viewer: Viewer, hidden: int, takes: Mapping[int, Take]) -> Table | None:
    """Return the court after another theft; None if a seat fumbled with an empty box, which is impossible."""
    own = {viewer: table.takes[viewer]} if viewer > 0 else {}
    dismissed = table.dismissed if viewer == 1 else takes[0].card if 0 in takes else None
    other = theft.diamonds_hidden(
        bare(table.seats, table.cards, fake=table.fake, gifts=table.gifts), DiamondsHidden(0, hidden)
    )
    for seat in (*range(1, table.seats), 0):
        if table.arrivals[seat] is None:
            break
        if table.fumbled[seat] and other.box.empty:
            return None
        for fact in _facts(table, seat, dismissed, {**takes, **own}.get(seat), other.box):
            other = CHANGES[type(fact)](other, fact)
    return replace(table, hidden=hidden, dismissed=dismissed, box=other.box, arrivals=other.arrivals, takes=other.takes)


CHANGES: dict[type[Fact], Callable[[Table, Any], Table]] = {
    BoxReceived: theft.box_received,
    BoxConsidered: theft.box_considered,
    ShareTaken: theft.share_taken,
    Fumbled: theft.fumbled,
}


def _facts(table: Table, seat: int, dismissed: str | None, take: Take | None, box: Box) -> Iterable[Fact]:
    """Return the facts of a seat's turn with the box."""
    yield BoxReceived(seat, box.diamonds, box.cards, box.fake)
    if seat == 1 and table.considered:
        yield BoxConsidered(seat, dismissed)
    if table.fumbled[seat]:
        yield Fumbled(seat)
    elif take is not None and seat:
        yield ShareTaken(seat, take.diamonds, take.card, take.fake)
