"""What a token looks like, on either side: `ftk_pat_`, forty letters and digits of chance, and a checksum of six.

The prefix and the checksum let whoever searches files for lost secrets tell a token from other text without asking us,
as GitHub's tokens do; a letter that was lost in copying is noticed before anything is sent.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits
from zlib import crc32

PREFIX = "ftk_pat_"
LETTERS = digits + ascii_letters
CHANCE, CHECKED = 40, 6
"""How many letters are chance (238 bits), and how many the checksum behind them."""
SCOPES = {
    "upload": "send bots in your name",
    "enter": "enter your bots in leagues",
    "play": "sit down for you, and for your remote bots",
    "organise": "organise what you may organise",
    "read": "read what is yours alone",
    "notify": "say what you are told, and where",
}
"""What a token may be allowed, each as the end of a sentence that begins with "may"."""
AUTHORS = ("upload", "enter", "read")
"""What an author's token may unless fewer are asked for; it is what signing in needs."""
TOLD_APART = re.compile(rf"{PREFIX}\w+|(?<=token )[0-9a-f]{{64}}\b|(?<=bearer )[0-9a-f]{{64}}\b", re.IGNORECASE)
"""A token in a text; those from before there was a prefix are known by the word before them."""


def with_checksum(chance: str) -> str:
    """Return the token that is made of these letters.

    >>> with_checksum("0" * 40)
    'ftk_pat_00000000000000000000000000000000000000002svTta'
    """
    rest, letters = crc32(f"{PREFIX}{chance}".encode()), ""
    for _ in range(CHECKED):
        rest, digit = divmod(rest, len(LETTERS))
        letters = LETTERS[digit] + letters
    return f"{PREFIX}{chance}{letters}"


def is_token(text: str) -> bool:
    """Tell whether a text can be a token: one with a checksum that fits, or one from before there were checksums.

    >>> is_token("ftk_pat_" + "0" * 46), is_token("f" * 64)
    (False, True)
    """
    if not text.startswith(PREFIX):
        return text.isascii() and text.isalnum()
    return text.isascii() and text == with_checksum(text[len(PREFIX) : -CHECKED])


def hidden(text: str) -> str:
    """Return a text with every token in it cut down to what tells that there was one."""
    return TOLD_APART.sub(lambda found: f"{found[0][: len(PREFIX)]}…" if PREFIX in found[0].lower() else "…", text)


def read_scopes(text: str) -> tuple[str, ...]:
    """Return the scopes that are said, between commas or blanks, in the order of `SCOPES`; raises ValueError.

    >>> read_scopes("read,upload")
    ('upload', 'read')
    """
    said = text.replace(",", " ").split()
    if strange := [word for word in said if word not in SCOPES]:
        raise ValueError(f"{strange[0][:40]!r} is no scope; there are {', '.join(SCOPES)}")
    if not said:
        raise ValueError(f"name a scope or more of {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in said)
