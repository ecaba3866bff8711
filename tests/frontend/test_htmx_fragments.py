"""Views that answer htmx with the inner part of a page: caches and browsers keep the two answers apart."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.hostile.objects_of_urls import create_objects_of_every_url

QUERIES = {"/leagues/<slug:slug>/desk/": "?act=pause"}
"""Query string with which a page answers htmx with a fragment, by URL pattern."""
pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def is_whole_page(answer: HttpResponse) -> bool:
    """Return True if a response is a whole HTML page."""
    return not answer.streaming and b"<html" in answer.content


def test_the_vary_header_of_every_page_that_answers_htmx_with_a_fragment_contains_hx_request(settings: Any) -> None:
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    known, client, found, silent = create_objects_of_every_url(), Client(), set(), set()
    client.force_login(known["people"]["organiser"])
    for path in list_url_patterns():
        address = fill_url_pattern(path, known) + QUERIES.get(path, "")
        answers = client.get(address), client.get(address, headers={"HX-Request": "true"})
        if is_whole_page(answers[0]) != is_whole_page(answers[1]):
            found.add(path)
            silent |= {path for answer in answers if "hx-request" not in answer.get("Vary", "").lower()}
    assert {"/status/", "/watch/", "/leagues/<slug:slug>/", *QUERIES} <= found
    assert silent == set()
