"""REST API of leaderboards."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.scopes import PUBLIC
from foundation.paging import BadCursor
from foundation.words import asks
from ftk_core.games import UnknownGame
from tournaments.ladder_queries import list_seasons, read_ladder
from tournaments.models import ALL_TIME

PARAMETERS = [
    OpenApiParameter("season", str, description="Of this season; without one of all time."),
    OpenApiParameter("author", str),
    OpenApiParameter("language", str),
    OpenApiParameter("after", str, description="The cursor from the answer before; none for the first rows."),
]


class RatingSerializer(serializers.Serializer[Any]):
    """A bot on a leaderboard."""

    place = serializers.IntegerField()
    bot = serializers.SlugField(source="bot_slug")
    name = serializers.CharField()
    author = serializers.CharField()
    rating = serializers.CharField(help_text="The court rating; empty until it is fitted.", allow_blank=True)
    interval = serializers.CharField(help_text="What holds the truth 95 times in 100.", allow_blank=True)
    provisional = serializers.BooleanField()
    ahead = serializers.CharField(
        help_text="How likely it is better than the one below.", allow_blank=True, allow_null=True
    )
    elo = serializers.CharField()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()


class LadderSerializer(serializers.Serializer[Any]):
    """A page of a leaderboard."""

    game = serializers.SlugField()
    rows = RatingSerializer(many=True)
    seasons = serializers.ListField(child=serializers.CharField())
    after = serializers.CharField(allow_blank=True)


class LadderView(APIView):
    """The leaderboard of a game."""

    scope = PUBLIC

    @extend_schema(parameters=PARAMETERS, responses={200: LadderSerializer})
    @asks("season", "author", "language", "after")
    def get(self, request: Request, game: str) -> Response:
        """List the bots of a game from the best down."""
        said = {word: request.query_params.get(word, "") for word in ("author", "language", "after")}
        season = request.query_params.get("season", ALL_TIME)
        try:
            if season != ALL_TIME and season not in list_seasons(game):
                raise NotFound(gettext("%(game)s has no season %(season)r") % {"game": game, "season": season[:40]})
            ladder = read_ladder(game, season, said["author"], said["language"], said["after"])
        except UnknownGame as error:
            raise NotFound(str(error)) from None
        except BadCursor as error:
            raise ValidationError({"after": str(error)}) from None
        return Response(LadderSerializer(ladder).data)
