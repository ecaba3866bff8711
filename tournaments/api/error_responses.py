"""API errors for refused commands on leagues: status 403, 404, 409 or 412."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound, PermissionDenied, ValidationError

from foundation.keyset_pagination import InvalidCursorError
from foundation.message_translation import translate_message
from ftk_core.league.league_state import CommandRejected
from ftk_core.plugins import MissingPluginError
from tournaments.models import League
from tournaments.organisers.organiser_page_queries import find_league
from tournaments.organisers.organiser_permission_checks import MissingRightError

T = TypeVar("T")
CURSOR_PARAMETER = OpenApiParameter(
    "after", str, description="The cursor from the answer before; none for the first rows."
)


class LeagueStateConflict(APIException):
    """HTTP 409: the settings or the current state of a league do not allow the request."""

    status_code = status.HTTP_409_CONFLICT


class StaleLeagueETagError(APIException):
    """HTTP 412: the league has changed since the client read the ETag in its `If-Match` header."""

    status_code = status.HTTP_412_PRECONDITION_FAILED


@contextmanager
def translate_refusals() -> Iterator[None]:
    """Convert exceptions of league commands in a ``with`` block into API errors.

    MissingRightError becomes 403, ObjectDoesNotExist and MissingPluginError become 404, CommandRejected becomes 409.
    """
    try:
        yield
    except MissingRightError as error:
        raise PermissionDenied(str(error)) from None
    except (ObjectDoesNotExist, MissingPluginError) as error:
        raise NotFound(str(error)) from None
    except CommandRejected as error:
        raise LeagueStateConflict(translate_message(error)) from None


def get_league_or_404(slug: str) -> League:
    """Return the league with this slug; raises NotFound if it does not exist."""
    with translate_refusals():
        return find_league(slug)


def read_or_404(read: Callable[[], T], slug: str) -> T:
    """Call `read` and return its result.

    Raises NotFound for a missing league or round, and ValidationError for an invalid cursor.
    """
    get_league_or_404(slug)
    try:
        with translate_refusals():
            return read()
    except InvalidCursorError as error:
        raise ValidationError({"after": str(error)}) from None
