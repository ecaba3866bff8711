"""Bots against which a person can play in the browser."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext

from bots.models import Bot, BotVersion
from bots.queries import find_newest_active
from bots.remote_bots import UPLOADED
from bots.services import accept_upload
from bots.worker_sandbox_report_queries import count_engine_workers
from ftk_core.kit.built_in_bots import UNSTEADY_BOTS, list_built_in_bots, list_search_bots
from ftk_core.kit.uploads.upload_error_hints import InvalidUploadError
from ftk_core.kit.uploads.upload_validation import read_upload
from people.built_in_bot_owner import BUILT_IN_OWNER_NAME, get_built_in_owner

MAX_LISTED_BOTS = 500


class OpponentUnavailable(Exception):
    """Raised for a bot that cannot be chosen as an opponent; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class BotOpponentChoices:
    """Opponents that a person can choose from for a match of one game."""

    house: list[str]
    """Names of built-in bots, except those that fail on purpose.

    Bots that compute moves ahead (search bots) are included if a worker can run them.
    """
    bots: list[str]
    """Names of uploaded bots that have an active version, and whose authors allow matches against the bot."""


def list_opponents(game: str) -> BotOpponentChoices:
    """Return the opponents that a person can choose for a match of a game."""
    built_in = [name for name in list_built_in_bots(game) if name not in UNSTEADY_BOTS]
    if count_engine_workers()[0]:
        built_in += list_search_bots(game)
    bots = Bot.objects.filter(game=game, kind=UPLOADED, challenged=True, versions__status=BotVersion.Status.ACTIVE)
    names = bots.exclude(owner__username=BUILT_IN_OWNER_NAME).order_by("slug").values_list("slug", flat=True).distinct()
    return BotOpponentChoices(built_in, list(names[:MAX_LISTED_BOTS]))


def find_bot_opponent(game: str, slug: str) -> BotVersion:
    """Return the newest active version of an uploaded bot.

    Raises OpponentUnavailable if the bot has no active version, plays another game, or does not run on this server.
    """
    try:
        version = find_newest_active(slug)
    except BotVersion.DoesNotExist as error:
        raise OpponentUnavailable(str(error)) from error
    if version.bot.game != game:
        raise OpponentUnavailable(
            gettext("%(slug)s plays %(game)s, not %(other)s") % {"slug": slug, "game": version.bot.game, "other": game}
        )
    if version.bot.kind != UPLOADED:
        raise OpponentUnavailable(gettext("%(slug)s does not run here; choose one that does") % {"slug": slug})
    return version


@transaction.atomic
def get_built_in_opponent(game: str, name: str) -> BotVersion:
    """Return an active version of a built-in bot; store one if needed.

    Raises OpponentUnavailable if the bot does not exist, or if no worker can run it.
    """
    # It needs no trial match, because the bot is part of the game.
    built_in = list_built_in_bots(game) | list_search_bots(game)
    path = built_in.get(name)
    if path is None:
        raise OpponentUnavailable(
            gettext("there is no built-in bot %(name)r; choose one of %(game)s")
            % {"name": name, "game": ", ".join(built_in)}
        )
    owner = get_built_in_owner()
    body = path.read_bytes()
    digest = read_upload(path.name, body).digest
    stored_versions = BotVersion.objects.filter(
        bot__owner=owner, bot__game=game, package__digest=digest, bot__banned=""
    )
    active = stored_versions.filter(status=BotVersion.Status.ACTIVE).select_related("bot").order_by("bot__slug").first()
    if active is not None:
        return active
    slug = f"house-{game.replace('_', '-')}-{name}"
    try:
        version = accept_upload(owner, game, slug, path.name, body, built_in=True)
    except InvalidUploadError as error:
        if error.code != "wrong_language":
            raise OpponentUnavailable(str(error)) from error
        raise OpponentUnavailable(
            gettext("no worker of this arena runs %(bot)s at present; choose another bot, or ask the organiser")
            % {"bot": name}
        ) from error
    BotVersion.objects.filter(pk=version.pk, status=BotVersion.Status.TRIAL).update(status=BotVersion.Status.ACTIVE)
    return version
