"""Serializers of leagues: requests and responses of the REST API."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ftk_core.entries import Clock
from ftk_core.games import shelf
from ftk_core.league.facts import LeagueOpened
from tournaments.bounds import LONGEST_NAME, LONGEST_SLUG
from tournaments.models import League
from tournaments.terms import ALIKE, Terms

LARGEST = 2**31 - 1


def _term(name: str, hint: Any, usual: Any) -> serializers.Field[Any, Any, Any, Any]:
    """Return the serializer field of a term; `tournaments.terms.check` validates its value."""
    told: dict[str, Any] = {"required": True} if usual is MISSING else {"required": False, "default": usual}
    if type(None) in get_args(hint):
        told["allow_null"] = True
        hint = next(option for option in get_args(hint) if option is not type(None))
    if get_origin(hint) is tuple:
        return serializers.ListField(child=serializers.CharField(max_length=60), max_length=20, **told)
    if hint is bool:
        return serializers.BooleanField(**told)
    if hint is int:
        return serializers.IntegerField(min_value=0, max_value=LARGEST, **told)
    if hint is str:
        longest = {"name": LONGEST_NAME, "slug": LONGEST_SLUG}.get(name, 60)
        return serializers.CharField(max_length=longest, **told)
    return serializers.ChoiceField(choices=list(get_args(hint)), **told)


def _terms() -> dict[str, serializers.Field[Any, Any, Any, Any]]:
    """Return a field for each term, except those with another form in the API."""
    hints = get_type_hints(Terms)
    otherwise = {"clock", "options", "stages", "entries_until", "by"}
    rows = [row for row in fields(Terms) if row.name not in otherwise]
    return {row.name: _term(row.name, hints[row.name], row.default) for row in rows}


class TermsSerializer(serializers.Serializer[Any]):
    """Terms with which a league was announced."""

    stages = serializers.SerializerMethodField(help_text="Each as it can be sent.")
    options = serializers.SerializerMethodField(help_text="The game's own; empty as the rule book has it.")
    move_ms = serializers.IntegerField()
    bank_ms = serializers.IntegerField()
    pace_ms = serializers.IntegerField()
    by = serializers.CharField(allow_blank=True)

    def get_stages(self, header: LeagueOpened) -> list[dict[str, Any]]:
        """Return the stages as objects without default values."""
        stages: list[dict[str, Any]] = msgspec.to_builtins(header.stages)
        return stages

    def get_options(self, header: LeagueOpened) -> dict[str, Any]:
        """Return the options as an object."""
        options: dict[str, Any] = msgspec.json.decode(header.options or "{}")
        return options

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields above, and the terms with the same names in the fact."""
        return {**super().get_fields(), **{name: field for name, field in _terms().items() if name in ALIKE}}


