"""Every address of the site, and every word that can stand behind one, read from the site itself."""

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


def addresses(resolver: URLResolver | None = None, before: str = "/") -> Iterator[str]:
    """Yield the addresses of the site as patterns, such as ``/matches/<slug:match_id>/``.

    Those of `/staff/` are left out: `tests/frontend/test_staff.py` asks them all.
    """
    for entry in (resolver or get_resolver()).url_patterns:
        path = before + re.sub(r"\(\?P<(\w+)>.*?\)(?=[/.\\]|$)", r"<\1>", str(entry.pattern)).strip("^$").rstrip("\\Z")
        if isinstance(entry, URLResolver) and entry.app_name == "admin":
            continue
        if isinstance(entry, URLResolver):
            yield from addresses(entry, path)
        elif isinstance(entry, URLPattern) and "format" not in path and "admin" not in path:
            yield path


@cache
def words() -> list[str]:
    """Return the words that our sources look for behind a question mark or in a form, and those of the frameworks."""
    texts = [file.read_text() for folder in SOURCES for file in sorted(Path(folder).glob("*.py"))]
    ours = {word for text in texts for pattern in (ASKED, FIELDS) for word in pattern.findall(text)}
    return sorted(ours | {"limit", "after", "game", "status", "next", "format", "revoke", "end"})


NUMBERED = {"/webhooks/": "hook", "/proposals/": "proposal"}
"""What is known by a number that the database gives, by a part of its address."""


def filled(path: str, known: dict[str, Any]) -> str:
    """Return the path of an address: for each of its words something there is, of a `match` and the version `ada`."""
    slug = "ada" if path.startswith(("/bots/", "/api/v1/bots/")) else "night"
    pk = known["match"] if path.startswith("/api/v1/matches/") else str(known["ada"].pk)
    words = {
        "slug": slug,
        "number": next((known[word] for part, word in NUMBERED.items() if part in path and word in known), "1"),
        "match_id": known["match"],
        "game": "pig",
        "bot": "random",
        "id": pk,
        "pk": pk,
        "path": "tutorial/",
    }
    words |= {"name": "standings.csv" if "/sheets/" in path else "pig", "token": "x", "key": "x", "uidb36": "x"}
    words["key"] = known.get("key", "x") if "/webhooks/" in path else "x"
    for word, value in words.items():
        for kind in ("", "slug:", "int:", "str:", "path:"):
            path = path.replace(f"<{kind}{word}>", value)
    assert "<" not in path, path
    return path
