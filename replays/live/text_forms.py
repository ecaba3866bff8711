"""The text form of a question, made where the connection is: only who asks for it costs the work."""

from __future__ import annotations

import msgspec

from ftk_core.text_form import in_words
from replays.projector import PROJECTOR


def text_of(match_id: str, seat: int, line: str) -> str:
    """Return a question of a seat in words: what led to it is durable before it is asked."""
    reel = PROJECTOR.reel(match_id, seat)
    with reel.folding:  # nothing comes in between story and table
        story, scene = [sentence for _, sentence in reel.story()], reel.last
    menu = msgspec.json.decode(line)["menu"]
    return in_words(story, scene.zones, scene.meters, menu, reel.names, seat)
