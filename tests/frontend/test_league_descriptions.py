"""Descriptions of leagues: announced and corrected Markdown, shown as safe HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from foundation.management_commands import InvalidCommandInputError
from frontend.drawing.league_description_html import render_description
from ftk_core.kit.verify.league_export_verification import verify_export
from people.person_roles import make_organiser
from tests.support.factories import AuthorFactory
from tests.support.league_entries import open_league, submit_act_form
from tests.support.leagues import create_entrants, play_all, start_league
from tournaments.leagues import finished_league_export
from tournaments.leagues.league_event_projection import load

pytestmark = pytest.mark.django_db(transaction=True)
TEXT = "# Prizes\n\n1. a *cup*\n2. [a book](https://books.example/)"
HTML = (
    '<h3>Prizes</h3>\n<ol>\n<li>a <em>cup</em></li>\n<li><a href="https://books.example/" rel="nofollow ugc noopener">'
)
ALLOWED = {
    *("p", "em", "strong", "a", "ul", "ol", "li", "blockquote", "pre", "code", "hr", "br", "h3", "h4", "h5", "h6")
}


class ElementReader(HTMLParser):
    """Reader of HTML that stores all elements with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "a <b onmouseover=alert(1)>b</b> <!-- c --> <?php ?> <![CDATA[x]]>",
        "![tracker](https://evil.example/pixel.png)",
        "![x](data:image/svg+xml;base64,PHN2Zz4=)",
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java&#115;cript:alert(1))",
        "[x](&#x6A;avascript:alert(1))",
        "[x](\tjavascript:alert(1))",
        "[x](<java\nscript:alert(1)>)",
        "[x](vbscript:msgbox(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](file:///etc/passwd)",
        "[x](//evil.example)",
        "[x](/leagues/night/desk/?act=close)",
        "[x](https:evil.example)",
        "<javascript:alert(1)>",
        "[x][y]\n\n[y]: javascript:alert(1)",
        '[x](https://a.example "\\" onclick=alert(1) \\"")',
        '[x](https://a.example/"onclick=alert(1))',
        '```x" onload="alert(1)\n</code></pre><script>alert(1)</script>\n```',
        "`</code><script>alert(1)</script>`",
        "# <style>*{display:none}</style>",
        "</details></main><h1>Official</h1>",
        "<https://a.example/'\"><script>>",
    ],
)
def test_hostile_markdown_in_a_league_description_produces_only_allowed_html_elements(hostile: str) -> None:
    for tag, attributes in ElementReader(render_description(hostile)).elements:
        assert tag in ALLOWED
        assert set(attributes) <= {"href", "rel", "title", "class", "start"}
        if tag == "a":
            assert re.match("(https?://|mailto:)", attributes["href"] or "")
            assert attributes["rel"] == "nofollow ugc noopener"
        if "class" in attributes:
            assert tag == "code"


def test_a_league_description_may_contain_links_and_its_headings_start_at_level_three() -> None:
    html = render_description(
        "# One\n\n###### Six\n\n[w](https://a.example) [m](mailto:a@b.example) <http://c.example>"
    )
    elements = ElementReader(html).elements
    assert [tag for tag, _ in elements] == ["h3", "h6", "p", "a", "a", "a"]
    assert [attributes["href"] for tag, attributes in elements if tag == "a"] == [
        "https://a.example",
        "mailto:a@b.example",
        "http://c.example",
    ]


@pytest.mark.slow
def test_the_league_page_shows_a_description_given_in_the_form_or_by_the_api_or_in_the_shell(client: Client) -> None:
    olga = AuthorFactory.create(username="olga")
    make_organiser(olga)
    client.force_login(olga)
    form = {"name": "One", "game": "pig", "preset": "evening", "format": "swiss", "seats": "2", "rounds": "2"}
    form |= {"games": "1", "finalists": "0", "deals": "same", "scored": "matches", "rest": "half", "pace_ms": "60000"}
    form |= {"move_seconds": "1", "bank_seconds": "2", "expected": "9", "who": "anybody", "per_author": "0"}
    form |= {"late": "0", "granted": "none", "tries": "1", "ruling": "share", "step": "2", "go": "open"}
    answer = client.post("/leagues/new/", {**form, "description": TEXT.replace("\n", "\r\n")})
    assert answer.status_code == 302, answer.content
    body = {"slug": "two", "name": "Two", "game": "pig", "seats": 2, "rounds": 2, "description": TEXT}
    assert client.post("/api/v1/leagues/", body, content_type="application/json").status_code == 201
    words = ["league", "open", "three", "pig", "--seats", "2", "--description", TEXT]
    call_command(*words, stdout=StringIO())
    for slug in ("one", "two", "three"):
        assert HTML in client.get(f"/leagues/{slug}/").content.decode(), slug
        assert client.get(f"/api/v1/leagues/{slug}/").json()["terms"]["description"] == TEXT


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 10_001, "a description has at most 10000 characters, not 10001"),
        ("tea\n\x1b[2J", "line 2 of the description contains a control character; remove it"),
        ("tea\x7f", "line 1 of the description contains a control character; remove it"),
    ],
)
def test_a_league_description_that_is_too_long_or_not_printable_is_refused(text: str, reason: str) -> None:
    words = ["league", "open", "three", "pig", "--seats", "2", "--description"]
    with pytest.raises(InvalidCommandInputError, match=re.escape(reason)):
        call_command(*words, text)
    open_league()
    with pytest.raises(InvalidCommandInputError, match=re.escape(reason)):
        call_command("organise", "correct", "night", "--description", text, "--why", "prizes")


@pytest.mark.parametrize("path", ["/leagues/", "/leagues/night/"])
def test_a_league_without_a_round_shows_no_round_number(path: str, client: Client) -> None:
    open_league()
    page = client.get(path).content.decode()
    assert "Night" in page
    assert not re.search("round 0", page, re.IGNORECASE)


@pytest.mark.slow
def test_a_league_with_a_corrected_or_removed_description_still_passes_verification(
    client: Client, tmp_path: Path
) -> None:
    league = start_league(create_entrants(2), rounds=1, description="Tea at 三點.")
    client.force_login(AuthorFactory.create(username="olga", is_staff=True))
    page = client.get("/leagues/night/desk/?act=correct").content.decode()
    assert re.search(r"<textarea name=\"description\"[^>]*>\s*Tea at 三點\.</textarea>", page)
    fields: dict[str, Any] = {"name": "Night", "entries_until": "", "why": "prizes"}
    assert "Done." in submit_act_form(client, "correct", description=TEXT.replace("\n", "\r\n"), **fields)
    assert load(league)[1].header.description == TEXT
    acts = client.get("/leagues/night/acts/").content.decode()
    assert re.findall("<dd>(.*?)</dd>", acts)[0] == "Tea at 三點."
    assert "this would change nothing in Night" in submit_act_form(
        client, "correct", description=TEXT.replace("\n", "\r\n"), **fields
    )
    assert HTML in client.get("/leagues/night/").content.decode()
    assert "Done." in submit_act_form(client, "correct", description="", **fields)
    assert 'id="description"' not in client.get("/leagues/night/").content.decode()
    play_all(league)
    finished_league_export.export_league("night", tmp_path / "night.tar")
    report = verify_export(tmp_path / "night.tar")
    assert report.flaws == ()
    assert "characters with SHA-256" in report.acts[1]
