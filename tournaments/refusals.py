"""Error responses of the leagues' API: 403, 404, 409 or 412."""

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
    """Raised for a request that a league's conditions or state do not allow."""

    status_code = status.HTTP_409_CONFLICT


class Changed(APIException):
    """Raised for an act on a league that has changed since the client read it."""

    status_code = status.HTTP_412_PRECONDITION_FAILED


@contextmanager
def refusals() -> Iterator[None]:
    """Convert errors of the block into API errors: 403 without the right, 404 if missing, 409 if impossible."""
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
