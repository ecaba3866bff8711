"""REST API of outside seats: order a friendly match, read a question, answer it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec
from django.http import Http404
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import signed_in
from foundation.problems import refused
from ftk_core.entries import Clock
from replays import by_hand
from replays.friendlies import Friendly, NotOrdered, order_friendly
from replays.models import Mailbox

LONGEST_MS = 24 * 60 * 60 * 1000


class FriendlySerializer(serializers.Serializer[Any]):
    """A friendly match in which the author has an outside seat."""

    game = serializers.CharField(max_length=40)
    bots = serializers.ListField(
        child=serializers.CharField(max_length=40, allow_blank=True),
        min_length=1,
        max_length=12,
        help_text="Names by seat; an empty one is you, by hand.",
    )
    move_ms = serializers.IntegerField(min_value=1, max_value=LONGEST_MS, default=Clock().move_ms)
    bank_ms = serializers.IntegerField(min_value=0, max_value=LONGEST_MS, default=Clock().bank_ms)
    hand_ms = serializers.IntegerField(
        min_value=1000,
        max_value=LONGEST_MS,
        allow_null=True,
        default=None,
        help_text="How long you have for each choice; null is as long as you like.",
    )


class OrderedSerializer(serializers.Serializer[Any]):
    """A match that was ordered."""

    id = serializers.CharField()


class HandAnswerSerializer(serializers.Serializer[Any]):
    """An answer by hand."""

    number = serializers.IntegerField(min_value=1, max_value=1 << 30)
    choose = serializers.IntegerField(min_value=0, max_value=1 << 30)


class HandQuestionSerializer(serializers.Serializer[Any]):
    """The current question at a seat."""

    number = serializers.IntegerField(help_text="0 before the first question.")
    question = serializers.JSONField(allow_null=True, help_text="As a bot reads it: view, news, menu.")
    asked_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True, help_text="Null is never.")
    answered = serializers.BooleanField()
    over = serializers.BooleanField()


class FriendlyView(APIView):
    """Orders of friendly matches with an outside seat."""

    scope = "play"

    @extend_schema(request=FriendlySerializer, responses={201: OrderedSerializer})
    @once()
    def post(self, request: Request) -> Response:
        """Order a match; its log is kept, and it counts on no ladder."""
        form = FriendlySerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        clock = Clock(said["move_ms"], said["bank_ms"])
        wanted = Friendly(game=said["game"], bots=said["bots"], clock=clock, hand_ms=said["hand_ms"])
        try:
            match = order_friendly(signed_in(request), wanted)
        except NotOrdered as error:
            return refused(status.HTTP_400_BAD_REQUEST, error.code, str(error))
        return Response({"id": match.pk}, status.HTTP_201_CREATED)


class SeatView(APIView):
    """A seat that the caller plays by hand."""

    scope = "play"

    @extend_schema(responses={200: HandQuestionSerializer})
    def get(self, request: Request, match_id: str, number: int) -> Response:
        """Return the current question of the seat."""
        try:
            found = by_hand.read_question(match_id, number, signed_in(request))
        except Mailbox.DoesNotExist:
            raise Http404(gettext("you play no such seat, or are not asked anything yet")) from None
        question = msgspec.json.decode(found.line) if found.line else None
        return Response(HandQuestionSerializer({**asdict(found), "question": question}).data)

    @extend_schema(request=HandAnswerSerializer, responses={204: OpenApiTypes.NONE}, extensions={"x-once": False})
    def post(self, request: Request, match_id: str, number: int) -> Response:
        """Answer the question."""
        form = HandAnswerSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        try:
            by_hand.answer(match_id, number, said["number"], said["choose"], signed_in(request))
        except Mailbox.DoesNotExist:
            raise Http404(gettext("you play no such seat, or are not asked anything yet")) from None
        except by_hand.NotAnswered as error:
            return refused(status.HTTP_409_CONFLICT, error.code, str(error))
        return Response(status=status.HTTP_204_NO_CONTENT)
