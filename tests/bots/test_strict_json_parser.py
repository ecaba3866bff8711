"""JSON bodies of API requests: values that a response or the database cannot represent are refused with 400."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
DEVICE = "/api/v1/device/"


@pytest.mark.parametrize("depth", [64, 3000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_a_body_that_is_nested_too_deeply_is_refused(client: Client, depth: int, opening: str, closing: str) -> None:
    body = depth * opening + "[]" + depth * closing
    answer = client.post(DEVICE, body, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (400, "The body is nested too deeply.")


def test_a_body_nested_64_levels_deep_is_not_refused_for_its_nesting(client: Client) -> None:
    body = '{"client_id":' + 63 * "[" + 63 * "]" + "}"
    answer = client.post(DEVICE, body, content_type="application/json")
    assert answer.status_code == 400
    assert "nested" not in answer.json()["detail"]


@pytest.mark.parametrize("body", ["[" * 3000, '{"a":' * 3000, "[" * 100_000])
def test_a_deeply_nested_body_without_its_end_is_refused(client: Client, body: str) -> None:
    assert client.post(DEVICE, body, content_type="application/json").status_code == 400


@pytest.mark.parametrize(
    "body", [r'{"client_id": "\ud800"}', r'{"\ud800": 1}', r'{"scope": ["x", {"y": "a\udfff"}]}', r'"\ud83d"']
)
def test_an_unpaired_surrogate_anywhere_in_a_json_body_is_refused(client: Client, body: str) -> None:
    answer = client.post(DEVICE, body, content_type="application/json", headers={"Idempotency-Key": "one"})
    assert answer.status_code == 400
    assert "without its pair" in answer.json()["detail"]


def test_a_surrogate_pair_in_a_json_body_is_not_refused_as_an_unpaired_surrogate(client: Client) -> None:
    answer = client.post(DEVICE, r'{"client_id": "\ud83d\ude00"}', content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["device_code"]
