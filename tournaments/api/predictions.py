"""REST API of users' predictions of winners, and of rankings of the best predictors."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.token_scope_permissions import PUBLIC, private_reader_id, require_scope, signed_in_user
from foundation.query_parameters import query_parameters
from tournaments.api.error_responses import CURSOR_PARAMETER, read_or_404, translate_refusals
from tournaments.predictions.queries import TABLES_PAGE, list_guessers, read_predictions
from tournaments.predictions.services import PredictionInput, set_predictions

MAX_SMALL_INTEGER = 2**15 - 1
MAX_INTEGER = 2**31 - 1


@extend_schema_serializer(component_name="PredictedEntry")
class PredictableWinnerSerializer(serializers.Serializer[Any]):
    """A bot that the user can choose as the winner of a table (a group of bots that meet in a round)."""

    entry = serializers.IntegerField()
    name = serializers.CharField()


class PredictedTableSerializer(serializers.Serializer[Any]):
    """A table (a group of bots that meet in a round) whose winner can be predicted, with the user's choice."""

    round = serializers.IntegerField()
    table = serializers.IntegerField(help_text="0 for a round that is not paired yet.")
    choices = PredictableWinnerSerializer(many=True)
    chosen = serializers.IntegerField(help_text="The chosen entry; 0 without a choice.")


@extend_schema_serializer(component_name="OldPrediction")
class ClosedPredictionSerializer(serializers.Serializer[Any]):
    """A prediction of the user that can no longer be changed."""

    round = serializers.IntegerField()
    table = serializers.IntegerField()
    entry = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.FloatField(
        allow_null=True, help_text="From 0 to 1; null until the round ends, or if the prediction does not count."
    )


class PredictionsSerializer(serializers.Serializer[Any]):
    """The user's own predictions in a league."""

    allowed = serializers.BooleanField(help_text="False if the organisers turned predictions off.")
    tables = PredictedTableSerializer(many=True)
    after = serializers.CharField(help_text="Cursor of the next page of `tables`; empty on the last one.")
    old = ClosedPredictionSerializer(many=True)


@extend_schema_serializer(component_name="WantedPrediction")
class PredictionInputSerializer(serializers.Serializer[Any]):
    """A prediction to store."""

    round = serializers.IntegerField(min_value=1, max_value=MAX_SMALL_INTEGER)
    table = serializers.IntegerField(min_value=0, max_value=MAX_SMALL_INTEGER)
    entry = serializers.IntegerField(
        min_value=0, max_value=MAX_INTEGER, help_text="The entry that comes first; 0 removes the prediction."
    )


class NewPredictionsSerializer(serializers.Serializer[Any]):
    """Request body with predictions to store.

    If one of them is invalid, none is stored. Earlier predictions for other tables stay as they are.
    """

    predictions = serializers.ListField(child=PredictionInputSerializer(), max_length=TABLES_PAGE)


@extend_schema_serializer(component_name="Guesser")
class PredictionLeaderboardRowSerializer(serializers.Serializer[Any]):
    """One person in a ranking of the people who predicted winners best."""

    place = serializers.IntegerField()
    person = serializers.CharField()
    predictions = serializers.IntegerField(help_text="Number of predictions that count.")
    points = serializers.FloatField()
    chance = serializers.FloatField(help_text="Points that random choices would have won on average.")
    lead = serializers.FloatField(help_text="Points above `chance`; the order of the table.")


@extend_schema_serializer(component_name="Guessers")
class PredictionLeaderboardSerializer(serializers.Serializer[Any]):
    """The people who predicted winners best, at most 100."""

    guessers = PredictionLeaderboardRowSerializer(many=True)


class LeaguePredictionsView(APIView):
    """The user's own predictions in a league."""

    scope = "enter"
    throttle_scope = "enter"

    @extend_schema(parameters=[CURSOR_PARAMETER], responses={200: PredictionsSerializer})
    @require_scope("read")
    @query_parameters("after")
    def get(self, request: Request, slug: str) -> Response:
        """List your predictions, and the groups of bots whose winner you can predict."""
        person, after = signed_in_user(request), request.query_params.get("after", "")
        shown = read_or_404(lambda: read_predictions(slug, person, after), slug)
        return Response(PredictionsSerializer(shown).data)

    @extend_schema(request=NewPredictionsSerializer, responses={200: PredictionsSerializer})
    def put(self, request: Request, slug: str) -> Response:
        """Store your predictions: all of them, or none if one is invalid.

        After the first match of its round begins, a prediction cannot be changed (409). The lists of the response are
        empty for a token without the scope `read`.
        """
        serializer = NewPredictionsSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        person = signed_in_user(request)
        with translate_refusals():
            set_predictions(person, slug, [PredictionInput(**row) for row in serializer.validated_data["predictions"]])
        if private_reader_id(request) is None:
            return Response(PredictionsSerializer({"allowed": True, "tables": [], "after": "", "old": []}).data)
        return Response(PredictionsSerializer(read_predictions(slug, person)).data)


class LeagueBestPredictorsView(APIView):
    """Ranking of the people who predicted winners in one league."""

    scope = PUBLIC

    @extend_schema(responses={200: PredictionLeaderboardSerializer})
    def get(self, _request: Request, slug: str) -> Response:
        """List the people who predicted best in a league.

        They are sorted by their points minus the points that random predictions win on average.
        """
        return Response(
            PredictionLeaderboardSerializer({"guessers": read_or_404(lambda: list_guessers(slug), slug)}).data
        )


class PredictionLeaderboardView(APIView):
    """Ranking of the people who predicted winners, for all leagues together."""

    scope = PUBLIC

    @extend_schema(operation_id="predictions_best_retrieve", responses={200: PredictionLeaderboardSerializer})
    def get(self, _request: Request) -> Response:
        """List the people who predicted best in all leagues together.

        They are sorted by their points minus the points that random predictions win on average.
        """
        return Response(PredictionLeaderboardSerializer({"guessers": list_guessers()}).data)
