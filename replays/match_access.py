"""Access control of matches: which users may see a match, in which view, and when."""
# The only module that decides this.

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from django.utils.translation import gettext

from bots.access.teams import bots_of, list_members
from bots.remote_bots import PERSON
from ftk_core.facts import OMNISCIENT, PUBLIC, Viewer
from replays.models import Match, MatchSeat

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
    """Raised if the user may not see the requested view of a match now."""


class InvalidViewpointError(Exception):
    """Raised for an unknown view, such as that of a seat that the match does not have."""


def parse_viewer(eyes: str, seats: int) -> Viewer:
    """Convert ``public``, ``all`` or a seat number into the viewpoint from which a match is shown.

    Raises InvalidViewpointError for any other text.
    """
    if eyes == "public":
        return PUBLIC
    if eyes == "all":
        return OMNISCIENT
    if eyes.isascii() and eyes.isdigit() and len(eyes) <= 2 and int(eyes) < seats:
        return int(eyes)
    raise InvalidViewpointError(
        gettext("eyes are 'public', 'all' or a seat from 0 to %(seats)s, not %(eyes)r")
        % {"seats": seats - 1, "eyes": eyes[:20]}
    )


def check_viewer(match: Match, viewer: Viewer, user_id: int | None) -> None:
    """Raise MatchViewForbiddenError unless the user may see the match from a viewpoint now."""
    # Before its release nobody may see a match, except a person who plays a seat by hand, from this seat only: the
    # questions show the same. Then everybody may see the public view, and the authors of a bot its view. After the end
    # everybody may see every view. Callbacks of other apps admit further users, such as judges.
    if not can_see_match(match, user_id):
        if viewer >= 0 and viewer == find_played_seat(match.pk, user_id):
            return
        raise MatchViewForbiddenError(
            gettext("the replay of this match is not released yet; until then only the result is shown")
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
    """Return the pairs (viewpoint, user id) of `views` whose user may not see the match from this viewpoint now."""
    # The number of queries does not grow with the number of authors and spectators.
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
    """Return True if the user may not see the match from a viewpoint now."""
    try:
        check_viewer(match, viewer, user_id)
    except MatchViewForbiddenError:
        return True
    return False


def can_see_match(match: Match, user_id: int | None) -> bool:
    """Return True if the user may see the public view of the match, and not only its result or an own seat."""
    return match.released or (user_id is not None and any(may(match.pk, user_id) for may in SEE_UNRELEASED_PERMISSION))


def find_played_seat(match_id: str, user_id: int | None) -> int | None:
    """Return the seat that a person plays by hand in a match, or None."""
    if user_id is None:
        return None
    own = MatchSeat.objects.filter(match=match_id, bot__owner=user_id, bot__kind=PERSON)
    return own.values_list("seat", flat=True).first()


def hide_unless_released(value: Value, *, released: bool) -> Value | None:
    """Return a value if its match is public, otherwise None."""
    # For values that are not part of the result, which is always public after the end (places and scores).
    return value if released else None


def admitted_viewer(match_id: str, eyes: str, user_id: int | None) -> tuple[Match, Viewer]:
    """Check that the user may see a match from the viewpoint `eyes` now. Return the match and the viewpoint.

    Raises Match.DoesNotExist, InvalidViewpointError or MatchViewForbiddenError.
    """
    match = Match.objects.get(pk=match_id)
    viewer = parse_viewer(eyes, match.seats.count())
    check_viewer(match, viewer, user_id)
    return match, viewer
