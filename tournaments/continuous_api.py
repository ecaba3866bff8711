"""REST API of continuous ladders."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.scopes import PUBLIC
from foundation.paging import BadCursor
from foundation.words import asks
from ftk_core.games import UnknownGame
from tournaments.bounds import CONTINUOUS
from tournaments.continuous_queries import Continuous, read_continuous
from tournaments.ladder_api import PARAMETERS, LadderSerializer
from tournaments.ladder_queries import read_ladder


class BoutPlayerSerializer(serializers.Serializer[Any]):
    """A seat of a bout."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)


class BoutSerializer(serializers.Serializer[Any]):
    """A match of a continuous ladder."""

    match = serializers.CharField(source="id")
    status = serializers.CharField()
    players = BoutPlayerSerializer(many=True)


class ContinuousSerializer(serializers.Serializer[Any]):
    """Settings, open bouts and a page of standings of a continuous ladder."""

    rate = serializers.IntegerField(help_text="Bouts an hour; 0 is off.")
    sizes = serializers.ListField(child=serializers.IntegerField(), help_text="Of its tables, taken in turn.")
    options = serializers.CharField(help_text="The game's own, as JSON.", allow_blank=True)
    move_ms = serializers.IntegerField()
    bank_ms = serializers.IntegerField()
    called = serializers.IntegerField(help_text="How many bouts there were.")
    due = serializers.DateTimeField(help_text="When the next one is called at the earliest.", allow_null=True)
    bots = serializers.IntegerField(help_text="How many may be called.")
    going = BoutSerializer(many=True, help_text="Bouts that wait or are played, the next one first.")
    ended = BoutSerializer(many=True, help_text="The last ones.")
    ladder = LadderSerializer()


class ContinuousView(APIView):
    """The continuous ladder of a game."""

    scope = PUBLIC

    @extend_schema(parameters=PARAMETERS[1:], responses={200: ContinuousSerializer})
    @asks("author", "language", "after")
    def get(self, request: Request, game: str) -> Response:
        """Return the settings and the bouts, and list the bots from the best down."""
        said = [request.query_params.get(word, "") for word in ("author", "language", "after")]
        try:
            shown, ladder = read_continuous(game), read_ladder(game, CONTINUOUS, *said)
        except UnknownGame as error:
            raise NotFound(str(error)) from None
        except BadCursor as error:
            raise ValidationError({"after": str(error)}) from None
        return Response(ContinuousSerializer({**vars_of(shown), "ladder": ladder}).data)


def vars_of(shown: Continuous) -> dict[str, Any]:
    """Return the fields without converting their values."""
    return {field.name: getattr(shown, field.name) for field in fields(shown)}
