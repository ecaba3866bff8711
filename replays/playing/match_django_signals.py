"""Django signals about matches, for other apps."""

from __future__ import annotations

from django.dispatch import Signal

match_ended = Signal()
"""Signal sent with ``match_id`` once a match has ended, with or without a result, and its whole log is stored.

`by_hand` is True if the match has a result and a person played in the browser.
`tournaments.match_recording` receives it and enqueues the recording of the result.
"""
player_names_requested = Signal()
"""Signal sent with ``match_id`` before a match with a person opens.

A receiver returns the names (bot version id -> name) that it has published already for the players, maybe none.
"""
