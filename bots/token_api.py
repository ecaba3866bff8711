"""REST API by which a program gets a token, reads its scopes, and revokes it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.parsers import FormParser, JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots import devices
from bots.models import Token
from bots.scopes import PUBLIC, ByToken, signed_in
from bots.tokens import revoke
from foundation.throttles import address_of
from ftk_core.kit.tokens import AUTHORS, SCOPES, read_scopes

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
AS_IN_OAUTH = {"x-once": False}
"""RFC 8628 defines the effect of a repeated request, and secrets must not be stored for idempotency."""
UNSTORED = {"Cache-Control": "no-store"}


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # it registers itself
    """Description of the token authentication in the OpenAPI document."""

    target_class = ByToken
    name = "token"

    def get_security_definition(self, _auto_schema: AutoSchema) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "http", "scheme": "bearer", "description": "A token, shown as `Bearer` or as `Token`."}


class DeviceSerializer(serializers.Serializer[Any]):
    """Request of a program for a token."""

    client_id = serializers.CharField(max_length=devices.LONGEST_CLIENT, help_text="What the program is listed as.")
    scope = serializers.CharField(
        max_length=100, required=False, help_text=f"Of {', '.join(SCOPES)}, between blanks; else {' '.join(AUTHORS)}."
    )

    def validate_client_id(self, name: str) -> str:
        """Reject control characters."""
        if not name.isprintable():
            raise serializers.ValidationError(gettext("a program's name is one line of letters"))
        return name

    def validate_scope(self, text: str) -> tuple[str, ...]:
        """Reject an unknown scope."""
        try:
            return read_scopes(text)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class CodesSerializer(serializers.Serializer[Any]):
    """Codes of a pending request."""

    device_code = serializers.CharField()
    user_code = serializers.CharField()
    verification_uri = serializers.CharField()
    verification_uri_complete = serializers.CharField()
    expires_in = serializers.IntegerField()
    interval = serializers.IntegerField()


class WaitSerializer(serializers.Serializer[Any]):
    """Poll of a program."""

    grant_type = serializers.ChoiceField(choices=[GRANT])
    device_code = serializers.CharField(max_length=100)


class GivenSerializer(serializers.Serializer[Any]):
    """A new token."""

    access_token = serializers.CharField()
    token_type = serializers.CharField()
    scope = serializers.CharField()
    expires_in = serializers.IntegerField()


class WaitingSerializer(serializers.Serializer[Any]):
    """Reason why there is no token yet, with an error code of RFC 8628 (3.5)."""

    error = serializers.CharField()
    error_description = serializers.CharField()


class OwnTokenSerializer(serializers.ModelSerializer[Token]):
    """A token without its secret, for its holder."""

    person = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = Token
        fields = ("person", "name", "scopes", "start", "created_at", "expires_at", "used_at")


class DeviceView(APIView):
    """Requests of programs for a token (RFC 8628, 3.1)."""

    scope = PUBLIC
    authentication_classes = ()
    parser_classes = (FormParser, JSONParser)  # OAuth clients send forms
    throttle_scope = "device"

    @extend_schema(extensions=AS_IN_OAUTH, request=DeviceSerializer, responses={200: CodesSerializer})
    def post(self, request: Request) -> Response:
        """Return two codes: one to poll with, one for the person to type at `/device/`."""
        form = DeviceSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        asked = devices.ask(said["client_id"], said.get("scope", AUTHORS), address_of(request))
        page = request.build_absolute_uri(reverse("device"))
        codes = {"device_code": asked.device_code, "user_code": asked.user_code, "verification_uri": page}
        codes |= {"verification_uri_complete": f"{page}?code={asked.user_code}"}
        return Response({**codes, "expires_in": asked.seconds, "interval": asked.interval}, headers=UNSTORED)


class DeviceTokenView(APIView):
    """Delivery of the token after the person has approved (RFC 8628, 3.4)."""

    scope = PUBLIC
    authentication_classes = ()
    parser_classes = (FormParser, JSONParser)  # OAuth clients send forms

    @extend_schema(
        extensions=AS_IN_OAUTH, request=WaitSerializer, responses={200: GivenSerializer, 400: WaitingSerializer}
    )
    def post(self, request: Request) -> Response:
        """Return the token once; otherwise `error` contains the error code of RFC 8628."""
        form = WaitSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        try:
            given = devices.fetch(form.validated_data["device_code"])
        except devices.Pending as error:
            said = {"error": error.code, "error_description": str(error)}
            return Response(said, status.HTTP_400_BAD_REQUEST, headers=UNSTORED)
        token = {"access_token": given.token, "token_type": "Bearer", "scope": " ".join(given.scopes)}
        return Response({**token, "expires_in": given.seconds}, headers=UNSTORED)


class TokenView(APIView):
    """The token of the request. It needs no scope, because a token can only ask about itself."""

    scope = PUBLIC

    @extend_schema(responses={200: OwnTokenSerializer})
    def get(self, request: Request) -> Response:
        """Return the token's owner, scopes and expiry."""
        return Response(OwnTokenSerializer(_shown(request)).data, headers=UNSTORED)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke this token, and end the sessions and pending trials created with it."""
        token = _shown(request)
        revoke(signed_in(request), token.start)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _shown(request: Request) -> Token:
    """Return the token of a request; raises NotAuthenticated."""
    if not isinstance(request.auth, Token):
        raise NotAuthenticated(gettext("Show a token: `Authorization: Token ftk_pat_...`."))
    return request.auth
