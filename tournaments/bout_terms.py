"""Settings of a continuous ladder and their checks."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext

from ftk_core.fold import check_options, read_options
from ftk_core.games import UnknownGame, game

FASTEST = 3600
"""Bouts an hour."""
MILLISECONDS = range(10, 600_000 + 1)
SEATS = 4
"""Default table size, adjusted to the game's bounds."""


class BadTerms(Exception):
    """Raised for invalid settings; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoutTerms:
    """Settings of a continuous ladder."""

    rate: int
    """Bouts an hour; 0 is off."""
    sizes: tuple[int, ...]
    """Table sizes, used in turn."""
    options: str = ""
    """The game's options as JSON; empty for the default rules."""
    move_ms: int = 1000
    bank_ms: int = 10_000


def usual(name: str, rate: int) -> BoutTerms:
    """Return the default settings for a rate: full tables and smallest ones; raises UnknownGame."""
    seats = game(name).seats
    full = min(max(SEATS, seats.start), seats.stop - 1)
    return BoutTerms(rate=rate, sizes=tuple(dict.fromkeys((full, max(2, seats.start)))))


def check(name: str, terms: BoutTerms) -> None:
    """Raise BadTerms for an unknown game, or invalid settings."""
    if not 0 <= terms.rate <= FASTEST:
        raise BadTerms(
            gettext("a ladder calls 0 to %(most)s bouts an hour, not %(rate)s") % {"most": FASTEST, "rate": terms.rate}
        )
    if not terms.sizes or len(set(terms.sizes)) < len(terms.sizes):
        raise BadTerms(
            gettext("say each size of its tables once, and one at least, not %(sizes)s") % {"sizes": list(terms.sizes)}
        )
    for what, value in ((gettext("a move"), terms.move_ms), (gettext("the bank"), terms.bank_ms)):
        if value not in MILLISECONDS:
            raise BadTerms(
                gettext("%(what)s takes %(least)s to %(most)s ms, not %(value)s")
                % {"what": what, "least": MILLISECONDS[0], "most": MILLISECONDS[-1], "value": value}
            )
    try:
        for size in terms.sizes:
            check_options(game(name), size, read_options(game(name), terms.options or "{}"))
    except (UnknownGame, ValueError, msgspec.DecodeError) as error:
        raise BadTerms(str(error)) from error
