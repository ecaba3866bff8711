"""Secrecy of tokens: read only from headers and forms, and never shown in a response or in a log."""

from __future__ import annotations

import io
import logging
from logging.config import DictConfigurator

import pytest
from django.conf import settings as arena
from django.test import Client

from bots.access.api_tokens import create_token
from bots.models import ApiToken
from tests.support.addresses import list_url_patterns
from tests.support.factories import AuthorFactory

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def logged() -> tuple[logging.Handler, io.StringIO]:
    """Return a log handler configured as in our processes, and its output."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    settings = {**arena.LOGGING["formatters"]["line"]}  # a copy, because the configurator removes an item of it
    handler.setFormatter(DictConfigurator(arena.LOGGING).configure_formatter(settings))
    return handler, written


def test_a_token_is_neither_accepted_in_a_url_nor_shown_in_a_response_or_a_log() -> None:
    token, old = create_token(AuthorFactory.create()), "0123456789abcdef" * 4
    handler, written = logged()
    root = logging.getLogger()
    root.addHandler(handler)
    before, root.level = root.level, logging.DEBUG
    try:
        client, said = Client(), ""
        for path in list_url_patterns():
            bare = path.split("<")[0]
            for address in (f"{bare}?token={token}", f"{bare}?{token}=1", f"{bare}{token}/"):
                answer = client.get(address)
                assert not answer.wsgi_request.user.is_authenticated
                assert answer.status_code in (400, 404), address
                said += "" if answer.streaming else answer.content.decode(errors="replace")
        said += str(client.get("/api/v1/matches/", headers={"Authorization": f"Token {token}x"}).content)
        said += client.post("/sign-in/token/", {"token": token + "x"}).content.decode()
        log = logging.getLogger("anybody")
        log.warning("shown: %s", token)
        log.warning("Authorization: Token %s", old)
        try:
            int(token)
        except ValueError:
            log.exception("broken")
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    assert token not in said
    assert written.getvalue().count("ftk_pat_…") >= 3
    assert "broken" in written.getvalue()
    assert token[8:20] not in written.getvalue()
    assert old not in written.getvalue()
    assert ApiToken.objects.get().used_at is None, "nobody was found by it"
