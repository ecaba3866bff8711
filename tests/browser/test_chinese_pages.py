"""Pages in Chinese contain no English sentences."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client

from notices.webhooks.webhook_endpoints import send_test
from people.person_roles import make_organiser
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.factories import AuthorFactory
from tests.support.league_entries import create_own_version, open_league
from tests.support.webhooks import create_webhook
from tournaments.models import League
from tournaments.organisers.organiser_action_submission import propose_or_act

pytestmark = pytest.mark.slow

CODE = ("script", "style", "code", "pre", "textarea", "title")
SAID = ("aria-label", "title", "alt", "data-tip", "placeholder")
"""Attributes that are read aloud or shown."""
EMPTY = ("meta", "link", "input", "img", "br", "hr", "path", "polyline", "circle", "rect", "line", "source")
SENTENCE = re.compile(r"[A-Za-z]{2,}(?:[ ,;:'’-]+[A-Za-z]{2,})+")
NAMES = ("The Court", "Standard Webhooks", "JSON Schema", "JSON Lines", "SHA-")
"""Names that stay English: the arena, standards and formats."""
ENGLISH = ("/docs/", "/staff/", "/api/")
"""Paths that are English for everybody: handbook, staff pages and API."""


class VisibleTextCollector(HTMLParser):
    """HTML parser that collects visible texts and accessible attributes, except code and text marked as English."""

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
    """Return the English sentences in a page."""
    reader = VisibleTextCollector()
    reader.feed(page)
    texts = [re.sub("|".join(sorted(map(re.escape, NAMES), key=len, reverse=True)), "·", said) for said in reader.said]
    return [found for text in texts for found in SENTENCE.findall(text)]


@pytest.fixture
def ada(night: League) -> User:
    """A person with every role and with objects of every kind, besides a played league."""
    ada: User = AuthorFactory.create(username="ada", is_staff=True)
    make_organiser(ada)
    assert propose_or_act(ada, open_league(slug="open", by="ada"), "pause", {}, "會場上鎖") is None
    create_own_version("ada", ada)
    hook = create_webhook("https://bots.example/", ada)
    send_test(ada, hook.pk)
    return ada


def test_no_chinese_page_contains_english_sentences(night: League, ada: User) -> None:
    match = night.tables.all()[0].match_id
    known = {"match": match, "ada": ada, "hook": str(ada.endpoints.get().pk)}
    paths = {fill_url_pattern(path, known) for path in list_url_patterns() if not path.startswith(ENGLISH)}
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
