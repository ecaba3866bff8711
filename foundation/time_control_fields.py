"""Model, form, serializer and command line fields for a bot's thinking time."""
# All are made from the fields of `ftk_core.log_entries.TimeControl`, so that a new field is added in few places.

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django import forms
from django.db import models
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers

from ftk_core.log_entries import DEFAULT_CLOCK, TimeControl

PARTS = TimeControl.__struct_fields__
LEAGUE_MS = {"move_ms": range(1, 60_000 + 1), "bank_ms": range(3_600_000 + 1)}
"""Allowed values of each clock field in leagues, in milliseconds. The lower bounds also apply to all other matches."""
LADDER_MS = {"move_ms": range(10, 600_000 + 1), "bank_ms": range(10, 600_000 + 1)}
"""Allowed values of each clock field in milliseconds in matches of continuous ladders."""
FRIENDLY_MS = {part: range(LEAGUE_MS[part].start, LADDER_MS[part].stop) for part in PARTS}
"""Allowed values of each clock field in milliseconds in friendly matches."""
LABELS = {"move_ms": gettext_lazy("Milliseconds for a move"), "bank_ms": gettext_lazy("Milliseconds in the bank")}
SECONDS = {"move_ms": (1, gettext_lazy("Seconds for a move")), "bank_ms": (5, gettext_lazy("Seconds in the bank"))}
"""Clock field -> (initial value in seconds, label), for forms in which a clock is entered in seconds."""


class AbstractBotClockModel(models.Model):
    """Abstract model with one column for each field of a bot's clock."""

    move_ms = models.PositiveIntegerField(default=DEFAULT_CLOCK.move_ms)
    bank_ms = models.PositiveIntegerField(default=DEFAULT_CLOCK.bank_ms)

    class Meta:
        abstract = True

    @property
    def clock(self) -> TimeControl:
        """The time control stored in the columns of this row."""
        return TimeControl.of(self)


def shown_fields() -> dict[str, serializers.IntegerField]:
    """Return serializer fields that show a bot's clock, by name, such as ``move_ms``."""
    return {part: serializers.IntegerField() for part in PARTS}


def accepted_fields(max_ms: int, **options: Any) -> dict[str, serializers.IntegerField]:
    """Return serializer fields that set a bot's clock in milliseconds, by name, such as ``move_ms``.

    Each value is at most `max_ms`. A missing value is taken from DEFAULT_CLOCK. `options` are passed to each field.
    """
    return {
        part: serializers.IntegerField(
            min_value=LEAGUE_MS[part].start, max_value=max_ms, default=getattr(DEFAULT_CLOCK, part), **options
        )
        for part in PARTS
    }


def form_fields() -> dict[str, forms.IntegerField]:
    """Return form fields for a bot's clock in milliseconds, by name, such as ``move_ms``."""
    return {part: forms.IntegerField(label=LABELS[part]) for part in PARTS}


def seconds_fields() -> dict[str, forms.FloatField]:
    """Return form fields for a bot's clock in seconds, by name, such as ``move_seconds``."""
    return {
        _in_seconds(part): forms.FloatField(min_value=LEAGUE_MS[part].start / 1000 or 0, initial=initial, label=label)
        for part, (initial, label) in SECONDS.items()
    }


def clock_from_seconds(values: Mapping[str, Any]) -> TimeControl:
    """Return the clock that a user entered in the form fields from `seconds_fields`."""
    return TimeControl(**{part: round(1000 * values[_in_seconds(part)]) for part in PARTS})


def clock_form_values(clock: TimeControl) -> dict[str, float]:
    """Return `clock` as initial values for the form fields from `seconds_fields`."""
    return {_in_seconds(part): value / 1000 for part, value in clock.parts.items()}


def _in_seconds(part: str) -> str:
    return part.replace("_ms", "_seconds")


def add_arguments(parser: ArgumentParser) -> None:
    """Add a command line option for each field of a clock, such as ``--move-ms``."""
    for part in PARTS:
        parser.add_argument(f"--{part.replace('_', '-')}", type=int, default=getattr(DEFAULT_CLOCK, part))


def clock_from(values: Mapping[str, Any]) -> TimeControl:
    """Return the clock with the given values, such as ``{"move_ms": 1000, "bank_ms": 5000}``; ignore other keys."""
    return TimeControl(**{part: values[part] for part in PARTS})


def shorten_clock(clock: TimeControl, allowed_ms: Mapping[str, range]) -> TimeControl:
    """Return a copy of the clock, with values that are too large lowered to the allowed maximum."""
    return TimeControl(**{part: min(value, allowed_ms[part][-1]) for part, value in clock.parts.items()})


def find_problem(clock: TimeControl, allowed_ms: Mapping[str, range]) -> str:
    """Return a message about the first clock value out of range, or an empty string."""
    for part in PARTS:
        value, allowed = getattr(clock, part), allowed_ms[part]
        if value not in allowed:
            values = {"part": LABELS[part], "least": allowed[0], "most": allowed[-1], "value": value}
            return gettext("%(part)s must be between %(least)s and %(most)s (got %(value)s).") % values
    return ""


def describe_clock(clock: TimeControl) -> str:
    """Return a bot's clock in words, such as "1 s a move, 5 s in the bank".

    The bank is extra time for the whole match. In this example, a move of 3 s uses up 2 s of the bank.
    """
    seconds = {part.removesuffix("_ms"): format_seconds(value) for part, value in clock.parts.items()}
    return gettext("%(move)s a move, %(bank)s in the bank") % seconds


def format_seconds(milliseconds: int) -> str:
    """Return a time in seconds with at most one decimal and its unit, such as "1.5 s"."""
    return gettext("%(seconds)s s") % {"seconds": f"{milliseconds / 1000:.1f}".removesuffix(".0")}
