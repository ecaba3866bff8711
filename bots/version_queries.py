"""What is asked of many versions at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bots.models import BotVersion


@dataclass(frozen=True, slots=True)
class VersionOf:
    """Which version of which bot a key stands for."""

    id: int
    bot_id: int
    number: int


def list_versions(version_ids: Collection[int]) -> list[VersionOf]:
    """Return what these keys stand for, by the names of the bots, then by number."""
    rows = BotVersion.objects.filter(pk__in=version_ids).order_by("bot__slug", "number")
    return [VersionOf(*row) for row in rows.values_list("pk", "bot_id", "number")]
