"""Settings of rate limits, quotas and connection limits."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

from deploy.environment import env
from ftk_core.kit.uploads.upload_limits import UPLOAD

THROTTLES = {
    "request": "1200/min",  # by address: everything except static files and pages that are shared
    "anonymous": "120/min",  # by address: the REST API without a token
    "person": "600/min",
    "token": "300/min",  # so that one program does not use up its person's whole allowance
    "upload": "10/min",  # by person, and by address
    "play": "30/min",  # by person: requests for matches in which a person plays in the browser
    "seat": "600/min",  # by person: moves made in the browser
    "enter": "60/min",  # by person, and by address: entries into leagues, challenges and other acts
    "sign-in": "20/min",  # by address
    "sign-up": "20/hour",  # by address
    "comment": "10/min",  # by person: comments, and reports about them
    "webhook": "60/min",  # by person, and by address: webhooks and notices
    "outlook": "40/min",  # by person: forecasts, for which a league is simulated
    "picture": "60/min",  # by address: rendered pictures of a table
    "clip": "6/min",  # by address: rendered video clips
    "export": "10/hour",  # by person: data exports
    "reset": "20/hour",  # by address: password resets
    "device": "20/min",  # by address: programs that request a token; by person: codes that are typed
}
"""Rate limits by scope (kind of request); the environment overrides them, as in FTK_THROTTLE_UPLOAD=2/min."""
THROTTLES |= {
    scope: rate
    for scope in THROTTLES
    if (rate := env.str(f"FTK_THROTTLE_{scope.upper().replace('-', '_')}", default=""))
}
BACKOFF = {"free": 5, "wait": 2, "longest": 900}
"""Backoff of failed sign-ins, by address and by account.

After `free` failures in a row the next attempt must wait for `wait` seconds; each further failure doubles the wait, up
to `longest` seconds.
"""
UPLOAD_ROOM = {
    "uploads_each": env.int("FTK_QUOTA_UPLOADS", default=100),  # of one author, within 24 hours
    "challenges_each": env.int("FTK_QUOTA_CHALLENGES", default=200),  # matches requested by one author, within 24 hours
    "reviews_each": env.int("FTK_QUOTA_REVIEWS", default=20),  # reviews requested by one author, within 24 hours
    "trials_each": env.int("FTK_QUOTA_TRIALS", default=5),  # waiting trials of one author
    "trials": env.int("FTK_TRIALS", default=200),  # waiting trials of all authors
    "stored_each": env.int("FTK_QUOTA_DISK", default=64 * 1024 * 1024),  # bytes of one author's versions, unpacked
    "weights": env.int("FTK_QUOTA_WEIGHTS", default=UPLOAD.data_bytes),  # bytes of data files in one version
    "least_free": 512 * 1024 * 1024,  # bytes that stay free on the disk
}
"""Quotas for uploads, trials, requested matches and reviews; `bots.author_quotas` has exceptions for single authors."""
COMMENTS = env.str("FTK_COMMENTS", default="off")
"""Default rule for comments on a league: ``off``, ``approved`` (shown after approval) or ``at_once``."""
if COMMENTS not in ("off", "approved", "at_once"):
    raise ImproperlyConfigured(f"FTK_COMMENTS must be off, approved or at_once (got {COMMENTS!r}).")
CLIPS = env.int("FTK_CLIPS", default=200)
"""Maximum number of cached clips (animated pictures), some 300 kB each; a deleted clip is made again on request."""
GATE = {
    "requests_each": 32,  # concurrent requests of one address
    "connections_each": 128,  # connections of one address; behind trusted proxies, the proxies count them
    "connections": 4096,  # connections of all visitors
    "sockets_each": 64,  # WebSockets of one address
    "sockets_person": 32,  # WebSockets of one person, from all addresses
    "head_seconds": 10,
    "head_bytes": 32 * 1024,
    "body_seconds": 30,
    "shared_seconds": 1,  # lifetime of a page that anonymous readers share; 0 turns sharing off
}
"""Limits of one web process: open requests, connections and WebSockets (per visitor or in total), the size and time of
requests, and the lifetime of cached pages. The environment overrides them (FTK_GATE_SOCKETS_EACH=200)."""
GATE |= {word: env.int(f"FTK_GATE_{word.upper()}", default=limit) for word, limit in GATE.items()}
SEATS = {
    "allowance_ms": 500,  # added to the time of each decision for the network; a remote bot's clock starts after it
    "slack_ms": 5000,  # how long the server waits beyond the clock for an answer that was sent in time
    "grace_seconds": 60,  # how long a remote bot may be disconnected in one match
    "lost_seconds": 120,  # time to reconnect after a server process died; it does not count as grace time
    "alive_seconds": 10,  # how long a server process counts as alive without a heartbeat
    "adjourn_seconds": 60,  # how long a worker waits for a person's move before it sets the match aside
    "friendlies_each": 50,  # open friendly matches of one author with the author's remote bots
    "hints": 1,  # whether people who play in the browser may ask what a strong player would choose; 0 turns that off
    "by_hand_each": 10,  # open matches in which one person plays in the browser
    "each": 20,  # concurrent matches of one author with seats of people or remote bots
}
"""Limits of matches with people or remote bots: times to answer and to reconnect, and maximum numbers of matches. The
environment overrides them (FTK_SEATS_GRACE_SECONDS)."""
SEATS |= {word: env.int(f"FTK_SEATS_{word.upper()}", default=limit) for word, limit in SEATS.items()}
REVIEWS = {
    "playouts": 100,  # half of them value a position; the options of a choice take as many or more (docs/review.md)
    "match_seconds": 600,  # processor seconds for one review; beyond them the review ends with a message
    "day_seconds": 4 * 60 * 60,  # processor seconds for all reviews of a day (UTC); further ones wait for the next day
}
"""Limits of the processor time for match reviews; the environment overrides them (FTK_REVIEWS_DAY_SECONDS=3600)."""
REVIEWS |= {word: env.int(f"FTK_REVIEWS_{word.upper()}", default=limit) for word, limit in REVIEWS.items()}
FORM_BYTES = 64 * 1024
"""Maximum number of bytes in an upload form besides the files."""
BODY_BYTES = dict.fromkeys(
    ("/account/", "/api/v1/bots/uploads/"), UPLOAD.packed_bytes + UPLOAD_ROOM["weights"] + FORM_BYTES
)
LIST_OR_LOGO_BYTES = 512 * 1024 + FORM_BYTES
"""Maximum bytes of a form with a list of bots (also sent as text), or with the logo of a league or of the site."""
BODY_BYTES |= {f"/leagues/*{path}": LIST_OR_LOGO_BYTES for path in ("/desk/entries/", "/desk/logo/")}
BODY_BYTES |= {f"/api/v1/leagues/*{path}": LIST_OR_LOGO_BYTES for path in ("/acts/enlist/", "/logo/")}
BODY_BYTES |= {f"/staff/branding/brand/{path}": LIST_OR_LOGO_BYTES for path in ("add/", "*/change/")}
"""Maximum body size in bytes by URL path; an asterisk stands for any text."""
BODY_BYTES_UNDER = {"/": 16 * 1024, **dict.fromkeys(("/leagues/", "/api/v1/leagues/"), 128 * 1024)}
"""Maximum body size in bytes of all other requests, by prefix of the path.

A form with a league's description needs up to 12 bytes for each of its 10,000 characters.
"""
