"""REST API of the logo of a league."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.token_scope_permissions import signed_in_user
from tournaments.api.error_responses import translate_refusals
from tournaments.organisers.league_logos import remove_logo, set_logo
from tournaments.reports.league_lists import read_card

PICTURE_TYPES = ("image/png", "image/jpeg", "image/webp")


class LogoSerializer(serializers.Serializer[Any]):
    """Path of a league's logo."""

    logo = serializers.CharField(source="logo_path", help_text="It changes with the picture.")


class LeagueLogoView(APIView):
    """The logo of one league."""

    scope = "organise"
    throttle_scope = "upload"

    @extend_schema(request=dict.fromkeys(PICTURE_TYPES, OpenApiTypes.BINARY), responses={200: LogoSerializer})
    def put(self, request: Request, slug: str) -> Response:
        """Replace the logo by the picture in the request body.

        The picture is PNG, JPEG or WebP, has at most 512 KiB, and is at most 4096 pixels wide and high.
        """
        with translate_refusals():
            set_logo(signed_in_user(request), slug, request.body)
        return Response(LogoSerializer(read_card(slug)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Remove the logo."""
        with translate_refusals():
            remove_logo(signed_in_user(request), slug)
        return Response(status=status.HTTP_204_NO_CONTENT)
