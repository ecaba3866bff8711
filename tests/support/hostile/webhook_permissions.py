"""Expected permissions of webhooks, notices and images, in the format of `permissions`; the owner has the webhook."""

from __future__ import annotations

LADDER = {"rate": "60", "sizes": "2", "move_ms": "500", "bank_ms": "1000", "why": "there is room"}
"""The form with which staff sets the rate of a continuous ladder."""
BODIES = {
    "POST /account/webhooks/<int:number>/ test": {"test": "yes"},
    "POST /follow/ game": {"kind": "game", "name": "pig", "follow": "yes"},
}
ANSWERS = {
    (302, 302, 302, 302, 302, 302, 302): """
        POST /account/notices/
        POST /follow/ game
    """,
    (302, 400, 400, 400, 400, 400, 400): """
        POST /follow/
    """,
    (200, 200, 200, 200, 200, 200, 200): """
        GET /bots/feed.atom
        POST /bots/feed.atom
        GET /bots/<slug:slug>/feed.atom
        POST /bots/<slug:slug>/feed.atom
        GET /games/<slug:name>/feed.atom
        POST /games/<slug:name>/feed.atom
    """,
    (302, 200, 200, 200, 200, 200, 200): """
        GET /account/notices/
        GET /account/webhooks/
        POST /account/webhooks/
    """,
    (405, 405, 405, 405, 405, 405, 405): """
        GET /follow/
        POST /metrics
        POST /matches/<slug:match_id>/picture.png
        POST /matches/<slug:match_id>/clip.webp
        POST /matches/<slug:match_id>/clip/
    """,
    (404, 404, 404, 404, 404, 404, 404): """
        GET /metrics
        GET /matches/<slug:match_id>/picture.png
        GET /matches/<slug:match_id>/clip.webp
        GET /matches/<slug:match_id>/clip/
        GET /account/notices/off/<str:token>/
        POST /account/notices/off/<str:token>/
    """,
    (302, 404, 200, 404, 404, 404, 404): """
        GET /account/webhooks/<int:number>/
    """,
    (302, 404, 302, 404, 404, 404, 404): """
        POST /account/webhooks/<int:number>/ test
    """,
    (302, 404, 404, 404, 404, 404, 404): """
        POST /account/webhooks/<int:number>/
    """,
    (401, 200, 200, 200, 200, 200, 200): """
        GET /api/v1/webhooks/
        GET /api/v1/notices/
        GET /api/v1/notices/wishes/
    """,
    (401, 204, 204, 204, 204, 204, 204): """
        POST /api/v1/notices/read/
    """,
    (401, 400, 400, 400, 400, 400, 400): """
        POST /api/v1/webhooks/
        PUT /api/v1/notices/wishes/
    """,
    (401, 404, 204, 404, 404, 404, 404): """
        DELETE /api/v1/webhooks/<number>/
    """,
    (401, 404, 202, 404, 404, 404, 404): """
        POST /api/v1/webhooks/<number>/test/
        POST /api/v1/webhooks/<number>/deliveries/<key>/replay/
    """,
    (401, 404, 200, 404, 404, 404, 404): """
        POST /api/v1/webhooks/<number>/rotate/
        POST /api/v1/webhooks/<number>/enable/
        GET /api/v1/webhooks/<number>/deliveries/
    """,
}
