"""REST API of series. A series ranks bots by their points from several leagues."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import PUBLIC, require_scope, signed_in_user
from tournaments.api.error_responses import translate_refusals
from tournaments.league_limits import MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS
from tournaments.league_series.queries import list_series, read_series
from tournaments.league_series.services import (
    MAX_DROPS,
    MAX_POINT_PLACES,
    MAX_POINTS,
    LeagueSeriesSettings,
    add_league,
    open_series,
    remove_league,
)


class SeriesSummarySerializer(serializers.Serializer[Any]):
    """One series in the list of all series."""

    slug = serializers.CharField()
    name = serializers.CharField()
    game = serializers.CharField()
    leagues = serializers.IntegerField(help_text="Number of its leagues.")


@extend_schema_serializer(many=False)
class SeriesListSerializer(serializers.Serializer[Any]):
    """All series, newest first."""

    series = SeriesSummarySerializer(many=True)


class NewSeriesSerializer(serializers.Serializer[Any]):
    """Request body of a new series."""

    slug = serializers.SlugField(max_length=MAX_SLUG_CHARACTERS)
    name = serializers.CharField(max_length=MAX_NAME_CHARACTERS)
    game = serializers.SlugField(max_length=40)
    drops = serializers.IntegerField(
        min_value=0, max_value=MAX_DROPS, default=0, help_text="Number of each bot's worst leagues that do not count."
    )
    points = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_POINTS),
        max_length=MAX_POINT_PLACES,
        default=list,
        help_text="Points by place from the first on; empty for 100 times the share of the bots left behind.",
    )


class LeagueReferenceSerializer(serializers.Serializer[Any]):
    """Request body that names a league."""

    league = serializers.SlugField(max_length=MAX_SLUG_CHARACTERS, help_text="The slug of the league.")


class SeriesLeagueSerializer(serializers.Serializer[Any]):
    """A league of a series."""

    slug = serializers.CharField()
    name = serializers.CharField()
    status = serializers.CharField()


class SeriesResultSerializer(serializers.Serializer[Any]):
    """Points of a bot in one league of a series."""

    points = serializers.CharField(help_text="Empty if the bot did not play.", allow_blank=True)
    counts = serializers.BooleanField(help_text="False if the points are dropped.")

    def to_representation(self, instance: tuple[str, bool]) -> dict[str, Any]:
        """Return the points, and True if they count, by the names of the fields."""
        points, counts = instance
        return {"points": points, "counts": counts}


class SeriesStandingSerializer(serializers.Serializer[Any]):
    """One bot in the standings of a series."""

    place = serializers.IntegerField()
    bot = serializers.CharField()
    points = serializers.CharField(help_text="With at most one decimal.")
    results = SeriesResultSerializer(many=True, help_text="One for each league in `finished`.")


class SeriesSerializer(SeriesSummarySerializer):
    """A series with its leagues and standings."""

    drops = serializers.IntegerField()
    points = serializers.ListField(child=serializers.IntegerField())
    finished = SeriesLeagueSerializer(many=True, help_text="Leagues that count, in the order of their announcement.")
    coming = SeriesLeagueSerializer(many=True, help_text="Leagues that are open or running.")
    ended = SeriesLeagueSerializer(many=True, help_text="Leagues that ended without a result, such as cancelled ones.")
    standings = SeriesStandingSerializer(many=True)


class LeagueSeriesListView(APIView):
    """List of all series. POST opens a new series."""

    scope = PUBLIC

    @extend_schema(operation_id="series_list", responses={200: SeriesListSerializer})
    def get(self, _request: Request) -> Response:
        """List all series, newest first."""
        return Response(SeriesListSerializer({"series": list_series()}).data)

    @extend_schema(request=NewSeriesSerializer, responses={201: SeriesSerializer})
    @require_scope("organise")
    @idempotent()
    def post(self, request: Request) -> Response:
        """Open a series; requires the organiser role."""
        serializer = NewSeriesSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        with translate_refusals():
            series = open_series(
                signed_in_user(request), LeagueSeriesSettings(**given | {"points": tuple(given["points"])})
            )
        return Response(_serialize(series.slug), status.HTTP_201_CREATED)


class LeagueSeriesView(APIView):
    """One series."""

    scope = PUBLIC

    @extend_schema(responses={200: SeriesSerializer})
    def get(self, _request: Request, slug: str) -> Response:
        """Return the settings, leagues and standings of a series."""
        return Response(_serialize(slug))


class SeriesLeagueAdditionView(APIView):
    """View that adds a league to a series."""

    scope = "organise"

    @extend_schema(request=LeagueReferenceSerializer, responses={200: SeriesSerializer})
    @idempotent()
    def post(self, request: Request, slug: str) -> Response:
        """Add a league to a series; requires the right to change both."""
        serializer = LeagueReferenceSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        with translate_refusals():
            add_league(signed_in_user(request), slug, serializer.validated_data["league"])
        return Response(_serialize(slug))


class SeriesLeagueRemovalView(APIView):
    """View that removes a league from a series."""

    scope = "organise"

    @extend_schema(responses={200: SeriesSerializer})
    def delete(self, request: Request, slug: str, league: str) -> Response:
        """Remove a league from a series; requires the right to change the series."""
        with translate_refusals():
            remove_league(signed_in_user(request), slug, league)
        return Response(_serialize(slug))


def _serialize(slug: str) -> dict[str, Any]:
    with translate_refusals():
        return dict(SeriesSerializer(read_series(slug)).data)
