"""The WebSocket of spectators: opening, catching up, seeking and reconnecting, within each viewer's rights."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator

from replays.live.websocket_urls import websocket_urlpatterns
from replays.models import Match
from replays.playing.match_runner import play_match
from tests.support.factories import create_active_version, create_waiting_match

pytestmark = pytest.mark.django_db(transaction=True)

APP = URLRouter(websocket_urlpatterns)


def played_match() -> Match:
    match = create_waiting_match([create_active_version(), create_active_version()])
    assert play_match(match.pk)
    return match


async def connected(match_id: str) -> WebsocketCommunicator:
    socket = WebsocketCommunicator(APP, f"/ws/match/{match_id}/")
    accepted, _ = await socket.connect()
    assert accepted
    return socket


async def frames_of(socket: WebsocketCommunicator, **watch: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return all frames that answer one request, and the last message."""
    await socket.send_to(text_data=json.dumps({"type": "watch", **watch}))
    frames: list[dict[str, Any]] = []
    while True:
        message = json.loads(await socket.receive_from(timeout=5))
        assert message["type"] == "frames", message
        frames += message["frames"]
        ended = frames and frames[-1]["at"] == message["length"] - 1
        if ended or (watch.get("until") is not None and await socket.receive_nothing()):
            return frames, message


@pytest.mark.slow
async def test_the_websocket_of_a_finished_match_sends_all_frames_from_first_to_last() -> None:
    match = await sync_to_async(played_match)()
    socket = await connected(match.pk)
    frames, last = await frames_of(socket)
    assert frames[0]["kind"] == "opened"
    assert frames[-1]["kind"] == "closed"
    assert [frame["at"] for frame in frames] == sorted({frame["at"] for frame in frames})
    assert last["open"] is False
    assert last["length"] == frames[-1]["at"] + 1
    await socket.disconnect()


@pytest.mark.slow
async def test_a_subscriber_that_starts_at_any_log_entry_receives_a_complete_picture_first() -> None:
    match = await sync_to_async(played_match)()
    socket = await connected(match.pk)
    all_frames, _ = await frames_of(socket)
    zones: dict[str, Any] = {}
    for frame in all_frames[:10]:
        zones.update({zone["key"]: zone for zone in frame.get("zones", ())})
    later, _ = await frames_of(socket, after=all_frames[8]["at"])
    assert later[0]["at"] == all_frames[9]["at"]
    assert {zone["key"]: zone for zone in later[0]["zones"]} == zones
    assert [frame["at"] for frame in later] == [frame["at"] for frame in all_frames[9:]]
    part, _ = await frames_of(socket, after=-1, until=all_frames[3]["at"])
    assert [frame["at"] for frame in part] == [frame["at"] for frame in all_frames[:3]]
    await socket.disconnect()


async def refusal(match: Match, eyes: str, language: str = "en", said: str = "code") -> str:
    socket = await connected(match.pk)
    await socket.send_to(text_data=json.dumps({"type": "watch", "eyes": eyes, "language": language}))
    message = json.loads(await socket.receive_from(5))
    await socket.disconnect()
    return str(message.get(said, "shown"))


@pytest.mark.slow
async def test_private_viewpoints_of_a_match_are_open_to_everybody_only_after_it_ended() -> None:
    ended = await sync_to_async(played_match)()
    assert [await refusal(ended, eyes) for eyes in ("public", "0", "1", "all")] == ["shown"] * 4
    waiting = await sync_to_async(lambda: create_waiting_match([create_active_version(), create_active_version()]))()
    shown = [await refusal(waiting, eyes) for eyes in ("public", "0", "all")]
    assert shown == ["shown", "eyes_closed", "eyes_closed"]
    assert await refusal(ended, "2") == "unknown_eyes"
    assert await refusal(ended, "two") == "unknown_eyes"


async def test_a_spectator_reads_in_their_language_why_a_private_viewpoint_is_refused() -> None:
    waiting = await sync_to_async(lambda: create_waiting_match([create_active_version(), create_active_version()]))()
    assert await refusal(waiting, "all", "zh-Hant", "detail") == "對局結束後才會全部公開"
    assert await refusal(waiting, "all", "en", "detail") == "everything is shown once the match has ended"
    assert "'two'" in (said := await refusal(waiting, "two", "zh-Hant", "detail"))
    assert "eyes are" not in said
