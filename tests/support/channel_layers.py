"""Another channel layer in place of the one in the settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from channels import DEFAULT_CHANNEL_LAYER
from channels.layers import channel_layers
from django.db import connection

from deploy.config.database import conninfo_of
from deploy.messaging.postgres_channel_layer import PostgresChannelLayer


@contextmanager
def replace_channel_layer(layer: Any) -> Iterator[None]:
    """Send and receive notifications over another channel layer in a `with` block."""
    before = channel_layers[DEFAULT_CHANNEL_LAYER]  # `set` returns None if the layer was not used before
    channel_layers.set(DEFAULT_CHANNEL_LAYER, layer)
    try:
        yield
    finally:
        channel_layers.set(DEFAULT_CHANNEL_LAYER, before)


@contextmanager
def send_notifications_in_test_database() -> Iterator[None]:
    """Send notifications in the test database, which was created after the settings were read."""
    with replace_channel_layer(PostgresChannelLayer(conninfo_of(connection.settings_dict))):
        yield
