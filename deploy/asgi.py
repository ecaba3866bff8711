"""ASGI application. It applies the request limits, then passes HTTP to Django and WebSockets to Channels consumers."""

from __future__ import annotations

import os
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
os.environ.setdefault("DATABASE_POOL", "16")

import django
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import get_resolver

django.setup(set_prefix=False)

from deploy.http.threaded_asgi_handler import ThreadedASGIHandler  # noqa: E402 - it imports Django's middleware, which needs the setup

http = ThreadedASGIHandler()  # before the consumers, which import models
get_resolver().url_patterns  # noqa: B018 - imports all views now, so that the first request need not wait for it

from deploy.http.anonymous_page_cache import AnonymousPageCacheMiddleware  # noqa: E402 - it reads the settings
from deploy.http.body_size_and_connection_limits import App, RequestLimitsMiddleware, UserSocketLimitMiddleware  # noqa: E402 - it reads the settings
from deploy.http.token_auth import WebSocketTokenAuthMiddleware  # noqa: E402 - it reads the settings
from deploy.http.websocket_session_watchdog import WebSocketSessionEndMiddleware  # noqa: E402 - see above
from replays.live.websocket_urls import (  # noqa: E402 - see above
    REMOTE_BOT_PATH,
    refuse_unknown_path,
    seat_urlpatterns,
    websocket_urlpatterns,
)

page_sockets = AllowedHostsOriginValidator(
    AuthMiddlewareStack(UserSocketLimitMiddleware(WebSocketSessionEndMiddleware(URLRouter(websocket_urlpatterns))))
)
program_sockets = WebSocketTokenAuthMiddleware(UserSocketLimitMiddleware(URLRouter(seat_urlpatterns)), "play")


async def route_websockets(scope: Any, receive: Any, send: Any) -> None:
    """Pass a WebSocket to the handler for remote bots or to the handler for browsers, by its path.

    Refuse a browser that uses the path for remote bots.
    """
    # Remote bots authenticate with an API token, browsers with session and origin.
    if any(name == b"origin" for name, _ in scope["headers"]) and scope["path"] == REMOTE_BOT_PATH:
        await refuse_unknown_path(scope, receive, send)  # scripts of a page cannot set the token's header
        return
    await (program_sockets if scope["path"] == REMOTE_BOT_PATH else page_sockets)(scope, receive, send)


application = RequestLimitsMiddleware(
    ProtocolTypeRouter({"http": AnonymousPageCacheMiddleware(cast("App", http)), "websocket": route_websockets})
)
