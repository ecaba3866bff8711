"""Matches of games that are no longer installed, as spectators see them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.test import Client

from replays.live.websocket_urls import websocket_urlpatterns
from replays.models import Match
from tests.support.live import LiveMatch

pytestmark = pytest.mark.django_db(transaction=True)


def create_match_of_removed_game() -> Match:
    """Return an ended match of the game `gone`, which is not installed."""
    live = LiveMatch("pig")
    live.lines = tuple(line.replace(b'"game":"pig"', b'"game":"gone"') for line in live.lines)
    live.grow(len(live.lines))
    Match.objects.filter(pk=live.match.pk).update(game="gone")
    return Match.objects.get(pk=live.match.pk)


async def test_a_spectator_of_a_match_whose_game_was_removed_is_refused_with_the_reason_and_not_disconnected() -> None:
    match = await sync_to_async(create_match_of_removed_game)()
    socket = WebsocketCommunicator(URLRouter(websocket_urlpatterns), f"/ws/match/{match.pk}/")
    assert (await socket.connect())[0]
    for eyes in ("public", "0"):
        await socket.send_to(text_data=json.dumps({"type": "watch", "eyes": eyes}))
        message: dict[str, Any] = json.loads(await socket.receive_from(timeout=5))
        assert (message["type"], message["code"]) == ("refused", "missing_plugin")
        assert "there is no game 'gone'" in message["detail"]
    assert await socket.receive_nothing()
    await socket.disconnect()


@pytest.mark.parametrize("path", ["embed", "matches"])
def test_pages_with_the_viewer_of_a_match_whose_game_was_removed_show_the_reason_instead(
    client: Client, path: str
) -> None:
    page = client.get(f"/{path}/{create_match_of_removed_game().pk}/")
    assert page.status_code == 200
    assert "there is no game &#x27;gone&#x27;" in page.content.decode()
    assert b"<ftk-replay" not in page.content


def test_a_decision_in_a_match_whose_game_was_removed_is_not_found_and_the_response_names_the_game(
    client: Client,
) -> None:
    answer = client.get(f"/api/v1/matches/{create_match_of_removed_game().pk}/decision/?eyes=all&at=9")
    assert answer.status_code == 404
    assert "there is no game 'gone'" in answer.json()["detail"]
