"""REST API of a user's own webhooks; requests for the webhooks of other users get 404."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from bots.api.idempotency import idempotent
from bots.api.token_scope_permissions import require_scope, signed_in_user
from notices.models import WebhookDelivery, WebhookEndpoint
from notices.public_events import KINDS
from notices.webhook_url_validation import MAX_URL_CHARACTERS
from notices.webhooks import webhook_endpoints
from tournaments.league_limits import MAX_SLUG_CHARACTERS

P = ParamSpec("P")
MAX_LISTED_DELIVERIES = 200
"""Maximum number of deliveries in one response; older ones are omitted."""


class WebhookConflict(APIException):
    """HTTP 409 response to a refused operation on a webhook."""

    status_code = status.HTTP_409_CONFLICT


@extend_schema_serializer(
    examples=[
        OpenApiExample("rounds", {"url": "https://bots.example/told/", "kinds": ["round.ended"]}, request_only=True)
    ],
    component_name="Add",
)
class WebhookRequestSerializer(serializers.Serializer[Any]):
    """Request body to add a webhook."""

    url = serializers.CharField(max_length=MAX_URL_CHARACTERS)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=list(KINDS)), min_length=1, max_length=len(KINDS)
    )
    league = serializers.SlugField(
        max_length=MAX_SLUG_CHARACTERS, required=False, default="", help_text="Of this one only."
    )


class WebhookSerializer(serializers.ModelSerializer[WebhookEndpoint]):
    """A webhook without its secret."""

    league = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    waiting = serializers.IntegerField(default=0, help_text="How many deliveries wait.")

    class Meta:
        model = WebhookEndpoint
        fields: tuple[str, ...] = (
            "id",
            "url",
            "kinds",
            "league",
            "sequence",
            "waiting",
            "made_at",
            "disabled_at",
            "disabled_why",
            "failures",
            "next_at",
        )


@extend_schema_serializer(component_name="NewWebhook")
class WebhookWithSecretSerializer(WebhookSerializer):
    """A new webhook with its secret, which is shown only once."""

    class Meta(WebhookSerializer.Meta):
        fields: tuple[str, ...] = (*WebhookSerializer.Meta.fields, "secret")


@extend_schema_serializer(component_name="Delivery")
class WebhookDeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """One delivery of a webhook: the message and the result of sending it."""

    class Meta:
        model = WebhookDelivery
        fields = ("key", "sequence", "kind", "told", "at", "status", "tries", "tried_at", "code", "reason")


def _for_owner(
    view_method: Callable[Concatenate[Any, Request, User, P], Response],
) -> Callable[Concatenate[Any, Request, P], Response]:
    """Pass the signed-in user to a view method. Turn missing objects into HTTP 404, and refused operations into 409."""

    @wraps(view_method)
    def wrapped(self: Any, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Response:
        try:
            return view_method(self, request, signed_in_user(request), *args, **kwargs)
        except ObjectDoesNotExist:
            raise NotFound from None
        except webhook_endpoints.WebhookEndpointConflict as error:
            raise WebhookConflict(str(error)) from None

    return wrapped


class WebhooksView(APIView):
    """List of the user's webhooks."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(responses={200: WebhookSerializer(many=True)})
    @require_scope("read")
    @_for_owner
    def get(self, _request: Request, person: User) -> Response:
        """List your webhooks."""
        return Response(WebhookSerializer(webhook_endpoints.list_own(person), many=True).data)

    @extend_schema(request=WebhookRequestSerializer, responses={201: WebhookWithSecretSerializer})
    @idempotent("secret")
    @_for_owner
    def post(self, request: Request, person: User) -> Response:
        """Add a webhook; the response contains its secret, which is shown only once."""
        form = WebhookRequestSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        webhook = form.validated_data
        endpoint = webhook_endpoints.add(person, webhook["url"], webhook["kinds"], webhook["league"])
        return Response(WebhookWithSecretSerializer(endpoint).data, status.HTTP_201_CREATED)


class WebhookView(APIView):
    """View that removes a webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(responses={204: None})
    @_for_owner
    def delete(self, _request: Request, person: User, number: int) -> Response:
        """Remove a webhook and all its deliveries."""
        webhook_endpoints.remove(person, number)
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookTestMessageView(APIView):
    """View that sends a test message to a webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={202: WebhookDeliverySerializer})
    @idempotent()
    @_for_owner
    def post(self, _request: Request, person: User, number: int) -> Response:
        """Send a message of the kind ``webhook.test``, after the deliveries that are already pending."""
        return Response(
            WebhookDeliverySerializer(webhook_endpoints.send_test(person, number)).data, status.HTTP_202_ACCEPTED
        )


class RotateSecretView(APIView):
    """View that replaces the signing secret of a webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={200: WebhookWithSecretSerializer})
    @idempotent("secret")
    @_for_owner
    def post(self, _request: Request, person: User, number: int) -> Response:
        """Replace the webhook's signing secret; for one day messages are signed with the old secret too."""
        return Response(WebhookWithSecretSerializer(webhook_endpoints.rotate(person, number)).data)


class EnableWebhookView(APIView):
    """View that enables a disabled webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={200: WebhookSerializer})
    @idempotent()
    @_for_owner
    def post(self, _request: Request, person: User, number: int) -> Response:
        """Enable a disabled webhook.

        Deliveries that were pending are sent before those of new events.
        """
        return Response(WebhookSerializer(webhook_endpoints.enable(person, number)).data)


class DeliveriesView(APIView):
    """List of the deliveries of one webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(responses={200: WebhookDeliverySerializer(many=True)})
    @require_scope("read")
    @_for_owner
    def get(self, _request: Request, person: User, number: int) -> Response:
        """List the latest deliveries of a webhook, newest first."""
        rows = webhook_endpoints.list_deliveries(webhook_endpoints.find_own(person, number), MAX_LISTED_DELIVERIES)
        return Response(WebhookDeliverySerializer(rows, many=True).data)


class ResendDeliveryView(APIView):
    """View that sends one delivery again."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={202: WebhookDeliverySerializer})
    @idempotent()
    @_for_owner
    def post(self, _request: Request, person: User, number: int, key: str) -> Response:
        """Send a webhook message again, with the same id and sequence number."""
        return Response(
            WebhookDeliverySerializer(webhook_endpoints.replay(person, number, key)).data, status.HTTP_202_ACCEPTED
        )
