"""Query parameters: each API operation accepts those that the OpenAPI document lists, and no others."""

from __future__ import annotations

import pytest
from django.test import Client, RequestFactory
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator

from foundation.query_parameters import parameters_of


@pytest.mark.slow
def test_every_api_operation_accepts_exactly_the_query_parameters_in_the_openapi_document() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    documented = {
        (method, path): {
            row["name"] for row in paths[path][method.lower()].get("parameters", ()) if row["in"] == "query"
        }
        for path, _, method, _ in EndpointEnumerator().get_api_endpoints()
        if path in paths
    }
    accepted = {
        (method, path): set(parameters_of(view, RequestFactory().generic(method, "/")))
        for path, _, method, view in EndpointEnumerator().get_api_endpoints()
        if path in paths
    }
    assert "after" in documented["GET", "/api/v1/leagues/"]
    assert accepted == documented


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/ladders/pig/?author=eve&language=python&season=&after=",
        "/api/v1/leagues/?after=",
        "/api/v1/bots/?limit=5",
    ],
)
def test_lists_of_the_api_accept_their_filters_and_cursors(client: Client, method: str, address: str) -> None:
    assert client.generic(method, address).status_code == 200
    assert client.generic(method, address + "&nonsense=1").status_code == 400


@pytest.mark.django_db
def test_a_nul_character_in_a_form_is_refused_with_the_name_of_the_field(client: Client) -> None:
    answer = client.post("/sign-in/", {"login": "a\0b", "password": "x"})
    assert answer.status_code == 400
    assert "there is a NUL in &#x27;login&#x27;" in answer.content.decode()
