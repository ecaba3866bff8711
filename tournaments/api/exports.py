"""Download endpoints: finished leagues as tar files, tables of a league, and the server's public key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from bots.api.token_scope_permissions import PUBLIC
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.publication.spreadsheets import FILES
from tournaments.api.error_responses import translate_refusals
from tournaments.leagues import queries
from tournaments.models import League
from tournaments.reports.public_league_spreadsheets import read_sheet

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json", "trf": "text/plain; charset=us-ascii"}
"""Content types by file name extension."""


class LeagueExportView(APIView):
    """A finished league as a tar file."""

    scope = PUBLIC

    @extend_schema(responses={(200, "application/x-tar"): OpenApiTypes.BINARY})
    def get(self, _request: Request, slug: str) -> StreamingHttpResponse:
        """Download a finished league with all its matches as a tar file, for `ftk verify`."""
        try:
            pieces = queries.export(slug)
        except (League.DoesNotExist, CommandRejected) as error:
            raise Http404(str(error)) from error
        response = StreamingHttpResponse(_yield_asynchronously(pieces), content_type="application/x-tar")
        response["Content-Disposition"] = f'attachment; filename="{slug}.tar"'
        return response


class LeagueDataFileView(APIView):
    """One table of a league, such as its standings, as a file."""

    scope = PUBLIC

    @extend_schema(
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=FILES)],
        responses={(200, kind): OpenApiTypes.BINARY for kind in CONTENT_TYPES.values()},
    )
    def get(self, _request: Request, slug: str, name: str) -> HttpResponse:
        """Download a table of a league, such as the standings, as a CSV or JSON file.

        `league.trf` has the league in TRF, a file format of chess federations. Only leagues of two-player matches
        have this file.
        """
        with translate_refusals():
            try:
                body = read_sheet(slug, name)
            except (League.DoesNotExist, KeyError) as error:
                raise Http404(
                    gettext("there is no %(name)s of %(slug)s; there are %(files)s")
                    % {"name": name, "slug": slug, "files": ", ".join(FILES)}
                ) from error
        kind = CONTENT_TYPES[name.rpartition(".")[2]]
        return HttpResponse(
            body, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{slug}-{name}"'}
        )


async def _yield_asynchronously(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    # Under ASGI, Django would read a synchronous iterator to its end before it sends the first item.
    after = sync_to_async(lambda: next(pieces, None))
    while (piece := await after()) is not None:
        yield piece


@require_safe
def signing_key(_request: HttpRequest) -> HttpResponse:
    """Return the public key that verifies the server's signatures of leagues, in PEM format."""
    return HttpResponse(queries.read_signing_key(), content_type="application/x-pem-file")
