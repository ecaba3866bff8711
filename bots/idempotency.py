"""A POST that is sent twice with one key is done once (the IETF's draft on the Idempotency-Key header)."""

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
"""So long an answer is kept, and its key can be used for nothing else."""
WITHHELD = "shown the first time only"


class OtherRequest(APIException):
    """Raised for a key that came with another request before."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


def once(*secrets: str) -> Callable[[Post[V, P]], Post[V, P]]:
    """Do a POST once for each key, and answer it again as before; of the fields `secrets` no answer is kept.

    The key, what is done and the answer come into the database together: a second one waits for the first. What was
    refused is not kept, so that it can be tried again. Raises ValidationError for what is no key, and OtherRequest.
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
        except APIException as error:  # what it recorded stays, and its key is free again
            row.delete()
            refused = error
        else:
            told = {name: WITHHELD if name in secrets else value for name, value in (answer.data or {}).items()}
            row.status, row.body = answer.status_code, json.loads(json.dumps(told, default=str))
            row.save(update_fields=["status", "body"])
            return answer
    raise refused


def _first(key: str, request: Request) -> Answered | None:
    """Take the key; None where somebody has, once that has ended."""
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
    """Return the name of the key: that of one person is nobody else's."""
    return sha256(f"{person_of(request)} {key}".encode()).hexdigest()


def _print_of(request: Request) -> str:
    """Return what tells a request from others: its address, and what was sent."""
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
    """Forget the answers that were kept long enough; returns how many."""
    return Answered.objects.filter(at__lt=timezone.now() - KEPT).delete()[0]
