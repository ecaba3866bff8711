"""The rule for bot names, shared by `ftk`, the server's endpoints and the database."""

from __future__ import annotations

import re

from ftk_core.i18n import N_

BOT_NAME = r"^[a-z0-9][a-z0-9-]*\Z"
MAX_BOT_NAME_CHARACTERS = 40
"""Maximum length of a bot's name in characters."""
BOT_NAME_RULE = N_("a bot's name has 1 to 40 of a-z, 0-9 and -, and begins with a letter or a digit")
"""The rule for bot names as a sentence for error messages."""


def is_bot_name(text: str) -> bool:
    """Return True if a text is a valid bot name."""
    return len(text) <= MAX_BOT_NAME_CHARACTERS and re.match(BOT_NAME, text) is not None
