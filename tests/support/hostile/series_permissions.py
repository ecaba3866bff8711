"""Expected permissions of series, and of the screens of leagues, in the format of `permissions`."""

from __future__ import annotations

BODIES = {
    "POST /series/<slug:slug>/ remove": {"remove": "night"},
    "POST /api/v1/series/ winter": {"slug": "winter", "name": "Winter", "game": "pig"},
}
ANSWERS = {
    (200, 200, 200, 200, 200, 200, 200): """
        GET /leagues/<slug:slug>/screen/
        POST /leagues/<slug:slug>/screen/
        GET /series/
        GET /series/<slug:slug>/
        GET /api/v1/series/
        GET /api/v1/series/<slug>/
    """,
    (302, 403, 403, 400, 403, 403, 403): """
        POST /series/
    """,
    (302, 403, 403, 404, 403, 403, 404): """
        POST /series/<slug:slug>/
    """,
    # a bot of the organiser plays in the league, which has begun
    (302, 403, 403, 403, 403, 403, 302): """
        POST /series/<slug:slug>/ remove
    """,
    (401, 400, 400, 400, 400, 400, 400): """
        POST /api/v1/series/
        POST /api/v1/series/<slug>/leagues/
    """,
    (401, 403, 403, 201, 403, 403, 403): """
        POST /api/v1/series/ winter
    """,
    (401, 403, 403, 403, 403, 403, 200): """
        DELETE /api/v1/series/<slug>/leagues/<league>/
    """,
}
