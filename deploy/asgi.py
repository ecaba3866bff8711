"""ASGI application: behind the gate, HTTP goes to Django and sockets go to the consumers."""

from __future__ import annotations

import os
from typing import Any, cast

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
os.environ.setdefault("DATABASE_POOL", "16")

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import get_resolver

http = get_asgi_application()  # before the consumers, which import models
get_resolver().url_patterns  # noqa: B018 - imports all views now, so that the first reader does not wait for it

from deploy.entrance.bearers import ByToken  # noqa: E402 - it reads the settings
from deploy.entrance.gate import App, ByPerson, Gate  # noqa: E402 - it reads the settings
from deploy.entrance.shared_pages import SharedPages  # noqa: E402 - it reads the settings
from deploy.entrance.vigil import WhileSignedIn  # noqa: E402 - see above
from replays.live.routing import SEAT, nowhere, seat_urlpatterns, websocket_urlpatterns  # noqa: E402 - see above

pages = AllowedHostsOriginValidator(AuthMiddlewareStack(ByPerson(WhileSignedIn(URLRouter(websocket_urlpatterns)))))
programs = ByToken(ByPerson(URLRouter(seat_urlpatterns)), "play")


async def sockets(scope: Any, receive: Any, send: Any) -> None:
    """Route programs by their tokens, regardless of origin, and browsers by their sessions."""
    if any(name == b"origin" for name, _ in scope["headers"]) and scope["path"] == SEAT:
        await nowhere(scope, receive, send)  # pages cannot set the header with the token
        return
    await (programs if scope["path"] == SEAT else pages)(scope, receive, send)


application = Gate(ProtocolTypeRouter({"http": SharedPages(cast("App", http)), "websocket": sockets}))
