"""Fixtures for people who play by hand in the browser."""
# The fixtures import models when they run, because Django has no settings yet when this file is read.

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client


@pytest.fixture
def ada(client: Client) -> Any:
    from tests.support.factories import AuthorFactory

    person = AuthorFactory.create(username="ada")
    client.force_login(person)
    return person


@pytest.fixture
def asked(client: Client, ada: Any, settings: Any) -> str:
    """The URL of a seat whose player has the first question to answer."""
    from replays.playing.match_runner import play_match
    from tests.support.tables_by_hand import sit_down

    settings.SEATS = {**settings.SEATS, "adjourn_seconds": 0}
    match = sit_down(client)
    play_match(match.pk)
    return f"/matches/{match.pk}/seat/0/"
