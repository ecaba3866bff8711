"""Contradictions between claims, and between claims and the facts that a viewer knows.

Each claim is turned into a statement about the theft. Two statements contradict each other if no theft fits both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from ftk_core.games.kings_court.box_contents import CARDS, DIAMONDS, MAX_HIDDEN_DIAMONDS, THIEF, URCHIN
from ftk_core.games.kings_court.player_claims import PlayerClaim, PocketContents
from ftk_core.games.kings_court.player_view import PlayerView

ClaimKey = tuple[int, str]
"""(seat that made the claim, topic)"""


MAX_CACHED_PAIRS = 16384
"""Maximum number of comparisons in the cache. Consecutive frames of a match compare nearly the same statements."""


class BoxStatement(msgspec.Struct, frozen=True, kw_only=True):
    """Statement about the box when it came to a seat. A part of the contents that is not stated is None."""

    at: int
    """Seat to which the box came; the number of seats for its return to the King."""
    diamonds: int | None = None
    cards: tuple[str, ...] | None = None
    fake: bool | None = None


class TakeStatement(msgspec.Struct, frozen=True):
    """Statement about everything that a seat took."""

    seat: int
    take: PocketContents


class RoleStatement(msgspec.Struct, frozen=True):
    """Statement about the role of a seat."""

    seat: int
    role: str


class DismissalStatement(msgspec.Struct, frozen=True):
    """Statement about the card that the first player turned over. The card is None if no card was turned over."""

    card: str | None


Statement = BoxStatement | TakeStatement | RoleStatement | DismissalStatement


class ClaimCheck(msgspec.Struct, frozen=True):
    """Result of the check of one claim."""

    false: bool = False
    """True if the claim contradicts what the viewer knows."""
    against: tuple[int, ...] = ()
    """Seats with a claim that contradicts this one. Claims known to be false are left out."""


def check_claims(claims: Mapping[ClaimKey, PlayerClaim], sight: PlayerView) -> dict[ClaimKey, ClaimCheck]:
    """Check claims against each other and against the viewer's knowledge; return the result of each, by its key.

    Claims that only state an opinion are not checked and have no result.
    """
    stated = {key: state for key, claim in claims.items() if (state := _state(key[0], claim, sight.seats)) is not None}
    known = list(_list_known(sight))
    false = {
        key
        for key, one in stated.items()
        if _is_impossible(one) or any(contradict(one, fact, sight.cards) for fact in known)
    }
    open_claims = {key: statement for key, statement in stated.items() if key not in false}
    checks = {key: ClaimCheck(false=True) for key in false}
    for key, statement in open_claims.items():
        against = {seat for (seat, _), other in open_claims.items() if contradict(statement, other, sight.cards)}
        checks[key] = ClaimCheck(against=tuple(sorted(against)))
    return checks


def _state(seat: int, claim: PlayerClaim, seats: int) -> Statement | None:
    """Convert a claim into a statement about the theft; None for an opinion, which cannot be checked."""
    match claim.topic:
        case "hid":
            return BoxStatement(at=1, diamonds=DIAMONDS - (claim.number or 0))
        case "took":
            return TakeStatement(seat, PocketContents(claim.number or 0, claim.role, claim.fake))
        case "role_of" if claim.seat is not None and claim.role:
            return RoleStatement(claim.seat, claim.role)
        case "dismissed":
            return DismissalStatement(claim.role)
    when, _, part = claim.topic.partition("_")
    at = {"received": seat, "passed": seat + 1, "returned": seats}.get(when)
    if at is None:
        return None
    value = {"diamonds": claim.number, "cards": claim.cards or (), "fake": claim.fake}[part]
    return msgspec.structs.replace(BoxStatement(at=at), **{part: value})


def _list_known(sight: PlayerView) -> Iterator[Statement]:
    """Yield everything that the viewer knows about the theft, as statements with which claims can be compared."""
    yield RoleStatement(0, "king")
    diamonds = None if sight.hidden is None else DIAMONDS - sight.hidden
    yield BoxStatement(at=1, diamonds=diamonds, cards=sight.cards, fake=sight.fake)
    for seat, box in enumerate(sight.arrivals):
        if box is not None:
            yield BoxStatement(at=seat or sight.seats, diamonds=box.diamonds, cards=box.cards, fake=box.fake)
    for seat, take in enumerate(sight.takes):
        if take is not None:
            yield TakeStatement(seat, take)
        elif sight.fumbled[seat]:
            yield RoleStatement(seat, "none")
    if sight.arrivals[1] is not None and sight.taken[1]:  # the viewer knows a dismissal, if there was one (K2)
        yield DismissalStatement(sight.dismissed)


def _is_impossible(statement: Statement) -> bool:
    """Return whether the rules exclude a statement: the King keeps at most three diamonds."""
    if not isinstance(statement, BoxStatement) or statement.at != 1 or statement.diamonds is None:
        return False
    return statement.diamonds < DIAMONDS - MAX_HIDDEN_DIAMONDS


@lru_cache(MAX_CACHED_PAIRS)
def contradict(one: Statement, other: Statement, cards: tuple[str, ...]) -> bool:
    """Return whether two statements cannot both be true in a match with these character cards."""
    if _exceed_cards(one, other, cards) or _exceed_cards(other, one, cards):
        return True
    match one, other:
        case BoxStatement(), BoxStatement():
            return _boxes_contradict(one, other) if one.at <= other.at else _boxes_contradict(other, one)
        case (TakeStatement() as take, BoxStatement() as box) | (BoxStatement() as box, TakeStatement() as take):
            return _take_contradicts_box(take, box)
        case TakeStatement(), TakeStatement():
            return _takes_contradict(one, other)
        case (RoleStatement() as role, TakeStatement() as take) | (TakeStatement() as take, RoleStatement() as role):
            return role.seat == take.seat and role.role != role_of_take(take.take)
        case RoleStatement(), RoleStatement():
            return one.seat == other.seat and one.role != other.role
        case DismissalStatement(), DismissalStatement():
            return one.card != other.card
    return False


def _exceed_cards(one: Statement, other: Statement, cards: tuple[str, ...]) -> bool:
    """Return whether a seat holds a card by the first statement, and all copies are elsewhere by the second."""
    card = _card_of(one)
    match one, other:
        case TakeStatement() | RoleStatement(), TakeStatement() | RoleStatement():
            elsewhere = int(one.seat != other.seat and _card_of(other) == card)
        case TakeStatement() | RoleStatement(), BoxStatement():
            elsewhere = (other.cards or ()).count(card or "") if one.seat < other.at else 0
        case _:
            return False
    return card is not None and elsewhere >= cards.count(card)


def _card_of(statement: Statement) -> str | None:
    """Return the card that a seat took by a statement; None if it took none, or if the statement is about no seat."""
    match statement:
        case TakeStatement():
            return statement.take.card
        case RoleStatement() if statement.role in CARDS:
            return statement.role
    return None


def role_of_take(take: PocketContents) -> str:
    """Return the role of a seat that took these things from the box."""
    return take.card or (THIEF if take.diamonds else URCHIN)


def _boxes_contradict(early: BoxStatement, late: BoxStatement) -> bool:
    """Return whether two statements about the box contradict each other.

    They do if the later box holds more than the earlier one, or if they differ although both concern the box at one
    seat.
    """
    same = early.at == late.at
    return any(
        before is not None and after is not None and bool(after - before or (same and before != after))
        for before, after in zip(_count_things(early), _count_things(late), strict=True)
    )


def _count_things(box: BoxStatement) -> tuple[Counter[str] | None, ...]:
    """Return the stated numbers of diamonds, of each card, and of fake diamonds; None for a part that is not stated."""
    return (
        None if box.diamonds is None else Counter(diamond=box.diamonds),
        None if box.cards is None else Counter(box.cards),
        None if box.fake is None else Counter(fake=int(box.fake)),
    )


def _take_contradicts_box(statement: TakeStatement, box: BoxStatement) -> bool:
    """Return whether a statement about what a seat took contradicts a statement about the box.

    If the box came to this or an earlier seat, it must hold all things that the seat took. If it came to a later seat,
    its diamonds and those taken must not exceed all diamonds, and it must not hold the fake diamond if that was taken.
    """
    take = statement.take
    if statement.seat < box.at:
        return take.diamonds + (box.diamonds or 0) > DIAMONDS or bool(take.fake and box.fake)
    if box.diamonds is not None and take.diamonds > box.diamonds:
        return True
    lacks_card = take.card is not None and box.cards is not None and take.card not in box.cards
    return lacks_card or (take.fake and box.fake is False)


def _takes_contradict(one: TakeStatement, other: TakeStatement) -> bool:
    if one.seat == other.seat:
        return one.take != other.take
    return one.take.diamonds + other.take.diamonds > DIAMONDS or (one.take.fake and other.take.fake)
