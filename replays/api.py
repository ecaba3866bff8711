"""REST API of matches."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import Http404, HttpResponse
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request

from bots.scopes import PUBLIC, reader_of
from foundation.words import asks
from replays import queries
from replays.access import EyesClosed, UnknownEyes, disclose
from replays.finding import of_bot
from replays.models import Match, MatchSeat
from replays.reports import decisions


class SeatSerializer(serializers.ModelSerializer[MatchSeat]):
    """A seat of a match."""

    bot = serializers.CharField(source="version.bot.slug", read_only=True)
    kind = serializers.CharField(source="version.bot.kind", read_only=True, help_text="uploaded, remote or person.")
    version = serializers.IntegerField(source="version.number", read_only=True)
    excuses = serializers.SerializerMethodField(help_text="Null until the match is released.")
    reproducible = serializers.SerializerMethodField(help_text="Null until the match is released.")

    class Meta:
        model = MatchSeat
        fields = ("seat", "bot", "kind", "version", "place", "score", "excuses", "reproducible")

    def get_excuses(self, seat: MatchSeat) -> int | None:
        """Return the number of choices made for the seat because it gave no valid answer."""
        return disclose(seat.excuses, released=seat.match.released)

    def get_reproducible(self, seat: MatchSeat) -> bool | None:
        """Return False if it answered differently when it was asked again."""
        return disclose(seat.reproducible, released=seat.match.released)


class MatchSerializer(serializers.ModelSerializer[Match]):
    """A match with its seats; never its seed."""

    seats = SeatSerializer(many=True, read_only=True)

    class Meta:
        model = Match
        fields = ("id", "game", "status", "opened_at", "closed_at", "attempts", "reason", "released", "seats")


BY_BOT = OpenApiParameter(
    "bot", str, description="A bot that sits at the table: what goes on comes first, then the newest end."
)


@extend_schema_view(list=extend_schema(parameters=[BY_BOT]))
class MatchViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Match]):
    """Matches, newest first."""

    scope = PUBLIC
    queryset = Match.objects.prefetch_related("seats__version__bot")
    ordering = ("-created_at", "-pk")
    serializer_class = MatchSerializer
    filterset_fields = ("game", "status")
    more_fields = ("bot",)

    def filter_queryset(self, queryset: Any) -> Any:
        """Apply the filters; the filter by bot keeps the matches in which that bot has a seat."""
        rows = super().filter_queryset(queryset)
        if slug := self.request.query_params.get("bot"):
            self.ordering = ("-sat_until", "-pk")
            rows = of_bot(slug, rows)
        return rows

    @extend_schema(
        parameters=[
            OpenApiParameter("eyes", str, required=True, description="Whose choice: a seat's number, or `all`."),
            OpenApiParameter(
                "at", int, required=True, description="The last one that this frame shows, or one before it."
            ),
        ],
        responses={200: OpenApiTypes.OBJECT},
    )
    @action(detail=True)
    @asks("eyes", "at")
    def decision(self, request: Request, pk: str, **_kwargs: Any) -> HttpResponse:
        """Return one decision: question, answer and time; notes and stderr only for the bot's author.

        Open to those who may see the seat's view: the author while the match is played, then everybody.
        """
        eyes, at = request.query_params.get("eyes", ""), request.query_params.get("at", "")
        if not (at.isascii() and at.isdigit() and len(at) < 10):
            raise serializers.ValidationError(gettext("at must be the number of a frame"))
        try:
            found = decisions.read_decision(pk, eyes, int(at), reader_of(request))
        except EyesClosed as error:
            raise PermissionDenied(str(error)) from None
        except (UnknownEyes, decisions.NoDecision) as error:
            raise NotFound(str(error)) from None
        except Match.DoesNotExist:
            raise Http404(gettext("there is no such match")) from None
        return HttpResponse(msgspec.json.encode(found), content_type="application/json")

    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY})
    @action(detail=True)
    def log(self, request: Request, pk: str, **_kwargs: Any) -> HttpResponse:
        """Download the log of a match that has ended and is released, as JSON Lines for `ftk verify`."""
        try:
            pages = queries.read_log(pk, request.user.pk)
        except EyesClosed as error:
            raise PermissionDenied(str(error)) from None
        except Match.DoesNotExist:
            raise Http404(gettext("no such match has ended; a log can be downloaded once its match has")) from None
        # in one piece: an ASGI server would consume an iterator before it sent anything
        response = HttpResponse(b"".join(pages), content_type="application/x-ndjson")
        response["Content-Disposition"] = f'attachment; filename="{pk}.jsonl"'
        return response
