"""Access control of matches: the only module that decides which users may see a match, in which view, and when."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from django.utils.translation import gettext

from bots.access.teams import bots_of, list_members
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from replays.models import Match

Value = TypeVar("Value")
SEE_ALL_PERMISSION: list[Callable[[str, int], bool]] = []
"""List of callbacks, registered by other apps, that let users see all views of a match while it is played.

A callback takes a match id and a user id, and returns True if the user may see all views.
"""


SEE_UNRELEASED_PERMISSION: list[Callable[[str, int], bool]] = []
"""List of callbacks, registered by other apps, that let users see a match that is not released.

A callback takes a match id and a user id, and returns True if the user may see the match.
"""


class MatchViewForbiddenError(Exception):
    """Raised if the user may not see the requested view of a match now; the message gives the reason."""


class UnknownViewerError(Exception):
    """Raised if the requested view does not exist, such as the view of a seat that the match does not have."""


def parse_viewer(eyes: str, seats: int) -> Viewer:
    """Convert ``public``, ``all`` or a seat number into the viewer from whose viewpoint a match is shown.

    ``all`` is the omniscient viewer, who sees hidden information too. Raises UnknownViewerError for any other text.
    """
    if eyes == "public":
        return PUBLIC
    if eyes == "all":
        return OMNISCIENT
    if eyes.isascii() and eyes.isdigit() and len(eyes) <= 2 and int(eyes) < seats:
        return int(eyes)
    raise UnknownViewerError(
        gettext("eyes are 'public', 'all' or a seat from 0 to %(seats)s, not %(eyes)r")
        % {"seats": seats - 1, "eyes": eyes[:20]}
    )


def check_viewer(match: Match, viewer: Viewer, user_id: int | None) -> None:
    """Raise MatchViewForbiddenError unless the user may now see the match from the viewpoint of `viewer`.

    The viewer is the public, a seat, or the omniscient viewer, who sees hidden information too. A match is released
    once its replay is public.

    - Unreleased match: nobody may see it, not even the authors of its bots.
    - Released match before its end: everybody may see the public view. Only the authors of a seat's bot may see the
      seat's view. Nobody may see the omniscient view.
    - Released match after its end: everybody may see every view.

    Callbacks of other apps can admit further users, such as judges, who may change the results of a league's matches.
    """
    if not can_see_match(match, user_id):
        raise MatchViewForbiddenError(
            gettext("the replay of this match is not released yet; by whom it was won is all that is told")
        )
    if viewer == PUBLIC or match.ended:
        return
    if user_id is not None and any(may(match.pk, user_id) for may in SEE_ALL_PERMISSION):
        return
    if viewer == OMNISCIENT:
        raise MatchViewForbiddenError(gettext("everything is shown once the match has ended"))
    if user_id is None or not match.seats.filter(seat=viewer, version__bot__in=bots_of(user_id)).exists():
        raise MatchViewForbiddenError(
            gettext("while the match is played, a seat's view is open to the bot's author only")
        )


def find_forbidden_views(match_id: str, views: Collection[tuple[Viewer, int | None]]) -> set[tuple[Viewer, int | None]]:
    """Return those pairs (viewer, user id) of `views` in which the user may not see the match as that viewer now.

    The number of queries does not grow with the number of authors and spectators.
    """
    match = Match.objects.get(pk=match_id)
    bots = dict(match.seats.values_list("seat", "version__bot")) if match.released and not match.ended else {}
    members = list_members(bots.values())
    authors = {seat: members[bot] for seat, bot in bots.items()}
    return {
        (viewer, user_id)
        for viewer, user_id in views
        if not (match.released and (viewer == PUBLIC or user_id in authors.get(viewer, ())))
        if is_forbidden(match, viewer, user_id)
    }


def is_forbidden(match: Match, viewer: Viewer, user_id: int | None) -> bool:
    """Return True if the user may not see the match from the viewpoint of `viewer` now (see `check_viewer`)."""
    try:
        check_viewer(match, viewer, user_id)
    except MatchViewForbiddenError:
        return True
    return False


def can_see_match(match: Match, user_id: int | None) -> bool:
    """Return True if the user may see anything of the match besides its result."""
    return match.released or (user_id is not None and any(may(match.pk, user_id) for may in SEE_UNRELEASED_PERMISSION))


def hide_unless_released(value: Value, *, released: bool) -> Value | None:
    """Return a value computed from a match if the match is released (its replay is public), otherwise None.

    Use it for values that are not part of the result, which is always public after the end (places and scores). Pages,
    API, webhooks and notices all call this function.
    """
    return value if released else None


def admitted_viewer(match_id: str, eyes: str, user_id: int | None) -> tuple[Match, Viewer]:
    """Return (match, viewer) if the user may now see the match from the viewpoint `eyes`.

    `eyes` is the name of the viewer: ``public``, ``all`` (who sees everything) or a seat number. Raises
    Match.DoesNotExist, UnknownViewerError or MatchViewForbiddenError.
    """
    match = Match.objects.get(pk=match_id)
    viewer = parse_viewer(eyes, match.seats.count())
    check_viewer(match, viewer, user_id)
    return match, viewer
