"""The REST doors of the matches."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request

from replays import queries
from replays.models import Match, MatchSeat


class SeatSerializer(serializers.ModelSerializer[MatchSeat]):
    """One seat of a match."""

    bot = serializers.CharField(source="version.bot.slug", read_only=True)
    version = serializers.IntegerField(source="version.number", read_only=True)

    class Meta:
        model = MatchSeat
        fields = ("seat", "bot", "version", "place", "score", "excuses")


class MatchSerializer(serializers.ModelSerializer[Match]):
    """A match and who plays it; never its seed."""

    seats = SeatSerializer(many=True, read_only=True)

    class Meta:
        model = Match
        fields = ("id", "game", "status", "opened_at", "closed_at", "attempts", "reason", "seats")


class MatchViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Match]):
    """Matches, newest first."""

    queryset = Match.objects.prefetch_related("seats__version__bot").order_by("-created_at")
    serializer_class = MatchSerializer
    filterset_fields = ("game", "status")

    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY})
    @action(detail=True)
    def log(self, _request: Request, pk: str, **_kwargs: Any) -> HttpResponse:
        """Download an ended match's log as JSON Lines, for `ftk verify`."""
        try:
            pages = queries.log_file(pk)
        except Match.DoesNotExist:
            raise Http404("no such match has ended; a log can be downloaded once its match has") from None
        # in one piece: a server of sockets would gather an iterator before it sent any of it
        response = HttpResponse(b"".join(pages), content_type="application/x-ndjson")
        response["Content-Disposition"] = f'attachment; filename="{pk}.jsonl"'
        return response
