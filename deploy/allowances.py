"""The part of the settings that says how much anybody may ask, send, store and have open."""

from __future__ import annotations

import environ

from ftk_core.kit.limits import UPLOAD

env = environ.Env()
THROTTLES = {
    "request": "1200/min",  # by address: whatever is no static file
    "anonymous": "120/min",  # by address: the REST doors without a token
    "person": "600/min",
    "token": "300/min",  # so that one program does not take all that its person has
    "upload": "10/min",  # by person, and by address
    "play": "30/min",  # by person: matches by hand that are asked for
    "seat": "600/min",  # by person: answers by hand
    "enter": "60/min",  # by person, and by address
    "sign-in": "20/min",  # by address
    "sign-up": "20/hour",  # by address
    "webhook": "60/min",  # by person, and by address
    "outlook": "40/min",  # by person: a league is simulated
    "picture": "60/min",  # by address: pictures of a table that are drawn
    "clip": "6/min",  # by address: clips that are drawn
    "export": "10/hour",  # by person
    "reset": "20/hour",  # by address: of passwords
    "device": "20/min",  # by address: programs that ask for a token; by person: codes that are typed
}
"""How often somebody may ask, by scope; the environment may say FTK_THROTTLE_UPLOAD=2/min."""
THROTTLES |= {
    scope: rate
    for scope in THROTTLES
    if (rate := env.str(f"FTK_THROTTLE_{scope.upper().replace('-', '_')}", default=""))
}
BACKOFF = {"free": 5, "wait": 2, "longest": 900}
"""After how many sign-ins in a row that failed, of an address or for an account, the next one has to wait, for how many
seconds at first, each time twice as long, and for how many at most."""
UPLOAD_ROOM = {
    "uploads_each": env.int("FTK_QUOTA_UPLOADS", default=100),  # of one author, within 24 hours
    "challenges_each": env.int("FTK_QUOTA_CHALLENGES", default=200),  # matches asked for by one, within 24 hours
    "reviews_each": env.int("FTK_QUOTA_REVIEWS", default=20),  # reviews asked for by one, within 24 hours
    "trials_each": env.int("FTK_QUOTA_TRIALS", default=5),  # of one author, that wait
    "trials": env.int("FTK_TRIALS", default=200),  # of all authors
    "stored_each": env.int("FTK_QUOTA_DISK", default=64 * 1024 * 1024),  # bytes of one author's versions, unpacked
    "least_free": 512 * 1024 * 1024,  # bytes that are to stay free on the disk
}
"""How much is taken in from people; of one author staff may say otherwise (`bots.quotas`)."""
CLIPS = env.int("FTK_CLIPS", default=200)
"""How many clips of matches are kept, some 300 kB each; one that was let go is drawn again when somebody asks."""
GATE = {
    "requests_each": 32,  # of one address, being answered
    "connections_each": 128,  # of one address; behind proxies of ours they count them
    "connections": 4096,  # of all
    "sockets_each": 64,  # of one address
    "sockets_person": 32,  # of one person, from whatever addresses
    "head_seconds": 10,
    "head_bytes": 32 * 1024,
    "body_seconds": 30,
    "shared_seconds": 1,  # for so long a page that was drawn for one anonymous reader is shown to others; 0 is never
}
"""What a visitor may have open in one web server, and take of its time; the environment: FTK_GATE_SOCKETS_EACH=200."""
GATE |= {word: env.int(f"FTK_GATE_{word.upper()}", default=limit) for word, limit in GATE.items()}
SEATS = {
    "allowance_ms": 500,  # of each question, for the network; a remote bot's clock begins behind it
    "slack_ms": 5000,  # how long we wait beyond its clock for an answer that came in time and is still on its way to us
    "grace_seconds": 60,  # how long a remote bot may be away in one match
    "lost_seconds": 120,  # how long it may take to come back where our own server process was lost, at no cost
    "alive_seconds": 10,  # how long a server process is believed to live without a word
    "adjourn_seconds": 60,  # how long a worker waits for a person
    "friendlies_each": 50,  # friendly matches of one author with a remote bot of theirs that go on
    "by_hand_each": 10,  # matches by hand of one person that go on
    "each": 20,  # matches with outside seats of one author that are played at the same time
}
"""How seats are played from outside; the environment: FTK_SEATS_GRACE_SECONDS=120."""
SEATS |= {word: env.int(f"FTK_SEATS_{word.upper()}", default=limit) for word, limit in SEATS.items()}
REVIEWS = {
    "playouts": 100,  # for each choice: half of them value the table, half its options
    "match_seconds": 600,  # of processor time that one review may take; beyond it is given up, and says so
    "day_seconds": 4
    * 60
    * 60,  # of processor time that the reviews of a day (UTC) take; what is left waits until the next
}
"""How matches are reviewed, and what that may cost; the environment: FTK_REVIEWS_DAY_SECONDS=3600."""
REVIEWS |= {word: env.int(f"FTK_REVIEWS_{word.upper()}", default=limit) for word, limit in REVIEWS.items()}
FORM_BYTES = 64 * 1024
"""For what stands around a file in a form."""
BODY_BYTES = dict.fromkeys(("/account/", "/api/v1/bots/uploads/"), UPLOAD.packed_bytes + FORM_BYTES)
BODY_BYTES_ELSEWHERE = 16 * 1024
"""How much may be posted where no file is taken."""
