"""REST API of reviews: request, progress, result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from django.http import Http404, HttpResponse
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import PUBLIC, needs, reader_of, signed_in
from foundation.problems import refused
from replays.access import EyesClosed, UnknownEyes
from replays.models import Match
from replays.reviews.asking import NotReviewed, ask
from replays.reviews.reading import ReviewState, read_review, state_of

T = TypeVar("T")
EYES = [OpenApiParameter("eyes", str, description="`public`, which is usual, or `all`.")]


class ReviewSerializer(serializers.Serializer[Any]):
    """Progress of a review, and the document `ftk.review/1` of a finished one."""

    match = serializers.CharField()
    eyes = serializers.CharField()
    status = serializers.ChoiceField(["not asked", "waiting", "running", "done", "given up"])
    done = serializers.IntegerField(help_text="Steps that are done.")
    total = serializers.IntegerField(help_text="Steps there are; 0 until it has begun.")
    reason = serializers.CharField(help_text="Why it was given up.")
    review = serializers.JSONField(help_text="The document, see docs/review.md; null until done.")


class ReviewView(APIView):
    """The review of a match for the public viewer, or for the omniscient one."""

    scope = PUBLIC
    words = ("eyes",)

    @extend_schema(parameters=EYES, responses={200: ReviewSerializer})
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return the progress and the result of a review; open to those who may see this view."""
        found = _told(lambda: read_review(match_id, _eyes(request), reader_of(request)))
        return HttpResponse(msgspec.json.encode(found), content_type="application/json")

    @extend_schema(parameters=EYES, request=None, responses={202: ReviewSerializer})
    @needs("play")
    @once()
    def post(self, request: Request, match_id: str) -> Response:
        """Request the review of an ended match; an existing one is returned and costs nothing."""
        try:
            row = _told(lambda: ask(match_id, _eyes(request), signed_in(request)))
        except NotReviewed as error:
            code = status.HTTP_429_TOO_MANY_REQUESTS if error.code == "quota" else status.HTTP_409_CONFLICT
            return refused(code, error.code, str(error))
        found: ReviewState = state_of(row)
        return Response(msgspec.to_builtins(found), status.HTTP_202_ACCEPTED)


def _eyes(request: Request) -> str:
    return str(request.query_params.get("eyes", "public"))


def _told(asked: Callable[[], T]) -> T:
    """Return the result, or raise the API error for a missing or closed review."""
    try:
        return asked()
    except EyesClosed as error:
        raise PermissionDenied(str(error)) from None
    except UnknownEyes as error:
        raise NotFound(str(error)) from None
    except Match.DoesNotExist:
        raise Http404(gettext("there is no such match")) from None
