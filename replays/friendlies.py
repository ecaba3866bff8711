"""Friendly matches in which their author has an outside seat: a remote bot of theirs, or they themselves by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from bots.models import BotVersion
from bots.outside import PERSON, bot_by_hand, is_outside
from bots.queries import find_newest_active
from foundation.seeds import new_seed
from ftk_core.entries import Clock
from ftk_core.games import UnknownGame
from replays.models import Match
from replays.services import Order, order_matches


class NotOrdered(Exception):
    """Raised for a match that is not played; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Friendly:
    """A match that somebody wants."""

    game: str
    bots: Sequence[str]
    """By seat; an empty name is the person themselves, by hand."""
    clock: Clock
    hand_ms: int | None = None
    """How long the person has for each choice; None is as long as they like."""
    options: str = ""


@transaction.atomic
def order_friendly(person: User, wanted: Friendly) -> Match:
    """Let a friendly match be played; raises NotOrdered."""
    User.objects.select_for_update().get(pk=person.pk)  # of two at once the second counts the first
    most = settings.SEATS["friendlies_each"]
    ended = (Match.Status.CLOSED, Match.Status.VOID)
    if Match.objects.filter(asked_by=person, outside=True).exclude(status__in=ended).count() >= most:
        raise NotOrdered("too_many", f"{most} matches of yours are not over; end some of them first")
    try:
        versions = [_version(person, wanted.game, name) for name in wanted.bots]
        if not any(is_outside(version.bot) and version.bot.owner_id == person.pk for version in versions):
            raise NotOrdered("not_yours", "one seat has to be yours: a remote bot, or an empty name for you, by hand")
        order = Order(
            game=wanted.game,
            versions=versions,
            seed=new_seed(),
            clock=wanted.clock,
            options=wanted.options,
            hand_ms=wanted.hand_ms,
            asked_by=person,
        )
        return order_matches([order])[0]
    except (UnknownGame, BotVersion.DoesNotExist, ValueError) as error:
        raise NotOrdered("not_playable", str(error)) from error


def _version(person: User, game_name: str, name: str) -> BotVersion:
    """Return who takes a seat; raises NotOrdered, UnknownGame, BotVersion.DoesNotExist."""
    version = find_newest_active(name) if name else bot_by_hand(person, game_name)
    if version.bot.game != game_name:
        raise NotOrdered("wrong_game", f"{name} plays {version.bot.game}, not {game_name}")
    if version.bot.kind == PERSON and version.bot.owner_id != person.pk:
        raise NotOrdered("not_yours", f"{name} is another person, whom nobody seats but themselves")
    return version
