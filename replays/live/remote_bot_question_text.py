"""Readable text of a question to a remote bot, computed only for connections that request it."""

from __future__ import annotations

import msgspec

from ftk_core.views.question_text import describe_question
from replays.replay_frame_cache import REEL_CACHE


def question_text(match_id: str, seat: int, line: str) -> str:
    """Return a question to a bot as readable text, with the events so far and the possible actions."""
    reel = REEL_CACHE.reel(match_id, seat)
    with reel.extend_lock:  # lock, so that story and table belong to the same frame
        story, scene = [sentence for _, sentence in reel.story()], reel.last
    menu = msgspec.json.decode(line)["menu"]
    return describe_question(story, scene.zones, scene.meters, menu, reel.names, seat)
