"""Kinds of bots that a league admits, and the ladders on which it counts.

Outside players have other means than a program in a sandbox, so their leagues have separate ladders, the seasons whose
labels begin with ``outside``, unless the organiser mixes them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from bots.outside import PERSON, REMOTE, UPLOADED
from ftk_core.league.state import NotNow
from tournaments.bounds import SEASON

USUAL = (UPLOADED.value,)
"""Kinds admitted by default."""
TOLD = {
    UPLOADED.value: gettext_noop("uploaded bots"),
    REMOTE.value: gettext_noop("remote bots"),
    PERSON.value: gettext_noop("people who play by hand"),
}
OUTSIDE = "outside"
"""Beginning of the season labels of leagues with outside players."""


def tell_kinds(kinds: Collection[str]) -> str:
    """Return the admitted kinds in words.

    >>> tell_kinds(["remote", "person"])
    'remote bots or people who play by hand'
    """
    return _(" or ").join(_(TOLD[kind]) for kind in TOLD if kind in (kinds or USUAL))


def is_of_all_time(kinds: Collection[str], *, mixed: bool) -> bool:
    """Return True if a league counts on the ladder of all time.

    >>> is_of_all_time([], mixed=False), is_of_all_time(["uploaded", "remote"], mixed=False)
    (True, False)
    """
    return mixed or set(kinds) <= set(USUAL)


def season_of(season: str | None, kinds: Collection[str], year: int, *, mixed: bool) -> str:
    """Return the label of a league's season."""
    if season is not None:
        return season
    return str(year) if is_of_all_time(kinds, mixed=mixed) else OUTSIDE


def check_kinds(kinds: Collection[str], season: str | None, *, mixed: bool) -> None:
    """Raise NotNow for unknown kinds, or kinds that do not go with the season."""
    if season is not None and not re.fullmatch(SEASON, season):
        raise NotNow(
            gettext("%(season)r cannot be a season: 1 to 20 of a-z, 0-9 and -, like 2026 or autumn-26")
            % {"season": season[:40]}
        )
    if unknown := [kind for kind in kinds if kind not in TOLD]:
        raise NotNow(
            gettext("there are no %(unknown)r bots; there are %(kinds)s")
            % {"unknown": unknown[0], "kinds": ", ".join(TOLD)}
        )
    if mixed and set(kinds) <= set(USUAL):
        raise NotNow(gettext("a league for uploaded bots alone mixes nothing; say which kinds may enter"))
    of_outside = season is None or season.startswith(OUTSIDE)
    if not is_of_all_time(kinds, mixed=mixed) and not of_outside:
        raise NotNow(
            gettext(
                "a league for %(kinds)s has ladders of its own: begin its season %(season)r with"
                " %(end)r, or say that it is mixed"
            )
            % {"kinds": tell_kinds(kinds), "season": season, "end": OUTSIDE}
        )
    if is_of_all_time(kinds, mixed=mixed) and season is not None and of_outside:
        raise NotNow(
            gettext("the season %(season)r is for leagues of remote bots and people; call it otherwise")
            % {"season": season}
        )
