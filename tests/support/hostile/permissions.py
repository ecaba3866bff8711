"""Expected permissions: for each combination of responses by role, the URLs and operations that have it.

The columns are: visitor, author, owner of the bot, organiser of the league, organiser of another league, judge, staff.
A page that needs an account redirects a visitor to the sign-in (302); an operation answers 401. A forbidden object is
403, or 404 if even its existence is hidden. A 400 means permitted, because the test sends an empty body.
"""

from __future__ import annotations

from tests.support.hostile import (
    entry_permissions,
    operations,
    series_permissions,
    service_permissions,
    webhook_permissions as told,
)

PARTS = (operations, series_permissions, entry_permissions, service_permissions, told)
ROLES = ("visitor", "author", "owner", "organiser", "elsewhere", "judge", "staff")
Row = tuple[int, int, int, int, int, int, int]
BODIES: dict[str, dict[str, str]] = (
    told.BODIES
    | operations.BODIES
    | series_permissions.BODIES
    | entry_permissions.BODIES
    | {
        "POST /leagues/<slug:slug>/desk/ appoint": {"person": "author", "role": "judge"},
        "POST /leagues/<slug:slug>/desk/ pause": {"act": "pause", "why": "because"},
        "POST /leaderboards/<slug:game>/continuous/ rate": told.LADDER,
        "POST /bots/<slug:slug>/versions/<int:number>/ back": {"back": "1"},
        "POST /bots/<slug:slug>/team/ share": {"name": "author"},
        "POST /bots/<slug:slug>/team/ challenges": {"challenges": "no"},
    }
)
"""Data sent with a form or an operation; the last word of the key distinguishes it from a request without data."""
ANSWERS: dict[Row, str] = {
    (200, 200, 200, 200, 200, 200, 200): """
        GET /sign-in/inactive/
        GET /password/
        POST /password/
        GET /password/done/
        GET /
        POST /
        GET /leagues/
        POST /leagues/
        GET /leagues/<slug:slug>/
        POST /leagues/<slug:slug>/
        GET /leagues/<slug:slug>/standings/
        POST /leagues/<slug:slug>/standings/
        GET /leagues/<slug:slug>/rounds/<int:number>/
        POST /leagues/<slug:slug>/rounds/<int:number>/
        GET /leagues/<slug:slug>/cross/
        POST /leagues/<slug:slug>/cross/
        GET /leagues/<slug:slug>/acts/
        POST /leagues/<slug:slug>/acts/
        GET /leagues/<slug:slug>/print/
        POST /leagues/<slug:slug>/print/
        GET /leaderboards/<slug:game>/
        GET /leaderboards/<slug:game>/continuous/
        POST /leaderboards/<slug:game>/
        GET /bots/
        POST /bots/
        GET /bots/<slug:slug>/
        POST /bots/<slug:slug>/
        GET /bots/<slug:slug>/compare/
        POST /bots/<slug:slug>/compare/
        GET /matches/<slug:match_id>/
        POST /matches/<slug:match_id>/
        GET /matches/<slug:match_id>/card.png
        GET /matches/<slug:match_id>/review/
        GET /embed/<slug:match_id>/
        POST /embed/<slug:match_id>/
        GET /write-a-bot/
        POST /write-a-bot/
        GET /docs/
        POST /docs/
        GET /docs/<path:path>
        POST /docs/<path:path>
        GET /sign-in/token/
        POST /sign-in/token/
        GET /search/
        POST /search/
        GET /status/
        POST /status/
        GET /watch/
        POST /watch/
        GET /leagues/<slug:slug>/feed.atom
        POST /leagues/<slug:slug>/feed.atom
        GET /leagues/<slug:slug>/rounds.ics
        POST /leagues/<slug:slug>/rounds.ics
        GET /games/<slug:name>/
        POST /games/<slug:name>/
        GET /games/<slug:name>/about/
        POST /games/<slug:name>/about/
        GET /games/<slug:name>/house/<slug:bot>/
        POST /games/<slug:name>/house/<slug:bot>/
        GET /bots/<slug:slug>/versions/<int:number>/
        POST /bots/<slug:slug>/versions/<int:number>/
    """,
    (302, 302, 302, 302, 302, 302, 302): """
        POST /sign-out/
        GET /sign-up/confirm/
        POST /sign-up/confirm/
        POST /account/email/
        GET /account/password/set/
        POST /account/password/set/
        GET /account/safety/authenticate/
        POST /account/safety/authenticate/
        GET /account/safety/reauthenticate/
        POST /account/safety/reauthenticate/
        GET /account/safety/totp/activate/
        POST /account/safety/totp/activate/
        GET /account/safety/recovery-codes/generate/
        POST /account/safety/recovery-codes/generate/
        GET /account/safety/webauthn/add/
        POST /account/safety/webauthn/add/
        GET /account/safety/webauthn/reauthenticate/
        POST /account/safety/webauthn/reauthenticate/
        GET /account/safety/webauthn/keys/<int:pk>/remove/
        POST /account/safety/webauthn/keys/<int:pk>/remove/
        GET /account/safety/webauthn/keys/<int:pk>/edit/
        POST /account/safety/webauthn/keys/<int:pk>/edit/
        GET /account/safety/webauthn/login/
        POST /account/safety/webauthn/login/
        GET /password/confirm/
        POST /password/confirm/
        GET /password/new/
        POST /password/new/
        GET /favicon.ico
        GET /leaderboards/
        POST /leaderboards/
        POST /matches/<slug:match_id>/review/
        POST /account/sessions/
        GET /account/leave/
        POST /account/leave/
        GET /invitation/<str:token>/
        POST /invitation/<str:token>/
    """,
    (404, 404, 404, 404, 404, 404, 404): """
        GET /matches/<slug:match_id>/seat/<int:number>/
        GET /oembed/
        POST /oembed/
    """,
    (403, 403, 403, 200, 403, 403, 403): """
        POST /leagues/new/outlook/
    """,
    (405, 405, 405, 405, 405, 405, 405): """
        GET /leagues/new/outlook/
        POST /sign-in/inactive/
        POST /password/done/
        POST /matches/<slug:match_id>/card.png
        POST /leagues/<slug:slug>/desk/room/
        GET /account/export/
    """,
    (200, 302, 302, 302, 302, 302, 302): """
        GET /sign-in/
        POST /sign-in/
        GET /sign-up/
        POST /sign-up/
    """,
    (302, 400, 400, 400, 400, 400, 400): """
        POST /account/tokens/
        POST /challenge/
        POST /device/
        POST /leaderboards/<slug:game>/continuous/
    """,
    (404, 400, 400, 400, 400, 400, 400): """
        POST /matches/<slug:match_id>/seat/<int:number>/
    """,
    (302, 200, 200, 200, 200, 200, 200): """
        GET /challenge/
        GET /play/
        POST /play/
        GET /play/<slug:name>/
        POST /play/<slug:name>/
        GET /device/
        GET /sign-out/
        GET /account/email/
        GET /account/confirm/
        POST /account/confirm/
        GET /account/password/
        POST /account/password/
        GET /account/safety/
        GET /account/safety/webauthn/
        GET /account/
        POST /account/
        GET /account/profile/
        POST /account/profile/
        GET /account/tokens/
        GET /account/sessions/
        POST /account/export/
    """,
    (403, 403, 302, 403, 403, 403, 403): """
        POST /bots/<slug:slug>/versions/<int:number>/ back
    """,
    (302, 403, 403, 200, 403, 403, 200): """
        POST /leagues/<slug:slug>/desk/ pause
    """,
    (302, 403, 403, 302, 403, 302, 302): """
        POST /leagues/<slug:slug>/desk/
    """,
    (302, 403, 403, 302, 403, 403, 302): """
        POST /leagues/<slug:slug>/desk/ appoint
    """,
    (302, 403, 403, 403, 403, 403, 302): """
        POST /leaderboards/<slug:game>/continuous/ rate
    """,
    (302, 404, 302, 404, 404, 404, 404): """
        POST /bots/<slug:slug>/team/
        POST /bots/<slug:slug>/team/ share
        POST /bots/<slug:slug>/team/ challenges
    """,
    (302, 404, 404, 404, 404, 404, 404): """
        POST /matches/<slug:match_id>/rematch/
        GET /account/safety/totp/deactivate/
        POST /account/safety/totp/deactivate/
        GET /account/safety/recovery-codes/
        GET /account/safety/recovery-codes/download/
        POST /account/safety/recovery-codes/download/
    """,
    (302, 405, 405, 405, 405, 405, 405): """
        POST /account/safety/
        POST /account/safety/recovery-codes/
        POST /account/safety/webauthn/
    """,
    (302, 403, 403, 200, 403, 200, 200): """
        GET /leagues/<slug:slug>/desk/
        GET /leagues/<slug:slug>/desk/room/
    """,
    (302, 403, 403, 200, 403, 403, 403): """
        GET /invitations/
        POST /invitations/
        GET /leagues/new/
    """,
    (302, 403, 403, 400, 403, 403, 403): """
        POST /leagues/new/
    """,
    (302, 404, 200, 404, 404, 404, 404): """
        GET /bots/<slug:slug>/team/
    """,
}
ROWS: dict[str, Row] = {
    line.strip(): row
    for answers in (ANSWERS, *(part.ANSWERS for part in PARTS))
    for row, lines in answers.items()
    for line in lines.strip().splitlines()
}
