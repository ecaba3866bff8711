"""REST endpoints of leagues: the export of a finished one, its sheets, and the public signing key."""

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

from bots.scopes import PUBLIC
from ftk_core.league.sheets import FILES
from ftk_core.league.state import NotNow
from tournaments import queries
from tournaments.models import League
from tournaments.refusals import Unfit
from tournaments.sheets import read_sheet

KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json", "trf": "text/plain; charset=us-ascii"}
"""Content types by file name extension."""


class ExportView(APIView):
    """Export of a finished league."""

    scope = PUBLIC

    @extend_schema(responses={(200, "application/x-tar"): OpenApiTypes.BINARY})
    def get(self, _request: Request, slug: str) -> StreamingHttpResponse:
        """Download a finished league with all its matches as a tar, for `ftk verify`."""
        try:
            pieces = queries.export(slug)
        except (League.DoesNotExist, NotNow) as error:
            raise Http404(str(error)) from error
        response = StreamingHttpResponse(_one_by_one(pieces), content_type="application/x-tar")
        response["Content-Disposition"] = f'attachment; filename="{slug}.tar"'
        return response


class SheetView(APIView):
    """Sheets of a league in its current state."""

    scope = PUBLIC

    @extend_schema(
        parameters=[OpenApiParameter("name", str, OpenApiParameter.PATH, enum=FILES)],
        responses={(200, kind): OpenApiTypes.BINARY for kind in KINDS.values()},
    )
    def get(self, _request: Request, slug: str, name: str) -> HttpResponse:
        """Download standings with their tie-breaks, pairings or ratings as CSV or JSON, or a league of pairs as TRF."""
        try:
            body = read_sheet(slug, name)
        except (League.DoesNotExist, KeyError) as error:
            raise Http404(
                gettext("there is no %(name)s of %(slug)s; there are %(files)s")
                % {"name": name, "slug": slug, "files": ", ".join(FILES)}
            ) from error
        except NotNow as error:
            raise Unfit(str(error)) from error
        kind = KINDS[name.rpartition(".")[2]]
        return HttpResponse(
            body, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{slug}-{name}"'}
        )


async def _one_by_one(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield pieces asynchronously; Django would gather a synchronous iterator completely first."""
    after = sync_to_async(lambda: next(pieces, None))
    while (piece := await after()) is not None:
        yield piece


@require_safe
def signing_key(_request: HttpRequest) -> HttpResponse:
    """Return the public key that signs the leagues, in PEM."""
    return HttpResponse(queries.read_signing_key(), content_type="application/x-pem-file")
