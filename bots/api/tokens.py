"""REST API by which a program gets a token, reads its scopes, and revokes it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import NotAuthenticated
from rest_framework.parsers import FormParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.access import device_authorization
from bots.access.api_tokens import revoke_token
from bots.api.strict_json_parser import StrictJSONParser
from bots.api.token_scope_permissions import PUBLIC, HeaderTokenAuthentication, signed_in_user
from bots.models import ApiToken
from foundation.ratelimits.limits import request_address
from ftk_core.kit.client.api_token_format import DEFAULT_SCOPES, SCOPES, read_scopes

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
AS_IN_OAUTH = {"x-once": False}
"""OpenAPI extension that marks views which ignore the header Idempotency-Key.

RFC 8628 defines the effect of repeated requests to these views. Their responses contain secrets and are not stored.
"""
UNSTORED = {"Cache-Control": "no-store"}


class TokenAuthenticationScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular registers it
    """Description of the token authentication in the OpenAPI document."""

    target_class = HeaderTokenAuthentication
    name = "token"

    def get_security_definition(self, _auto_schema: AutoSchema) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {"type": "http", "scheme": "bearer", "description": "A token, shown as `Bearer` or as `Token`."}


@extend_schema_serializer(component_name="Device")
class DeviceAuthorizationRequestSerializer(serializers.Serializer[Any]):
    """A program's request for a token."""

    client_id = serializers.CharField(
        max_length=device_authorization.MAX_CLIENT_LETTERS, help_text="What the program is listed as."
    )
    scope = serializers.CharField(
        max_length=100,
        required=False,
        help_text=f"Of {', '.join(SCOPES)}, between blanks; else {' '.join(DEFAULT_SCOPES)}.",
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


@extend_schema_serializer(component_name="Codes")
class DeviceCodesSerializer(serializers.Serializer[Any]):
    """Device code and user code of a program's pending request for a token."""

    device_code = serializers.CharField()
    user_code = serializers.CharField()
    verification_uri = serializers.CharField()
    verification_uri_complete = serializers.CharField()
    expires_in = serializers.IntegerField()
    interval = serializers.IntegerField()


@extend_schema_serializer(component_name="Wait")
class DeviceFlowTokenPollSerializer(serializers.Serializer[Any]):
    """A program's poll for the token that it requested."""

    grant_type = serializers.ChoiceField(choices=[GRANT])
    device_code = serializers.CharField(max_length=100)


@extend_schema_serializer(component_name="Given")
class IssuedTokenSerializer(serializers.Serializer[Any]):
    """A new token, its scopes, and the seconds until it expires."""

    access_token = serializers.CharField()
    token_type = serializers.CharField()
    scope = serializers.CharField()
    expires_in = serializers.IntegerField()


@extend_schema_serializer(component_name="Waiting")
class TokenRefusalSerializer(serializers.Serializer[Any]):
    """Reason why there is no token yet, with an error code of RFC 8628 (3.5)."""

    error = serializers.CharField()
    error_description = serializers.CharField()


@extend_schema_serializer(component_name="OwnToken")
class CurrentTokenSerializer(serializers.ModelSerializer[ApiToken]):
    """A token without its secret, for the program that uses it."""

    person = serializers.CharField(source="owner.username", read_only=True)

    class Meta:
        model = ApiToken
        fields = ("person", "name", "scopes", "start", "created_at", "expires_at", "used_at")


class DeviceAuthorizationView(APIView):
    """Endpoint where a program requests a token (RFC 8628, 3.1)."""

    scope = PUBLIC
    authentication_classes = ()
    parser_classes = (FormParser, StrictJSONParser)  # OAuth clients send forms
    throttle_scope = "device"

    @extend_schema(
        extensions=AS_IN_OAUTH, request=DeviceAuthorizationRequestSerializer, responses={200: DeviceCodesSerializer}
    )
    def post(self, request: Request) -> Response:
        """Return a device code for the program, and a user code to enter on the page `/device/`."""
        form = DeviceAuthorizationRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        asked = device_authorization.request_codes(
            said["client_id"], said.get("scope", DEFAULT_SCOPES), request_address(request)
        )
        page = request.build_absolute_uri(reverse("device"))
        codes = {"device_code": asked.device_code, "user_code": asked.user_code, "verification_uri": page}
        codes |= {"verification_uri_complete": f"{page}?code={asked.user_code}"}
        return Response({**codes, "expires_in": asked.seconds, "interval": asked.interval}, headers=UNSTORED)


class DeviceTokenView(APIView):
    """Endpoint where a program fetches its token after a person has approved the request (RFC 8628, 3.4)."""

    scope = PUBLIC
    authentication_classes = ()
    parser_classes = (FormParser, StrictJSONParser)  # OAuth clients send forms

    @extend_schema(
        extensions=AS_IN_OAUTH,
        request=DeviceFlowTokenPollSerializer,
        responses={200: IssuedTokenSerializer, 400: TokenRefusalSerializer},
    )
    def post(self, request: Request) -> Response:
        """Return the token after its request was approved. Until then, return an error code of RFC 8628."""
        form = DeviceFlowTokenPollSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        try:
            given = device_authorization.fetch_token(form.validated_data["device_code"])
        except device_authorization.DeviceFlowError as error:
            said = {"error": error.code, "error_description": str(error)}
            return Response(said, status.HTTP_400_BAD_REQUEST, headers=UNSTORED)
        token = {"access_token": given.token, "token_type": "Bearer", "scope": " ".join(given.scopes)}
        return Response({**token, "expires_in": given.seconds}, headers=UNSTORED)


class CurrentTokenView(APIView):
    """Endpoint where a program reads or revokes its own token. It requires no scope."""

    scope = PUBLIC

    @extend_schema(responses={200: CurrentTokenSerializer})
    def get(self, request: Request) -> Response:
        """Return the token's owner, scopes and expiry."""
        return Response(CurrentTokenSerializer(_authenticated_token(request)).data, headers=UNSTORED)

    @extend_schema(responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke this token, end the sessions started with it, and revoke the tokens created in these sessions.

        The server refuses bot versions that were uploaded with these tokens and have not finished their trial match.
        """
        token = _authenticated_token(request)
        revoke_token(signed_in_user(request), token.start)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _authenticated_token(request: Request) -> ApiToken:
    """Return the token that authenticates a request; raises NotAuthenticated if there is none."""
    if not isinstance(request.auth, ApiToken):
        raise NotAuthenticated(gettext("Show a token: `Authorization: Token ftk_pat_...`."))
    return request.auth
