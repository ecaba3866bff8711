"""REST API of notices and preferences."""

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
    """Form for marking notices as read; without ids it means all."""

    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        required=False,
        default=None,
        max_length=wishes.MOST,
    )


class WishSerializer(serializers.Serializer[Any]):
    """Preferences for one kind of notice."""

    kind = serializers.ChoiceField(choices=list(wishes.KINDS))
    web = serializers.BooleanField()
    mail = serializers.BooleanField()


class NoticesView(APIView):
    """The user's notices."""

    scope = "read"

    @extend_schema(responses={200: NoticeSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List your notices, newest first; at most two hundred are stored."""
        return Response(NoticeSerializer(wishes.list_notices(signed_in(request)), many=True).data)


class ReadView(APIView):
    """Marking of notices as read."""

    scope = "notify"

    @extend_schema(request=ReadSerializer, responses={204: None})
    @once()
    def post(self, request: Request) -> Response:
        """Mark your notices as read."""
        form = ReadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wishes.mark_read(signed_in(request), timezone.now(), form.validated_data["ids"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class WishesView(APIView):
    """The user's preferences."""

    scope = "read"

    @extend_schema(responses={200: WishSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List your preferences for each kind of notice: web and mail."""
        rows = wishes.read_wishes(signed_in(request)).items()
        return Response([{"kind": kind, "web": web, "mail": mail} for kind, (web, mail) in rows])

    @extend_schema(request=WishSerializer, responses={200: WishSerializer})
    @needs("notify")
    def put(self, request: Request) -> Response:
        """Set your preferences for one kind of notice."""
        form = WishSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        wishes.set_wish(signed_in(request), **form.validated_data)
        return Response(form.validated_data)
