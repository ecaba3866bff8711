"""Embedding of matches in other sites, and the oEmbed endpoint."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client

from replays.models import Match


def oembed(client: Client, url: str, **more: str) -> dict[str, object]:
    answer = client.get("/oembed/", {"url": url, **more})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


@pytest.mark.slow
def test_only_the_embed_page_may_be_shown_in_a_frame_of_another_site(match_id: str, client: Client) -> None:
    framed, page = client.get(f"/embed/{match_id}/"), client.get(f"/matches/{match_id}/")
    assert "X-Frame-Options" not in framed.headers
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert "script-src 'self'" in framed.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


@pytest.mark.slow
def test_the_page_of_a_match_has_link_preview_metadata(match_id: str, client: Client) -> None:
    page = client.get(f"/matches/{match_id}/?at=3").content.decode()
    assert '<meta property="og:title" content="Pig: ' in page
    assert f'<meta property="og:url" content="http://testserver/matches/{match_id}/">' in page
    assert f"/oembed/?url=http%3A%2F%2Ftestserver%2Fmatches%2F{match_id}%2F%3Fat%3D3" in page


@pytest.mark.slow
def test_oembed_returns_an_iframe_that_opens_the_match_at_the_log_entry_named_in_the_url(
    match_id: str, client: Client
) -> None:
    told = oembed(client, f"http://testserver/matches/{match_id}/?at=7&eyes=1&evil=%22%3E%3Cscript%3E")
    assert told["version"] == "1.0"
    assert told["type"] == "rich"
    assert str(told["title"]).startswith("Pig: ")
    assert f'src="http://testserver/embed/{match_id}/?at=7&amp;eyes=1"' in str(told["html"])
    assert "script" not in str(told["html"])


@pytest.mark.slow
def test_oembed_respects_the_requested_size(match_id: str, client: Client) -> None:
    told = oembed(client, f"http://testserver/matches/{match_id}/", maxwidth="500", maxheight="9999")
    assert (told["width"], told["height"]) == (500, 720)
    assert oembed(client, f"http://testserver/matches/{match_id}/", maxwidth="1", maxheight="x")["width"] == 240


@pytest.mark.django_db
@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://[broken",
        "http://elsewhere.example/matches/abc/",
        "http://testserver/leagues/",
        "http://testserver/nothing/here/",
        "http://testserver/matches/nope/",
    ],
)
def test_oembed_refuses_urls_that_do_not_lead_to_a_match(url: str, client: Client) -> None:
    assert client.get("/oembed/", {"url": url}).status_code == 404


@pytest.mark.slow
@pytest.mark.django_db
def test_oembed_supports_json_and_xml_only(match_id: str, client: Client) -> None:
    url = f"http://testserver/matches/{match_id}/"
    answer = client.get("/oembed/", {"url": url, "format": "xml"})
    told = {child.tag: child.text for child in fromstring(answer.content)}
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    assert told == {name: str(value) for name, value in oembed(client, url).items()}
    assert client.get("/oembed/", {"url": url, "format": "yaml"}).status_code == 400


@pytest.mark.slow
def test_oembed_accepts_very_large_sizes(match_id: str, client: Client) -> None:
    assert oembed(client, f"http://testserver/matches/{match_id}/", maxwidth="9" * 5000)["width"] == 960


@pytest.mark.slow
def test_oembed_returns_the_type_photo_for_pictures_and_clips(match_id: str, client: Client) -> None:
    picture = f"http://testserver/matches/{match_id}/picture.png?at=7"
    clip = f"http://testserver/matches/{match_id}/clip.webp?from=2&until=6"
    told = [oembed(client, picture), oembed(client, clip)]
    assert [(one["type"], one["url"]) for one in told] == [("photo", picture), ("photo", clip)]
    assert [(one["width"], one["height"]) for one in told] == [(1200, 630), (800, 420)]
    smaller = oembed(client, picture, maxwidth="600", maxheight="2000")
    assert (smaller["width"], smaller["height"]) == (600, 315)


@pytest.mark.slow
def test_oembed_refuses_pictures_of_matches_that_are_not_yet_public(match_id: str, client: Client) -> None:
    Match.objects.filter(pk=match_id).update(released=False)
    url = f"http://testserver/matches/{match_id}/picture.png?at=7"
    assert client.get("/oembed/", {"url": url}).status_code == 403
