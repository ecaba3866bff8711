"""Fixtures of hostile tests: secrets that attacks look for, planted once per process, and a rival for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.support.hostile.targets import adopt_orphans, place_targets, start_rival_process
from tests.support.machine import NGINX

collect_ignore = [] if NGINX else ["test_proxies.py"]
collect_ignore += [] if "FTK_TEST_FLOOD" in os.environ else ["test_flood.py"]


def pytest_report_header() -> str | None:
    """List the tests that are left out because a program is missing."""
    return None if NGINX else "no nginx here: tests/hostile/test_proxies.py is left out"


@pytest.fixture
def ada(settings: Any) -> Client:
    """The browser of a person who has just signed up."""
    # import only after the settings are configured
    from tests.support.people import is_signed_in, sign_up, submit_mailed_code

    settings.SIGNUP = "open"
    client = Client()
    sign_up(client)
    submit_mailed_code(client)
    assert is_signed_in(client)
    return client


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    from tests.support.hostile.harness import warm_up  # this file is imported before the settings are configured

    with place_targets(tmp_path_factory.mktemp("world")) as told:
        warm_up()
        yield told


@pytest.fixture
def hints(planted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    with adopt_orphans(), start_rival_process() as pid:
        yield {**planted, "rival_pid": pid}
