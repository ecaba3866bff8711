"""REST API for authors to enter bots in leagues and to withdraw them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import signed_in
from ftk_core.kit.names import LONGEST_BOT_NAME
from tournaments.desk import enter_own, withdraw_entry
from tournaments.refusals import refusals

LARGEST = 2**31 - 1


@extend_schema_serializer(examples=[OpenApiExample("newest", {"bot": "careful", "newest": True}, request_only=True)])
class EnterSerializer(serializers.Serializer[Any]):
    """The bot that enters; without a version, its newest active one."""

    bot = serializers.SlugField(max_length=LONGEST_BOT_NAME)
    version = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False, default=None)
    newest = serializers.BooleanField(
        default=False, help_text="Whether it is the newest active version whenever its first round is paired."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse `version` together with `newest`."""
        if attrs["version"] and attrs["newest"]:
            raise serializers.ValidationError(gettext("say a version, or newest, but not both"))
        return attrs


class EntrySerializer(serializers.Serializer[Any]):
    """An entry, as in its fact."""

    entry = serializers.IntegerField()
    name = serializers.CharField()
    author = serializers.CharField()
    round = serializers.IntegerField(help_text="The first that it plays.")
    points = serializers.CharField(help_text="What it is given for the rounds it missed, an exact fraction.")
    newest = serializers.BooleanField()
    by = serializers.CharField()
    at = serializers.IntegerField(help_text="In seconds since 1970 (UTC).")


class EntriesView(APIView):
    """Entries of a league."""

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(request=EnterSerializer, responses={201: EntrySerializer})
    @once()
    def post(self, request: Request, slug: str) -> Response:
        """Enter one of your bots in a league."""
        form = EnterSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        with refusals():
            fact = enter_own(signed_in(request), slug, said["bot"], said["version"], newest=said["newest"])
        return Response(EntrySerializer(fact).data, status.HTTP_201_CREATED)


class EntryView(APIView):
    """An entry of a league."""

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(
        parameters=[OpenApiParameter("why", str, description="Why; needed of organisers.")],
        responses={202: None, 204: None},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Withdraw an entry; its open matches are played to the end.

        Its authors may, and the league's organisers; an organiser with a bot in the league needs a second one (202).
        """
        with refusals():
            _, proposal = withdraw_entry(signed_in(request), slug, number, request.query_params.get("why", ""))
        return Response(status=status.HTTP_202_ACCEPTED if proposal else status.HTTP_204_NO_CONTENT)
