"""Atom feeds without the control characters that XML 1.0 forbids."""

from __future__ import annotations

import re
from typing import Any

from django.utils.feedgenerator import Atom1Feed

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters outside of the production `Char` of XML 1.0, section 2.2."""


class XmlSafeAtomFeed(Atom1Feed):
    """Atom feed that replaces each character forbidden in XML 1.0 with the replacement character U+FFFD."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.feed = _replace_forbidden(self.feed)

    def add_item(self, *args: Any, **options: Any) -> None:
        """Add an item to the feed; replace each character forbidden in XML 1.0 with U+FFFD."""
        super().add_item(*args, **options)
        self.items[-1] = _replace_forbidden(self.items[-1])


def _replace_forbidden(texts: dict[str, Any]) -> dict[str, Any]:
    return {name: FORBIDDEN.sub("\ufffd", text) if isinstance(text, str) else text for name, text in texts.items()}
