"""The REST doors of notices: what one is told, and what one wants to be told."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import needs, signed_in
from notices import wishes
from notices.models import Notice

LARGEST = 2**63 - 1


class NoticeSerializer(serializers.ModelSerializer[Notice]):
    """One notice."""

    class Meta:
        model = Notice
        fields = ("id", "kind", "text", "link", "at", "read_at")


class ReadSerializer(serializers.Serializer[Any]):
    """Which notices were read; without ids all."""

    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        required=False,
        default=None,
        max_length=wishes.MOST,
    )


class WishSerializer(serializers.Serializer[Any]):
    """How somebody is told of a kind."""

    kind = serializers.ChoiceField(choices=list(wishes.KINDS))
    web = serializers.BooleanField()
    mail = serializers.BooleanField()


class NoticesView(APIView):
    """One's notices."""

    scope = "read"

    @extend_schema(responses={200: NoticeSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List your notices, newest first: two hundred at most are kept."""
        return Response(NoticeSerializer(wishes.list_notices(signed_in(request)), many=True).data)


class ReadView(APIView):
    """Marks notices as read."""

    scope = "notify"

    @extend_schema(request=ReadSerializer, responses={204: None})
    @once()
    def post(self, request: Request) -> Response:
        """Mark notices of yours as read."""
        form = ReadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wishes.mark_read(signed_in(request), timezone.now(), form.validated_data["ids"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class WishesView(APIView):
    """What one wants to be told, and how."""

    scope = "read"

    @extend_schema(responses={200: WishSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List for each kind whether you are told on the web and by mail."""
        rows = wishes.read_wishes(signed_in(request)).items()
        return Response([{"kind": kind, "web": web, "mail": mail} for kind, (web, mail) in rows])

    @extend_schema(request=WishSerializer, responses={200: WishSerializer})
    @needs("notify")
    def put(self, request: Request) -> Response:
        """Say for one kind whether you are told on the web and by mail."""
        form = WishSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wishes.set_wish(signed_in(request), **form.validated_data)
        return Response(form.validated_data)
