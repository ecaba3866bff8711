"""Contradictions between players' claims, or between claims and known facts."""
# Each claim becomes a statement about the box or a theft. Two statements contradict each other if not both can be true.

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

import msgspec

from ftk_core.games.kings_court.player_claims import ItemsTakenFromBox, PlayerClaim
from ftk_core.games.kings_court.player_view import PlayerView
from ftk_core.games.kings_court.roles_and_options import CARDS, DIAMONDS, MAX_HIDDEN_DIAMONDS, THIEF, URCHIN

ClaimKey = tuple[int, str]
"""(seat that made the claim, topic)"""


MAX_CACHED_PAIRS = 16384
"""Maximum number of comparisons in the cache. Consecutive frames of a match compare nearly the same statements."""


class BoxContentsStatement(msgspec.Struct, frozen=True, kw_only=True):
    """Statement about the contents of the box when a player received it."""

    at: int
    """Seat to which the box came; the number of seats for its return to the King."""
    diamonds: int | None = None
    cards: tuple[str, ...] | None = None
    fake: bool | None = None


class StolenItemsStatement(msgspec.Struct, frozen=True):
    """Statement about everything that a seat took."""

    seat: int
    take: ItemsTakenFromBox


class RoleStatement(msgspec.Struct, frozen=True):
    """Content of a claim about one seat: that it has a role, or that it does not have it."""

    seat: int
    role: str


class DismissedCardStatement(msgspec.Struct, frozen=True):
    """Statement about the card, if any, that the first player removed from the box."""

    card: str | None


PocketStatement = StolenItemsStatement | RoleStatement
ThingsStatement = BoxContentsStatement | PocketStatement
Statement = ThingsStatement | DismissedCardStatement


class ClaimCheckResult(msgspec.Struct, frozen=True):
    """Errors found in one claim: contradictions to known facts or to other claims."""

    false: bool = False
    """True if the claim contradicts what the viewer knows."""
    against: tuple[int, ...] = ()
    """Seats with a claim that contradicts this one, maybe the same seat. Claims known to be false are left out."""


def check_claims(claims: Mapping[ClaimKey, PlayerClaim], sight: PlayerView) -> dict[ClaimKey, ClaimCheckResult]:
    """Check claims against each other and against the viewer's knowledge.

    Returns a result by player and topic. Opinions, which cannot be checked, are missing.
    """
    stated = {key: state for key, claim in claims.items() if (state := _state(key[0], claim, sight.seats)) is not None}
    known = list(_list_known(sight))
    false = {
        key
        for key, one in stated.items()
        if _is_impossible(one) or any(contradict(one, fact, sight.cards) for fact in known)
    }
    open_claims = {key: statement for key, statement in stated.items() if key not in false}
    against = {key: set[int]() for key in open_claims}
    for (key, statement), (other_key, other) in combinations(open_claims.items(), 2):
        if contradict(statement, other, sight.cards):
            against[key].add(other_key[0])
            against[other_key].add(key[0])
    return {key: ClaimCheckResult(false=True) for key in false} | {
        key: ClaimCheckResult(against=tuple(sorted(seats))) for key, seats in against.items()
    }


def _state(seat: int, claim: PlayerClaim, seats: int) -> Statement | None:
    """Convert a claim into a statement that can be checked, or None for an opinion."""
    match claim.topic:
        case "hid":
            return BoxContentsStatement(at=1, diamonds=DIAMONDS - (claim.number or 0))
        case "took":
            return StolenItemsStatement(seat, ItemsTakenFromBox(claim.number or 0, claim.role, claim.fake))
        case "role_of" if claim.seat is not None and claim.role:
            return RoleStatement(claim.seat, claim.role)
        case "dismissed":
            return DismissedCardStatement(claim.role)
    when, _, part = claim.topic.partition("_")
    at = {"received": seat, "passed": seat + 1, "returned": seats}.get(when)
    if at is None:
        return None
    value = {"diamonds": claim.number, "cards": claim.cards or (), "fake": claim.fake}[part]
    return msgspec.structs.replace(BoxContentsStatement(at=at), **{part: value})


