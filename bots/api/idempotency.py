"""Idempotent POST requests with the Idempotency-Key header (IETF draft)."""

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

from bots.models import IdempotencyKeyResponse
from foundation.ratelimits.limits import request_subject

P = ParamSpec("P")
V = TypeVar("V", bound=APIView)
Post = Callable[Concatenate[V, Request, P], Response]
HEADER = "Idempotency-Key"
MAX_KEY_LETTERS = 200
ANSWER_LIFETIME = timedelta(days=1)
"""Lifetime of a stored response. During this time its idempotency key cannot be used for a different request."""
SECRET_PLACEHOLDER = "shown the first time only"  # noqa: S105 - replaces a secret


class IdempotencyKeyConflict(APIException):
    """Raised if the same person already used the Idempotency-Key for a different request."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY


def idempotent(*secrets: str) -> Callable[[Post[V, P]], Post[V, P]]:
    """Return a decorator that executes POST requests with the same idempotency key only once.

    A repeated request gets the stored response. There, a placeholder replaces the fields named in `secrets`. The
    decorated method raises ValidationError for an invalid key, and IdempotencyKeyConflict if the key was used for
    another request.
    """
    # Key, effects and response are stored in one transaction, so that a concurrent repetition waits. A refusal, raised
    # or returned, is not stored: the client may retry.

    def wrap(post: Post[V, P]) -> Post[V, P]:
        @wraps(post)
        def handle(self: V, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Response:
            key = request.headers.get(HEADER)
            if key is None:
                return post(self, request, *args, **kwargs)
            if not (0 < len(key) <= MAX_KEY_LETTERS and key.isascii() and key.isprintable()):
                raise ValidationError(
                    {
                        "detail": gettext("%(header)s has 1 to %(most)s printable letters")
                        % {"header": HEADER, "most": MAX_KEY_LETTERS}
                    }
                )
            return _execute_once(key, request, lambda: post(self, request, *args, **kwargs), secrets)

        handle.once = True  # type: ignore[attr-defined]  # a test compares this mark with the OpenAPI document
        return handle

    return wrap


def _execute_once(key: str, request: Request, execute: Callable[[], Response], secrets: tuple[str, ...]) -> Response:
    with transaction.atomic():
        stored = _claim_key(key, request)
        if stored is None:
            return _replay_answer(key, request)
        try:
            answer = execute()
        except APIException as error:  # commit the view's writes, and free the key for a retry
            stored.delete()
            refusal = error
        else:
            if answer.status_code >= status.HTTP_400_BAD_REQUEST:
                stored.delete()
                return answer
            stored_fields = {
                name: SECRET_PLACEHOLDER if name in secrets else value for name, value in (answer.data or {}).items()
            }
            stored.status, stored.body = answer.status_code, json.loads(json.dumps(stored_fields, default=str))
            stored.save(update_fields=["status", "body"])
            return answer
    raise refusal


def _claim_key(key: str, request: Request) -> IdempotencyKeyResponse | None:
    """Store an idempotency key and return its new row, or None if the key was already stored."""
    # The insert waits for the transaction of a concurrent request with the same key.
    fingerprint = _fingerprint(request)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO bots_answered (key, print, status, body, at) VALUES (%s, %s, 0, NULL, now())"
            " ON CONFLICT (key) DO NOTHING",
            [_stored_key(key, request), fingerprint],
        )
        claimed = cursor.rowcount > 0
    return IdempotencyKeyResponse.objects.get(key=_stored_key(key, request)) if claimed else None


def _replay_answer(key: str, request: Request) -> Response:
    stored = IdempotencyKeyResponse.objects.get(key=_stored_key(key, request))
    if stored.print != _fingerprint(request):
        raise IdempotencyKeyConflict(
            gettext("this %(header)s came with another request before; take a new one for each") % {"header": HEADER}
        )
    return Response(
        stored.body or None, stored.status, headers={"Idempotency-Replayed": "true", "Cache-Control": "no-store"}
    )


def _stored_key(key: str, request: Request) -> str:
    # Contains the person, so that two people can use the same key.
    return sha256(f"{request_subject(request)} {key}".encode()).hexdigest()


def _fingerprint(request: Request) -> str:
    """Return a fingerprint of a request: its method, path, query and content."""
    digest = sha256(f"{request.method} {request.get_full_path()}".encode())
    data = request.data
    for name in sorted(data) if hasattr(data, "keys") else ():
        values = data.getlist(name) if hasattr(data, "getlist") else [data[name]]
        for value in values:
            content = _content(value) if isinstance(value, UploadedFile) else json.dumps(value, sort_keys=True).encode()
            digest.update(f"\n{name} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _content(file: UploadedFile[bytes]) -> bytes:
    file.seek(0)
    content = file.read()
    file.seek(0)
    return bytes(content)


def delete_expired_responses() -> int:
    """Delete the stored responses whose idempotency key has expired; return their number."""
    return IdempotencyKeyResponse.objects.filter(at__lt=timezone.now() - ANSWER_LIFETIME).delete()[0]
