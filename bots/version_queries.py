"""What is asked of many bots and versions at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db import connection

from bots.models import Bot, BotVersion


@dataclass(frozen=True, slots=True)
class VersionOf:
    """Which version of which bot a key stands for."""

    id: int
    bot_id: int
    number: int


def find_bot_ids(slugs: Collection[str]) -> dict[str, int]:
    """Return the keys of these bots by their names; raises Bot.DoesNotExist if one is none."""
    with connection.cursor() as cursor:  # one parameter, not one for each name: so many take long to be put in
        cursor.execute("SELECT slug, id FROM bots_bot WHERE slug = ANY(%s)", [list(slugs)])
        found: dict[str, int] = dict(cursor.fetchall())
    if missing := set(slugs) - found.keys():
        raise Bot.DoesNotExist(f"there is no bot {min(missing)}")
    return found


def list_versions(version_ids: Collection[int]) -> list[VersionOf]:
    """Return what these keys stand for, by the names of the bots, then by number."""
    rows = BotVersion.objects.filter(pk__in=version_ids).order_by("bot__slug", "number")
    return [VersionOf(*row) for row in rows.values_list("pk", "bot_id", "number")]
