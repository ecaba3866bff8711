"""Punctuation of messages in the active language."""

from __future__ import annotations

from django.utils.translation import gettext

ENDS = (".", "!", "?", "。", "！", "？")


def with_full_stop(message: object) -> str:
    """Return a message with the full stop of the active language, unless it ends with punctuation already."""
    text = str(message).strip()
    if not text or text.endswith(ENDS):
        return text
    return gettext("%(message)s.") % {"message": text}