class LeagueCardSerializer(serializers.Serializer[Any]):
    """A league in a list."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    game = serializers.SlugField()
    season = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=League.Status.choices)
    round = serializers.IntegerField(help_text="The one that is played, or was last; 0 before the first.")
    rounds = serializers.IntegerField()
    entries = serializers.IntegerField()
    entries_until = serializers.DateTimeField(allow_null=True)


class LeagueListSerializer(serializers.Serializer[Any]):
    """A page of leagues."""

    leagues = LeagueCardSerializer(many=True)
    after = serializers.CharField(allow_blank=True, help_text="The cursor of those behind them; empty at the end.")


class LeagueSerializer(LeagueCardSerializer):
    """A league: its terms and its progress."""

    PLAIN = (
        *("slug", "name", "game", "season", "status", "round", "rounds", "entries", "entries_until"),
        *("paused", "waits", "seal", "anchor", "header"),
    )
    paused = serializers.BooleanField()
    waits = serializers.CharField(allow_blank=True, help_text="What it waits for, if it does.")
    seal = serializers.CharField(allow_blank=True, help_text="The seal of the secret that its deals are made from.")
    anchor = serializers.CharField(allow_blank=True, help_text="Where the public luck comes from.")
    terms = TermsSerializer(source="header")


class StandingSerializer(serializers.Serializer[Any]):
    """A row of the standings."""

    place = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry_id")
    name = serializers.CharField()
    bot = serializers.SlugField(source="bot_slug")
    version = serializers.IntegerField()
    points = serializers.CharField()
    played = serializers.IntegerField()
    byes = serializers.IntegerField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    decided = serializers.CharField(help_text="What puts it behind the line above.")


class StandingsSerializer(serializers.Serializer[Any]):
    """A page of the standings."""

    rows = StandingSerializer(many=True)
    tiebreaks = serializers.SerializerMethodField(help_text="The names of the tie-breaks, in their order.")
    of = serializers.IntegerField(help_text="How many lines there are.")
    after = serializers.CharField(allow_blank=True)

    def get_tiebreaks(self, value: Any) -> list[str]:
        """Return the names of the tie-breaks."""
        return [name for name, _ in value.tiebreaks]


class TableSeatSerializer(serializers.Serializer[Any]):
    """A seat at a table."""

    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)


class TableSerializer(serializers.Serializer[Any]):
    """A match of a round."""

    table = serializers.IntegerField(source="number")
    group = serializers.IntegerField()
    game = serializers.IntegerField(help_text="Which of the table's matches it is.")
    match = serializers.CharField(source="match_id")
    status = serializers.CharField()
    seats = TableSeatSerializer(many=True)


class RestSerializer(serializers.Serializer[Any]):
    """Entries that rest for one reason."""

    why = serializers.CharField()
    points = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField(), source="names.shown")
    more = serializers.IntegerField(source="names.more", help_text="How many others.")


class RoundSerializer(serializers.Serializer[Any]):
    """A round of a league."""

    number = serializers.IntegerField()
    stage = serializers.CharField(allow_blank=True)
    tables = TableSerializer(many=True)
    rests = RestSerializer(many=True)
    after = serializers.CharField(allow_blank=True)


class ActRowSerializer(serializers.Serializer[Any]):
    """An act on a league."""

    what = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    match = serializers.CharField(allow_blank=True)
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class ActsSerializer(serializers.Serializer[Any]):
    """A page of the acts on a league."""

    rows = ActRowSerializer(many=True)
    after = serializers.CharField(allow_blank=True)


EVENING = {"slug": "evening", "name": "An evening", "game": next(iter(shelf())), "seats": 4, "rounds": 5}


@extend_schema_serializer(examples=[OpenApiExample("evening", EVENING)])
class NewLeagueSerializer(serializers.Serializer[Any]):
    """Terms of a new league, one field for each; `tournaments.terms` refuses invalid ones."""

    options = serializers.DictField(required=False, default=dict, help_text="The game's own.")
    stages = serializers.ListField(
        child=serializers.DictField(), max_length=20, required=False, default=list, help_text="Instead of a format."
    )
    entries_until = serializers.DateTimeField(required=False, allow_null=True, default=None)
    move_ms = serializers.IntegerField(required=False, default=Clock().move_ms, min_value=1, max_value=LARGEST)
    bank_ms = serializers.IntegerField(required=False, default=Clock().bank_ms, min_value=0, max_value=LARGEST)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields above, and those made from the terms, so that none is missing."""
        return {**_terms(), **super().get_fields()}


class OutlookForSerializer(NewLeagueSerializer):
    """Terms of a league, and the expected number of bots."""

    expected = serializers.IntegerField(min_value=2, max_value=10_000, default=16)


class OutlookSerializer(serializers.Serializer[Any]):
    """Forecast of a league: means over simulated runs."""

    rounds = serializers.FloatField()
    matches = serializers.FloatField()
    hours = serializers.FloatField(help_text="From the first round to the last, on the workers there are.")
    repeats = serializers.FloatField(help_text="Pairs that meet again.")
    unavoidable = serializers.FloatField(help_text="No tables of these sizes could have had fewer repeats.")
    best = serializers.FloatField(help_text="The chance that the strongest bot is first.")
    error = serializers.FloatField(help_text="The standard error of that chance.")
    low = serializers.FloatField(help_text="The chance is about 95 % sure to be above this,")
    high = serializers.FloatField(help_text="and below this.")
    runs = serializers.IntegerField(help_text="So often it was tried.")
    spread = serializers.FloatField(help_text="The standard deviation of strengths that was assumed, in points.")
    entries = serializers.IntegerField(help_text="With so many bots.")
