"""Plants what the bots are after: all of it once a process, and a rival for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.support.hostile.world import adopting_orphans, rival, world
from tests.support.machine import NGINX

collect_ignore = [] if NGINX else ["test_proxies.py"]
collect_ignore += [] if "FTK_TEST_FLOOD" in os.environ else ["test_flood.py"]


def pytest_report_header() -> str | None:
    """Say what is left out for want of a program."""
    return None if NGINX else "no nginx here: tests/hostile/test_proxies.py is left out"


@pytest.fixture
def ada(settings: Any) -> Client:
    """Sign up somebody, and return their browser."""
    from tests.support.people import is_in, sign_up, verify  # once the settings are there

    settings.SIGNUP = "open"
    client = Client()
    sign_up(client)
    verify(client)
    assert is_in(client)
    return client


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    from tests.support.hostile.harness import warm_up  # once the settings are there, which this file is read before

    with world(tmp_path_factory.mktemp("world")) as told:
        warm_up()
        yield told


@pytest.fixture
def hints(planted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    with adopting_orphans(), rival() as pid:
        yield {**planted, "rival_pid": pid}
