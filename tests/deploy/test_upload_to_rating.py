"""The way of an uploaded bot: workers try it, the continuous ladder schedules it, and it gets a rating."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from ftk_core.kit.built_in_bots import list_built_in_bots
from tests.support.town import Town
from tests.support.waiting import wait_for

RATE = "40"
"""Bouts per hour: one in 90 seconds. New bots do not wait for it."""
SOON = 60.0
"""Maximum seconds on a busy machine; `make bench` measures the time."""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path / "var", FTK_LADDER_RATE=RATE)
    yield town
    town.close()


def rows(town: Town) -> dict[str, Any]:
    """Return the ladder's rows from the API, by bot."""
    with urlopen(f"{town.address}/api/v1/ladders/pig/continuous/", timeout=20) as answer:
        return {row["bot"]: row for row in json.load(answer)["ladder"]["rows"]}


def test_an_uploaded_bot_passes_its_trial_and_is_rated_without_any_league(town: Town) -> None:
    town.arena.wait_until_open()
    house, ada = town.manage("token", "house"), town.manage("token", "ada")
    for bot in ("hold20", "random"):
        town.ftk("upload", "pig", str(list_built_in_bots("pig")[bot]), "--bot", f"the-{bot}", FTK_TOKEN=house)
    assert "active" in town.ftk(
        "upload", "pig", str(list_built_in_bots("pig")["hold20"]), "--bot", "mine", FTK_TOKEN=ada
    )
    wait_for(lambda: town.is_rated("mine"), "it has a rating", SOON)
    mine = rows(town)["mine"]
    assert mine["matches"] >= 1
    assert " to " in mine["interval"]
