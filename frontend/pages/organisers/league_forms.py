"""Forms for a new league in three steps: game, format and participants.

The fields for the options of a game are made from the game's options type.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC
from typing import Any, get_args

from django import forms
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _, gettext_noop
from msgspec.inspect import BoolType, IntType, StructType, Type, UnionType, type_info

from foundation import clock_columns
from foundation.game_choices import games
from ftk_core.game import Worth
from ftk_core.games import game
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.league.formats import list_formats
from ftk_core.league.round_plans import Deals, Granted, Release, RestValue, Ruling, Scored, StageTerms, Who
from ftk_core.league.scoring.tiebreaks import TIEBREAKS
from tournaments.bot_kinds import KIND_TITLES
from tournaments.league_bounds import MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS
from tournaments.leagues.league_terms import DEFAULT_BOTS_PER_AUTHOR, Terms
from tournaments.summaries.term_descriptions import GRANTED_NAMES, RELEASE_NAMES, REST_NAMES, RULING_NAMES, WORTH_NAMES

PRESETS: dict[str, dict[str, Any]] = {
    "evening": {"format": "swiss", "rounds": 5},
    "season": {"format": "swiss", "rounds": 11, "games": 2, "late": 3, "granted": "mean"},
    "cup": {"format": "swiss", "rounds": 3, "finalists": 8},
}
"""Initial values for the second and third form, by preset."""


DEALS_LABELS = {"same": gettext_noop("one, shared by all of them"), "fresh": gettext_noop("one for each")}
SCORED_LABELS = {"matches": gettext_noop("each by itself"), "blocks": gettext_noop("all of a deal together as one")}
SEEDING_LABELS = {
    "entry": gettext_noop("by lot; in a gauntlet the first to enter are the challengers"),
    "rating": gettext_noop("by court rating when it begins"),
}
WHO_LABELS = {"anybody": gettext_noop("anybody's"), "invited": gettext_noop("those of invited authors")}


def make_choices(literal: Any, labels: Mapping[str, str]) -> list[tuple[Any, Any]]:
    """Return (value, translated label) for each value of a `Literal` type."""
    return [(word, _(labels[word])) for word in get_args(literal)]


class GameForm(forms.Form):
    """First form for a new league: game and name."""

    title = _("What is played")
    name = forms.CharField(max_length=MAX_NAME_CHARACTERS)
    slug = forms.CharField(
        max_length=MAX_SLUG_CHARACTERS, required=False, label=_("In its address"), help_text=_("empty: its name")
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


class FormatForm(forms.Form):
    """Second form for a new league: format, scoring, clock and game options."""

    title = _("How it is played")
    format = forms.ChoiceField()
    seats = forms.IntegerField(min_value=2, label=_("Seats at a table"))
    rounds = forms.IntegerField(min_value=0, help_text=_("0 where the format knows by itself"))
    games = forms.IntegerField(min_value=1, initial=1, label=_("Matches of a table"))
    finalists = forms.IntegerField(
        min_value=0, initial=0, label=_("Then a knockout of the first"), help_text=_("0 for none")
    )
    deals = forms.ChoiceField(choices=make_choices(Deals, DEALS_LABELS), label=_("Deals of a table's matches"))
    scored = forms.ChoiceField(choices=make_choices(Scored, SCORED_LABELS), label=_("Matches are scored"))
    worth = forms.ChoiceField(label=_("A match is worth"), required=False)
    rest = forms.ChoiceField(choices=make_choices(RestValue, REST_NAMES), initial="win", label=_("A rest is worth"))
    seeding = forms.ChoiceField(
        choices=[(word, _(said)) for word, said in SEEDING_LABELS.items()], required=False, label=_("Seeds")
    )
    tiebreaks = forms.CharField(required=False, label=_("Tie-breaks in order"))
    vars().update(clock_columns.seconds_fields())
    pace_ms = forms.IntegerField(min_value=0, initial=0, label=_("Pace"), help_text=_("least ms between two choices"))
    expected = forms.IntegerField(
        min_value=2, max_value=10_000, initial=16, label=_("Bots expected"), help_text=_("for the outlook")
    )

    def __init__(self, rules: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        row = game(rules)
        default_label = _("as usual: %(worth)s") % {"worth": _(WORTH_NAMES[row.worth])}
        for name, words in (
            ("format", [(name, _(name.replace("_", " "))) for name in list_formats()]),
            ("worth", [("", default_label), *make_choices(Worth, WORTH_NAMES)]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = words
        self.fields["seats"].initial = min(max(4, row.seats[0]), row.seats[-1])
        self.fields["tiebreaks"].help_text = _("empty: the usual ones; there are %(names)s") % {
            "names": ", ".join(TIEBREAKS)
        }
        for name, field in make_option_fields(rules).items():
            field.label = name.replace("_", " ").capitalize()
            self.fields[PREFIX + name] = field

    @property
    def options(self) -> str:
        """Options of the game as JSON, without default values; empty if all have their defaults."""
        given = {
            name.removeprefix(PREFIX): value for name, value in self.cleaned_data.items() if name.startswith(PREFIX)
        }
        kept = {name: value for name, value in given.items() if value not in (None, "", False)}
        return json.dumps({name: _parse_list(value) for name, value in kept.items()}) if kept else ""


class ParticipantsForm(forms.Form):
    """Third form for a new league: entry conditions, schedule, void matches and release of replays."""

    title = _("Who enters, and when")
    entries_until = forms.DateTimeField(
        required=False,
        label=_("Begins by itself"),
        help_text=_("in UTC; empty: you begin it"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    season = forms.CharField(required=False, max_length=20, help_text=_("empty: this year"))
    who = forms.ChoiceField(choices=make_choices(Who, WHO_LABELS), initial="anybody", label=_("Whose bots may enter"))
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
        choices=[(kind, _(told)) for kind, told in KIND_TITLES.items()],
        widget=forms.CheckboxSelectMultiple,
        label=_("Who plays"),
        help_text=_("none chosen: uploaded bots alone; others than these count on ladders of their own"),
    )
    mixed = forms.BooleanField(required=False, label=_("They count on the same ladders all the same"))
    per_author = forms.IntegerField(
        min_value=0,
        initial=DEFAULT_BOTS_PER_AUTHOR,
        label=_("Bots of an author"),
        help_text=_("0 for any number; only with 1 no two of them ever meet at a table"),
    )
    late = forms.IntegerField(min_value=0, initial=0, label=_("Late entries up to round"), help_text=_("0 for none"))
    granted = forms.ChoiceField(choices=make_choices(Granted, GRANTED_NAMES), initial="none", label=_("They are given"))
    tries = forms.IntegerField(min_value=0, initial=2, label=_("A void match is tried again"))
    ruling = forms.ChoiceField(choices=make_choices(Ruling, RULING_NAMES), initial="share", label=_("and then it is"))
    release = forms.ChoiceField(
        choices=make_choices(Release, RELEASE_NAMES),
        initial="at_once",
        required=False,
        label=_("Replays are everybody's"),
    )
    held = forms.BooleanField(required=False, label=_("Each round waits until you begin it"))
    description = forms.CharField(
        required=False, label=_("Description"), widget=forms.Textarea, help_text=_("Markdown")
    )


PREFIX = "option-"
STAGE_FIELDS = ("games", "deals", "scored", "rest")


def make_option_fields(rules: str) -> dict[str, forms.Field]:
    """Return a form field for each option of the game `rules`, by option name."""
    told = type_info(game(rules).options)
    return {field.name: _make_field(field.type) for field in told.fields} if isinstance(told, StructType) else {}


def _make_field(option_type: Type) -> forms.Field:
    """Return a form field for the type of an option: a checkbox, a number, or words separated by commas."""
    kinds = option_type.types if isinstance(option_type, UnionType) else (option_type,)
    if any(isinstance(one, BoolType) for one in kinds):
        return forms.BooleanField(required=False)
    if any(isinstance(one, IntType) for one in kinds):
        return forms.IntegerField(required=False, help_text=_("empty: as the rule book has it"))
    return forms.CharField(required=False, help_text=_("words between commas; empty: as the rule book has it"))


def _parse_list(value: Any) -> Any:
    return [word.strip() for word in value.split(",")] if isinstance(value, str) else value


def make_terms(game_form: GameForm, format_form: FormatForm, participants_form: ParticipantsForm, by: str) -> Terms:
    """Return the league terms from the three valid forms; `by` is the username of the organiser."""
    one, two, three = game_form.cleaned_data, format_form.cleaned_data, participants_form.cleaned_data
    until = three["entries_until"]
    return Terms(
        **{name: one[name] for name in ("name", "game")},
        **{name: two[name] for name in (*STAGE_FIELDS, "format", "seats", "rounds", "pace_ms")},
        **{name: three[name] for name in ("per_author", "late", "granted", "tries", "ruling", "held", "who")},
        **{name: three[name] for name in ("rated_from", "rated_to") if three[name] is not None},
        slug=one["slug"] or slugify(one["name"])[:MAX_SLUG_CHARACTERS],
        worth=two["worth"] or None,
        tiebreaks=_parse_slugs(two["tiebreaks"]),
        seeding=two["seeding"] or "entry",
        stages=_make_stages(one["game"], two),
        clock=clock_columns.clock_from_seconds(two),
        options=format_form.options,
        languages=tuple(three["languages"]),
        kinds=tuple(three["kinds"]),
        mixed=three["mixed"],
        description=three["description"],
        release=three["release"] or "at_once",
        season=three["season"] or None,
        entries_until=until.replace(tzinfo=UTC) if until else None,
        by=by,
    )


def _parse_slugs(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _make_stages(rules: str, cleaned: dict[str, Any]) -> tuple[StageTerms, ...]:
    """Return the league's stages if a knockout follows the first stage; empty for a single stage."""
    if not cleaned["finalists"]:
        return ()
    row = game(rules)
    alike = {name: cleaned[name] for name in STAGE_FIELDS}
    alike |= {"worth": cleaned["worth"] or row.worth, "tiebreaks": _parse_slugs(cleaned["tiebreaks"])}
    first = {name: cleaned[name] for name in ("format", "seats", "rounds")}
    return (
        StageTerms(**alike, **first, seeding=cleaned["seeding"] or "entry"),
        StageTerms(format="knockout", seats=min(row.seats), qualify=cleaned["finalists"], **alike),
    )
