"""Form for a new league, with presets and foldable sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _

from foundation import time_control_fields
from foundation.game_titles import games
from frontend.pages.game_option_fields import PREFIX
from frontend.pages.organisers.league_forms import LeagueBasicsForm, LeagueEntryAndScheduleForm, LeagueFormatForm
from frontend.pages.organisers.league_presets import COPY, PRESETS, LeaguePreset, increment_name, list_presets
from ftk_core.league.league_facts import LeagueOpened
from ftk_core.league.scoring.tiebreaks import TieBreak, list_tiebreaks
from tournaments.league_limits import MAX_SLUG_CHARACTERS, SLUG_PATTERN

CHOICES = ("preset", "game", "like")
"""Fields that determine the initial values of the other fields."""
FIRST_FIELDS = ("name", "game", "entries_until")
FORECAST_FIELD = "expected"
SECTIONS: dict[str, tuple[str | Promise, tuple[str, ...]]] = {
    "format": (
        _("Format and scoring"),
        (
            *("format", "seats", "rounds", "games", "finalists", "deals"),
            *("scored", "worth", "rest", "seeding", "tiebreaks"),
        ),
    ),
    "clock": (_("Clock and game options"), (*time_control_fields.seconds_fields(), "pace_ms")),
    "entrants": (
        _("Who may enter"),
        ("who", "rated_from", "rated_to", "per_author", "late", "granted", "languages", "kinds", "mixed", "questions"),
    ),
    "schedule": (_("Schedule and replays"), ("slug", "season", "tries", "ruling", "release", "held")),
}
"""Folded sections of the form: key -> (title, names of its fields).

The section `clock` also gets the options of the game; the section `schedule` gets all fields that are listed nowhere.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueFormSection:
    """Foldable section of the form for a new league."""

    # Open at first only if one of its values is invalid.

    key: str
    title: str | Promise
    fields: tuple[BoundField, ...]
    is_open: bool


class NewLeagueForm(LeagueEntryAndScheduleForm, LeagueFormatForm, LeagueBasicsForm):
    """Form with all settings of a new league, filled with the values of a preset."""

    preset = forms.ChoiceField(label=_("Kind of league"))
    like = forms.SlugField(required=False, max_length=MAX_SLUG_CHARACTERS, widget=forms.HiddenInput)

    def __init__(
        self, rules: str, preset: str, copied: LeagueOpened | None = None, data: QueryDict | None = None, **typed: Any
    ) -> None:
        self.presets, self.chosen = list_presets(copied), preset
        terms, values, options = self.presets[preset].terms, dict(self.presets[preset].values), ""
        if terms is not None and terms.game == rules:
            options = terms.options
        else:
            values.pop("seats", None)  # another game may not allow this number of seats
        begun = {"preset": preset, "game": rules, "like": copied.slug if copied else ""}
        super().__init__(rules, data, initial={**values, **begun, **typed}, options=options)
        field = self.fields["preset"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(name, one.title) for name, one in self.presets.items()]

    @property
    def filled(self) -> str:
        """Names of the preset and the game that set the form's initial values."""
        # If the user chooses others, `fill_form` compares the submitted fields with the values of these. Fields that
        # differ were changed by the user, and keep their values.
        return f"{self.chosen} {self.rules.name}"

    @property
    def cards(self) -> list[tuple[str, LeaguePreset, bool]]:
        """Presets for the cards on the page, as (name, preset, True if this preset is chosen)."""
        return [(name, one, name == self["preset"].value()) for name, one in self.presets.items()]

    @property
    def first_fields(self) -> list[BoundField]:
        """Fields that the page shows outside the sections: name, game and entry deadline."""
        return [self[name] for name in FIRST_FIELDS]

    @property
    def sections(self) -> Iterator[LeagueFormSection]:
        """The folded sections. They contain all fields that the page does not show elsewhere."""
        listed = (name for _title, names in SECTIONS.values() for name in names)
        named = {*CHOICES, FORECAST_FIELD, *FIRST_FIELDS, *listed}
        others = tuple(name for name in self.fields if name not in named)
        options = tuple(name for name in others if name.startswith(PREFIX))
        further = {"clock": options, "schedule": tuple(name for name in others if name not in options)}
        for key, (title, names) in SECTIONS.items():
            fields = tuple(self[name] for name in (*names, *further.get(key, ())))
            yield LeagueFormSection(key=key, title=title, fields=fields, is_open=any(field.errors for field in fields))

    @property
    def tiebreak_rows(self) -> list[tuple[TieBreak, str, bool]]:
        """All tie-breaks as (tie-break, label, is chosen), with the chosen ones first."""
        text = str(self["tiebreaks"].value() or "").replace(",", " ")
        listed = list_tiebreaks()
        chosen = [slug for slug in dict.fromkeys(text.split()) if slug in listed]
        others = [slug for slug in listed if slug not in chosen]
        return [(listed[slug], _label_tiebreak(listed[slug]), slug in chosen) for slug in (*chosen, *others)]

    def clean(self) -> dict[str, Any]:
        """Add an error if the league's slug is invalid."""
        # Without a slug, it is made from the name.
        cleaned = super().clean()
        slug = cleaned.get("slug") or slugify(cleaned.get("name", ""))[:MAX_SLUG_CHARACTERS]
        if "name" in cleaned and "slug" in cleaned and (not re.fullmatch(SLUG_PATTERN, slug) or slug == "new"):
            message = gettext(
                "%(slug)r is not a valid slug: use 1 to %(most)s unaccented letters, digits, - and _,"
                " and not the word new."
            )
            self.add_error("slug", message % {"slug": slug, "most": MAX_SLUG_CHARACTERS})
        return cleaned


def _label_tiebreak(tiebreak: TieBreak) -> str:
    """Return the name of a tie-break. Add its slug if another tie-break has the same name."""
    is_unique = sum(other.name == tiebreak.name for other in list_tiebreaks().values()) == 1
    return gettext(tiebreak.name) if is_unique else f"{gettext(tiebreak.name)} ({tiebreak.slug})"


def make_form(copied: LeagueOpened | None) -> NewLeagueForm:
    """Return the form for a new league with its initial values."""
    if copied is None:
        return NewLeagueForm(games()[0][0], next(iter(PRESETS)))
    return NewLeagueForm(copied.game, COPY, copied, name=increment_name(copied.name))


def bind_form(submitted: QueryDict, copied: LeagueOpened | None) -> NewLeagueForm:
    """Return the form with the submitted values, for validation."""
    return NewLeagueForm(
        *_read_choices(submitted.get("game", ""), submitted.get("preset", ""), copied), copied, submitted
    )


def fill_form(submitted: QueryDict, copied: LeagueOpened | None) -> NewLeagueForm:
    """Return the form with the initial values of the chosen preset and game."""
    # Values that the user changed stay.
    preset, _separator, rules = submitted.get("filled", "").partition(" ")
    before = NewLeagueForm(*_read_choices(rules, preset, copied), copied, submitted)
    changed = {name: before[name].data for name in before.changed_data if name not in CHOICES}
    rules, chosen = _read_choices(submitted.get("game", ""), submitted.get("preset", ""), copied)
    terms = before.presets[chosen].terms
    if terms is not None and chosen != preset:
        rules = terms.game
    return NewLeagueForm(rules, chosen, copied, **changed)


def _read_choices(rules: str, preset: str, copied: LeagueOpened | None) -> tuple[str, str]:
    """Return the names of the game and the preset; an unknown name is replaced by the first known one."""
    presets, known = list_presets(copied), dict(games())
    return rules if rules in known else next(iter(known)), preset if preset in presets else next(iter(presets))
