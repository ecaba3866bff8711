"""Matches that a person plays in the browser."""

from __future__ import annotations

from typing import Any

from django.test import Client

from replays.models import Match

TABLE = {"seats": "2", "seat": "0", "house": ["hold20"], "bots": "", "clock": ""}
"""The form for a table of Pig against a built-in bot."""


def sit_down(client: Client, game: str = "pig", **said: Any) -> Match:
    answer = client.post(f"/play/{game}/", TABLE | said)
    assert answer.status_code == 302, answer.content.decode()
    return Match.objects.get(pk=answer["Location"].strip("/").split("/")[-1])
