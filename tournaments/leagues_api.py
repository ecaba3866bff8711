"""REST API of leagues: the list, one league, its standings, rounds and acts, and a new one."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.idempotency import once
from bots.scopes import PUBLIC, needs, signed_in
from foundation.paging import BadCursor
from foundation.words import asks
from ftk_core.entries import Clock
from ftk_core.league.plans import Stage
from people.roles import is_organiser
from tournaments import league_queries, queries, services
from tournaments.league_answers import (
    ActsSerializer,
    LeagueListSerializer,
    LeagueSerializer,
    NewLeagueSerializer,
    OutlookForSerializer,
    OutlookSerializer,
    RoundSerializer,
    StandingsSerializer,
)
from tournaments.outlooks import MOST, read_outlook
from tournaments.projections import etag_of
from tournaments.refusals import found, refusals
from tournaments.terms import Terms

CURSOR = OpenApiParameter("after", str, description="The cursor from the answer before; none for the first rows.")


class LeaguesView(APIView):
    """All leagues."""

    scope = PUBLIC

    @extend_schema(operation_id="leagues_list", parameters=[CURSOR], responses={200: LeagueListSerializer})
    @asks("after")
    def get(self, request: Request) -> Response:
        """List the leagues, newest first."""
        try:
            rows = queries.list_leagues_from(request.query_params.get("after", ""))
        except BadCursor as error:
            raise ValidationError({"after": str(error)}) from None
        return Response(LeagueListSerializer({"leagues": rows.cards, "after": rows.after}).data)

    @extend_schema(request=NewLeagueSerializer, responses={201: LeagueSerializer})
    @needs("organise")
    @once()
    def post(self, request: Request) -> Response:
        """Announce a league; requires the organiser role."""
        person = _organiser(request)
        said = NewLeagueSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        with refusals():
            league = services.open_league(terms_of(said.validated_data, person.get_username()))
        return Response(_told(league.slug), status.HTTP_201_CREATED)


class OutlookView(APIView):
    """Forecast of a league before it is announced."""

    scope = "organise"
    throttle_scope = "outlook"

    @extend_schema(request=OutlookForSerializer, responses={200: OutlookSerializer})
    @once()
    def post(self, request: Request) -> Response:
        """Simulate the terms of a league with bots of unknown strength; nothing is stored."""
        person = _organiser(request)
        said = OutlookForSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        told = dict(said.validated_data)
        expected = told.pop("expected")
        with refusals():
            found = read_outlook(terms_of(told, person.get_username()), expected)
        return Response(OutlookSerializer({**msgspec.to_builtins(found), "entries": min(expected, MOST)}).data)


class LeagueView(APIView):
    """A league."""

    scope = PUBLIC

    @extend_schema(responses={200: LeagueSerializer})
    def get(self, _request: Request, slug: str) -> Response:
        """Return a league's terms and progress; its ETag is for `If-Match` of acts."""
        league = found(slug)
        return Response(_told(slug), headers={"ETag": etag_of(league)})


class StandingsView(APIView):
    """Standings of a league."""

    scope = PUBLIC

    @extend_schema(parameters=[CURSOR], responses={200: StandingsSerializer})
    @asks("after")
    def get(self, request: Request, slug: str) -> Response:
        """List the standings from the first place on, with the values of the tie-breaks in their order."""
        _, rows = _read(lambda: league_queries.read_standings(slug, request.query_params.get("after", "")), slug)
        return Response(StandingsSerializer(rows).data)


class RoundView(APIView):
    """A round of a league."""

    scope = PUBLIC

    @extend_schema(parameters=[CURSOR], responses={200: RoundSerializer})
    @asks("after")
    def get(self, request: Request, slug: str, number: int) -> Response:
        """List the pairings of a round with their results, and the resting entries."""
        _, row = _read(lambda: league_queries.read_round(slug, number, request.query_params.get("after", "")), slug)
        return Response(RoundSerializer(row).data)


class ActsView(APIView):
    """Acts on a league."""

    scope = PUBLIC

    @extend_schema(parameters=[CURSOR], responses={200: ActsSerializer})
    @asks("after")
    def get(self, request: Request, slug: str) -> Response:
        """List the acts on a league, newest first: actor, reason, state before and after."""
        _, rows = _read(lambda: league_queries.read_acts(slug, request.query_params.get("after", "")), slug)
        return Response(ActsSerializer(rows).data)


def _organiser(request: Request) -> User:
    """Return the organiser; raises PermissionDenied for anybody else."""
    person = signed_in(request)
    if not is_organiser(person):
        raise PermissionDenied(gettext("only organisers announce leagues"))
    return person


def _read(read: Any, slug: str) -> Any:
    """Return the result; raises NotFound, or ValidationError for an invalid cursor."""
    found(slug)
    try:
        with refusals():
            return read()
    except BadCursor as error:
        raise ValidationError({"after": str(error)}) from None


def _told(slug: str) -> Any:
    page = league_queries.read_league(slug)
    return LeagueSerializer({name: getattr(page, name) for name in LeagueSerializer.PLAIN}).data


def terms_of(said: dict[str, Any], by: str) -> Terms:
    """Return the submitted terms; raises ValidationError for invalid stages."""
    told = dict(said)
    clock = Clock(told.pop("move_ms"), told.pop("bank_ms"))
    options = told.pop("options")
    try:
        stages = msgspec.convert(told.pop("stages"), tuple[Stage, ...])
    except msgspec.ValidationError as error:
        raise ValidationError({"stages": str(error)}) from None
    until = told.pop("entries_until")
    return Terms(
        **told | {name: tuple(told[name]) for name in ("tiebreaks", "languages", "kinds")},
        clock=clock,
        stages=stages,
        options=msgspec.json.encode(options).decode() if options else "",
        entries_until=until.astimezone(UTC) if until else None,
        by=by,
    )
