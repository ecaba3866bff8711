"""Authentication of WebSockets opened by programs, with an API token in the Authorization header."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from channels.db import database_sync_to_async

from bots.access.api_tokens import InvalidTokenError, authenticate_token
from bots.api.token_scope_permissions import KEYWORDS
from deploy.http.body_size_and_connection_limits import send_refusal
from ftk_core.kit.client.api_token_format import SCOPES

HEADER_HINT = "A token is shown as `Authorization: Token ftk_pat_...`."


class WebSocketTokenAuthMiddleware:
    """ASGI middleware that accepts only WebSockets whose API token has a given scope, such as ``play``."""

    def __init__(self, app: Any, scope: str) -> None:
        self._app, self._scope = app, scope

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a WebSocket with a valid API token, and refuse any other."""
        # Adds `user` and `token_id` to the ASGI scope.
        header = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _, secret = header.decode("latin-1").partition(" ")
        if scheme.lower() not in KEYWORDS:
            await send_refusal(send, HTTPStatus.UNAUTHORIZED, HEADER_HINT, "websocket.http.response")
            return
        try:
            token = await database_sync_to_async(authenticate_token)(secret)
        except InvalidTokenError as error:
            await send_refusal(send, HTTPStatus.UNAUTHORIZED, str(error), "websocket.http.response")
            return
        if self._scope not in token.scopes:
            message = f"This token may not {SCOPES[self._scope]}: it lacks the scope {self._scope!r}."
            await send_refusal(send, HTTPStatus.FORBIDDEN, message, "websocket.http.response")
            return
        await self._app({**scope, "user": token.owner, "token_id": token.pk}, receive, send)
