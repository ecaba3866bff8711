"""REST API of leagues: list, details, standings, rounds, organisers' actions, announcement and forecast."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import PUBLIC, require_scope, signed_in_user
from foundation import time_control_fields
from foundation.keyset_pagination import InvalidCursorError
from foundation.message_translation import translate_message
from foundation.query_parameters import query_parameters
from people.person_roles import is_organiser
from tournaments.api.error_responses import CURSOR_PARAMETER, get_league_or_404, read_or_404, translate_refusals
from tournaments.api.league_etags import add_content_digest
from tournaments.api.league_serializers import (
    ActionListSerializer,
    ForecastSerializer,
    LeagueListSerializer,
    LeagueSerializer,
    RoundSerializer,
    StandingsSerializer,
)
from tournaments.api.league_settings_serializers import (
    CopyableLeagueSettingsSerializer,
    ForecastRequestSerializer,
    LeagueTemplateSerializer,
    NewLeagueSerializer,
)
from tournaments.leagues import queries, services
from tournaments.leagues.league_event_projection import compute_etag
from tournaments.leagues.league_settings import LeagueSettings
from tournaments.leagues.stage_seeding import parse_stages
from tournaments.organisers.league_templates import list_templates
from tournaments.organisers.public_organiser_action_descriptions import read_acts
from tournaments.reports import league_lists, league_page_queries
from tournaments.reports.league_forecast import MAX_SIMULATED_ENTRIES, compute_forecast


class LeagueListView(APIView):
    """List of all leagues. POST announces a new league."""

    scope = PUBLIC

    @extend_schema(operation_id="leagues_list", parameters=[CURSOR_PARAMETER], responses={200: LeagueListSerializer})
    @query_parameters("after")
    def get(self, request: Request) -> Response:
        """List all leagues, newest first."""
        try:
            every = league_lists.LeagueFilter(single=None)
            rows = league_lists.list_leagues_from(request.query_params.get("after", ""), wanted=every)
        except InvalidCursorError as error:
            raise ValidationError({"after": str(error)}) from None
        return Response(LeagueListSerializer({"leagues": rows.cards, "after": rows.after}).data)

    @extend_schema(request=NewLeagueSerializer, responses={201: LeagueSerializer})
    @require_scope("organise")
    @idempotent()
    def post(self, request: Request) -> Response:
        """Announce a new league; requires the organiser role."""
        person = _require_organiser(request)
        serializer = NewLeagueSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        with translate_refusals():
            league = services.open_league(parse_terms(serializer.validated_data, person.get_username()), person)
        return Response(_serialize_league(league.slug), status.HTTP_201_CREATED)


class LeagueForecastView(APIView):
    """Forecast of a league that is not announced yet."""

    scope = "organise"
    throttle_scope = "outlook"

    @extend_schema(request=ForecastRequestSerializer, responses={200: ForecastSerializer})
    @idempotent()
    def post(self, request: Request) -> Response:
        """Simulate a league with these settings and bots of random strength; requires the organiser role.

        Nothing is stored.
        """
        person = _require_organiser(request)
        serializer = ForecastRequestSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        terms = dict(serializer.validated_data)
        expected = terms.pop("expected")
        with translate_refusals():
            forecast = compute_forecast(parse_terms(terms, person.get_username()), expected)
        return Response(
            ForecastSerializer({**msgspec.to_builtins(forecast), "entries": min(expected, MAX_SIMULATED_ENTRIES)}).data
        )


class LeagueTemplatesView(APIView):
    """List of the templates: league settings that organisers have saved for later leagues."""

    scope = "organise"

    @extend_schema(responses={200: LeagueTemplateSerializer(many=True)})
    def get(self, request: Request) -> Response:
        """List the saved league settings that organisers use as templates; requires the organiser role.

        `terms` has the form of a request body for `POST /leagues/`.
        """
        _require_organiser(request)
        return Response(LeagueTemplateSerializer(list_templates(), many=True).data)


class LeagueView(APIView):
    """Settings and current state of one league."""

    scope = PUBLIC

    @extend_schema(responses={200: LeagueSerializer})
    def get(self, _request: Request, slug: str) -> Response:
        """Return the settings and the current state of a league.

        The response has an ETag. You can send it in the header `If-Match` of an organiser's action. The action is
        refused (412) if the league has changed since.
        """
        league = get_league_or_404(slug)
        etag = compute_etag(league)  # first, so that an action on content that changes meanwhile is refused
        content = _serialize_league(slug)
        return Response(content, headers={"ETag": add_content_digest(etag, content)})


class LeagueSettingsView(APIView):
    """Settings of one league, in the form of a request body that announces a league."""

    scope = PUBLIC

    @extend_schema(responses={200: CopyableLeagueSettingsSerializer})
    def get(self, _request: Request, slug: str) -> Response:
        """Return the settings of a league in the form of a request body for `POST /leagues/`.

        A new league with the same settings needs only another slug and name.
        """
        get_league_or_404(slug)
        return Response(CopyableLeagueSettingsSerializer(queries.read_terms(slug)).data)


class StandingsView(APIView):
    """Standings of one league."""

    scope = PUBLIC

    @extend_schema(parameters=[CURSOR_PARAMETER], responses={200: StandingsSerializer})
    @query_parameters("after")
    def get(self, request: Request, slug: str) -> Response:
        """List the standings of a league from the first place on, with the values of the tie-breaks."""
        _, rows = read_or_404(
            lambda: league_page_queries.read_standings(slug, request.query_params.get("after", "")), slug
        )
        return Response(StandingsSerializer(rows).data)


class RoundView(APIView):
    """One round of a league."""

    scope = PUBLIC

    @extend_schema(parameters=[CURSOR_PARAMETER], responses={200: RoundSerializer})
    @query_parameters("after")
    def get(self, request: Request, slug: str, number: int) -> Response:
        """List the matches of a round with their results, and the bots without a match."""
        _, row = read_or_404(
            lambda: league_page_queries.read_round(slug, number, request.query_params.get("after", "")), slug
        )
        return Response(RoundSerializer(row).data)


class LeagueOrganiserActionsView(APIView):
    """List of the organisers' actions on one league."""

    scope = PUBLIC

    @extend_schema(parameters=[CURSOR_PARAMETER], responses={200: ActionListSerializer})
    @query_parameters("after")
    def get(self, request: Request, slug: str) -> Response:
        """List the organisers' actions on a league with their authors and reasons, newest first.

        `before` and `after` describe the value that the action changed, such as the result of a match.
        """
        _, rows = read_or_404(lambda: read_acts(slug, request.query_params.get("after", "")), slug)
        return Response(ActionListSerializer(rows).data)


