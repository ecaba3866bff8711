"""Characters that databases and documents cannot hold: no field of a form or of the API causes a server error.

The short form sends each field one of the texts, in turns; `make long` sends each field all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import count
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve
from drf_spectacular.generators import SchemaGenerator

from foundation.query_parameters import parameters_of
from tests.support.addresses import fill_url_pattern, list_url_patterns
from tests.support.hostile.objects_of_urls import create_objects_of_every_url
from tests.support.hostile.page_forms import PageForm, read_page_forms
from tests.support.lengths import short_or_long

NASTY = ("a\0b", "\x01", "a/b")
FILLED = {"integer": 1, "boolean": True, "array": [], "object": {}, "number": 1}
MADE_UP = {"text": "x", "revoke": "x", "add": "x", "remove": "x", "like": "x"}
"""Fields that pages read although no form declares them."""
METHODS = {"post", "put", "patch", "delete"}
TURNS = count()
pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def known(settings: Any) -> dict[str, Any]:
    """One object behind every URL, and a person of each role."""
    settings.THROTTLES = dict.fromkeys(settings.THROTTLES, "1000000/s")
    return create_objects_of_every_url()


def fetch(browser: Client, method: str, address: str, *content: Any, **more: Any) -> HttpResponse:
    """Return the response to a request, and roll back its effects, those on the browser's session included."""
    client = Client(raise_request_exception=False)
    client.cookies = deepcopy(browser.cookies)
    with transaction.atomic():
        answer = getattr(client, method)(address, *content, **more)
        transaction.set_rollback(True)
    return answer


def one_or_all(texts: Sequence[str]) -> Sequence[str]:
    """Return a sequence with the next of the texts in turn; in the long form, return all of them."""
    return short_or_long([texts[next(TURNS) % len(texts)]], texts)


def list_forms(browser: Client, known: dict[str, Any]) -> Iterator[PageForm]:
    """Yield each form of the site once, and a form with made-up fields for each URL."""
    seen = set()
    for path in list_url_patterns():
        if path.startswith("/api/"):
            continue
        address = fill_url_pattern(path, known)
        page = fetch(browser, "get", address)
        html = page.content.decode() if page.get("Content-Type", "").startswith("text/html") else ""
        for form in [PageForm(address, dict(MADE_UP)), *read_page_forms(address, html)]:
            form.fields.pop("csrfmiddlewaretoken", None)
            if (key := (form.address, *sorted(form.fields))) not in seen:
                seen.add(key)
                yield form


def list_bodies(operation: dict[str, Any], schemas: dict[str, Any]) -> Iterator[str]:
    """Yield JSON bodies for an API operation: each field with texts, a field of such a name, and deep nesting.

    A text is sent alone, in a list or in an object, in turns: in the long form each field gets all three.
    """
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {"schema": {}})
    fields = schemas.get(content["schema"].get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    filled = {name: FILLED.get(str(field.get("type")), "x") for name, field in fields.items()}
    texts = (*NASTY, "\ud800")
    yield from (json.dumps({text: text}) for text in one_or_all(texts))
    for at, name in enumerate(fields):
        for text in one_or_all(texts):
            yield json.dumps(filled | {name: (text, [text], {text: text})[(texts.index(text) + at) % 3]})
    yield from one_or_all(("[" * 3000, '{"name":' * 3000))


def sign_in(known: dict[str, Any]) -> Client:
    """Return the browser of the organiser of the league, who is also the author of a bot."""
    browser = Client()
    browser.force_login(known["people"]["organiser"])
    return browser


def test_no_field_of_a_form_with_an_unstorable_character_causes_a_server_error(known: dict[str, Any]) -> None:
    browser = sign_in(known)
    forms = list(list_forms(browser, known))
    bodies = [
        (form.address, form.fields | dict.fromkeys(names, text))
        for form in forms
        for names in [[*form.fields], *([name] for name in form.fields)]
        if form.fields != MADE_UP or len(names) > 1
        for text in one_or_all(NASTY)
    ]
    failed = [body for body in bodies if fetch(browser, "post", *body).status_code >= 500]
    assert {"/follow/", "/account/tokens/", "/challenge/"} <= {form.address for form in forms}
    assert failed == []


def test_no_field_of_the_api_with_an_unstorable_character_causes_a_server_error(known: dict[str, Any]) -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    key = {"HTTP_IDEMPOTENCY_KEY": "one", "content_type": "application/json"}
    browser, failed, sent = sign_in(known), [], 0
    for path, operations in schema["paths"].items():
        address = fill_url_pattern(path.replace("{", "<").replace("}", ">"), known)
        for method in METHODS & operations.keys():
            for body in list_bodies(operations[method], schema["components"]["schemas"]):
                sent += 1
                if fetch(browser, method, address, body, **key).status_code >= 500:
                    failed.append((method, address, body[:80]))
    assert sent > 200
    assert failed == []


def test_no_query_parameter_with_an_unstorable_character_causes_a_server_error(known: dict[str, Any]) -> None:
    browser, failed, sent = sign_in(known), [], 0
    for path in list_url_patterns():
        address = fill_url_pattern(path, known)
        for name in parameters_of(resolve(address).func, RequestFactory().get(address)):
            for text in one_or_all(NASTY):
                sent += 1
                if fetch(browser, "get", address, {name: text}).status_code >= 500:
                    failed.append((address, name, text))
    assert sent > 50
    assert failed == []
