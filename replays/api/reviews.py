"""REST API of reviews (analyses of ended matches): request a review, read its progress and its result."""

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

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import PUBLIC, private_reader_id, require_scope, signed_in_user
from foundation.problem_details import refusal_response
from ftk_core.plugins import MissingPluginError
from replays.match_access import InvalidViewpointError, MatchViewForbiddenError, admitted_viewer
from replays.models import Match
from replays.models.reviews import MatchReview
from replays.reviews.review_requests import ReviewRequestRefusedError, request_review, required_viewer
from replays.reviews.stored_reviews import read_review, state_of

T = TypeVar("T")
VIEWER_PARAMETERS = [
    OpenApiParameter("eyes", str, description="`own` (what each seat knew), `all`, or `public`, the default.")
]


class ReviewSerializer(serializers.Serializer[Any]):
    """Progress of a match's review. `review` is its result in the format `ftk.review/1`, or null until it is done."""

    match = serializers.CharField()
    eyes = serializers.CharField()
    status = serializers.ChoiceField(["not asked", "waiting", "running", "done", "given up"])
    done = serializers.IntegerField(help_text="Steps that are done.")
    total = serializers.IntegerField(help_text="Steps there are; 0 until it has begun.")
    reason = serializers.CharField(help_text="Why it was given up.")
    review = serializers.JSONField(help_text="The document, see docs/review.md; null until done.")


class ReviewView(APIView):
    """The review of a match. `eyes` says what it assumes the players knew.

    ``own``: what each player could see. ``public``: what everybody could see. ``all``: all hidden information, too.
    """

    scope = PUBLIC
    words = ("eyes",)

    @extend_schema(parameters=VIEWER_PARAMETERS, responses={200: ReviewSerializer})
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return the progress and the result of a review to users who may see it."""
        found = _state_response(lambda: read_review(match_id, _requested_viewer(request), private_reader_id(request)))
        return HttpResponse(msgspec.json.encode(found), content_type="application/json")

    @extend_schema(parameters=VIEWER_PARAMETERS, request=None, responses={202: ReviewSerializer})
    @require_scope("play")
    @idempotent()
    def post(self, request: Request, match_id: str) -> Response:
        """Request the review of an ended match. If it exists already, return it without using the quota.

        A match that is not public requires the scope `read`, too.
        """
        try:
            row = _state_response(lambda: _request_readable_review(request, match_id))
        except ReviewRequestRefusedError as error:
            code = status.HTTP_429_TOO_MANY_REQUESTS if error.code == "quota" else status.HTTP_409_CONFLICT
            return refusal_response(code, error.code, str(error))
        found = msgspec.json.encode(_state_response(lambda: state_of(row)))  # `to_builtins` refuses msgspec.Raw
        return Response(msgspec.json.decode(found), status.HTTP_202_ACCEPTED)


def _request_readable_review(request: Request, match_id: str) -> MatchReview:
    # The response contains the review, so the token must be able to read it.
    eyes = _requested_viewer(request)
    admitted_viewer(match_id, required_viewer(eyes), private_reader_id(request))
    return request_review(match_id, eyes, signed_in_user(request))


def _requested_viewer(request: Request) -> str:
    return str(request.query_params.get("eyes", "public"))


def _state_response(asked: Callable[[], T]) -> T:
    """Call a function that reads or requests a review, and turn its errors into HTTP 403 or 404."""
    try:
        return asked()
    except MatchViewForbiddenError as error:
        raise PermissionDenied(str(error)) from None
    except InvalidViewpointError as error:
        raise NotFound(str(error)) from None
    except MissingPluginError as error:
        raise NotFound(str(error)) from None
    except Match.DoesNotExist:
        raise Http404(gettext("there is no such match")) from None
