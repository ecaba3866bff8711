"""REST API of matches: list, show one, show one decision, download the log."""

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

from bots.api.token_scope_permissions import PUBLIC, private_reader_id
from foundation.keyset_pagination import SortColumn
from foundation.query_parameters import query_parameters
from ftk_core.plugins import MissingPluginError
from replays import queries
from replays.api.match_pagination import MatchPagination
from replays.match_access import InvalidViewpointError, MatchViewForbiddenError, hide_unless_released
from replays.match_search import ORDER_OF_BOT, matches_of_bot
from replays.models import Match, MatchSeat
from replays.reports import bot_decision_report


class SeatSerializer(serializers.ModelSerializer[MatchSeat]):
    """A seat of a match, with the bot version that plays it and its result."""

    bot = serializers.CharField(source="version.bot.slug", read_only=True)
    kind = serializers.CharField(source="version.bot.kind", read_only=True, help_text="uploaded, remote or person.")
    version = serializers.IntegerField(source="version.number", read_only=True)
    excuses = serializers.SerializerMethodField(help_text="Null until the match is released.")
    reproducible = serializers.SerializerMethodField(help_text="Null until the match is released.")

    class Meta:
        model = MatchSeat
        fields = ("seat", "bot", "kind", "version", "place", "score", "excuses", "reproducible")

    def get_excuses(self, seat: MatchSeat) -> int | None:
        """Return how often the bot in a seat gave no valid answer in time; None until the match is public."""
        # For each missing answer, the first action on the menu was played instead.
        return hide_unless_released(seat.excuses, released=seat.match.released)

    def get_reproducible(self, seat: MatchSeat) -> bool | None:
        """Return False if the bot answered a repeated question differently; None until the match is public."""
        # A resumed match asks its bots the earlier questions again and compares the answers with its log.
        return hide_unless_released(seat.reproducible, released=seat.match.released)


class MatchSerializer(serializers.ModelSerializer[Match]):
    """A match with its seats. The seed is not included, because it is secret while the match is played."""

    seats = SeatSerializer(many=True, read_only=True)

    class Meta:
        model = Match
        fields = ("id", "game", "status", "opened_at", "closed_at", "attempts", "reason", "released", "seats")


BOT_FILTER = OpenApiParameter(
    "bot", str, description="A bot that sits at the table: what goes on comes first, then the newest end."
)


@extend_schema_view(list=extend_schema(parameters=[BOT_FILTER]))
class MatchViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Match]):
    """List of matches, the newest first, and single matches."""

    scope = PUBLIC
    queryset = Match.objects.prefetch_related("seats__version__bot")
    pagination_class = MatchPagination
    ordering = ("-created_at", "-pk")
    columns: tuple[SortColumn, ...] = ()
    serializer_class = MatchSerializer
    filterset_fields = ("game", "status")
    more_fields = ("bot",)

    def filter_queryset(self, queryset: Any) -> Any:
        """Apply the filters. With `bot`, list the unfinished matches of this bot first, then its ended matches."""
        # The ended ones are sorted by their end, newest first.
        rows = super().filter_queryset(queryset)
        if slug := self.request.query_params.get("bot"):
            self.columns = ORDER_OF_BOT
            rows = matches_of_bot(slug, rows)
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
    @query_parameters("eyes", "at")
    def decision(self, request: Request, pk: str, **_kwargs: Any) -> HttpResponse:
        """Return one decision of a bot: its question, answer and time.

        The bot's author also gets notes and stderr, even during the match. Others must wait for its end.
        """
        eyes, at = request.query_params.get("eyes", ""), request.query_params.get("at", "")
        if not (at.isascii() and at.isdigit() and len(at) < 10):
            raise serializers.ValidationError(gettext("at must be the number of a frame"))
        try:
            found = bot_decision_report.read_decision(pk, eyes, int(at), private_reader_id(request))
        except MatchViewForbiddenError as error:
            raise PermissionDenied(str(error)) from None
        except (InvalidViewpointError, bot_decision_report.DecisionMissing, MissingPluginError) as error:
            raise NotFound(str(error)) from None
        except Match.DoesNotExist:
            raise Http404(gettext("there is no such match")) from None
        return HttpResponse(msgspec.json.encode(found), content_type="application/json")

    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY})
    @action(detail=True)
    def log(self, request: Request, pk: str, **_kwargs: Any) -> HttpResponse:
        """Download the log of an ended, public match as JSON Lines, which `ftk verify` checks."""
        try:
            pages = queries.read_log(pk, private_reader_id(request))
        except MatchViewForbiddenError as error:
            raise PermissionDenied(str(error)) from None
        except Match.DoesNotExist:
            raise Http404(gettext("no such match has ended; a log can be downloaded once its match has")) from None
        # not streamed: under ASGI, Django reads a synchronous iterator to its end before it sends anything
        response = HttpResponse(b"".join(pages), content_type="application/x-ndjson")
        response["Content-Disposition"] = f'attachment; filename="{pk}.jsonl"'
        return response
