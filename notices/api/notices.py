"""REST API of a user's notices and notice preferences."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import require_scope, signed_in_user
from notices import notice_preferences
from notices.models import Notice

MAX_ID = 2**63 - 1


class NoticeSerializer(serializers.ModelSerializer[Notice]):
    """A notice: one sentence for the user about an event, with a link."""

    class Meta:
        model = Notice
        fields = ("id", "kind", "text", "link", "at", "read_at")


@extend_schema_serializer(component_name="Read")
class MarkReadSerializer(serializers.Serializer[Any]):
    """Request body to mark notices as read: a list of their ids; without the list all notices are marked."""

    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MAX_ID),
        required=False,
        default=None,
        max_length=notice_preferences.MAX_NOTICES_PER_PERSON,
    )


@extend_schema_serializer(component_name="Wish")
class NoticePreferenceSerializer(serializers.Serializer[Any]):
    """Preferences for one kind of notice: on the site, by mail, both or neither."""

    kind = serializers.ChoiceField(choices=list(notice_preferences.KINDS))
    web = serializers.BooleanField()
    mail = serializers.BooleanField()


class NoticesView(APIView):
    """List of the user's notices."""

    scope = "read"

    @extend_schema(responses={200: NoticeSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List your notices, newest first; at most two hundred are stored."""
        return Response(NoticeSerializer(notice_preferences.list_notices(signed_in_user(request)), many=True).data)


class MarkReadView(APIView):
    """View that marks the user's notices as read."""

    scope = "notify"

    @extend_schema(request=MarkReadSerializer, responses={204: None})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Mark your notices as read."""
        serializer = MarkReadSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        notice_preferences.mark_read(signed_in_user(request), timezone.now(), serializer.validated_data["ids"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class NoticePreferencesView(APIView):
    """View of the user's notice preferences: each kind of notice on the site, by mail, both or neither."""

    scope = "read"

    @extend_schema(responses={200: NoticePreferenceSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List your preferences for each kind of notice."""
        preferences_by_kind = notice_preferences.read_preferences(signed_in_user(request)).items()
        return Response([{"kind": kind, "web": web, "mail": mail} for kind, (web, mail) in preferences_by_kind])

    @extend_schema(request=NoticePreferenceSerializer, responses={200: NoticePreferenceSerializer})
    @require_scope("notify")
    def put(self, request: Request) -> Response:
        """Set your preferences for one kind of notice."""
        serializer = NoticePreferenceSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        notice_preferences.set_preference(signed_in_user(request), **serializer.validated_data)
        return Response(serializer.validated_data)
