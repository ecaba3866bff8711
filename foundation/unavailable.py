"""Exception for storage that is out of reach. Each endpoint answers it in its own way."""

from __future__ import annotations


class Unavailable(Exception):
    """Raised if something stored elsewhere cannot be read now; the message says why."""

    status = 503
    """HTTP status of pages and the API."""
    code = "unavailable"
    """Error code for programs."""
