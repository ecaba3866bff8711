"""The rule for bot names, shared by the kit, the server's endpoints and the database."""

from __future__ import annotations

import re

BOT_NAME = r"^[a-z0-9][a-z0-9-]*\Z"
LONGEST_BOT_NAME = 40
"""In characters."""
BOT_NAME_RULE = f"a bot's name has 1 to {LONGEST_BOT_NAME} of a-z, 0-9 and -, and begins with a letter or a digit"
"""The same rule as a sentence for error messages."""


def is_bot_name(text: str) -> bool:
    """Return True if the name is valid."""
    return len(text) <= LONGEST_BOT_NAME and re.match(BOT_NAME, text) is not None
