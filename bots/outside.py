"""Bots that run outside the arena: a program on their author's machine, or the author by hand.

They have versions like all bots, so that leagues, ladders and pages need no special case; their package is empty.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext

from bots.banning import why_banned
from bots.models import Bot, BotVersion, Package
from bots.teams import bots_of, is_author
from ftk_core.games import UnknownGame, game
from ftk_core.kit.names import BOT_NAME_RULE, LONGEST_BOT_NAME, is_bot_name

UPLOADED, REMOTE, PERSON = Bot.Kind.UPLOADED, Bot.Kind.REMOTE, Bot.Kind.PERSON
BY_HAND = "by-hand"


class NotOutside(Exception):
    """Raised for a bot that cannot be played from outside; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def is_outside(bot: Bot) -> bool:
    """Return True if a bot runs outside the arena."""
    return bot.kind != UPLOADED


@transaction.atomic
def register(owner: User, game_name: str, slug: str) -> BotVersion:
    """Return the newest version of an author's remote bot, and create the bot if it is new; raises NotOutside."""
    try:
        game(game_name)
    except UnknownGame as error:
        raise NotOutside("wrong_game", str(error)) from error
    if not is_bot_name(slug):
        raise NotOutside(
            "bad_name", gettext("%(slug)r: %(rule)s") % {"slug": slug[:60], "rule": gettext(BOT_NAME_RULE)}
        )
    Bot.objects.get_or_create(slug=slug, defaults={"game": game_name, "owner": owner, "kind": REMOTE})
    bot = Bot.objects.select_for_update().get(slug=slug)
    if not is_author(owner.pk, slug):
        raise NotOutside(
            "taken", gettext("the name %(slug)r belongs to somebody else; choose another") % {"slug": slug}
        )
    if bot.kind != REMOTE:
        raise NotOutside(
            "not_remote",
            gettext("%(slug)s is %(kind)s; choose another name for a remote bot")
            % {"slug": slug, "kind": gettext(bot.get_kind_display())},
        )
    if why := why_banned(bot):
        raise NotOutside(
            "banned", gettext("%(slug)s is banned: %(why)s; ask the organisers") % {"slug": slug, "why": why}
        )
    if bot.game != game_name:
        raise NotOutside(
            "wrong_game",
            gettext("%(slug)r plays %(game)s, not %(other)s; choose another name")
            % {"slug": slug, "game": bot.game, "other": game_name},
        )
    return _version_of(bot)


def find_remote(author: User, slug: str) -> int:
    """Return the primary key of a remote bot that an author may play; raises NotOutside."""
    bot = bots_of(author.pk).filter(slug=slug[:LONGEST_BOT_NAME], kind=REMOTE).select_related("owner").first()
    if bot is None:
        raise NotOutside("no_bot", gettext("you have no remote bot %(slug)r") % {"slug": slug[:60]})
    if why := why_banned(bot):
        raise NotOutside(
            "banned", gettext("%(bot)s is banned: %(why)s; ask the organisers") % {"bot": bot.slug, "why": why}
        )
    return bot.pk


@transaction.atomic
def bot_by_hand(person: User, game_name: str) -> BotVersion:
    """Return the bot that represents a person who plays a game by hand; raises UnknownGame.

    It is created at the person's first match.
    """
    game(game_name)
    User.objects.select_for_update().get(pk=person.pk)  # lock, so that concurrent requests create only one
    bot = Bot.objects.filter(owner=person, game=game_name, kind=PERSON).first()
    bot = bot or Bot.objects.create(owner=person, game=game_name, kind=PERSON, slug=_free_name(person))
    return _version_of(bot)


def list_hands(person: User, games: Collection[str]) -> list[int]:
    """Return the primary keys of the bots that represent a person who plays these games by hand."""
    return list(Bot.objects.filter(owner=person, kind=PERSON, game__in=games).values_list("pk", flat=True))


def _free_name(person: User) -> str:
    """Return an unused bot name for a person: ``ada-by-hand``, with a number if it is taken."""
    begin = slugify(person.get_username()).replace("_", "-").strip("-")[: LONGEST_BOT_NAME - len(BY_HAND) - 6]
    name = f"{begin}-{BY_HAND}" if begin else BY_HAND
    taken = set(Bot.objects.filter(slug__startswith=name).values_list("slug", flat=True))
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return next(free for free in (name, *numbered) if free not in taken)


def _version_of(bot: Bot) -> BotVersion:
    """Return a bot's newest version; the first one is active immediately, because nothing can be tried."""
    newest = bot.versions.order_by("-number").first()
    if newest is not None:
        return newest
    empty = {"command": [bot.get_kind_display()], "size": 0}
    package, _ = Package.objects.get_or_create(
        digest=sha256(f"{bot.kind}, nothing".encode()).hexdigest(), defaults=empty
    )
    return BotVersion.objects.create(bot=bot, number=1, package=package, status=BotVersion.Status.ACTIVE)
