"""Error for stored data that cannot be read now."""

from __future__ import annotations


class StorageUnavailable(Exception):
    """Raised if stored data cannot be read now; the message gives the reason."""

    status = 503
    """HTTP status with which pages and the API respond."""
    code = "unavailable"
    """Error code in the API response, for programs."""
