"""Bots that run outside the server, and bots that represent people who play in the browser."""
# They have versions without files, so that leagues, rankings and pages need no special case.

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.dispatch import Signal
from django.utils.text import slugify
from django.utils.translation import gettext

from bots.access.teams import bots_of, find_quota_owner, is_author, list_members
from bots.author_quotas import quota_of
from bots.bot_bans import describe_ban
from bots.models import Bot, BotPackage, BotVersion
from bots.upload_checks import check_daily_uploads
from ftk_core.games import UnknownGameError, game
from ftk_core.kit.uploads.bot_names import BOT_NAME_RULE, MAX_BOT_NAME_CHARACTERS, is_bot_name
from people.staff_audit_trail import rename_bot_in_acts

UPLOADED, REMOTE, PERSON = Bot.Kind.UPLOADED, Bot.Kind.REMOTE, Bot.Kind.PERSON
BY_HAND = "by-hand"
MAX_MODEL_CHARACTERS = 60
bot_renamed = Signal()
"""Signal sent when the bot `slug` has got the name `new_slug`, in the same transaction."""
PROMPT_HASH = r"[0-9a-f]{8,64}"


@dataclass(frozen=True, slots=True)
class DeclaredLlm:
    """Language model that plays as a bot, as declared by the bot's author."""

    # The server cannot check it. `BotPackage.command` stores ["remote", model, prompt hash]; the last two are missing
    # if nothing is declared. Functions of this module call a declaration `label`.

    model: str = ""
    prompt_hash: str = ""

    @classmethod
    def from_command(cls, command: Sequence[str] | None) -> Self:
        """Return the language model declared in `BotPackage.command`, with empty fields if none is declared."""
        return cls(*command[1:3]) if command and command[0] == REMOTE.label else cls()


