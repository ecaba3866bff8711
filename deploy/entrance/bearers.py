"""Token authentication of programs' WebSockets. The token is in a header, never in the URL."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from channels.db import database_sync_to_async

from bots.scopes import KEYWORDS
from bots.tokens import NoToken, bearer_of
from deploy.entrance.gate import refuse
from ftk_core.kit.tokens import SCOPES

HOW = "A token is shown as `Authorization: Token ftk_pat_...`."


class ByToken:
    """ASGI middleware that accepts sockets whose token has a scope."""

    def __init__(self, app: Any, scope: str) -> None:
        self._app, self._scope = app, scope

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a socket with a valid token, with `user` and `token_id` in its scope, or refuse it with a reason."""
        shown = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        word, _, secret = shown.decode("latin-1").partition(" ")
        if word.lower() not in KEYWORDS:
            await refuse(send, HTTPStatus.UNAUTHORIZED, HOW, "websocket.http.response")
            return
        try:
            token = await database_sync_to_async(bearer_of)(secret)
        except NoToken as error:
            await refuse(send, HTTPStatus.UNAUTHORIZED, str(error), "websocket.http.response")
            return
        if self._scope not in token.scopes:
            words = f"This token may not {SCOPES[self._scope]}: it lacks the scope {self._scope!r}."
            await refuse(send, HTTPStatus.FORBIDDEN, words, "websocket.http.response")
            return
        await self._app({**scope, "user": token.owner, "token_id": token.pk}, receive, send)
