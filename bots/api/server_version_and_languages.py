"""REST API for the server's version and supported programming languages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.token_scope_permissions import PUBLIC
from bots.worker_sandbox_report_queries import list_languages
from ftk_core import __version__
from ftk_core.kit.build_id import compute_build_id


@extend_schema_serializer(component_name="Language")
class ProgrammingLanguageSerializer(serializers.Serializer[Any]):
    """A programming language that bots may be written in."""

    name = serializers.CharField()
    title = serializers.CharField()
    command = serializers.CharField(help_text="What bot.toml says, for a program called main.")
    workers = serializers.IntegerField(help_text="How many workers can build and play it; 0: not here.")
    versions = serializers.ListField(child=serializers.CharField(), help_text="Of compilers and interpreters.")


@extend_schema_serializer(component_name="Languages")
class ProgrammingLanguageListSerializer(serializers.Serializer[Any]):
    """All languages."""

    languages = ProgrammingLanguageSerializer(many=True)


class ProgrammingLanguagesView(APIView):
    """Programming languages in which this server can build and run bots."""

    scope = PUBLIC

    @extend_schema(responses={200: ProgrammingLanguageListSerializer})
    def get(self, _request: Request) -> Response:
        """List all languages, each with the number of workers that can build and run bots in it."""
        return Response(ProgrammingLanguageListSerializer({"languages": list_languages()}).data)


class ArenaVersionSerializer(serializers.Serializer[Any]):
    """The version of this server's software."""

    version = serializers.CharField()
    build = serializers.CharField(help_text="Of the rules and the kit: equal to the kit's where both are the same.")


class ServerVersionView(APIView):
    """Version and build of this server's software."""

    scope = PUBLIC

    @extend_schema(responses={200: ArenaVersionSerializer})
    def get(self, _request: Request) -> Response:
        """Return the version and the build."""
        return Response(ArenaVersionSerializer({"version": __version__, "build": compute_build_id()}).data)
