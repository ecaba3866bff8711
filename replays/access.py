"""Who may look through whose eyes, and when: decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.utils.translation import gettext

from bots.teams import bots_of
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from replays.models import Match

Value = TypeVar("Value")
SEE_ALL: list[Callable[[str, int], bool]] = []
"""What apps above are asked, by match and user: whether somebody may look through all eyes while it is played."""


SEE_UNRELEASED: list[Callable[[str, int], bool]] = []
"""What apps above are asked alike: whether somebody may see what happened within a match that is not released."""


class EyesClosed(Exception):
    """Raised for eyes that a user may not look through (now); the message says when they open."""


class UnknownEyes(Exception):
    """Raised for eyes that do not exist at this table."""


def viewer_of(eyes: str, seats: int) -> Viewer:
    """Return the viewer behind ``public``, ``all`` or a seat number; raises UnknownEyes."""
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
    """Raise EyesClosed unless the user may look through these eyes now.

    A match that is not released is open to nobody but whoever an app above lets see it, its bots' authors neither. Of
    any other the public view is always open. While a match is played, a seat's view is open to the author of its
    bot alone and the omniscient view to nobody, but for whoever an app above lets see all of it, as the judges of a
    league; once it has ended, everything is open to everybody.
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
    """Tell whether what happens within a match is shown to a user at all."""
    return match.released or (user_id is not None and any(may(match.pk, user_id) for may in SEE_UNRELEASED))


def disclose(value: Value, *, released: bool) -> Value | None:
    """Return something that happened within a match, or None until the match is released.

    Pages, API, webhooks and notices all ask here. The places and scores of a match that has ended are public.
    """
    return value if released else None


def admitted(match_id: str, eyes: str, user_id: int | None) -> tuple[Match, Viewer]:
    """Return a match and whose eyes a user has now; raises Match.DoesNotExist, UnknownEyes, EyesClosed."""
    match = Match.objects.get(pk=match_id)
    viewer = viewer_of(eyes, match.seats.count())
    check_eyes(match, viewer, user_id)
    return match, viewer