def _list_known(sight: PlayerView) -> Iterator[Statement]:
    """Yield statements of everything that the viewer knows about the thefts."""
    yield RoleStatement(0, "king")
    diamonds = None if sight.hidden is None else DIAMONDS - sight.hidden
    yield BoxContentsStatement(at=1, diamonds=diamonds, cards=sight.cards, fake=sight.fake)
    for seat, box in enumerate(sight.arrivals):
        if box is not None:
            yield BoxContentsStatement(at=seat or sight.seats, diamonds=box.diamonds, cards=box.cards, fake=box.fake)
    for seat, take in enumerate(sight.takes):
        if take is not None:
            yield StolenItemsStatement(seat, take)
        elif sight.fumbled[seat]:
            yield RoleStatement(seat, "none")
    if sight.arrivals[1] is not None and sight.taken[1]:  # the viewer knows a dismissal, if there was one (K2)
        yield DismissedCardStatement(sight.dismissed)


def _is_impossible(statement: Statement) -> bool:
    """Return True if a statement implies that the King kept more diamonds than the rules allow."""
    if not isinstance(statement, BoxContentsStatement) or statement.at != 1 or statement.diamonds is None:
        return False
    return statement.diamonds < DIAMONDS - MAX_HIDDEN_DIAMONDS


@lru_cache(MAX_CACHED_PAIRS)
def contradict(one: Statement, other: Statement, cards: tuple[str, ...]) -> bool:
    """Return whether two statements cannot both be true, given the character cards used in this match."""
    if isinstance(one, DismissedCardStatement) or isinstance(other, DismissedCardStatement):
        return (
            isinstance(one, DismissedCardStatement)
            and isinstance(other, DismissedCardStatement)
            and one.card != other.card
        )
    if isinstance(one, BoxContentsStatement):
        if isinstance(other, BoxContentsStatement):
            early, late = (one, other) if one.at <= other.at else (other, one)
            return _exceed(late, early) or (early.at == late.at and _exceed(early, late))
        one, other = other, one
    if isinstance(other, BoxContentsStatement):
        return _exceed_stock(one, other, cards) if one.seat < other.at else _exceed(one, other)
    return _exceed_stock(one, other, cards) if one.seat != other.seat else _differ(one, other)


def _differ(one: PocketStatement, other: PocketStatement) -> bool:
    """Return whether two statements about one seat contradict each other."""
    if isinstance(one, StolenItemsStatement) and isinstance(other, StolenItemsStatement):
        return one.take != other.take
    return _role_of(one) != _role_of(other)


def _role_of(statement: PocketStatement) -> str:
    return statement.role if isinstance(statement, RoleStatement) else role_of_take(statement.take)


def _exceed(late: ThingsStatement, early: ThingsStatement) -> bool:
    """Return True if `late` states more diamonds or cards than `early`, which is impossible."""
    # Nothing is ever put into the box. `late` may be about the same player, and about things taken from the box.
    return any(
        after is not None and before is not None and bool(after - before)
        for after, before in zip(_count_things(late), _count_things(early), strict=True)
    )


def _exceed_stock(one: ThingsStatement, other: ThingsStatement, cards: tuple[str, ...]) -> bool:
    """Return whether two statements together name more things than the match contains."""
    stock = Counter(diamond=DIAMONDS), Counter(cards), Counter(fake=1)
    return any(
        bool((first or Counter()) + (second or Counter()) - most)
        for first, second, most in zip(_count_things(one), _count_things(other), stock, strict=True)
    )


@lru_cache(MAX_CACHED_PAIRS)
def _count_things(statement: ThingsStatement) -> tuple[Counter[str] | None, ...]:
    """Count the diamonds, the cards of each kind, and the fake diamonds in a statement."""
    # A part that is not stated is None.
    match statement:
        case RoleStatement():
            return None, Counter([statement.role] if statement.role in CARDS else []), None
        case StolenItemsStatement():
            take = statement.take
            return (
                Counter(diamond=take.diamonds),
                Counter([take.card] if take.card else []),
                Counter(fake=int(take.fake)),
            )
    return (
        None if statement.diamonds is None else Counter(diamond=statement.diamonds),
        None if statement.cards is None else Counter(statement.cards),
        None if statement.fake is None else Counter(fake=int(statement.fake)),
    )


def role_of_take(take: ItemsTakenFromBox) -> str:
    """Return the role of a player who took these things from the box."""
    return take.card or (THIEF if take.diamonds else URCHIN)
