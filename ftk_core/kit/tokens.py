"""Format of API tokens: `ftk_pat_`, forty random letters and digits, and a checksum of six.

With the prefix and the checksum, scanners for leaked secrets recognise a token without a request to the server, as
with GitHub's tokens. A letter lost in copying is noticed before anything is sent.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits
from zlib import crc32

PREFIX = "ftk_pat_"
LETTERS = digits + ascii_letters
CHANCE, CHECKED = 40, 6
"""Number of random letters (238 bits), and number of letters of the checksum."""
SCOPES = {
    "upload": "send bots in your name",
    "enter": "enter your bots in leagues",
    "play": "sit down for you, and for your remote bots",
    "organise": "organise what you may organise",
    "read": "read what is yours alone",
    "notify": "say what you are told, and where",
}
"""Scopes of a token; each text completes a sentence that begins with "may"."""
AUTHORS = ("upload", "enter", "read")
"""Default scopes of an author's token; signing in needs them."""
TOLD_APART = re.compile(rf"{PREFIX}\w+|(?<=token )[0-9a-f]{{64}}\b|(?<=bearer )[0-9a-f]{{64}}\b", re.IGNORECASE)
"""Matches a token in a text; tokens without prefix, from older versions, are recognised by the word before them."""


def with_checksum(chance: str) -> str:
    """Return the token with these random letters.

    >>> with_checksum("0" * 40)
    'ftk_pat_00000000000000000000000000000000000000002svTta'
    """
    rest, letters = crc32(f"{PREFIX}{chance}".encode()), ""
    for _ in range(CHECKED):
        rest, digit = divmod(rest, len(LETTERS))
        letters = LETTERS[digit] + letters
    return f"{PREFIX}{chance}{letters}"


def is_token(text: str) -> bool:
    """Return True for a token with a valid checksum, or one without prefix from older versions.

    >>> is_token("ftk_pat_" + "0" * 46), is_token("f" * 64)
    (False, True)
    """
    if not text.startswith(PREFIX):
        return text.isascii() and text.isalnum()
    return text.isascii() and text == with_checksum(text[len(PREFIX) : -CHECKED])


def hidden(text: str) -> str:
    """Return a text with every token in it redacted."""
    return TOLD_APART.sub(lambda found: f"{found[0][: len(PREFIX)]}…" if PREFIX in found[0].lower() else "…", text)


def read_scopes(text: str) -> tuple[str, ...]:
    """Parse scopes separated by commas or blanks, and return them in the order of `SCOPES`; raises ValueError.

    >>> read_scopes("read,upload")
    ('upload', 'read')
    """
    said = text.replace(",", " ").split()
    if strange := [word for word in said if word not in SCOPES]:
        raise ValueError(f"{strange[0][:40]!r} is no scope; there are {', '.join(SCOPES)}")
    if not said:
        raise ValueError(f"name a scope or more of {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in said)
