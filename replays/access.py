"""Access control of matches: the only module that decides which viewer's knowledge a user may see, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.utils.translation import gettext

from bots.teams import bots_of
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from replays.models import Match

Value = TypeVar("Value")
SEE_ALL: list[Callable[[str, int], bool]] = []
"""Callbacks of higher apps, by match and user: True grants the omniscient view while the match is played."""


SEE_UNRELEASED: list[Callable[[str, int], bool]] = []
"""Callbacks of higher apps, by match and user: True grants access to a match that is not released."""


class EyesClosed(Exception):
    """Raised for a view that the user may not see (now); the message says when it opens."""


class UnknownEyes(Exception):
    """Raised for a viewer that does not exist at this table."""


def viewer_of(eyes: str, seats: int) -> Viewer:
    """Return the viewer named ``public``, ``all`` or by a seat number; raises UnknownEyes."""
    if eyes == "public":
        return PUBLIC
    if eyes == "all":
        return OMNISCIENT
    if eyes.isascii() and eyes.isdigit() and len(eyes) <= 2 and int(eyes) < seats:
        return int(eyes)
    raise UnknownEyes(
        gettext("eyes are 'public', 'all' or a seat from 0 to %(seats)s, not %(eyes)r")
        % {"seats": seats - 1, "eyes": eyes[:20]}
    )


def check_eyes(match: Match, viewer: Viewer, user_id: int | None) -> None:
    """Raise EyesClosed unless the user may see this view now.

    A match that is not released is closed to everybody, its bots' authors included, except to users whom a higher app
    admits. In any other match the public view is always open. While it is played, a seat's view is open only to the
    author of its bot, and the omniscient view to nobody, except to users whom a higher app admits, such as the judges
    of a league. After its end every view is open to everybody.
    """
    if not shows(match, user_id):
        raise EyesClosed(
            gettext("the replay of this match is not released yet; by whom it was won is all that is told")
        )
    if viewer == PUBLIC or match.ended:
        return
    if user_id is not None and any(may(match.pk, user_id) for may in SEE_ALL):
        return
    if viewer == OMNISCIENT:
        raise EyesClosed(gettext("everything is shown once the match has ended"))
    if user_id is None or not match.seats.filter(seat=viewer, version__bot__in=bots_of(user_id)).exists():
        raise EyesClosed(gettext("while the match is played, a seat's view is open to the bot's author only"))


def shows(match: Match, user_id: int | None) -> bool:
    """Return True if the user may see the inside of the match at all."""
    return match.released or (user_id is not None and any(may(match.pk, user_id) for may in SEE_UNRELEASED))


def disclose(value: Value, *, released: bool) -> Value | None:
    """Return a value from inside a match, or None until the match is released.

    Pages, API, webhooks and notices all call this. The places and scores of a match that has ended are public.
    """
    return value if released else None


def admitted(match_id: str, eyes: str, user_id: int | None) -> tuple[Match, Viewer]:
    """Return a match and its viewer for a user; raises Match.DoesNotExist, UnknownEyes, EyesClosed."""
    match = Match.objects.get(pk=match_id)
    viewer = viewer_of(eyes, match.seats.count())
    check_eyes(match, viewer, user_id)
    return match, viewer
