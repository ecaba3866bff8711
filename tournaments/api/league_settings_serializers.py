"""Request and response bodies that contain a league's settings (terms). `LeagueSettings` defines these settings."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from foundation import time_control_fields
from ftk_core.games import list_games
from ftk_core.league.intervention_facts import MAX_DESCRIPTION_CHARACTERS
from ftk_core.league.league_facts import LeagueOpened
from tournaments.league_limits import MAX_NAME_CHARACTERS, MAX_SLUG_CHARACTERS
from tournaments.leagues.entry_questions import MAX_QUESTION_CHARACTERS
from tournaments.leagues.league_settings import FIELDS_SHARED_WITH_FACT, LeagueSettings

MAX_INTEGER = 2**31 - 1
MAX_TERM_CHARACTERS = {
    "name": MAX_NAME_CHARACTERS,
    "slug": MAX_SLUG_CHARACTERS,
    "description": MAX_DESCRIPTION_CHARACTERS,
    "questions": MAX_QUESTION_CHARACTERS,
}
"""Maximum number of characters of texts, by name of the league term; 60 for terms that are not listed."""


def _make_term_field(name: str, hint: Any, default: Any) -> serializers.Field[Any, Any, Any, Any]:
    """Return the serializer field for one setting of a league."""
    # The field checks only type and size. `check_terms` checks the rest when the league is announced.
    options: dict[str, Any] = {"required": True} if default is MISSING else {"required": False, "default": default}
    if type(None) in get_args(hint):
        options["allow_null"] = True
        hint = next(option for option in get_args(hint) if option is not type(None))
    if get_origin(hint) is tuple:
        child = serializers.CharField(max_length=MAX_TERM_CHARACTERS.get(name, 60))
        return serializers.ListField(child=child, max_length=20, **options)
    if hint is bool:
        return serializers.BooleanField(**options)
    if hint is int:
        return serializers.IntegerField(min_value=0, max_value=MAX_INTEGER, **options)
    if hint is str:
        return serializers.CharField(
            max_length=MAX_TERM_CHARACTERS.get(name, 60), allow_blank=name == "description", **options
        )
    return serializers.ChoiceField(choices=list(get_args(hint)), **options)


def _make_term_fields() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return a serializer field for each league setting, by name, except settings that the classes below declare."""
    hints = get_type_hints(LeagueSettings)
    otherwise = {"clock", "options", "stages", "entries_until", "by"}
    rows = [row for row in fields(LeagueSettings) if row.name not in otherwise]
    return {row.name: _make_term_field(row.name, hints[row.name], row.default) for row in rows}


@extend_schema_serializer(component_name="Terms")
class LeagueSettingsSerializer(serializers.Serializer[Any]):
    """The settings (terms) of an announced league."""

    stages = serializers.SerializerMethodField(help_text="Each as it can be sent.")
    options = serializers.SerializerMethodField(help_text="The game's own; empty as in the rule book.")
    vars().update(time_control_fields.shown_fields())
    pace_ms = serializers.IntegerField()
    by = serializers.CharField(allow_blank=True)

    def get_stages(self, header: LeagueOpened) -> list[dict[str, Any]]:
        """Return the stages of a league as JSON objects."""
        # msgspec leaves out default values. `worth`, the points of a match, is always included: its default depends on
        # the game.
        return [{**msgspec.to_builtins(stage), "worth": stage.worth} for stage in header.stages]

    def get_options(self, header: LeagueOpened) -> dict[str, Any]:
        """Return the game options as a JSON object."""
        options: dict[str, Any] = msgspec.json.decode(header.options or "{}")
        return options

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the declared fields, and a field for each setting in `FIELDS_SHARED_WITH_FACT`."""
        # The league's first event stores these settings under the same names.
        return {
            **super().get_fields(),
            **{name: field for name, field in _make_term_fields().items() if name in FIELDS_SHARED_WITH_FACT},
        }


@extend_schema_serializer(component_name="CopiedTerms")
class CopyableLeagueSettingsSerializer(LeagueSettingsSerializer):
    """The settings of a league in the form of a request body that announces a league.

    The organiser, the season and the dates are left out, so that a client can announce a similar league.
    """

    by = None  # type: ignore[assignment]  # removes the inherited field

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields of `LeagueSettingsSerializer`, and fields for settings that it lacks, such as the game."""
        plain = ("slug", "name", "game", "format", "seats", "rounds", "games", "worth")
        fields = _make_term_fields()
        return {**{name: fields[name] for name in plain}, **super().get_fields()}


class LeagueTemplateSerializer(serializers.Serializer[Any]):
    """A template: settings of a league that an organiser saved under a name."""

    name = serializers.CharField()
    terms = CopyableLeagueSettingsSerializer()


EXAMPLE_LEAGUE = {"slug": "evening", "name": "An evening", "game": next(iter(list_games())), "seats": 4, "rounds": 5}


@extend_schema_serializer(examples=[OpenApiExample("evening", EXAMPLE_LEAGUE)])
class NewLeagueSerializer(serializers.Serializer[Any]):
    """Request body of a new league, with one field for each setting."""

    options = serializers.DictField(required=False, default=dict, help_text="The game's own.")
    stages = serializers.ListField(
        child=serializers.DictField(), max_length=20, required=False, default=list, help_text="Instead of a format."
    )
    entries_until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    vars().update(time_control_fields.accepted_fields(MAX_INTEGER, required=False))

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add fields for the league settings that this class does not declare."""
        return {**_make_term_fields(), **super().get_fields()}


@extend_schema_serializer(component_name="OutlookFor")
class ForecastRequestSerializer(NewLeagueSerializer):
    """Request body of a forecast: the settings of a league and the expected number of bots."""

    expected = serializers.IntegerField(min_value=2, max_value=10_000, default=16)
