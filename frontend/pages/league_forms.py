"""Forms of a new league: game, format, participants; the fields of a game's options come from their struct."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC
from typing import Any, get_args

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from msgspec.inspect import BoolType, IntType, StructType, Type, UnionType, type_info

from foundation.games import games
from ftk_core.entries import Clock
from ftk_core.game import Worth
from ftk_core.games import game
from ftk_core.kit.languages import LANGUAGES
from ftk_core.league.formats import formats
from ftk_core.league.plans import Deals, Granted, Release, RestValue, Ruling, Scored, Stage, Who
from ftk_core.league.tiebreaks import TIEBREAKS
from tournaments.bounds import LONGEST_NAME, LONGEST_SLUG
from tournaments.kinds import TOLD
from tournaments.league_words import GRANTED, RELEASES, RESTS, RULINGS, WORTHS
from tournaments.terms import PER_AUTHOR, Terms

PRESETS: dict[str, dict[str, Any]] = {
    "evening": {"format": "swiss", "rounds": 5},
    "season": {"format": "swiss", "rounds": 11, "games": 2, "late": 3, "granted": "mean"},
    "cup": {"format": "swiss", "rounds": 3, "finalists": 8},
}
"""Initial values of the later steps."""


DEALS = {"same": gettext_noop("one, shared by all of them"), "fresh": gettext_noop("one for each")}
SCORED = {"matches": gettext_noop("each by itself"), "blocks": gettext_noop("all of a deal together as one")}
SEEDED = {
    "entry": gettext_noop("by lot; in a gauntlet the first to enter are the challengers"),
    "rating": gettext_noop("by court rating when it begins"),
}
WHOSE = {"anybody": gettext_noop("anybody's"), "invited": gettext_noop("those of invited authors")}


def choices(words: Any, said: Mapping[str, str]) -> list[tuple[Any, Any]]:
    """Return the choices of a literal type with their labels."""
    return [(word, _(said[word])) for word in get_args(words)]


class WhatForm(forms.Form):
    """First step: the game."""

    title = _("What is played")
    name = forms.CharField(max_length=LONGEST_NAME)
    slug = forms.CharField(
        max_length=LONGEST_SLUG, required=False, label=_("In its address"), help_text=_("empty: its name")
    )
    game = forms.ChoiceField()
    preset = forms.ChoiceField(
        label=_("As"),
        choices=[("evening", _("an evening")), ("season", _("a season")), ("cup", _("a cup: Swiss, then a knockout"))],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen = self.fields["game"]
        assert isinstance(chosen, forms.ChoiceField)
        chosen.choices = games()


class HowForm(forms.Form):
    """Second step: the format."""

    title = _("How it is played")
    format = forms.ChoiceField()
    seats = forms.IntegerField(min_value=2, label=_("Seats at a table"))
    rounds = forms.IntegerField(min_value=0, help_text=_("0 where the format knows by itself"))
    games = forms.IntegerField(min_value=1, initial=1, label=_("Matches of a table"))
    finalists = forms.IntegerField(
        min_value=0, initial=0, label=_("Then a knockout of the first"), help_text=_("0 for none")
    )
    deals = forms.ChoiceField(choices=choices(Deals, DEALS), label=_("Deals of a table's matches"))
    scored = forms.ChoiceField(choices=choices(Scored, SCORED), label=_("Matches are scored"))
    worth = forms.ChoiceField(label=_("A match is worth"), required=False)
    rest = forms.ChoiceField(choices=choices(RestValue, RESTS), initial="win", label=_("A rest is worth"))
    seeding = forms.ChoiceField(
        choices=[(word, _(said)) for word, said in SEEDED.items()], required=False, label=_("Seeds")
    )
    tiebreaks = forms.CharField(required=False, label=_("Tie-breaks in order"))
    move_seconds = forms.FloatField(min_value=0.001, initial=1, label=_("Seconds for a move"))
    bank_seconds = forms.FloatField(min_value=0, initial=5, label=_("Seconds in the bank"))
    pace_ms = forms.IntegerField(min_value=0, initial=0, label=_("Pace"), help_text=_("least ms between two choices"))
    expected = forms.IntegerField(
        min_value=2, max_value=10_000, initial=16, label=_("Bots expected"), help_text=_("for the outlook")
    )

    def __init__(self, rules: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        row = game(rules)
        for name, words in (
            ("format", [(name, _(name.replace("_", " "))) for name in formats()]),
            ("worth", [("", _("as usual: %(worth)s") % {"worth": _(WORTHS[row.worth])}), *choices(Worth, WORTHS)]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = words
        self.fields["seats"].initial = min(max(4, row.seats[0]), row.seats[-1])
        self.fields["tiebreaks"].help_text = _("empty: the usual ones; there are %(names)s") % {
            "names": ", ".join(TIEBREAKS)
        }
        for name, field in option_fields(rules).items():
            field.label = name.replace("_", " ").capitalize()
            self.fields[OPTION + name] = field

    @property
    def options(self) -> str:
        """The game's options as JSON, without defaults."""
        said = {
            name.removeprefix(OPTION): value for name, value in self.cleaned_data.items() if name.startswith(OPTION)
        }
        kept = {name: value for name, value in said.items() if value not in (None, "", False)}
        return json.dumps({name: _listed(value) for name, value in kept.items()}) if kept else ""


