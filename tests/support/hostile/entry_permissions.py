"""Expected permissions of pages of entries, proposals, templates and audience by role, as in `permissions`."""

from __future__ import annotations

BODIES = {
    "POST /leagues/<slug:slug>/desk/ approve": {"approve": "{proposal}"},
    "POST /leagues/<slug:slug>/desk/audience/ off": {"predictions": "off"},
    "POST /leagues/<slug:slug>/desk/audience/ maybe": {"predictions": "maybe"},
    "POST /templates/ save": {"league": "night", "name": "Evening"},
    "POST /leagues/<slug:slug>/enter/ withdraw": {"withdraw": "1"},
    "POST /leagues/<slug:slug>/desk/entries/ ada": {"bots": "bot\nada"},
}
ANSWERS = {
    (302, 403, 403, 403, 403, 403, 200): """
        POST /leagues/<slug:slug>/desk/ approve
    """,
    (200, 200, 200, 200, 200, 200, 200): """
        GET /leagues/<slug:slug>/predictions/
        GET /predictions/
        GET /api/v1/leagues/<slug>/predictions/best/
        GET /api/v1/leagues/predictions/best/
    """,
    (302, 302, 302, 302, 302, 302, 302): """
        POST /leagues/<slug:slug>/predictions/
    """,
    (401, 200, 200, 200, 200, 200, 200): """
        GET /api/v1/leagues/<slug>/predictions/
    """,
    (401, 400, 400, 400, 400, 400, 400): """
        PUT /api/v1/leagues/<slug>/predictions/
    """,
    (302, 200, 200, 200, 200, 200, 200): """
        GET /leagues/<slug:slug>/enter/
        POST /leagues/<slug:slug>/enter/
    """,
    (302, 403, 302, 302, 403, 403, 302): """
        POST /leagues/<slug:slug>/enter/ withdraw
    """,
    (302, 403, 403, 200, 403, 403, 200): """
        GET /templates/
        GET /leagues/<slug:slug>/desk/comments/
        GET /leagues/<slug:slug>/desk/entries/
        POST /leagues/<slug:slug>/desk/entries/ ada
    """,
    (302, 403, 403, 302, 403, 403, 302): """
        POST /templates/ save
        POST /leagues/<slug:slug>/desk/audience/
        POST /leagues/<slug:slug>/desk/audience/ off
        POST /leagues/<slug:slug>/desk/comments/
        POST /leagues/<slug:slug>/desk/logo/
    """,
    (302, 403, 403, 400, 403, 403, 400): """
        POST /templates/
        POST /leagues/<slug:slug>/desk/audience/ maybe
        POST /leagues/<slug:slug>/desk/entries/
    """,
    (302, 403, 403, 200, 403, 403, 403): """
        GET /leagues/<slug:slug>/desk/entries.csv
    """,
    (405, 405, 405, 405, 405, 405, 405): """
        POST /leagues/<slug:slug>/desk/entries.csv
        GET /leagues/<slug:slug>/desk/audience/
        GET /leagues/<slug:slug>/desk/logo/
        POST /predictions/
        POST /leagues/<slug:slug>/logo/<slug:digest>.png
    """,
    (302, 404, 404, 404, 404, 404, 404): """
        POST /leagues/<slug:slug>/comments/
    """,
    (404, 404, 404, 404, 404, 404, 404): """
        GET /leagues/<slug:slug>/comments/
        GET /leagues/<slug:slug>/logo/<slug:digest>.png
    """,
}
