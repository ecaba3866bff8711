"""A league that can be entered, and bots that may want to."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from bots.models import BotVersion, Package
from tests.support.factories import AuthorFactory, active_version, package_of
from tournaments import services
from tournaments.models import League
from tournaments.terms import Terms


def opened(**terms: Any) -> League:
    """Return a league of Pig."""
    said = {"slug": "night", "name": "Night", "game": "pig", "seats": 2, "rounds": 2, **terms}
    return services.open_league(Terms(**said))


def mine(slug: str = "ada", owner: User | None = None) -> BotVersion:
    """Return the first version of a bot, by default of an author called after it."""
    return active_version(slug=slug, owner=owner or AuthorFactory.create(username=f"of-{slug}"))


def in_node(version: BotVersion) -> BotVersion:
    """Return the next active version of a bot, which is written in JavaScript."""
    package = Package.objects.create(digest="0" * 64, command=["node", "bot.js"], size=1)
    return BotVersion.objects.create(
        bot=version.bot, number=version.number + 1, package=package, status=BotVersion.Status.ACTIVE
    )


def newer(version: BotVersion) -> BotVersion:
    """Return another active version of the same bot."""
    source = f"# {version.number + 1}\nfrom ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
    return BotVersion.objects.create(
        bot=version.bot, number=version.number + 1, package=package_of(source), status=BotVersion.Status.ACTIVE
    )
