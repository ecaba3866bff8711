"""Kinds of players that a league admits: uploaded bots, remote bots and people."""
# Remote bots and people can use resources outside the sandbox, so leagues that admit them are rated on separate lists.
# An organiser can declare such a league mixed: it then counts for the common ratings.

from __future__ import annotations

import re
from collections.abc import Collection

from django.utils.translation import gettext, gettext as _, gettext_noop

from bots.remote_bots import PERSON, REMOTE, UPLOADED
from ftk_core.league.league_state import CommandRejected
from tournaments.league_limits import SEASON_PATTERN

DEFAULT_KINDS = (UPLOADED.value,)
"""Kinds of bots that a league admits by default."""
KIND_TITLES = {
    UPLOADED.value: gettext_noop("uploaded bots"),
    REMOTE.value: gettext_noop("remote bots"),
    PERSON.value: gettext_noop("people who play by hand"),
}
OUTSIDE_SEASON_PREFIX = "outside"
"""Prefix of the season labels of leagues with remote bots or people."""

HAND_HOURS = 24
"""Hours that a person who plays by hand has for each choice in a match of a league."""


def find_hand_ms(kinds: Collection[str]) -> int | None:
    """Return a person's time for each choice in a match of a league, in milliseconds.

    The time is 24 hours. If people are not among the league's `kinds` of players, return None.

    >>> find_hand_ms(["uploaded", "person"]), find_hand_ms(["uploaded", "remote"])
    (86400000, None)
    """
    # Without a limit, an absent person would stop the league for ever.
    return HAND_HOURS * 60 * 60 * 1000 if PERSON in kinds else None


def describe_kinds(kinds: Collection[str]) -> str:
    """Return kinds of players in words; an empty collection means uploaded bots.

    >>> describe_kinds(["remote", "person"])
    'remote bots or people who play by hand'
    """
    return _(" or ").join(_(KIND_TITLES[kind]) for kind in KIND_TITLES if kind in (kinds or DEFAULT_KINDS))


def is_rated_on_all_time_ladder(kinds: Collection[str], *, mixed: bool) -> bool:
    """Return True if a league for these kinds of players counts for the game's all-time ratings.

    An empty collection means uploaded bots. `mixed` is True if the organiser chose to rate all kinds together.

    >>> is_rated_on_all_time_ladder([], mixed=False), is_rated_on_all_time_ladder(["uploaded", "remote"], mixed=False)
    (True, False)
    """
    return mixed or set(kinds) <= set(DEFAULT_KINDS)


def choose_season(season: str | None, kinds: Collection[str], year: int, *, mixed: bool) -> str:
    """Return the given season label, or the default for a league with these kinds of players.

    The default is the year, or ``outside`` for a league that does not count for the game's all-time ratings.
    """
    if season is not None:
        return season
    return str(year) if is_rated_on_all_time_ladder(kinds, mixed=mixed) else OUTSIDE_SEASON_PREFIX


def check_kinds(kinds: Collection[str], season: str | None, *, mixed: bool) -> None:
    """Check the kinds of players that a league admits, and its season label.

    Raises CommandRejected for an unknown kind, or for a label that does not fit the kinds.
    """
    # A label that begins with ``outside`` is for leagues that are rated separately, and only for them.
    if season is not None and not re.fullmatch(SEASON_PATTERN, season):
        raise CommandRejected(
            gettext("%(season)r cannot be a season: 1 to 20 of a-z, 0-9 and -, like 2026 or autumn-26")
            % {"season": season[:40]}
        )
    if unknown := [kind for kind in kinds if kind not in KIND_TITLES]:
        raise CommandRejected(
            gettext("there are no %(unknown)r bots; there are %(kinds)s")
            % {"unknown": unknown[0], "kinds": ", ".join(KIND_TITLES)}
        )
    if mixed and set(kinds) <= set(DEFAULT_KINDS):
        raise CommandRejected(
            gettext("a league for uploaded bots alone cannot be mixed; name the other kinds that may enter")
        )
    of_outside = season is None or season.startswith(OUTSIDE_SEASON_PREFIX)
    if not is_rated_on_all_time_ladder(kinds, mixed=mixed) and not of_outside:
        raise CommandRejected(
            gettext(
                "a league for %(kinds)s is rated on separate ladders: choose a season whose name begins with"
                " %(end)r (got %(season)r), or declare the league mixed"
            )
            % {"kinds": describe_kinds(kinds), "season": season, "end": OUTSIDE_SEASON_PREFIX}
        )
    if is_rated_on_all_time_ladder(kinds, mixed=mixed) and season is not None and of_outside:
        raise CommandRejected(
            gettext(
                "the season %(season)r is for leagues of remote bots and people; choose another name for the season"
            )
            % {"season": season}
        )
