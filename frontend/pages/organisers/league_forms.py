"""Form fields for a new league, and their conversion to league settings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, get_args

from django import forms
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _, gettext_noop

from foundation import time_control_fields
from foundation.game_titles import games
from foundation.message_translation import with_full_stop
from frontend.pages.entry_question_fields import EntryQuestionsField
from frontend.pages.game_option_fields import check_option_fields, encode_options, make_option_fields
from ftk_core.game import Worth
from ftk_core.games import game
from ftk_core.kit.uploads.programming_languages import LANGUAGES
from ftk_core.league.event_fields import Deals, Granted, Release, RestValue, Ruling, Scored, StageSettings, Who
from ftk_core.league.formats import list_formats
from ftk_core.league.league_state import CommandRejected
from ftk_core.league.scoring.tiebreaks import list_tiebreaks
from tournaments.league_limits import MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS, STAGE_ROUNDS, TABLE_GAMES
from tournaments.league_player_kinds import KIND_TITLES
from tournaments.leagues.entry_deadline import check_entry_deadline
from tournaments.leagues.league_settings import DEFAULT_BOTS_PER_AUTHOR, PACE_MS, LeagueSettings
from tournaments.summaries.league_terms import GRANTED_NAMES, RELEASE_NAMES, REST_NAMES, RULING_NAMES, WORTH_NAMES

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


class LeagueBasicsForm(forms.Form):
    """Fields for a new league's name, slug and game."""

    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_CHARACTERS)
    slug = forms.CharField(
        max_length=MAX_SLUG_CHARACTERS, required=False, label=_("In its address"), help_text=_("empty: its name")
    )
    game = forms.ChoiceField(label=_("Game"), choices=games)