class RemoteBotUnavailable(Exception):
    """Raised if a bot cannot be registered or played as a remote bot; `code` is an error code for API clients."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def select_command(bot: str, number: str) -> Subquery:
    """Return a subquery for the command of a bot version, a list such as ``["python", "main.py"]``.

    `bot` and `number` are names of the outer query's columns with the bot's primary key and the version's number. If
    the number is null, the newest version is selected.
    """
    # A remote bot declares its language model in the command: see `DeclaredLlm.from_command`.
    wanted = Coalesce(OuterRef(number), F("versions__number"))
    packages = BotPackage.objects.filter(versions__bot=OuterRef(bot), versions__number=wanted)
    return Subquery(packages.order_by("-versions__number").values("command")[:1])


def runs_outside_server(bot: Bot) -> bool:
    """Return True if a bot has no program on this server."""
    return bot.kind != UPLOADED


@transaction.atomic
def register_remote_bot(owner: User, game_name: str, slug: str, label: DeclaredLlm | None = None) -> BotVersion:
    """Return the newest version of a remote bot; create the bot if it is new.

    Raises RemoteBotUnavailable if the game or the name is invalid, the name belongs to another kind of bot or to
    another author, the bot plays another game, or the bot is banned. Raises UploadQuotaExceeded if its owner has
    created too many versions within 24 hours.
    """
    # A changed language model (`label`) creates a new version, so that no model gets the rating of another.
    try:
        game(game_name)
    except UnknownGameError as error:
        raise RemoteBotUnavailable("wrong_game", str(error)) from error
    if not is_bot_name(slug):
        raise RemoteBotUnavailable(
            "bad_name", gettext("%(slug)r: %(rule)s") % {"slug": slug[:60], "rule": gettext(BOT_NAME_RULE)}
        )
    # Lock, so that concurrent registrations are counted; before the bot, as an upload does.
    User.objects.select_for_update().get(pk=find_quota_owner(slug, owner).pk)
    Bot.objects.get_or_create(slug=slug, defaults={"game": game_name, "owner": owner, "kind": REMOTE})
    bot = Bot.objects.select_for_update().get(slug=slug)
    if not is_author(owner.pk, slug):
        raise RemoteBotUnavailable(
            "taken", gettext("the name %(slug)r belongs to somebody else; choose another") % {"slug": slug}
        )
    if bot.kind != REMOTE:
        raise RemoteBotUnavailable(
            "not_remote",
            gettext("%(slug)s is %(kind)s; choose another name for a remote bot")
            % {"slug": slug, "kind": gettext(bot.get_kind_display())},
        )
    if refusal := describe_ban(bot):
        raise RemoteBotUnavailable("banned", refusal)
    if bot.game != game_name:
        raise RemoteBotUnavailable(
            "wrong_game",
            gettext("%(slug)r plays %(game)s, not %(other)s; choose another name")
            % {"slug": slug, "game": bot.game, "other": game_name},
        )
    return _get_version(bot, label, check_quota=True)


def find_remote(author: User, slug: str) -> int:
    """Return the id of an author's remote bot.

    Raises RemoteBotUnavailable if it does not exist or is banned.
    """
    bots = bots_of(author.pk).filter(slug=slug, kind=REMOTE).select_related("owner")
    bot = bots.first() if is_bot_name(slug) else None  # PostgreSQL refuses other text, such as NUL
    if bot is None:
        raise RemoteBotUnavailable("no_bot", _describe_missing(slug))
    if refusal := describe_ban(bot):
        raise RemoteBotUnavailable("banned", refusal)
    return bot.pk


def find_play_refusals(players: Mapping[int, int]) -> dict[int, str]:
    """Map each remote bot that must stop playing to the reason.

    `players` maps each bot to the user whose program plays as the bot. A bot must stop if it is banned, or if this user
    has left the bot's team.
    """
    bots, members = Bot.objects.filter(pk__in=players).select_related("owner__ban"), list_members(players)
    refusals = {
        bot.pk: describe_ban(bot) if players[bot.pk] in members[bot.pk] else _describe_missing(bot.slug) for bot in bots
    }
    return {bot: refusal for bot, refusal in refusals.items() if refusal}


def _describe_missing(slug: str) -> str:
    return gettext("you have no remote bot %(slug)r") % {"slug": slug[:60]}


@transaction.atomic
def get_bot_by_hand(person: User, game_name: str) -> BotVersion:
    """Return the bot version that represents a person who plays a game in the browser. Raises UnknownGameError."""
    game(game_name)
    User.objects.select_for_update().get(pk=person.pk)  # lock, so that concurrent requests create only one bot
    bot = Bot.objects.filter(owner=person, game=game_name, kind=PERSON).first()
    bot = bot or Bot.objects.create(owner=person, game=game_name, kind=PERSON, slug=_free_name(person))
    return _get_version(bot)


def list_bots_by_hand(person: User, games: Collection[str]) -> list[int]:
    """Return the ids of the bots that represent a person in these games."""
    return list(Bot.objects.filter(owner=person, kind=PERSON, game__in=games).values_list("pk", flat=True))


def rename_bots_by_hand(owner: User, tombstone: User) -> None:
    """Remove an erased person's name from the bots that represent this person."""
    # Match logs keep the old names, because logs never change. The new names contain the name of `tombstone`, the
    # account that stands for all erased accounts; the caller's transaction must hold a lock on it.
    for bot in Bot.objects.filter(owner=owner, kind=PERSON).order_by("-slug"):
        slug, bot.slug = bot.slug, _free_name(tombstone)
        bot.save(update_fields=("slug",))
        rename_bot_in_acts(owner, slug, bot.slug)
        bot_renamed.send(sender=Bot, slug=slug, new_slug=bot.slug)


def _free_name(person: User) -> str:
    """Return an unused bot name for a person, such as ``ada-by-hand-2``."""
    prefix = slugify(person.get_username()).replace("_", "-").strip("-")[: MAX_BOT_NAME_CHARACTERS - len(BY_HAND) - 6]
    name = f"{prefix}-{BY_HAND}" if prefix else BY_HAND
    taken = set(Bot.objects.filter(slug__startswith=name).values_list("slug", flat=True))
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(free for free in (name, *numbered) if free not in taken)


def _get_version(bot: Bot, label: DeclaredLlm | None = None, *, check_quota: bool = False) -> BotVersion:
    """Return a bot's newest version; create one if needed."""
    # Another declared language model needs a new version; `label=None` accepts any. A new version is active at once,
    # because there is no program to test.
    newest = bot.versions.order_by("-number").select_related("package").first()
    if newest is not None and label in (None, DeclaredLlm.from_command(newest.package.command)):
        return newest
    if check_quota:
        check_daily_uploads(bot.owner, quota_of(bot.owner).uploads)
    declared = [label.model, label.prompt_hash] if label and label != DeclaredLlm() else []
    content = ", ".join([bot.kind, *declared] if declared else [bot.kind, "nothing"])
    package, _ = BotPackage.objects.get_or_create(
        digest=sha256(content.encode()).hexdigest(),
        defaults={"command": [bot.get_kind_display(), *declared], "size": 0},
    )
    number = newest.number + 1 if newest else 1
    return BotVersion.objects.create(bot=bot, number=number, package=package, status=BotVersion.Status.ACTIVE)
