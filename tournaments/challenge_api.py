"""REST API of challenges: matches on request."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import needs, signed_in
from foundation.problems import TYPE
from ftk_core.kit.names import LONGEST_BOT_NAME
from tournaments.challenge_queries import list_challenges, read_challenge, read_row
from tournaments.challenging import LONGEST_SEED, MOST, Wanted, challenge
from tournaments.refusals import refusals

EXAMPLE = {"bot": "careful", "against": ["bold"], "matches": 20, "duplicate": True}


@extend_schema_serializer(examples=[OpenApiExample("duplicate", EXAMPLE, request_only=True)])
class ChallengeSerializer(serializers.Serializer[Any]):
    """An order of a challenge."""

    bot = serializers.SlugField(max_length=LONGEST_BOT_NAME, help_text="One of yours; its newest active version.")
    against = serializers.ListField(
        child=serializers.SlugField(max_length=LONGEST_BOT_NAME), required=False, default=list, max_length=11
    )
    neighbours = serializers.BooleanField(
        default=False, help_text="Instead of those: whoever stands nearest on the continuous ladder."
    )
    matches = serializers.IntegerField(min_value=1, max_value=MOST, required=False, default=20)
    duplicate = serializers.BooleanField(default=False, help_text="Whether each deal is played from every seat.")
    seed = serializers.CharField(
        max_length=LONGEST_SEED, required=False, default="", allow_blank=True, help_text="With one nothing is rated."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require either named bots or the neighbours."""
        if bool(attrs["against"]) == attrs["neighbours"]:
            raise serializers.ValidationError(gettext("say against whom, or neighbours, but not both"))
        return attrs


class ChallengeShareSerializer(serializers.Serializer[Any]):
    """Result of a bot in a challenge."""

    name = serializers.CharField()
    games = serializers.IntegerField()
    share = serializers.FloatField(help_text="Of opponents left behind, a shared place counting half.")
    low = serializers.FloatField(help_text="About 95 % sure to be above this,")
    high = serializers.FloatField(help_text="and below this.")
    wins = serializers.IntegerField()
    excuses = serializers.IntegerField()


class ChallengeRowSerializer(serializers.Serializer[Any]):
    """A challenge with its progress."""

    id = serializers.IntegerField()
    game = serializers.SlugField()
    names = serializers.ListField(child=serializers.CharField())
    state = serializers.CharField(help_text="waiting, playing or over")
    matches = serializers.IntegerField()
    done = serializers.IntegerField()
    ahead = serializers.IntegerField(help_text="Friendly matches that were asked for before its first that waits.")
    duplicate = serializers.BooleanField()
    seed = serializers.CharField(allow_blank=True)
    rated = serializers.BooleanField()
    at = serializers.DateTimeField()
    played = serializers.ListField(child=serializers.CharField(), help_text="Matches, by id.")
    shares = ChallengeShareSerializer(many=True)


class ChallengeListSerializer(serializers.Serializer[Any]):
    """Challenges of a person."""

    left = serializers.IntegerField(help_text="Matches that may still be asked for, of those of 24 hours.")
    rows = ChallengeRowSerializer(many=True)


class ChallengesView(APIView):
    """Challenges of a person."""

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(responses={200: ChallengeListSerializer})
    @needs("read")
    def get(self, request: Request) -> Response:
        """List your challenges, newest first, and the number of matches that you may still order."""
        return Response(ChallengeListSerializer(list_challenges(signed_in(request))).data)

    @extend_schema(
        request=ChallengeSerializer, responses={201: ChallengeRowSerializer, (404, TYPE): OpenApiTypes.OBJECT}
    )
    @once()
    def post(self, request: Request) -> Response:
        """Order matches of one of your bots against others."""
        form = ChallengeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = {**form.validated_data, "against": tuple(form.validated_data["against"])}
        with refusals():
            row = challenge(signed_in(request), Wanted(**said))
        return Response(ChallengeRowSerializer(read_row(row)).data, status.HTTP_201_CREATED)


class ChallengeView(APIView):
    """A challenge of a person."""

    scope = "read"

    @extend_schema(responses={200: ChallengeRowSerializer})
    def get(self, request: Request, number: int) -> Response:
        """Return the progress and the results of a challenge of yours."""
        with refusals():
            row = read_challenge(signed_in(request), number)
        return Response(ChallengeRowSerializer(row).data)
