"""Initial values of the form for a new league."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from msgspec.structs import replace

from foundation import time_control_fields
from foundation.game_titles import games
from ftk_core.games import game
from ftk_core.league.event_fields import StageSettings
from ftk_core.league.formats import list_formats
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.log_entries import TimeControl
from tournaments.league_limits import MAX_NAME_CHARACTERS
from tournaments.leagues.stage_seeding import set_first_seeding
from tournaments.organisers.league_templates import SavedLeagueTemplate, list_templates

COPY = "copy"
"""Name of the preset that stands for the terms of another league."""


@dataclass(frozen=True, slots=True)
class LeaguePreset:
    """Named set of initial values for the form of a new league."""

    title: str | Promise
    sentence: str | Promise
    values: Mapping[str, Any]
    terms: LeagueOpened | None = None
    """Terms of the copied league or saved template, with its game and options; None for the presets in `PRESETS`."""


PRESETS = {
    "evening": LeaguePreset(
        _("An evening"),
        _("5 rounds of Swiss pairing, one right after another."),
        {"format": "swiss", "rounds": 5},
    ),
    "season": LeaguePreset(
        _("A season"),
        _("11 rounds of Swiss pairing with 2 matches at each table; bots may enter until round 3."),
        {"format": "swiss", "rounds": 11, "games": 2, "late": 3, "granted": "mean"},
    ),
    "cup": LeaguePreset(
        _("A cup"),
        _("3 rounds of Swiss pairing, then a knockout of the first 8."),
        {"format": "swiss", "rounds": 3, "finalists": 8},
    ),
    "ladder": LeaguePreset(
        _("A ladder"),
        _("8 rounds in divisions: the first of each table moves up, the last moves down."),
        {"format": "ladder", "rounds": 8},
    ),
}
COPIED_FROM_STAGE = ("format", "rounds", "games", "deals", "scored", "rest")
ALIKE_IN_STAGES = ("games", "deals", "scored", "rest", "worth", "tiebreaks")
"""Settings that the form asks for once, for all stages of a league."""
COPIED_FROM_LEAGUE = (
    *("late", "granted", "per_author", "who", "languages", "kinds", "mixed", "tries", "ruling", "held", "release"),
    *("pace_ms", "description"),
)


def list_presets(copied: LeagueOpened | None) -> dict[str, LeaguePreset]:
    """Return the presets by name, in the order in which the page shows them."""
    presets = dict(PRESETS)
    if copied is not None:
        title = _("Like %(name)s") % {"name": copied.name}
        sentence = _("The terms of that league, without its dates.")
        presets = {COPY: LeaguePreset(title, sentence, copy_values(copied), copied), **presets}
    return presets | {f"template-{saved.id}": _make_preset(saved) for saved in list_templates()}


def _make_preset(saved: SavedLeagueTemplate) -> LeaguePreset:
    words = {"game": dict(games())[saved.terms.game], "league": saved.terms.name}
    sentence = gettext("%(game)s, with the terms of %(league)s.") % words
    if not is_copy_complete(saved.terms):
        sentence += " " + gettext("This form cannot copy all settings of its stages.")
    return LeaguePreset(saved.name, sentence, copy_values(saved.terms), saved.terms)


def copy_values(copied: LeagueOpened) -> dict[str, Any]:
    """Return a league's settings as initial values of the form for a new league."""
    # Without name, game, dates and game options.
    stages = copied.stages or (StageSettings(format=copied.format, seats=copied.seats, rounds=copied.rounds),)
    first, rules = stages[0], game(copied.game)
    return {
        **{name: getattr(first, name) for name in COPIED_FROM_STAGE},
        **{name: getattr(copied, name) for name in COPIED_FROM_LEAGUE},
        **time_control_fields.clock_form_values(TimeControl.of(copied)),
        "seats": first.seats,
        "finalists": stages[1].qualify if len(stages) > 1 else 0,
        "worth": "" if first.worth == rules.worth else first.worth,
        "seeding": copied_seeding(first),
        "tiebreaks": ", ".join(first.tiebreaks),
        "questions": "\n".join(copied.questions),
        "rated_from": copied.rated_from or None,
        "rated_to": copied.rated_to or None,
    }


def is_copy_complete(copied: LeagueOpened) -> bool:
    """Return True if the form for a new league can copy all stage settings of this league."""
    # The form can show one stage, alone or followed by a knockout of its best. It has no fields for groups, for points
    # carried over (`carry`) and for points of absent entrants (`absence`).
    first, *others = copied.stages or (StageSettings(format=copied.format, seats=copied.seats),)
    plain = StageSettings(format="", seats=2)
    same = all(getattr(stage, name) == getattr(plain, name) for stage in copied.stages for name in ("carry", "absence"))
    same = same and all(getattr(stage, name) == getattr(first, name) for stage in others for name in ALIKE_IN_STAGES)
    knockout = [(stage.format, stage.seats, bool(stage.qualify)) for stage in others]
    same = same and first.groups == 1 and _can_copy_seeding(first, others)
    return same and knockout in ([], [("knockout", game(copied.game).seats[0], True)])


def _can_copy_seeding(first: StageSettings, others: Sequence[StageSettings]) -> bool:
    """Return True if the form for a new league can copy the seeding (order of the entries) of all stages.

    The form sets the seeding of the first stage only. Return False if the format of that stage is not installed.
    """
    if first.format not in list_formats():
        return False
    (copied,) = set_first_seeding([replace(first, seeding=copied_seeding(first))])
    return copied.seeding == first.seeding and all(stage.seeding == "entry" for stage in others)


def copied_seeding(first: StageSettings) -> Literal["rating", "entry"]:
    """Return the form's value for the seeding of a first stage: ``rating`` for seeding by rating, else ``entry``."""
    return "rating" if first.seeding == "rating" else "entry"


def increment_name(name: str) -> str:
    """Return the name for the next league in a sequence.

    >>> increment_name("Evening 3"), increment_name("Evening")
    ('Evening 4', 'Evening 2')
    """
    found = re.fullmatch(r"(.*?)([0-9]{1,9})", name)
    begin, number = (found[1], str(int(found[2]) + 1)) if found else (f"{name} ", "2")
    return begin[: MAX_NAME_CHARACTERS - len(number)] + number
