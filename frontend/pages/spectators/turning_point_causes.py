"""Names of the causes of turning points of a match."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _, gettext_noop

from ftk_core.analysis.win_share_changes import TurningPoint

SOURCE_NAMES = {
    "deal": gettext_noop("the deal"),
    "chance": gettext_noop("chance"),
    "own": gettext_noop("their own choice"),
}


def name_cause(point: TurningPoint, names: Sequence[str]) -> str:
    """Name the cause of a turning point; `names` are the players by seat."""
    if point.by in SOURCE_NAMES:
        return _(SOURCE_NAMES[point.by])
    return _("another's choice") if point.of is None else _("a choice of %(name)s") % {"name": names[point.of]}
