"""Signals for higher layers."""

from __future__ import annotations

from django.dispatch import Signal

match_ended = Signal()
"""Sent with ``match_id`` once a match is closed or void, after its last page is durable."""
