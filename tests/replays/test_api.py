"""A match's log over REST: whole once the match has ended, and not before."""

from __future__ import annotations

import pytest
from django.test import Client

from ftk_core.filelog import parse
from replays.runner import play_match
from tests.factories import active_version, waiting_match

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_ended_match_gives_a_log_whose_pages_verify(client: Client) -> None:
    match = waiting_match([active_version(), active_version()])
    assert play_match(match.pk)
    answer = client.get(f"/api/matches/{match.pk}/log/")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{match.pk}.jsonl"'
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    pages = list(parse(answer.content.splitlines(keepends=True)))
    assert pages[0].lines[0].startswith(b'{"kind":"opened"')
    assert pages[-1].lines[-1].startswith(b'{"kind":"closed"')


def test_a_match_that_has_not_ended_gives_no_log(client: Client) -> None:
    match = waiting_match([active_version(), active_version()])
    assert client.get(f"/api/matches/{match.pk}/log/").status_code == 404
