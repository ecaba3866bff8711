"""Expected permissions of API operations by role, in the format of `permissions`."""

from __future__ import annotations

BODIES = {
    "POST /api/v1/bots/<slug>/activate/ version": {"version": "1"},
    "POST /api/v1/challenges/ ada": {"bot": "ada", "neighbours": "true", "matches": "2"},
    "POST /api/v1/leagues/<slug>/entries/ ada": {"bot": "ada"},
    "POST /api/v1/leagues/<slug>/acts/appoint/ judge": {"person": "author", "role": "judge"},
    "POST /api/v1/leagues/<slug>/acts/announce/ text": {"text": "We begin at eight."},
    "POST /api/v1/leagues/<slug>/acts/pause/": {"why": "because"},
    "POST /api/v1/leagues/<slug>/acts/redraft/": {"why": "because"},
    "POST /api/v1/leagues/<slug>/proposals/<number>/ approve": {"approve": "true"},
    "POST /api/v1/leagues/ evening": {"slug": "evening", "name": "Evening", "game": "pig", "seats": "2", "rounds": "2"},
    "POST /api/v1/leagues/new/outlook/ evening": {"slug": "e", "name": "E", "game": "pig", "seats": "2", "rounds": "2"},
}
ANSWERS = {
    (200, 200, 200, 200, 200, 200, 200): """
        GET /api/v1/ladders/<game>/
        GET /api/v1/ladders/<game>/continuous/
        GET /api/v1/leagues/
        GET /api/v1/leagues/<slug>/
        GET /api/v1/leagues/<slug>/acts/
        GET /api/v1/leagues/<slug>/rounds/<number>/
        GET /api/v1/leagues/<slug>/standings/
        GET /api/v1/leagues/<slug>/terms/
        GET /api/v1/languages/
        GET /api/v1/version/
        GET /api/v1/games/
        GET /api/v1/games/<name>/schema/
        GET /api/v1/bots/
        GET /api/v1/bots/<slug>/
        GET /api/v1/bots/versions/<id>/
        GET /api/v1/matches/
        GET /api/v1/matches/<id>/
        GET /api/v1/matches/<match_id>/review/
        GET /api/v1/leagues/<slug>/sheets/<name>
    """,
    (401, 401, 401, 401, 401, 401, 401): """
        GET /api/v1/token/
        DELETE /api/v1/token/
    """,
    (400, 400, 400, 400, 400, 400, 400): """
        POST /api/v1/device/
        POST /api/v1/device/token/
        GET /api/v1/matches/<id>/decision/
    """,
    (404, 404, 404, 404, 404, 404, 404): """
        GET /api/v1/matches/<id>/log/
        GET /api/v1/leagues/<slug>/export/
    """,
    (401, 404, 404, 404, 404, 404, 404): """
        GET /api/v1/challenges/<number>/
        GET /api/v1/matches/<match_id>/seats/<number>/
    """,
    (401, 400, 400, 400, 400, 400, 400): """
        POST /api/v1/leagues/<slug>/acts/again/
        POST /api/v1/leagues/<slug>/acts/announce/
        POST /api/v1/leagues/<slug>/acts/appoint/
        POST /api/v1/leagues/<slug>/acts/dismiss/
        POST /api/v1/leagues/<slug>/acts/disqualify/
        POST /api/v1/leagues/<slug>/acts/enlist/
        POST /api/v1/leagues/<slug>/acts/enter/
        POST /api/v1/leagues/<slug>/acts/exchange/
        POST /api/v1/leagues/<slug>/acts/excuse/
        POST /api/v1/leagues/<slug>/acts/extend/
        POST /api/v1/leagues/<slug>/acts/forbid/
        POST /api/v1/leagues/<slug>/acts/invite/
        POST /api/v1/leagues/<slug>/acts/overrule/
        POST /api/v1/leagues/<slug>/acts/release/
        POST /api/v1/leagues/<slug>/acts/return/
        POST /api/v1/leagues/<slug>/acts/void/
        POST /api/v1/leagues/<slug>/acts/withdraw/
        POST /api/v1/leagues/<slug>/proposals/<number>/
        POST /api/v1/bots/uploads/
        POST /api/v1/bots/<slug>/activate/
        POST /api/v1/challenges/
        POST /api/v1/bots/remote/
        POST /api/v1/matches/friendly/
        POST /api/v1/matches/<match_id>/seats/<number>/
        POST /api/v1/leagues/<slug>/entries/
    """,
    (401, 200, 200, 200, 200, 200, 200): """
        GET /api/v1/challenges/
    """,
    (401, 409, 409, 409, 409, 409, 409): """
        POST /api/v1/matches/<match_id>/review/
    """,
    (401, 403, 409, 403, 403, 403, 403): """
        POST /api/v1/challenges/ ada
        POST /api/v1/leagues/<slug>/entries/ ada
    """,
    (401, 403, 200, 403, 403, 403, 403): """
        POST /api/v1/bots/<slug>/activate/ version
    """,
    (401, 403, 204, 409, 403, 403, 409): """
        DELETE /api/v1/leagues/<slug>/entries/<number>/
    """,
    (401, 403, 403, 400, 403, 403, 403): """
        POST /api/v1/leagues/
        POST /api/v1/leagues/new/outlook/
    """,
    (401, 403, 403, 202, 403, 403, 201): """
        POST /api/v1/leagues/<slug>/acts/pause/
        POST /api/v1/leagues/<slug>/acts/appoint/ judge
        POST /api/v1/leagues/<slug>/acts/announce/ text
    """,
    (401, 403, 403, 409, 403, 403, 409): """
        POST /api/v1/leagues/<slug>/acts/begin/
        POST /api/v1/leagues/<slug>/acts/cancel/
        POST /api/v1/leagues/<slug>/acts/close/
        POST /api/v1/leagues/<slug>/acts/correct/
        POST /api/v1/leagues/<slug>/acts/end/
        POST /api/v1/leagues/<slug>/acts/redraft/
        POST /api/v1/leagues/<slug>/acts/resume/
        POST /api/v1/leagues/<slug>/acts/start/
        PUT /api/v1/leagues/<slug>/logo/
        DELETE /api/v1/leagues/<slug>/logo/
    """,
    (401, 403, 403, 200, 403, 200, 200): """
        GET /api/v1/leagues/<slug>/proposals/
    """,
    (401, 403, 403, 403, 403, 403, 201): """
        POST /api/v1/leagues/<slug>/proposals/<number>/ approve
    """,
    (401, 403, 403, 201, 403, 403, 403): """
        POST /api/v1/leagues/ evening
    """,
    (401, 403, 403, 200, 403, 403, 403): """
        GET /api/v1/leagues/<slug>/entries/
        POST /api/v1/leagues/new/outlook/ evening
        GET /api/v1/leagues/new/templates/
    """,
}
