"""Checks of numbers and enumerated values in the terms (settings) of a league."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args, get_type_hints

from django.utils.translation import gettext, gettext_noop

from ftk_core.league.event_fields import StageSettings
from ftk_core.league.league_state import CommandRejected
from tournaments.ladders.match_rating_order import MAX_LATE_ROUND_GAMES, MAX_WIDE_ROUND

LABELS = {
    "ruling": gettext_noop("The rule for matches that were void too often"),
    "granted": gettext_noop("The points of late entries"),
    "who": gettext_noop("The authors who may enter"),
    "release": gettext_noop("The release of replays"),
    "deals": gettext_noop("The deals of a table"),
    "scored": gettext_noop("The scoring of a table"),
    "worth": gettext_noop("The worth of a match"),
    "rest": gettext_noop("The points for a bye"),
    "absence": gettext_noop("The points for an absence"),
    "seeding": gettext_noop("The seeding of a stage"),
    "carry": gettext_noop("The points carried over from the stage before"),
}


def check_numbers(*numbers: tuple[str, int, range]) -> None:
    """Raise CommandRejected for the first number outside its range.

    Each argument is (label for the message, number, allowed range).
    """
    for meaning, number, allowed in numbers:
        if number not in allowed:
            raise CommandRejected(
                gettext("%(what)s must be between %(least)s and %(most)s (got %(number)s).")
                % {"what": meaning, "least": allowed[0], "most": allowed[-1], "number": number}
            )


def check_choices(struct: type, value: object, field_names: Sequence[str]) -> None:
    """Raise CommandRejected if a text field of `value` has a text that its `Literal` type does not allow.

    The class `struct` annotates the fields with these types.
    """
    hints = get_type_hints(struct)
    for name in field_names:
        choice, choices = getattr(value, name), get_args(hints[name])
        if choice not in choices:
            raise CommandRejected(
                gettext("%(term)s must be one of %(words)s (got %(word)r).")
                % {"term": gettext(LABELS[name]), "word": choice, "words": ", ".join(choices)}
            )


def check_ladder_room(rounds: int, stages: Sequence[StageSettings]) -> None:
    """Raise CommandRejected if the ladders could not rate all rounds of a league with these stages."""
    games = max(stage.games for stage in stages)
    if rounds > MAX_WIDE_ROUND and games > MAX_LATE_ROUND_GAMES:
        raise CommandRejected(
            gettext(
                "A league of more than %(rounds)s rounds can have at most %(games)s matches of a table (games), because"
                " ladders rate no more (got %(count)s). Choose fewer rounds or fewer matches."
            )
            % {"rounds": MAX_WIDE_ROUND, "games": MAX_LATE_ROUND_GAMES, "count": games}
        )
