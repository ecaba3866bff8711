"""REST API of the games: their list, and JSON Schemas of their messages."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.token_scope_permissions import PUBLIC
from ftk_core.games import UnknownGameError, list_games
from ftk_core.kit.built_in_bots import list_built_in_bots
from ftk_core.kit.commands.schema import schema_of


class GameSerializer(serializers.Serializer[Any]):
    """A game that bots can play."""

    name = serializers.CharField()
    title = serializers.CharField()
    version = serializers.IntegerField(help_text="Of its rules, as played here.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="How many may sit at a table.")
    house = serializers.ListField(child=serializers.CharField(), help_text="Names of the built-in bots.")


class GamesSerializer(serializers.Serializer[Any]):
    """All games."""

    games = GameSerializer(many=True)


class GamesView(APIView):
    """List of all games."""

    scope = PUBLIC

    @extend_schema(responses={200: GamesSerializer})
    def get(self, _request: Request) -> Response:
        """List all games."""
        games = [
            {
                "name": name,
                "title": row.title,
                "version": row.version,
                "seats": list(row.seats),
                "house": [*list_built_in_bots(name)],
            }
            for name, row in list_games().items()
        ]
        return Response(GamesSerializer({"games": games}).data)


class GameSchemaView(APIView):
    """JSON Schema of the messages (one JSON line each) that a game's bots read and write, with examples."""

    scope = PUBLIC

    @extend_schema(responses={(200, "application/schema+json"): OpenApiTypes.OBJECT, 304: None})
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the JSON Schema, or status 304 if `If-None-Match` equals the schema's ETag."""
        # `ftk schema` prints the same text.
        try:
            body, tag = encoded_schema(name)
        except UnknownGameError as error:
            raise Http404(str(error)) from None
        known = request.headers.get("If-None-Match") == tag
        response = HttpResponse(b"" if known else body, status=304 if known else 200)
        response["Content-Type"] = "application/schema+json"
        response["ETag"], response["Cache-Control"] = tag, "no-cache"
        return response


@cache
def encoded_schema(name: str) -> tuple[bytes, str]:
    """Return a pair (JSON Schema of a game's messages as JSON text, its ETag); raises UnknownGameError."""
    body = msgspec.json.format(msgspec.json.encode(schema_of(name)), indent=2)
    return body, f'"{sha256(body).hexdigest()[:16]}"'
