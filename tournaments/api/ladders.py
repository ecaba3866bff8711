"""REST API of leaderboards, the rating lists of the games."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.token_scope_permissions import PUBLIC
from foundation.keyset_pagination import InvalidCursorError
from foundation.query_parameters import query_parameters
from ftk_core.games import UnknownGameError
from tournaments.ladders.match_rating_order import TOTALS
from tournaments.ladders.queries import list_seasons, read_ladder
from tournaments.models import ALL_TIME

LADDER_PARAMETERS = [
    OpenApiParameter("season", str, description="Of this season; without one of all time."),
    OpenApiParameter("author", str),
    OpenApiParameter("language", str),
    OpenApiParameter("after", str, description="The cursor from the answer before; none for the first rows."),
]


@extend_schema_serializer(component_name="Rating")
class LeaderboardRowSerializer(serializers.Serializer[Any]):
    """One bot on a leaderboard."""

    place = serializers.IntegerField()
    bot = serializers.SlugField(source="bot_slug")
    name = serializers.CharField()
    author = serializers.CharField()
    kind = serializers.CharField(help_text="remote or by hand; empty for an uploaded bot.", allow_blank=True)
    model = serializers.CharField(
        source="label.model", help_text="As the author of a remote bot declared it.", allow_blank=True
    )
    prompt_hash = serializers.CharField(
        source="label.prompt_hash", help_text="Of the model's prompt, likewise.", allow_blank=True
    )
    rating = serializers.CharField(help_text="The court rating; empty until it is fitted.", allow_blank=True)
    interval = serializers.CharField(help_text="What holds the truth 95 times in 100.", allow_blank=True)
    provisional = serializers.BooleanField()
    ahead = serializers.CharField(
        help_text="How likely it is better than the one below.", allow_blank=True, allow_null=True
    )
    elo = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields, including one for each of a bot's totals over all its matches, such as `wins`."""
        return super().get_fields() | {name: serializers.IntegerField(source=f"totals.{name}") for name in TOTALS}


class LadderSerializer(serializers.Serializer[Any]):
    """One page of a leaderboard."""

    game = serializers.SlugField()
    rows = LeaderboardRowSerializer(many=True)
    seasons = serializers.ListField(child=serializers.CharField())
    after = serializers.CharField(allow_blank=True)


class LadderView(APIView):
    """The leaderboard of one game."""

    scope = PUBLIC

    @extend_schema(parameters=LADDER_PARAMETERS, responses={200: LadderSerializer})
    @query_parameters("season", "author", "language", "after")
    def get(self, request: Request, game: str) -> Response:
        """List the bots of a game, best rating first; unrated bots come last."""
        filters = {name: request.query_params.get(name, "") for name in ("author", "language", "after")}
        season = request.query_params.get("season", ALL_TIME)
        try:
            if season != ALL_TIME and season not in list_seasons(game):
                raise NotFound(gettext("%(game)s has no season %(season)r") % {"game": game, "season": season[:40]})
            ladder = read_ladder(game, season, filters["author"], filters["language"], filters["after"])
        except UnknownGameError as error:
            raise NotFound(str(error)) from None
        except InvalidCursorError as error:
            raise ValidationError({"after": str(error)}) from None
        return Response(LadderSerializer(ladder).data)
