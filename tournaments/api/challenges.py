"""REST API of challenges: matches that an author orders for a bot against other bots."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import require_scope, signed_in_user
from foundation.problem_details import CONTENT_TYPE
from ftk_core.kit.uploads.bot_names import MAX_BOT_NAME_CHARACTERS
from tournaments.api.error_responses import translate_refusals
from tournaments.challenges.queries import list_challenges, read_challenge, summarise_challenge
from tournaments.challenges.services import MAX_CHALLENGE_MATCHES, MAX_SEED_CHARACTERS, ChallengeRequest, challenge

EXAMPLE_CHALLENGE = {"bot": "careful", "against": ["bold"], "matches": 20, "duplicate": True}


@extend_schema_serializer(examples=[OpenApiExample("duplicate", EXAMPLE_CHALLENGE, request_only=True)])
class ChallengeSerializer(serializers.Serializer[Any]):
    """Request body of a new challenge."""

    bot = serializers.SlugField(
        max_length=MAX_BOT_NAME_CHARACTERS, help_text="One of yours; its newest active version."
    )
    against = serializers.ListField(
        child=serializers.SlugField(max_length=MAX_BOT_NAME_CHARACTERS), required=False, default=list, max_length=11
    )
    neighbours = serializers.BooleanField(
        default=False, help_text="Instead of those: the bots nearest to yours on the continuous ladder."
    )
    matches = serializers.IntegerField(min_value=1, max_value=MAX_CHALLENGE_MATCHES, required=False, default=20)
    duplicate = serializers.BooleanField(default=False, help_text="Whether each deal is played from every seat.")
    seed = serializers.CharField(
        max_length=MAX_SEED_CHARACTERS,
        required=False,
        default="",
        allow_blank=True,
        help_text="With one nothing is rated.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Check that the request names opponents or asks for `neighbours` (bots with similar ratings), but not both."""
        if bool(attrs["against"]) == attrs["neighbours"]:
            raise serializers.ValidationError(gettext("say against whom, or neighbours, but not both"))
        return attrs


@extend_schema_serializer(component_name="ChallengeShare")
class ChallengeBotResultSerializer(serializers.Serializer[Any]):
    """Result of one bot in a challenge.

    `share` is a mean over the bot's matches: the share of its opponents that it beat, where a tie counts half.
    """

    name = serializers.CharField()
    games = serializers.IntegerField()
    share = serializers.FloatField(help_text="Of opponents left behind, a shared place counting half.")
    low = serializers.FloatField(help_text="About 95 % sure to be above this,")
    high = serializers.FloatField(help_text="and below this.")
    wins = serializers.IntegerField()
    excuses = serializers.IntegerField()


@extend_schema_serializer(component_name="ChallengeRow")
class ChallengeOverviewSerializer(serializers.Serializer[Any]):
    """A challenge with its progress and its results."""

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
    shares = ChallengeBotResultSerializer(many=True)


class ChallengeListSerializer(serializers.Serializer[Any]):
    """The challenges of the user, and the number of matches that the user may still order."""

    left = serializers.IntegerField(help_text="Matches that may still be asked for, of those of 24 hours.")
    rows = ChallengeOverviewSerializer(many=True)


class ChallengeListView(APIView):
    """The challenges of the user."""

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(operation_id="challenges_list", responses={200: ChallengeListSerializer})
    @require_scope("read")
    def get(self, request: Request) -> Response:
        """List your challenges, newest first, with the number of matches that you may still order."""
        return Response(ChallengeListSerializer(list_challenges(signed_in_user(request))).data)

    @extend_schema(
        request=ChallengeSerializer,
        responses={201: ChallengeOverviewSerializer, (404, CONTENT_TYPE): OpenApiTypes.OBJECT},
    )
    @idempotent()
    def post(self, request: Request) -> Response:
        """Order matches of one of your bots against other bots."""
        serializer = ChallengeSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        request_fields = {**serializer.validated_data, "against": tuple(serializer.validated_data["against"])}
        with translate_refusals():
            challenge_row = challenge(signed_in_user(request), ChallengeRequest(**request_fields))
        return Response(ChallengeOverviewSerializer(summarise_challenge(challenge_row)).data, status.HTTP_201_CREATED)


class ChallengeView(APIView):
    """One challenge of the user."""

    scope = "read"

    @extend_schema(responses={200: ChallengeOverviewSerializer})
    def get(self, request: Request, number: int) -> Response:
        """Return the progress and the results of one of your challenges."""
        with translate_refusals():
            challenge_row = read_challenge(signed_in_user(request), number)
        return Response(ChallengeOverviewSerializer(challenge_row).data)
