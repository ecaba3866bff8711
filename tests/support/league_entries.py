"""A league that accepts entries, and bots to enter."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from bots.models import BotPackage, BotVersion
from tests.support.factories import AuthorFactory, create_active_version, create_package
from tournaments.leagues import services
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.models import League


def open_league(**terms: Any) -> League:
    """Return a league of Pig that accepts entries, announced by the account `by` if there is one."""
    said = {"slug": "night", "name": "Night", "game": "pig", "seats": 2, "rounds": 2, **terms}
    return services.open_league(LeagueSettings(**said), User.objects.filter(username=terms.get("by")).first())


def create_own_version(slug: str = "ada", owner: User | None = None) -> BotVersion:
    """Return the first version of a bot, by default of an author with the bot's name."""
    return create_active_version(slug=slug, owner=owner or AuthorFactory.create(username=f"of-{slug}"))


def add_node_version(version: BotVersion) -> BotVersion:
    """Return the next active version of a bot, written in JavaScript."""
    package = BotPackage.objects.create(digest="0" * 64, command=["node", "bot.js"], size=1)
    return BotVersion.objects.create(
        bot=version.bot, number=version.number + 1, package=package, status=BotVersion.Status.ACTIVE
    )


def add_newer_version(version: BotVersion) -> BotVersion:
    """Return another active version of the same bot."""
    source = f"# {version.number + 1}\nfrom ftk_core.kit.bot import run\nrun(lambda ask: 0)\n"
    return BotVersion.objects.create(
        bot=version.bot, number=version.number + 1, package=create_package(source), status=BotVersion.Status.ACTIVE
    )


def submit_act_form(client: Client, verb: str, **fields: str) -> str:
    """Request the effects of an act on a league's console and confirm them; return the text of the resulting page."""
    form = {"act": verb, **fields}
    shown = client.post("/leagues/night/desk/", form).content.decode()
    digest = re.search('name="confirm" value="([0-9a-f]+)"', shown)
    answer = client.post("/leagues/night/desk/", form | {"confirm": digest[1] if digest else ""}, follow=True)
    return str(answer.content.decode())
