"""Possible opponents of a person who plays by hand: built-in bots, and all active bots."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from bots.outside import UPLOADED
from bots.queries import find_newest_active
from bots.services import take_in
from ftk_core.kit.archive import read_upload
from ftk_core.kit.house import UNSTEADY, house_bots
from people.house import HOUSE, house

MOST_NAMED = 500


class NotThere(Exception):
    """Raised for an opponent that is not available; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Opponents:
    """The opponents that a person can choose from."""

    house: list[str]
    """Names of built-in bots that play without faults."""
    bots: list[str]
    """Names of other bots with an active version that accept challenges."""


def list_opponents(game: str) -> Opponents:
    """Return the possible opponents of a game."""
    ours = [name for name in house_bots(game) if name not in UNSTEADY]
    bots = Bot.objects.filter(game=game, kind=UPLOADED, challenged=True, versions__status=BotVersion.Status.ACTIVE)
    names = bots.exclude(owner__username=HOUSE).order_by("slug").values_list("slug", flat=True).distinct()
    return Opponents(ours, list(names[:MOST_NAMED]))


def bot_opponent(game: str, slug: str) -> BotVersion:
    """Return the newest active version of a bot; raises NotThere."""
    try:
        version = find_newest_active(slug)
    except BotVersion.DoesNotExist as error:
        raise NotThere(str(error)) from error
    if version.bot.game != game:
        raise NotThere(
            gettext("%(slug)s plays %(game)s, not %(other)s") % {"slug": slug, "game": version.bot.game, "other": game}
        )
    if version.bot.kind != UPLOADED:
        raise NotThere(gettext("%(slug)s does not run here; choose one that does") % {"slug": slug})
    return version


@transaction.atomic
def house_opponent(game: str, name: str) -> BotVersion:
    """Return the current version of a built-in bot, and store it first if it is new; raises NotThere.

    It needs no trial, because it is part of the game.
    """
    path = house_bots(game).get(name)
    if path is None:
        raise NotThere(
            gettext("there is no bot %(name)r of the house; there are %(game)s")
            % {"name": name, "game": ", ".join(house_bots(game))}
        )
    owner = house()
    body = path.read_bytes()
    digest = read_upload(path.name, body).digest
    own = BotVersion.objects.filter(bot__owner=owner, bot__game=game, package__digest=digest, bot__banned="")
    there = own.filter(status=BotVersion.Status.ACTIVE).select_related("bot").order_by("bot__slug").first()
    if there is not None:
        return there
    slug = f"house-{game.replace('_', '-')}-{name}"
    version = take_in(owner, game, slug, path.name, body, of_the_house=True)
    BotVersion.objects.filter(pk=version.pk, status=BotVersion.Status.TRIAL).update(status=BotVersion.Status.ACTIVE)
    return version