def _require_organiser(request: Request) -> User:
    """Return the signed-in user if they may announce leagues; raises PermissionDenied otherwise."""
    person = signed_in_user(request)
    if not is_organiser(person):
        raise PermissionDenied(gettext("only organisers announce leagues"))
    return person


def _serialize_league(slug: str) -> Any:
    page = league_page_queries.read_league(slug)
    plain = {name: getattr(page, name) for name in LeagueSerializer.PLAIN}
    return LeagueSerializer(plain | {"waits": translate_message(page.waits)}).data


def parse_terms(fields: dict[str, Any], by: str) -> LeagueSettings:
    """Convert the fields of a validated request body into league settings.

    `by` is the username of the person who announces the league. Raises ValidationError for invalid stages.
    """
    terms = dict(fields)
    clock = time_control_fields.clock_from({part: terms.pop(part) for part in time_control_fields.PARTS})
    options = terms.pop("options")
    try:
        stages = parse_stages(terms.pop("stages"), terms["game"], terms["worth"])
    except msgspec.ValidationError as error:
        raise ValidationError({"stages": str(error)}) from None
    until = terms.pop("entries_until")
    return LeagueSettings(
        **terms | {name: tuple(terms[name]) for name in ("tiebreaks", "languages", "kinds", "questions")},
        clock=clock,
        stages=stages,
        options=msgspec.json.encode(options).decode() if options else "",
        entries_until=until.astimezone(UTC) if until else None,
        by=by,
    )
