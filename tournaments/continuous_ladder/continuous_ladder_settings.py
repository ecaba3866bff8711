"""Settings of a continuous ladder, their default values and their validation."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from django.utils.translation import gettext

from foundation import time_control_fields
from ftk_core.games import UnknownGameError, game
from ftk_core.log_entries import DEFAULT_CLOCK, TimeControl
from ftk_core.match_state_from_log import check_options, read_options

MAX_BOUTS_PER_HOUR = 3600
"""Maximum number of bouts an hour."""
DEFAULT_SEATS = 4
"""Default number of seats at a table, used as far as the game allows it."""


class ContinuousLadderSettingsError(Exception):
    """Raised for invalid settings of a continuous ladder; the message gives the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuousLadderSettings:
    """Settings of a game's continuous ladder."""

    rate: int
    """Bouts an hour; 0 if the ladder is off."""
    sizes: tuple[int, ...]
    """Numbers of seats at a table; consecutive bouts use them in turn."""
    options: str = ""
    """The game's options as JSON; empty for the default rules."""
    clock: TimeControl = DEFAULT_CLOCK
    """Time control of the bouts."""


def make_default_ladder_settings(name: str, rate: int) -> ContinuousLadderSettings:
    """Return default settings for the continuous ladder of a game, with `rate` matches an hour.

    Raises UnknownGameError if the game does not exist.
    """
    # Matches alternate between a usual number of seats and the smallest number that the game allows.
    seats = game(name).seats
    largest = min(max(DEFAULT_SEATS, seats.start), seats.stop - 1)
    return ContinuousLadderSettings(rate=rate, sizes=tuple(dict.fromkeys((largest, max(2, seats.start)))))


def check_ladder_settings(name: str, terms: ContinuousLadderSettings) -> None:
    """Raise ContinuousLadderSettingsError for an unknown game, or for invalid settings of its continuous ladder."""
    if not 0 <= terms.rate <= MAX_BOUTS_PER_HOUR:
        raise ContinuousLadderSettingsError(
            gettext("the number of matches an hour must be between 0 and %(most)s (got %(rate)s)")
            % {"most": MAX_BOUTS_PER_HOUR, "rate": terms.rate}
        )
    if not terms.sizes or len(set(terms.sizes)) < len(terms.sizes):
        raise ContinuousLadderSettingsError(
            gettext("say each size of its tables once, and one at least, not %(sizes)s") % {"sizes": list(terms.sizes)}
        )
    if problem := time_control_fields.find_problem(terms.clock, time_control_fields.LADDER_MS):
        raise ContinuousLadderSettingsError(problem)
    try:
        for size in terms.sizes:
            check_options(game(name), size, read_options(game(name), terms.options or "{}"))
    except (UnknownGameError, ValueError, msgspec.DecodeError) as error:
        raise ContinuousLadderSettingsError(str(error)) from error
