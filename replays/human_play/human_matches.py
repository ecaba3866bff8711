"""Matches that a person plays by hand: ordering them in the browser, and listing them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from bots.remote_bots import PERSON, get_bot_by_hand, list_bots_by_hand
from foundation import time_control_fields
from foundation.random_seeds import new_seed
from ftk_core.games import game, list_games
from ftk_core.log_entries import TimeControl
from ftk_core.random_streams import MatchRandomness, seed_of
from replays.human_play.friendly_matches import (
    ENDED_STATUSES,
    FriendlyMatchRequest,
    MatchRequestRefusedError,
    order_friendly,
    order_own_match,
)
from replays.match_access import find_played_seat
from replays.models import Match, MatchSeat
from replays.services import MatchRequest

CLOCK = TimeControl()
"""Time limits of the bots in a match against a person."""
MAX_LISTED = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMatch:
    """A match in which a person plays by hand, as shown in the list of this person."""

    id: str
    game: str
    seat: int
    status: str
    opponents: list[str]
    created_at: datetime
    place: int | None
    """Final place of the person, from 1; None while the match goes on, and if it ended without a result."""


@transaction.atomic
def order_hand_match(
    person: User,
    game_name: str,
    opponents: Sequence[Any],
    seat: int | None,
    *,
    options: str = "",
    hand_ms: int | None = None,
) -> str:
    """Order a match of a person against bots, and return its id. The default seat is random.

    Raises MatchRequestRefusedError, UnknownGameError, or ValueError for wrong seats or options.
    """
    game(game_name)
    own, seed = get_bot_by_hand(person, game_name), new_seed()
    if seat is None:
        seat = MatchRandomness(seed_of("sitting", seed.hex())).at("seat").below(len(opponents) + 1)
    versions = [*opponents[:seat], own, *opponents[seat:]]
    order = MatchRequest(game=game_name, versions=versions, seed=seed, clock=CLOCK, options=options, hand_ms=hand_ms)
    return str(order_own_match(person, order).pk)


def order_rematch(person: User, match_id: str) -> str:
    """Order another match like one that a person has played, and return its id.

    Raises Match.DoesNotExist if the person did not play the match by hand, and MatchRequestRefusedError if a rematch
    is not allowed.
    """
    seat = find_played_seat(match_id, person.pk)
    if seat is None:
        raise Match.DoesNotExist(gettext("you played no seat of match %(id)s by hand") % {"id": match_id})
    old = Match.objects.get(pk=match_id)
    if not old.ended:
        raise MatchRequestRefusedError(
            "not_over",
            gettext("match %(id)s still goes on; play it to its end, then ask for a rematch") % {"id": old.pk},
        )
    names = MatchSeat.objects.filter(match=old).order_by("seat").values_list("version__bot__slug", flat=True)
    order = FriendlyMatchRequest(
        game=old.game,
        bots=["" if number == seat else name for number, name in enumerate(names)],
        clock=time_control_fields.shorten_clock(old.clock, time_control_fields.FRIENDLY_MS),
        hand_ms=old.hand_ms,
        options=old.options,
    )
    return str(order_friendly(person, order).pk)


def list_hand_matches(person: User) -> list[HumanMatch]:
    """Return a person's latest matches by hand, unfinished ones first."""
    hands = MatchSeat.objects.filter(bot__in=list_bots_by_hand(person, list_games()))
    rows = hands.select_related("match").prefetch_related("match__seats__version__bot")
    going = rows.filter(closed_at=None).exclude(match__status__in=ENDED_STATUSES).order_by("-match__created_at")
    over = rows.filter(closed_at__isnull=False, match__status__in=ENDED_STATUSES).order_by("-closed_at")
    return [_hand_match(row) for row in (*going[:MAX_LISTED], *over[:MAX_LISTED])]


def _hand_match(row: MatchSeat) -> HumanMatch:
    return HumanMatch(
        id=row.match.pk,
        game=row.match.game,
        seat=row.seat,
        status=row.match.status,
        opponents=[other.version.label for other in row.match.seats.all() if other.seat != row.seat],
        created_at=row.match.created_at,
        place=row.place,
    )


def is_first_hand_match(person_id: int | None, match_id: str) -> bool:
    """Return True if a person has not finished a match of the same game by hand before."""
    name = Match.objects.values_list("game", flat=True).get(pk=match_id)
    own = MatchSeat.objects.filter(bot__owner=person_id, bot__kind=PERSON, match__game=name)
    return not own.filter(match__status=Match.Status.CLOSED).exists()
