"""What is kept elsewhere may be out of reach: one exception for all doors, which each answers in its own way."""

from __future__ import annotations


class Unavailable(Exception):
    """Raised where what is asked for is kept elsewhere and cannot be had now; the message says why."""

    status = 503
    """What a page or the API answers."""
    code = "unavailable"
    """A short word for programs."""
