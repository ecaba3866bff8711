"""REST API for people who play a friendly match themselves."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec
from django.http import Http404
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import signed_in_user
from foundation import time_control_fields
from foundation.problem_details import refusal_response
from replays.human_play import questions_to_humans
from replays.human_play.friendly_matches import FriendlyMatchRequest, MatchRequestRefusedError, order_friendly
from replays.models import SeatQuestionMailbox

MAX_HAND_MS = 24 * 60 * 60 * 1000
"""Largest time limit that a person can set for their own choices, in milliseconds."""


@extend_schema_serializer(component_name="Friendly")
class FriendlyMatchRequestSerializer(serializers.Serializer[Any]):
    """Request for a friendly match (outside leagues), in which the caller plays by hand or with a remote bot."""

    game = serializers.CharField(max_length=40)
    bots = serializers.ListField(
        child=serializers.CharField(max_length=40, allow_blank=True),
        min_length=1,
        max_length=12,
        help_text="Names by seat; an empty one is you, by hand.",
    )
    vars().update(time_control_fields.accepted_fields(time_control_fields.FRIENDLY_MS["move_ms"][-1]))
    hand_ms = serializers.IntegerField(
        min_value=1000,
        max_value=MAX_HAND_MS,
        allow_null=True,
        default=None,
        help_text="How long you have for each choice; null is as long as you like.",
    )


@extend_schema_serializer(component_name="Ordered")
class CreatedMatchIdSerializer(serializers.Serializer[Any]):
    """Id of a match that was ordered."""

    id = serializers.CharField()


@extend_schema_serializer(component_name="HandAnswer")
class HumanAnswerSerializer(serializers.Serializer[Any]):
    """A person's answer: the question's number, and an index into the menu of actions, counted from 0."""

    number = serializers.IntegerField(min_value=1, max_value=1 << 30)
    choose = serializers.IntegerField(min_value=0, max_value=1 << 30)


@extend_schema_serializer(component_name="HandQuestion")
class HumanQuestionSerializer(serializers.Serializer[Any]):
    """The latest question to a person who plays a seat by hand, with its deadline."""

    number = serializers.IntegerField(help_text="0 before the first question.")
    question = serializers.JSONField(allow_null=True, help_text="As a bot reads it: view, news, menu.")
    asked_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="Null is never.")
    answered = serializers.BooleanField()
    over = serializers.BooleanField()


class FriendlyMatchRequestView(APIView):
    """Endpoint to order a friendly match in which the caller plays by hand or with a remote bot."""

    scope = "play"

    @extend_schema(request=FriendlyMatchRequestSerializer, responses={201: CreatedMatchIdSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Request a friendly match. Its log is stored, but its result counts in no ranking."""
        form = FriendlyMatchRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        clock = time_control_fields.clock_from(said)
        wanted = FriendlyMatchRequest(game=said["game"], bots=said["bots"], clock=clock, hand_ms=said["hand_ms"])
        try:
            match = order_friendly(signed_in_user(request), wanted)
        except MatchRequestRefusedError as error:
            return refusal_response(status.HTTP_400_BAD_REQUEST, error.code, str(error))
        return Response({"id": match.pk}, status.HTTP_201_CREATED)


class HumanSeatView(APIView):
    """A seat that the caller plays by hand."""

    scope = "play"

    @extend_schema(responses={200: HumanQuestionSerializer})
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Return the current question at the seat."""
        try:
            found = questions_to_humans.read_question(match_id, number, signed_in_user(request))
        except SeatQuestionMailbox.DoesNotExist:
            raise Http404(gettext("you play no such seat, or are not asked anything yet")) from None
        question = msgspec.json.decode(found.line) if found.line else None
        return Response(HumanQuestionSerializer({**asdict(found), "question": question}).data)

    @extend_schema(request=HumanAnswerSerializer, responses={204: OpenApiTypes.NONE}, extensions={"x-once": False})
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Store the caller's answer to the current question."""
        form = HumanAnswerSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        try:
            questions_to_humans.store_answer(match_id, number, said["number"], said["choose"], signed_in_user(request))
        except SeatQuestionMailbox.DoesNotExist:
            raise Http404(gettext("you play no such seat, or are not asked anything yet")) from None
        except questions_to_humans.HumanAnswerRefusedError as error:
            return refusal_response(status.HTTP_409_CONFLICT, error.code, str(error))
        return Response(status=status.HTTP_204_NO_CONTENT)
