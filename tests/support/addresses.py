"""URL patterns of the site, and names of parameters that its views read, both collected from the site itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ASKED = re.compile(r"""(?:GET|query_params)(?:\.get\(|\[)\s*"([a-z]+)\"""")
FIELDS = re.compile(r"""^    (\w+) = forms\.""", re.MULTILINE)
SOURCES = ("frontend/pages", "foundation", "people", "bots", "replays", "tournaments", "notices")


def list_url_patterns(resolver: URLResolver | None = None, before: str = "/") -> Iterator[str]:
    """Yield the URL patterns of the site, such as ``/matches/<slug:match_id>/``.

    The patterns of `/staff/` are excluded: `tests/frontend/test_staff.py` requests them all.
    """
    for entry in (resolver or get_resolver()).url_patterns:
        path = before + re.sub(r"\(\?P<(\w+)>.*?\)(?=[/.\\]|$)", r"<\1>", str(entry.pattern)).strip("^$").rstrip("\\Z")
        if isinstance(entry, URLResolver) and entry.app_name == "admin":
            continue
        if isinstance(entry, URLResolver):
            yield from list_url_patterns(entry, path)
        elif isinstance(entry, URLPattern) and "format" not in path and "admin" not in path:
            yield path


@cache
def list_parameter_names() -> list[str]:
    """Return the names of query parameters and form fields in the modules of `SOURCES`, and a few more."""
    texts = [file.read_text() for folder in SOURCES for file in sorted(Path(folder).rglob("*.py"))]
    ours = {word for text in texts for pattern in (ASKED, FIELDS) for word in pattern.findall(text)}
    assert {"bot", "season", "why"} <= ours, "the pages read their parameters otherwise: change ASKED and FIELDS"
    return sorted(ours | {"limit", "after", "game", "status", "next", "format", "revoke", "end"})


NUMBERED = {"/webhooks/": "hook", "/proposals/": "proposal"}
"""Key of the object in `known` whose database id is the placeholder ``number``, by a part of the URL."""


def fill_url_pattern(path: str, known: dict[str, Any]) -> str:
    """Return a URL pattern with the values of existing objects in place of its placeholders.

    `known` has the id of a match (`match`) and a bot version (`ada`); it may have the ids of a webhook (`hook`) and a
    proposal (`proposal`), and the key of a delivery (`key`).
    """
    slug = "ada" if path.startswith(("/bots/", "/api/v1/bots/")) else "night"
    pk = known["match"] if path.startswith("/api/v1/matches/") else str(known["ada"].pk)
    words = {
        "slug": slug,
        "number": next((known[word] for part, word in NUMBERED.items() if part in path and word in known), "1"),
        "match_id": known["match"],
        "game": "pig",
        "digest": "0123456789abcdef",
        "language": "en",
        "league": "night",
        "bot": "random",
        "id": pk,
        "pk": pk,
        "path": "tutorial/",
        "section": "games",
    }
    words |= {"name": "standings.csv" if "/sheets/" in path else "pig", "token": "x", "key": "x", "uidb36": "x"}
    words["key"] = known.get("key", "x") if "/webhooks/" in path else "x"
    for word, value in words.items():
        for kind in ("", "slug:", "int:", "str:", "path:"):
            path = path.replace(f"<{kind}{word}>", value)
    assert "<" not in path, path
    return path
