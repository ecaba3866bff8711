"""REST API of continuous ladders: rated matches that the server starts outside leagues."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.token_scope_permissions import PUBLIC
from foundation import time_control_fields
from foundation.keyset_pagination import InvalidCursorError
from foundation.query_parameters import query_parameters
from ftk_core.games import UnknownGameError
from tournaments.api.ladders import LADDER_PARAMETERS, LadderSerializer
from tournaments.continuous_ladder.queries import ContinuousLadderOverview, read_continuous
from tournaments.ladders.queries import read_ladder
from tournaments.league_limits import CONTINUOUS


@extend_schema_serializer(component_name="BoutPlayer")
class BoutSeatSerializer(serializers.Serializer[Any]):
    """One bot in a match of a continuous ladder, with its place once the match has ended."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)


class BoutSerializer(serializers.Serializer[Any]):
    """One match of a continuous ladder."""

    match = serializers.CharField(source="id")
    status = serializers.CharField()
    players = BoutSeatSerializer(many=True)


@extend_schema_serializer(component_name="Continuous")
class ContinuousLadderSerializer(serializers.Serializer[Any]):
    """A game's continuous ladder: settings, open and latest finished matches, and one page of the ratings."""

    rate = serializers.IntegerField(help_text="Bouts an hour; 0 is off.")
    sizes = serializers.ListField(child=serializers.IntegerField(), help_text="Of its tables, taken in turn.")
    options = serializers.CharField(help_text="The game's own, as JSON.", allow_blank=True)
    vars().update(time_control_fields.shown_fields())
    called = serializers.IntegerField(help_text="Number of bouts started so far.")
    due = serializers.DateTimeField(
        help_text="Earliest time at which the next bout starts; null if off.", allow_null=True
    )
    bots = serializers.IntegerField(help_text="Number of bots that can be chosen for a bout.")
    going = BoutSerializer(many=True, help_text="Bouts that wait or are played, the next one first.")
    ended = BoutSerializer(many=True, help_text="The last ones.")
    ladder = LadderSerializer()


class ContinuousLadderView(APIView):
    """The continuous ladder of one game."""

    scope = PUBLIC

    @extend_schema(parameters=LADDER_PARAMETERS[1:], responses={200: ContinuousLadderSerializer})
    @query_parameters("author", "language", "after")
    def get(self, request: Request, game: str) -> Response:
        """Return the settings and matches of a continuous ladder, and one page of its bots, best first."""
        filters = [request.query_params.get(name, "") for name in ("author", "language", "after")]
        try:
            continuous, ladder = read_continuous(game), read_ladder(game, CONTINUOUS, *filters)
        except UnknownGameError as error:
            raise NotFound(str(error)) from None
        except InvalidCursorError as error:
            raise ValidationError({"after": str(error)}) from None
        return Response(ContinuousLadderSerializer({**get_field_values(continuous), "ladder": ladder}).data)


def get_field_values(shown: ContinuousLadderOverview) -> dict[str, Any]:
    """Return the values of the `ContinuousLadderSerializer` fields by name, except `ladder`."""
    # The caller adds `ladder`, a page of the ratings.
    values = {field.name: getattr(shown, field.name) for field in fields(shown)}
    return values | shown.clock.parts
