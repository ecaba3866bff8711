"""The application: behind the gate HTTP to Django, sockets to the watchers' consumers."""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
os.environ.setdefault("DATABASE_POOL", "16")

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

http = get_asgi_application()  # before the consumers, which import models

from deploy.entrance.gate import ByPerson, Gate  # noqa: E402 - it reads the settings
from deploy.entrance.vigil import WhileSignedIn  # noqa: E402 - see above
from replays.live.routing import websocket_urlpatterns  # noqa: E402 - see above

sockets = AllowedHostsOriginValidator(AuthMiddlewareStack(ByPerson(WhileSignedIn(URLRouter(websocket_urlpatterns)))))
application = Gate(ProtocolTypeRouter({"http": http, "websocket": sockets}))
