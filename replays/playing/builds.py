"""Which matches this software may go on with: none that was begun by rules or by a build that it does not have."""

from __future__ import annotations

from django.db.models import Q

from ftk_core.games import build_of, shelf, versions
from replays.models import Match

GOING = (Match.Status.WAITING, Match.Status.PLAYING, Match.Status.ADJOURNED)


def can_play() -> Q:
    """Select matches that are not begun, that this very build began, or earlier rules that are on its shelf."""
    playable = Q(build="")
    for name, rules in shelf().items():
        earlier = [version for version in versions(name) if version != rules.version]
        playable |= Q(game=name, version=rules.version, build=build_of(name)) | Q(game=name, version__in=earlier)
    return playable


def count_strange() -> dict[str, int]:
    """Return how many matches wait for software that is not this, by the build that began them."""
    rows = Match.objects.filter(status__in=GOING).exclude(can_play()).order_by("build").values_list("build", flat=True)
    return {build: list(rows).count(build) for build in dict.fromkeys(rows)}
