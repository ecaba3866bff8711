"""Idempotent POST requests by the Idempotency-Key header (draft of the IETF)."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from hashlib import sha256
from typing import Concatenate, ParamSpec, TypeVar

from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.models import Answered
from foundation.throttles import person_of

P = ParamSpec("P")
V = TypeVar("V", bound=APIView)
Post = Callable[Concatenate[V, Request, P], Response]
HEADER = "Idempotency-Key"
LONGEST = 200
KEPT = timedelta(days=1)
"""Lifetime of a stored answer, during which its key cannot be used for another request."""
WITHHELD = "shown the first time only"


class OtherRequest(APIException):
    """Raised for a key that was used with another request before."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


def once(*secrets: str) -> Callable[[Post[V, P]], Post[V, P]]:
    """Return a decorator that executes a POST once per key and replays the answer; fields in `secrets` are not stored.

    The key, the effects and the answer are stored in one transaction: a second request waits for the first. Errors
    are not stored, so that the request can be retried. Raises ValidationError for an invalid key, and OtherRequest.
    """

    def wrap(post: Post[V, P]) -> Post[V, P]:
        @wraps(post)
        def asked(self: V, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Response:
            key = request.headers.get(HEADER)
            if key is None:
                return post(self, request, *args, **kwargs)
            if not (0 < len(key) <= LONGEST and key.isascii() and key.isprintable()):
                raise ValidationError(
                    {
                        "detail": gettext("%(header)s has 1 to %(most)s printable letters")
                        % {"header": HEADER, "most": LONGEST}
                    }
                )
            return _kept(key, request, lambda: post(self, request, *args, **kwargs), secrets)

        asked.once = True  # type: ignore[attr-defined]  # the schema asks for it
        return asked

    return wrap


def _kept(key: str, request: Request, do: Callable[[], Response], secrets: tuple[str, ...]) -> Response:
    with transaction.atomic():
        row = _first(key, request)
        if row is None:
            return _again(key, request)
        try:
            answer = do()
        except APIException as error:  # keep what it recorded, and free the key
            row.delete()
            refused = error
        else:
            told = {name: WITHHELD if name in secrets else value for name, value in (answer.data or {}).items()}
            row.status, row.body = answer.status_code, json.loads(json.dumps(told, default=str))
            row.save(update_fields=["status", "body"])
            return answer
    raise refused


def _first(key: str, request: Request) -> Answered | None:
    """Claim the key; waits for a concurrent request, and returns None if that one has stored it."""
    print_ = _print_of(request)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bots_answered (key, print, status, body, at) VALUES (%s, %s, 0, NULL, now())"
            " ON CONFLICT (key) DO NOTHING",
            [_digest(key, request), print_],
        )
        new = cursor.rowcount > 0
    return Answered.objects.get(key=_digest(key, request)) if new else None


def _again(key: str, request: Request) -> Response:
    row = Answered.objects.get(key=_digest(key, request))
    if row.print != _print_of(request):
        raise OtherRequest(
            gettext("this %(header)s came with another request before; take a new one for each") % {"header": HEADER}
        )
    return Response(row.body or None, row.status, headers={"Idempotency-Replayed": "true", "Cache-Control": "no-store"})


def _digest(key: str, request: Request) -> str:
    """Return the stored name of a key, which is separate for each person."""
    return sha256(f"{person_of(request)} {key}".encode()).hexdigest()


def _print_of(request: Request) -> str:
    """Return a fingerprint of a request: its method, path and content."""
    told = sha256(f"{request.method} {request.path}".encode())
    data = request.data
    for name in sorted(data) if hasattr(data, "keys") else ():
        values = data.getlist(name) if hasattr(data, "getlist") else [data[name]]
        for value in values:
            said = _content(value) if isinstance(value, UploadedFile) else json.dumps(value, sort_keys=True).encode()
            told.update(f"\n{name} {len(said)} ".encode() + said)
    return told.hexdigest()


def _content(file: UploadedFile[bytes]) -> bytes:
    file.seek(0)
    content = file.read()
    file.seek(0)
    return bytes(content)


def forget() -> int:
    """Delete expired answers; returns their number."""
    return Answered.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]
