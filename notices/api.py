"""REST API of webhooks. All look-ups are limited to the user's own; those of others answer 404."""

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

from bots.idempotency import once
from bots.scopes import needs, signed_in
from notices import endpoints
from notices.addresses import LONGEST_URL
from notices.happenings import KINDS
from notices.models import Delivery, Endpoint
from tournaments.bounds import LONGEST_SLUG

P = ParamSpec("P")
ROUNDS = {"url": "https://bots.example/told/", "kinds": ["round.ended"]}
MOST_LISTED = 200
"""Maximum number of deliveries in one answer, the newest."""


class Unsendable(APIException):
    """Raised if a webhook's state does not allow an action (HTTP 409)."""

    status_code = status.HTTP_409_CONFLICT


@extend_schema_serializer(
    examples=[
        OpenApiExample("rounds", {"url": "https://bots.example/told/", "kinds": ["round.ended"]}, request_only=True)
    ]
)
class AddSerializer(serializers.Serializer[Any]):
    """Form of a new webhook."""

    url = serializers.CharField(max_length=LONGEST_URL)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=list(KINDS)), min_length=1, max_length=len(KINDS)
    )
    league = serializers.SlugField(max_length=LONGEST_SLUG, required=False, default="", help_text="Of this one only.")


class WebhookSerializer(serializers.ModelSerializer[Endpoint]):
    """A webhook without its secret."""

    league = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    waiting = serializers.IntegerField(default=0, help_text="How many deliveries wait.")

    class Meta:
        model = Endpoint
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


class NewWebhookSerializer(WebhookSerializer):
    """A new webhook with its secret, which is shown only once."""

    class Meta(WebhookSerializer.Meta):
        fields: tuple[str, ...] = (*WebhookSerializer.Meta.fields, "secret")


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """One message and the result of its delivery."""

    class Meta:
        model = Delivery
        fields = ("key", "sequence", "kind", "told", "at", "status", "tries", "tried_at", "code", "reason")


def _owners(
    door: Callable[Concatenate[Any, Request, User, P], Response],
) -> Callable[Concatenate[Any, Request, P], Response]:
    """Return a method that gets the request's user, and answers 404 and 409 for missing objects and refused actions."""

    @wraps(door)
    def asked(self: Any, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> Response:
        try:
            return door(self, request, signed_in(request), *args, **kwargs)
        except ObjectDoesNotExist:
            raise NotFound from None
        except endpoints.NotSo as error:
            raise Unsendable(str(error)) from None

    return asked


class WebhooksView(APIView):
    """The user's webhooks."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(responses={200: WebhookSerializer(many=True)})
    @needs("read")
    @_owners
    def get(self, _request: Request, person: User) -> Response:
        """List your webhooks."""
        return Response(WebhookSerializer(endpoints.own(person), many=True).data)

    @extend_schema(request=AddSerializer, responses={201: NewWebhookSerializer})
    @once("secret")
    @_owners
    def post(self, request: Request, person: User) -> Response:
        """Add a webhook; the answer contains its secret, which is shown only once."""
        form = AddSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        row = endpoints.add(person, said["url"], said["kinds"], said["league"])
        return Response(NewWebhookSerializer(row).data, status.HTTP_201_CREATED)


class WebhookView(APIView):
    """One webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(responses={204: None})
    @_owners
    def delete(self, _request: Request, person: User, number: int) -> Response:
        """Remove a webhook and its pending deliveries."""
        endpoints.remove(person, number)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TestView(APIView):
    """Test of a webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @once()
    @_owners
    def post(self, _request: Request, person: User, number: int) -> Response:
        """Send a message of the kind ``webhook.test`` after the pending deliveries."""
        return Response(DeliverySerializer(endpoints.send_test(person, number)).data, status.HTTP_202_ACCEPTED)


class RotateView(APIView):
    """Rotation of a webhook's secret."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={200: NewWebhookSerializer})
    @once("secret")
    @_owners
    def post(self, _request: Request, person: User, number: int) -> Response:
        """Create a new secret; for a day messages are signed with the old one, too."""
        return Response(NewWebhookSerializer(endpoints.rotate(person, number)).data)


class EnableView(APIView):
    """Enabling of a disabled webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={200: WebhookSerializer})
    @once()
    @_owners
    def post(self, _request: Request, person: User, number: int) -> Response:
        """Enable a webhook; deliveries that were pending when it was disabled are sent first."""
        return Response(WebhookSerializer(endpoints.enable(person, number)).data)


class DeliveriesView(APIView):
    """Deliveries of a webhook."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(responses={200: DeliverySerializer(many=True)})
    @needs("read")
    @_owners
    def get(self, _request: Request, person: User, number: int) -> Response:
        """List the last deliveries, newest first."""
        rows = endpoints.list_deliveries(endpoints.find_own(person, number), MOST_LISTED)
        return Response(DeliverySerializer(rows, many=True).data)


class ReplayView(APIView):
    """Repetition of a delivery."""

    scope = "notify"
    throttle_scope = "webhook"

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @once()
    @_owners
    def post(self, _request: Request, person: User, number: int, key: str) -> Response:
        """Deliver a message again, with the same id and sequence."""
        return Response(DeliverySerializer(endpoints.replay(person, number, key)).data, status.HTTP_202_ACCEPTED)