class LeagueFormatForm(forms.Form):
    """Fields for the format, scoring, clock and game options of a new league."""

    format = forms.ChoiceField(label=_("Format"))
    seats = forms.IntegerField(min_value=2, label=_("Seats at a table"))
    rounds = forms.IntegerField(
        label=_("Rounds"), min_value=0, max_value=STAGE_ROUNDS[-1], help_text=_("0 if the format determines it")
    )
    games = forms.IntegerField(min_value=1, max_value=TABLE_GAMES[-1], initial=1, label=_("Matches of a table"))
    finalists = forms.IntegerField(
        min_value=0, max_value=10_000, initial=0, label=_("Then a knockout of the first"), help_text=_("0 for none")
    )
    deals = forms.ChoiceField(choices=make_choices(Deals, DEALS_LABELS), label=_("Deals of a table's matches"))
    scored = forms.ChoiceField(choices=make_choices(Scored, SCORED_LABELS), label=_("Matches are scored"))
    worth = forms.ChoiceField(label=_("A match is worth"), required=False)
    rest = forms.ChoiceField(choices=make_choices(RestValue, REST_NAMES), initial="win", label=_("Points for a bye"))
    seeding = forms.ChoiceField(
        choices=[(word, _(said)) for word, said in SEEDING_LABELS.items()], required=False, label=_("Seeds")
    )
    tiebreaks = forms.CharField(required=False, label=_("Tie-breaks in order"))
    vars().update(time_control_fields.seconds_fields())
    pace_ms = forms.IntegerField(
        min_value=0, max_value=PACE_MS[-1], initial=0, label=_("Pace"), help_text=_("least ms between two choices")
    )
    expected = forms.IntegerField(min_value=2, max_value=10_000, initial=16, label=_("Bots expected"))

    def __init__(self, rules: str, *args: Any, options: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rules = row = game(rules)
        default_label = _("as usual: %(worth)s") % {"worth": _(WORTH_NAMES[row.worth])}
        for name, words in (
            ("format", [(name, _(name.replace("_", " "))) for name in list_formats()]),
            ("worth", [("", default_label), *make_choices(Worth, WORTH_NAMES)]),
        ):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = words
        self.fields["seats"] = forms.IntegerField(
            min_value=row.seats[0],
            max_value=row.seats[-1],
            initial=min(max(4, row.seats[0]), row.seats[-1]),
            label=self.fields["seats"].label,
        )
        slugs = format_html_join(", ", "<code>{}</code>", ((slug,) for slug in list_tiebreaks()))
        self.fields["tiebreaks"].help_text = format_html(
            str(_("empty: the usual ones; there are {names}")), names=slugs
        )
        self.fields |= make_option_fields(row, options)

    def clean_tiebreaks(self) -> str:
        """Return the field's text unchanged; raise ValidationError if one of its tie-breaks is unknown."""
        text = str(self.cleaned_data["tiebreaks"])
        if unknown := [slug for slug in _parse_slugs(text) if slug not in list_tiebreaks()]:
            raise forms.ValidationError(
                _("%(unknown)r is not a tie-break; choose among %(tiebreaks)s.")
                % {"unknown": unknown[0], "tiebreaks": ", ".join(list_tiebreaks())}
            )
        return text

    def clean(self) -> dict[str, Any]:
        """Add an error if the game cannot be played with the chosen options and number of seats."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "seats" in cleaned:
            check_option_fields(self, self.rules, cleaned["seats"])
        return cleaned


class LeagueEntryAndScheduleForm(forms.Form):
    """Form fields of a new league: entry conditions, schedule, rules for void matches, and release of replays."""

    entries_until = forms.DateTimeField(
        required=False,
        label=_("Begins by itself"),
        help_text=_("in UTC; empty: you begin it"),
        widget=forms.DateTimeInput(
            # the page's script converts local time to UTC; a time restored by the browser would stay local
            attrs={
                "type": "datetime-local",
                "autocomplete": "off",
                "data-zone-help": _("in your time zone, {zone}; empty: you begin it"),
            },
            format="%Y-%m-%dT%H:%M",
        ),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
    )
    season = forms.CharField(
        max_length=20, required=False, label=_("Season"), help_text=_("empty: this year, or outside with remote bots")
    )
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
        help_text=_("none chosen: only uploaded bots; a league with other kinds counts on separate ladders"),
    )
    mixed = forms.BooleanField(required=False, label=_("Other kinds count on the same ladders as uploaded bots"))
    per_author = forms.IntegerField(
        min_value=0,
        initial=DEFAULT_BOTS_PER_AUTHOR,
        label=_("Bots of an author"),
        help_text=_("0 for any number; only with 1 no two of them ever meet at a table"),
    )
    late = forms.IntegerField(min_value=0, initial=0, label=_("Late entries up to round"), help_text=_("0 for none"))
    granted = forms.ChoiceField(choices=make_choices(Granted, GRANTED_NAMES), initial="none", label=_("Late bots get"))
    tries = forms.IntegerField(min_value=0, initial=2, label=_("Repeats of a void match"))
    ruling = forms.ChoiceField(
        choices=make_choices(Ruling, RULING_NAMES), initial="share", label=_("Result of a match that stays void")
    )
    release = forms.ChoiceField(
        choices=make_choices(Release, RELEASE_NAMES),
        initial="at_once",
        required=False,
        label=_("Replays become public"),
    )
    held = forms.BooleanField(required=False, label=_("Each round waits until you begin it"))
    description = forms.CharField(
        required=False, label=_("Description"), widget=forms.Textarea, help_text=_("Markdown")
    )
    questions = EntryQuestionsField(
        required=False,
        label=_("Questions at entry"),
        widget=forms.Textarea({"rows": 3}),
        help_text=_("at most 5, one on each line; with * it must be answered; choices after bars: Size? * | S | M"),
    )

    def clean_entries_until(self) -> datetime | None:
        """Return the entry deadline in UTC, or None. Raises ValidationError for an impossible time."""
        until: datetime | None = self.cleaned_data["entries_until"]
        until = until and until.replace(tzinfo=UTC)
        try:
            check_entry_deadline(until, timezone.now())
        except CommandRejected as error:
            raise forms.ValidationError(with_full_stop(error)) from error
        return until


STAGE_FIELDS = ("games", "deals", "scored", "rest")


def make_terms(form: LeagueFormatForm, by: str) -> LeagueSettings:
    """Return the settings of a new league from a valid form."""
    cleaned = form.cleaned_data
    same = ("per_author", "late", "granted", "tries", "ruling", "held", "who", "mixed", "entries_until")
    return LeagueSettings(
        **{
            name: cleaned[name]
            for name in ("name", "game", *STAGE_FIELDS, "format", "seats", "rounds", "pace_ms", *same)
        },
        **{name: cleaned[name] for name in ("rated_from", "rated_to") if cleaned[name] is not None},
        slug=cleaned["slug"] or slugify(cleaned["name"])[:MAX_SLUG_CHARACTERS],
        worth=cleaned["worth"] or None,
        tiebreaks=_parse_slugs(cleaned["tiebreaks"]),
        seeding=cleaned["seeding"] or "entry",
        stages=_make_stages(form.rules.name, cleaned),
        clock=time_control_fields.clock_from_seconds(cleaned),
        options=encode_options(form.rules, cleaned),
        languages=tuple(cleaned["languages"]),
        kinds=tuple(cleaned["kinds"]),
        release=cleaned["release"] or "at_once",
        season=cleaned["season"] or None,
        description=cleaned["description"],
        questions=cleaned["questions"],
        by=by,
    )


def _parse_slugs(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _make_stages(rules: str, cleaned: dict[str, Any]) -> tuple[StageSettings, ...]:
    """Return the two stages if a knockout follows the first stage, or an empty tuple if the league has one stage."""
    if not cleaned["finalists"]:
        return ()
    row = game(rules)
    alike = {name: cleaned[name] for name in STAGE_FIELDS}
    alike |= {"worth": cleaned["worth"] or row.worth, "tiebreaks": _parse_slugs(cleaned["tiebreaks"])}
    first = {name: cleaned[name] for name in ("format", "seats", "rounds")}
    return (
        StageSettings(**alike, **first, seeding=cleaned["seeding"] or "entry"),
        StageSettings(format="knockout", seats=min(row.seats), qualify=cleaned["finalists"], **alike),
    )
