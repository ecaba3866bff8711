"""Protocol classes and ASGI middleware in front of Django: request limits, page cache, and WebSocket authentication."""