class WhoForm(forms.Form):
    """Third step: entry conditions, schedule, and failures."""

    title = _("Who enters, and when")
    entries_until = forms.DateTimeField(
        required=False,
        label=_("Begins by itself"),
        help_text=_("in UTC; empty: you begin it"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    season = forms.CharField(required=False, max_length=20, help_text=_("empty: this year"))
    who = forms.ChoiceField(choices=choices(Who, WHOSE), initial="anybody", label=_("Whose bots may enter"))
    rated_from = forms.IntegerField(
        required=False, min_value=0, label=_("Rated from"), help_text=_("empty: any rating")
    )
    rated_to = forms.IntegerField(required=False, min_value=0, label=_("Rated to"), help_text=_("empty: any rating"))
    languages = forms.MultipleChoiceField(
        required=False,
        choices=[(word, word) for word in LANGUAGES],
        widget=forms.CheckboxSelectMultiple,
        label=_("Bots are written in"),
        help_text=_("none chosen: any of them"),
    )
    kinds = forms.MultipleChoiceField(
        required=False,
        choices=[(kind, _(told)) for kind, told in TOLD.items()],
        widget=forms.CheckboxSelectMultiple,
        label=_("Who plays"),
        help_text=_("none chosen: uploaded bots alone; others than these count on ladders of their own"),
    )
    mixed = forms.BooleanField(required=False, label=_("They count on the same ladders all the same"))
    per_author = forms.IntegerField(
        min_value=0,
        initial=PER_AUTHOR,
        label=_("Bots of an author"),
        help_text=_("0 for any number; only with 1 no two of them ever meet at a table"),
    )
    late = forms.IntegerField(min_value=0, initial=0, label=_("Late entries up to round"), help_text=_("0 for none"))
    granted = forms.ChoiceField(choices=choices(Granted, GRANTED), initial="none", label=_("They are given"))
    tries = forms.IntegerField(min_value=0, initial=2, label=_("A void match is tried again"))
    ruling = forms.ChoiceField(choices=choices(Ruling, RULINGS), initial="share", label=_("and then it is"))
    release = forms.ChoiceField(
        choices=choices(Release, RELEASES), initial="at_once", required=False, label=_("Replays are everybody's")
    )
    held = forms.BooleanField(required=False, label=_("Each round waits until you begin it"))


OPTION = "option-"
ALIKE = ("games", "deals", "scored", "rest")
"""Terms shared by all stages."""


def option_fields(rules: str) -> dict[str, forms.Field]:
    """Return a field for each of a game's options, by name, from the struct of its options."""
    told = type_info(game(rules).options)
    return {field.name: _field_of(field.type) for field in told.fields} if isinstance(told, StructType) else {}


def _field_of(kind: Type) -> forms.Field:
    """Return the field for a type: a checkbox, a number, else words between commas."""
    kinds = kind.types if isinstance(kind, UnionType) else (kind,)
    if any(isinstance(one, BoolType) for one in kinds):
        return forms.BooleanField(required=False)
    if any(isinstance(one, IntType) for one in kinds):
        return forms.IntegerField(required=False, help_text=_("empty: as the rule book has it"))
    return forms.CharField(required=False, help_text=_("words between commas; empty: as the rule book has it"))


def _listed(value: Any) -> Any:
    return [word.strip() for word in value.split(",")] if isinstance(value, str) else value


def terms_of(what: WhatForm, how: HowForm, who: WhoForm, by: str) -> Terms:
    """Return the terms of the three valid forms."""
    one, two, three = what.cleaned_data, how.cleaned_data, who.cleaned_data
    until = three["entries_until"]
    return Terms(
        **{name: one[name] for name in ("name", "game")},
        **{name: two[name] for name in (*ALIKE, "format", "seats", "rounds", "pace_ms")},
        **{name: three[name] for name in ("per_author", "late", "granted", "tries", "ruling", "held", "who")},
        **{name: three[name] for name in ("rated_from", "rated_to") if three[name] is not None},
        slug=one["slug"] or slugify(one["name"])[:LONGEST_SLUG],
        worth=two["worth"] or None,
        tiebreaks=_slugs(two["tiebreaks"]),
        seeding=two["seeding"] or "entry",
        stages=_stages(one["game"], two),
        clock=Clock(move_ms=round(1000 * two["move_seconds"]), bank_ms=round(1000 * two["bank_seconds"])),
        options=how.options,
        languages=tuple(three["languages"]),
        kinds=tuple(three["kinds"]),
        mixed=three["mixed"],
        release=three["release"] or "at_once",
        season=three["season"] or None,
        entries_until=until.replace(tzinfo=UTC) if until else None,
        by=by,
    )


def _slugs(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _stages(rules: str, said: dict[str, Any]) -> tuple[Stage, ...]:
    """Return the stages, if there is more than one."""
    if not said["finalists"]:
        return ()
    row = game(rules)
    alike = {name: said[name] for name in ALIKE}
    alike |= {"worth": said["worth"] or row.worth, "tiebreaks": _slugs(said["tiebreaks"])}
    return (
        Stage(
            **alike,
            format=said["format"],
            seats=said["seats"],
            rounds=said["rounds"],
            seeding=said["seeding"] or "entry",
        ),
        Stage(format="knockout", seats=min(row.seats), qualify=said["finalists"], **alike),
    )
