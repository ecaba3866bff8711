"""Django signals about matches, for other apps."""

from __future__ import annotations

from django.dispatch import Signal

match_ended = Signal()
"""Signal sent with ``match_id`` once a match is closed or void, after the end of its log is stored."""
