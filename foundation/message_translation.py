"""Translation of messages into the active language, with the full stop of that language."""

from __future__ import annotations

from django.utils.translation import gettext

from ftk_core.i18n import Message

ENDS = (".", "!", "?", "。", "！", "？")


def translate_message(message: object) -> str:
    """Return the text of a message or exception in the active language.

    Only a `Message` can be translated, because it stores its template and values. Other texts are returned unchanged.
    """
    text = message.args[0] if isinstance(message, Exception) and message.args else message
    return text.translated(gettext) if isinstance(text, Message) else str(message)


def with_full_stop(message: object) -> str:
    """Return a message with the full stop of the active language, unless it ends with punctuation already."""
    text = translate_message(message).strip()
    if not text or text.endswith(ENDS):
        return text
    return gettext("%(message)s.") % {"message": text}
