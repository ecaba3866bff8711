"""The front page with its live table."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.support.live import LiveMatch

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_live_table_follows_its_match_also_for_visitors_who_watch_matches_spoiler_free(client: Client) -> None:
    LiveMatch("pig").grow(5)
    assert b'<ftk-replay glance eyes="public" match="' in client.get("/").content
