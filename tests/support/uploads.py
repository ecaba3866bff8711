"""Uploads over REST, like an author's."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from bots.access.api_tokens import create_token
from ftk_core.kit.built_in_bots import list_built_in_bots

GOOD = list_built_in_bots("pig")["hold20"].read_bytes()
"""Source of a valid bot for Pig."""


def create_api_client(author: Any) -> APIClient:
    """Return a client with a token of the author."""
    client = APIClient()
    token = create_token(author)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def upload(client: APIClient, body: bytes = GOOD, name: str = "bot.py", **fields: str) -> Any:
    """Upload a bot, by default a valid bot for Pig, and return the response."""
    data = {"game": "pig", "bot": "ada", "file": SimpleUploadedFile(name, body), **fields}
    return client.post("/api/v1/bots/uploads/", data, format="multipart")
