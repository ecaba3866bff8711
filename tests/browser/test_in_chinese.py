"""Every page of the site, read in Chinese: no English sentence is left on it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client

from notices.endpoints import send_test
from people.roles import make_organiser
from tests.support.addresses import addresses, filled
from tests.support.entering import mine, opened
from tests.support.factories import AuthorFactory
from tests.support.hooks import hooked
from tournaments.desk import propose_or_act
from tournaments.models import League

CODE = ("script", "style", "code", "pre", "textarea", "title")
SAID = ("aria-label", "title", "alt", "data-tip", "placeholder")
"""The attributes that are read out, or shown."""
EMPTY = ("meta", "link", "input", "img", "br", "hr", "path", "polyline", "circle", "rect", "line", "source")
SENTENCE = re.compile(r"[A-Za-z]{2,}(?:[ ,;:'’-]+[A-Za-z]{2,})+")
GAMES = ("For the King (and Me)", "For the King and Me", "For the King", "To Court the King", "Kings Court")
NAMES = ("The Court", *GAMES, "Standard Webhooks", "JSON Schema", "JSON Lines", "SHA-")
"""What stays as it is: the arena, the games, standards and formats."""
ENGLISH = ("/docs/", "/staff/", "/api/")
"""Where English is spoken to everybody: the handbook, staff's tables, and programs."""


class Reader(HTMLParser):
    """Gathers what a reader is told: texts and spoken attributes, but for code and what says that it is English."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._left: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if self._left or tag in CODE or told.get("lang") == "en":
            self._left += [] if tag in EMPTY else [tag]
            return
        self.said += [value for name, value in attrs if name in SAID and value]
        if told.get("name") == "description":
            self.said.append(told.get("content") or "")

    def handle_endtag(self, tag: str) -> None:
        if self._left and tag == self._left[-1]:
            self._left.pop()

    def handle_data(self, data: str) -> None:
        if not self._left and data.strip():
            self.said.append(" ".join(data.split()))


def english_in(page: str) -> list[str]:
    """Return the English sentences of a page."""
    reader = Reader()
    reader.feed(page)
    texts = [re.sub("|".join(sorted(map(re.escape, NAMES), key=len, reverse=True)), "·", said) for said in reader.said]
    return [found for text in texts for found in SENTENCE.findall(text)]


@pytest.fixture
def ada(night: League) -> User:
    """An author, organiser and member of staff, with something of everything, beside a league that was played."""
    ada: User = AuthorFactory.create(username="ada", is_staff=True)
    make_organiser(ada)
    assert propose_or_act(ada, opened(slug="open", by="ada"), "pause", {}, "會場上鎖") is None
    mine("ada", ada)
    hook = hooked("https://bots.example/", ada)
    send_test(ada, hook.pk)
    return ada


@pytest.mark.slow
def test_no_page_is_left_in_english(night: League, ada: User) -> None:
    match = night.tables.all()[0].match_id
    known = {"match": match, "ada": ada, "hook": str(ada.endpoints.get().pk)}
    paths = {filled(path, known) for path in addresses() if not path.startswith(ENGLISH)}
    paths |= {path.replace("/night/", "/open/") for path in paths if "/night/" in path}
    paths |= {path.replace("/ada/", "/b1/") for path in paths if path.startswith("/bots/")} | {"/nothing-here/"}
    left: dict[str, list[str]] = {}
    seen = 0
    for person in (None, ada):
        client = Client(headers={"Accept-Language": "zh-TW"})
        if person:
            client.force_login(person)
        for path in sorted(paths - {"/account/logout/"}):
            answer = client.get(path)
            if answer["Content-Type"].startswith("text/html") and answer.status_code != 302:
                seen += 1
                if found := english_in(answer.content.decode()):
                    left[path] = sorted(set(found))
    assert seen > 60
    assert left == {}
