"""Text form of a question, made at the connection, so that only programs that request it cost the work."""

from __future__ import annotations

import msgspec

from ftk_core.text_form import in_words
from replays.projector import PROJECTOR


def text_of(match_id: str, seat: int, line: str) -> str:
    """Return a question of a seat as text. The log is complete, because its entries are stored before the question."""
    reel = PROJECTOR.reel(match_id, seat)
    with reel.folding:  # keeps story and table consistent
        story, scene = [sentence for _, sentence in reel.story()], reel.last
    menu = msgspec.json.decode(line)["menu"]
    return in_words(story, scene.zones, scene.meters, menu, reel.names, seat)
