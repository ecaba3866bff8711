"""A person's matches by hand: starting one, and listing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from bots.outside import PERSON, bot_by_hand, list_hands
from foundation.seeds import new_seed
from ftk_core.entries import Clock
from ftk_core.games import game, shelf
from ftk_core.rng import Chance, seed_of
from replays.friendlies import ENDED, order_seated
from replays.models import Match, MatchSeat
from replays.services import Order

CLOCK = Clock(move_ms=1000, bank_ms=10_000)
"""Clock of the bots."""
LATEST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A match by hand in its person's list."""

    id: str
    game_title: str
    seat: int
    status: str
    opponents: list[str]
    created_at: datetime
    place: int | None
    """None while it goes on."""


@transaction.atomic
def sit_down(
    person: User,
    game_name: str,
    opponents: Sequence[Any],
    seat: int | None,
    *,
    options: str = "",
    hand_ms: int | None = None,
) -> str:
    """Order a friendly match of a person at a seat, or a random one, against bots in seat order; return its id.

    Raises NotOrdered if too many of theirs are open, ValueError for an impossible table, and UnknownGame.
    """
    game(game_name)
    own, seed = bot_by_hand(person, game_name), new_seed()
    if seat is None:
        seat = Chance(seed_of("sitting", seed.hex())).at("seat").below(len(opponents) + 1)
    versions = [*opponents[:seat], own, *opponents[seat:]]
    order = Order(game=game_name, versions=versions, seed=seed, clock=CLOCK, options=options, hand_ms=hand_ms)
    return str(order_seated(person, order).pk)


def list_sittings(person: User) -> list[Sitting]:
    """Return a person's latest matches by hand, open ones first."""
    hands = MatchSeat.objects.filter(bot__in=list_hands(person, shelf()))
    rows = hands.select_related("match").prefetch_related("match__seats__version__bot")
    going = rows.filter(closed_at=None).exclude(match__status__in=ENDED).order_by("-match__created_at")
    over = rows.filter(closed_at__isnull=False, match__status__in=ENDED).order_by("-closed_at")
    return [_sitting(row) for row in (*going[:LATEST], *over[:LATEST])]


def _sitting(row: MatchSeat) -> Sitting:
    return Sitting(
        id=row.match.pk,
        game_title=game(row.match.game).title,
        seat=row.seat,
        status=row.match.status,
        opponents=[other.version.label for other in row.match.seats.all() if other.seat != row.seat],
        created_at=row.match.created_at,
        place=row.place,
    )


def find_own_seat(match_id: str, user_id: int | None) -> int | None:
    """Return the seat that a person plays by hand in an open match; None without one."""
    if user_id is None:
        return None
    own = MatchSeat.objects.filter(match=match_id, bot__owner=user_id, bot__kind=PERSON)
    return own.exclude(match__status__in=ENDED).values_list("seat", flat=True).first()


def is_first(person_id: int | None, match_id: str) -> bool:
    """Return True if a person has not finished a match of this match's game by hand."""
    name = Match.objects.values_list("game", flat=True).get(pk=match_id)
    own = MatchSeat.objects.filter(bot__owner=person_id, bot__kind=PERSON, match__game=name)
    return not own.filter(match__status=Match.Status.CLOSED).exists()
