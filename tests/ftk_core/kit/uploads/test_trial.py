"""A bot cannot tell a trial from any other match."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ftk_core.games import game
from ftk_core.kit.built_in_bots import start_bot
from ftk_core.kit.protocol.process_player import BotProcessPlayer
from ftk_core.kit.trial_match import play_trial

pytestmark = pytest.mark.slow

TRIALS = 20
MATCH = re.compile(r"match/[0-9a-f]{12}")
"""Pattern of the stream names of matches in an arena."""
WITNESS = """
import json, sys
hello = json.loads(sys.stdin.readline())
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "ask":
        note = json.dumps([hello["match"], hello["seat"], ask["view"]])
        print(json.dumps({"id": ask["id"], "choose": 0, "note": note}), flush=True)
"""


def test_each_trial_draws_its_match_name_its_seat_and_its_random_deal_anew(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(WITNESS)
    seen: list[list[Any]] = []
    for _ in range(TRIALS):
        with BotProcessPlayer("bot", start_bot("pig", str(tmp_path / "bot.py"))) as player:
            assert play_trial("to_court_the_king", player).passed
            seen.append(json.loads(player.notes[0][1]))
    names, seats, views = zip(*seen, strict=True)
    assert all(MATCH.fullmatch(name) for name in names)
    assert len(set(names)) == TRIALS
    assert set(seats) == set(range(game("to_court_the_king").seats.start))
    assert len({json.dumps(view) for view in views}) > 1
