"""Uploads over REST, as an author sends them."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from bots.tokens import new_token
from ftk_core.kit.house import house_bots

GOOD = house_bots("pig")["hold20"].read_bytes()
"""A bot for Pig that has nothing wrong with it."""


def client_of(author: Any) -> APIClient:
    """Return a client that shows a token of the author."""
    client = APIClient()
    token = new_token(author)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def upload(client: APIClient, body: bytes = GOOD, name: str = "bot.py", **fields: str) -> Any:
    """Send a bot, by default a good one, and return the answer."""
    data = {"game": "pig", "bot": "ada", "file": SimpleUploadedFile(name, body), **fields}
    return client.post("/api/v1/bots/uploads/", data, format="multipart")
