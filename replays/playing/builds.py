"""Compatibility of matches with this software: it resumes only those whose rules and build it has."""

from __future__ import annotations

from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from ftk_core.games import build_of, shelf, versions
from replays.models import Match

GOING = (Match.Status.WAITING, Match.Status.PLAYING, Match.Status.ADJOURNED)
CAN_PLAY = """(
    replays_match.build = ''
    OR concat_ws(' ', replays_match.game, replays_match.version, replays_match.build) = ANY (string_to_array(%s, ','))
    OR concat_ws(' ', replays_match.game, replays_match.version) = ANY (string_to_array(%s, ','))
)"""
"""SQL condition: not begun, begun by this build, or begun by earlier rules that are still registered."""


def known() -> list[str]:
    """Return the parameters of `CAN_PLAY`: the current rules with their builds, and the earlier ones."""
    today = [f"{name} {rules.version} {build_of(name)}" for name, rules in shelf().items()]
    earlier = [
        f"{name} {number}" for name, now in shelf().items() for number in versions(name) if number != now.version
    ]
    return [",".join(today), ",".join(earlier)]


def count_strange() -> dict[str, int]:
    """Return the number of matches that wait for other software, by the build that began them."""
    ours = RawSQL(CAN_PLAY, known(), output_field=BooleanField())  # noqa: S611 - put together of constants
    rows = Match.objects.filter(status__in=GOING).exclude(ours).order_by("build").values_list("build", flat=True)
    return {build: list(rows).count(build) for build in dict.fromkeys(rows)}
