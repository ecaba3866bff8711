"""Names that break layouts: very long, without blanks, from right to left, of wide characters and of emoji."""

from __future__ import annotations

HEBREW, ARABIC = "\u05e9\u05dc\u05d5\u05dd", "\u0645\u0631\u062d\u0628\u0627"
NAMES = (
    f"{ARABIC} (1) {HEBREW} 2-1 {ARABIC}!".ljust(40, "\u0645"),
    "W" * 40,
    "\u738b" * 40,
    "\U0001f451" * 40,
    f"{HEBREW}-7",
    "a-very-long-name-with-40-characters-in-it",
)
"""Names of at most 41 characters; the first begins and ends with letters that are written from right to left."""
