"""Friendly matches in which the author has an outside seat: a remote bot, or the author by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext

from bots.models import BotVersion
from bots.outside import PERSON, bot_by_hand, is_outside
from bots.queries import find_newest_active
from bots.quotas import quota_of
from bots.teams import is_author
from foundation.seeds import new_seed
from ftk_core.entries import Clock
from ftk_core.games import UnknownGame
from replays.models import Match, MatchSeat
from replays.services import Order, order_matches

ENDED = (Match.Status.CLOSED, Match.Status.VOID)
DAY = timedelta(days=1)


class NotOrdered(Exception):
    """Raised for a refused order; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Friendly:
    """Order of a friendly match."""

    game: str
    bots: Sequence[str]
    """By seat; an empty name is the person, by hand."""
    clock: Clock
    hand_ms: int | None = None
    """Time of the person for each choice; None is unlimited."""
    options: str = ""


def order_friendly(person: User, wanted: Friendly) -> Match:
    """Order a friendly match between bots by name; raises NotOrdered."""
    try:
        versions = [_version(person, wanted.game, name) for name in wanted.bots]
        order = Order(
            game=wanted.game,
            versions=versions,
            seed=new_seed(),
            clock=wanted.clock,
            options=wanted.options,
            hand_ms=wanted.hand_ms,
        )
        return order_seated(person, order)
    except (UnknownGame, BotVersion.DoesNotExist, ValueError) as error:
        raise NotOrdered("not_playable", str(error)) from error


def left_of(person: User) -> int:
    """Return how many matches a person may still order within 24 hours; challenges count as well."""
    asked = Match.objects.filter(asked_by=person, created_at__gt=timezone.now() - DAY).count()
    return max(0, quota_of(person).challenges - asked)


@transaction.atomic
def order_seated(person: User, order: Order) -> Match:
    """Order a friendly match in which the author has a seat.

    Raises NotOrdered if no seat is the author's, a bot takes no challenges, or the limit of open or daily matches is
    reached; ValueError for an impossible table.
    """
    own = [version.bot for version in order.versions if version.bot.owner_id == person.pk and is_outside(version.bot)]
    if not own:
        raise NotOrdered(
            "not_yours", gettext("one seat has to be yours: a remote bot, or an empty name for you, by hand")
        )
    _check_challenged(person, order.versions)
    User.objects.select_for_update().get(pk=person.pk)  # the second of two concurrent orders sees the first
    _check_room(person, by_hand=any(bot.kind == PERSON for bot in own))
    return order_matches([replace(order, asked_by=person)])[0]


def _check_challenged(person: User, versions: Sequence[BotVersion]) -> None:
    """Raise NotOrdered for a bot of others that takes no challenges."""
    for version in versions:
        if not version.bot.challenged and not is_author(person.pk, version.bot.slug):
            raise NotOrdered(
                "not_challenged",
                gettext("%(bot)s takes no challenges; its authors have said so") % {"bot": version.bot.slug},
            )


def _check_room(person: User, *, by_hand: bool) -> None:
    if not left_of(person):
        raise NotOrdered(
            "quota",
            gettext("you may ask for %(most)s matches within 24 hours, and %(left)s are left; ask for fewer, or later")
            % {"most": quota_of(person).challenges, "left": 0},
        )
    going = Match.objects.filter(asked_by=person, outside=True).exclude(status__in=ENDED)
    hands = MatchSeat.objects.filter(match=OuterRef("pk"), version__bot__owner=person, version__bot__kind=PERSON)
    kind, most = (gettext("by hand"), "by_hand_each") if by_hand else (gettext("with a remote bot"), "friendlies_each")
    if going.filter(Exists(hands) if by_hand else ~Exists(hands)).count() >= settings.SEATS[most]:
        raise NotOrdered(
            "too_many",
            gettext("%(seats)s matches %(kind)s of yours go on, and no more may; play one of them to its end")
            % {"seats": settings.SEATS[most], "kind": kind},
        )


def _version(person: User, game_name: str, name: str) -> BotVersion:
    """Return the version for a seat; raises NotOrdered, UnknownGame, BotVersion.DoesNotExist."""
    version = find_newest_active(name) if name else bot_by_hand(person, game_name)
    if version.bot.game != game_name:
        raise NotOrdered(
            "wrong_game",
            gettext("%(name)s plays %(game)s, not %(other)s")
            % {"name": name, "game": version.bot.game, "other": game_name},
        )
    if version.bot.kind == PERSON and version.bot.owner_id != person.pk:
        raise NotOrdered(
            "not_yours", gettext("%(name)s is another person, whom nobody seats but themselves") % {"name": name}
        )
    return version
