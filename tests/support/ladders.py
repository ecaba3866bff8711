"""Matches that are rated without being played: who sat where, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from django.db import transaction

from bots.models import BotVersion
from tests.support.factories import active_version, waiting_match
from tournaments import ladder

NAMES = ("ada", "bo", "cy", "dot", "eve", "fay")
Results = list[tuple[Sequence[BotVersion], tuple[int, ...]]]


def bot(slug: str, game: str = "pig") -> BotVersion:
    return active_version("print()", slug=slug, game=game)


def later(version: BotVersion) -> BotVersion:
    """Return the next version of the same bot."""
    row = version.bot
    return BotVersion.objects.create(bot=row, number=version.number + 1, package=version.package, status="active")


def matches(results: Results) -> list[ladder.Played]:
    """Return these results as matches whose seats are stored."""
    return [
        (waiting_match(list(seats), f"{number}").pk, tuple(version.bot.slug for version in seats), places)
        for number, (seats, places) in enumerate(results)
    ]


def rate(results: Results, season: str = "2026", game: str = "pig") -> list[ladder.Played]:
    played = matches(results)
    with transaction.atomic():
        ladder.rate(game, season, played)
    return played


def some(count: int, bots: Sequence[BotVersion], seats: int = 3) -> Results:
    """Return results at tables of that size, the earlier bots being the stronger ones."""
    luck = Random(count)
    found: Results = []
    for _ in range(count):
        table = luck.sample(bots, seats)
        order = sorted(table, key=lambda version: bots.index(version) + luck.gauss(0, 3))
        found.append((table, tuple(1 + order.index(version) for version in table)))
    return found
