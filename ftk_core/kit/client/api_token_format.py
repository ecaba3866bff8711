"""Format of API tokens: `ftk_pat_`, 40 random letters and digits, and a checksum of 6 characters."""
# As with GitHub's tokens, scanners for leaked secrets recognise prefix and checksum without a request. The checksum
# also reveals a character that was lost in copying.

from __future__ import annotations

import re
from gettext import gettext
from string import ascii_letters, digits
from zlib import crc32

from ftk_core.i18n import N_

PREFIX = "ftk_pat_"
TOKEN_LETTERS = digits + ascii_letters
RANDOM_LETTERS, CHECKSUM_LETTERS = 40, 6
"""Number of random letters (238 bits), and number of letters of the checksum."""
SCOPES = {
    "upload": N_("upload bots in your name"),
    "enter": N_("enter your bots in leagues"),
    "play": N_("play matches for you and for your remote bots"),
    "organise": N_("do everything that you may do as an organiser"),
    "read": N_("read your private data"),
    "notify": N_("change what you follow, your notices and your webhooks"),
}
"""Scope of a token -> description that completes a sentence beginning with "may"."""
DEFAULT_SCOPES = ("upload", "enter", "read")
"""Default scopes of a new token: those that the author of a bot needs."""
TOKEN_PATTERN = re.compile(rf"{PREFIX}\w+|(?<=token )[0-9a-f]{{64}}\b|(?<=bearer )[0-9a-f]{{64}}\b", re.IGNORECASE)
"""Pattern of a token in a text. Tokens of the older format have no prefix; they match after "token " or "bearer "."""


def append_checksum(random_letters: str) -> str:
    """Return the token made of the prefix, the random letters, and the checksum of both.

    >>> append_checksum("0" * 40)
    'ftk_pat_00000000000000000000000000000000000000002svTta'
    """
    remainder, letters = crc32(f"{PREFIX}{random_letters}".encode()), ""
    for _ in range(CHECKSUM_LETTERS):
        remainder, digit = divmod(remainder, len(TOKEN_LETTERS))
        letters = TOKEN_LETTERS[digit] + letters
    return f"{PREFIX}{random_letters}{letters}"


def is_token(text: str) -> bool:
    """Return True for a token with a valid checksum, or an older token without prefix.

    >>> is_token("ftk_pat_" + "0" * 46), is_token("f" * 64)
    (False, True)
    """
    if not text.startswith(PREFIX):
        return text.isascii() and text.isalnum()
    return text.isascii() and text == append_checksum(text[len(PREFIX) : -CHECKSUM_LETTERS])


def redact_tokens(text: str) -> str:
    """Return a text with every token in it redacted."""
    return TOKEN_PATTERN.sub(lambda match: f"{match[0][: len(PREFIX)]}…" if PREFIX in match[0].lower() else "…", text)


def read_scopes(text: str) -> tuple[str, ...]:
    """Parse scopes separated by commas or blanks, and return each once, in the order of `SCOPES`.

    Raises ValueError for an unknown scope or an empty list.

    >>> read_scopes("read,upload")
    ('upload', 'read')
    """
    scopes = text.replace(",", " ").split()
    if strange := [word for word in scopes if word not in SCOPES]:
        raise ValueError(
            gettext("{strange} is not a scope; choose from: {scopes}").format(
                strange=repr(strange[0][:40]), scopes=", ".join(SCOPES)
            )
        )
    if not scopes:
        raise ValueError(gettext("name a scope or more of {scopes}").format(scopes=", ".join(SCOPES)))
    return tuple(scope for scope in SCOPES if scope in scopes)
