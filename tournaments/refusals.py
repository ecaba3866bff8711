"""What the doors of the leagues answer where something cannot be done: 403, 404, 409 or 412."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ObjectDoesNotExist
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound, PermissionDenied

from ftk_core.league.state import NotNow
from tournaments.desk import Refused, find_league
from tournaments.models import League


class Unfit(APIException):
    """Raised for what the conditions of a league, or how far it has come, do not allow."""

    status_code = status.HTTP_409_CONFLICT


class Changed(APIException):
    """Raised for an act on a league that is not any more as whoever acts has seen it."""

    status_code = status.HTTP_412_PRECONDITION_FAILED


@contextmanager
def refusals() -> Iterator[None]:
    """Raise for programs what was raised within: who may not is told 403, what is not there 404, what cannot be 409."""
    try:
        yield
    except Refused as error:
        raise PermissionDenied(str(error)) from None
    except ObjectDoesNotExist as error:
        raise NotFound(str(error)) from None
    except NotNow as error:
        raise Unfit(str(error)) from None


def found(slug: str) -> League:
    """Return a league; raises NotFound."""
    with refusals():
        return find_league(slug)
