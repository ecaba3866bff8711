"""Request and response bodies of the REST API of leagues."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from tournaments.api.league_settings_serializers import LeagueSettingsSerializer
from tournaments.models import League


@extend_schema_serializer(component_name="LeagueCard")
class LeagueSummarySerializer(serializers.Serializer[Any]):
    """One league in a list of leagues."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    game = serializers.SlugField()
    season = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=League.Status.choices)
    round = serializers.IntegerField(help_text="The one that is played, or was last; 0 before the first.")
    rounds = serializers.IntegerField()
    entries = serializers.IntegerField()
    entries_until = serializers.DateTimeField(allow_null=True)
    cancelled = serializers.CharField(
        allow_blank=True, help_text="Why an organiser cancelled it before its first round; empty if nobody did."
    )
    logo = serializers.CharField(
        source="logo_path", allow_blank=True, help_text="The path of its logo; empty without one."
    )


class LeagueListSerializer(serializers.Serializer[Any]):
    """One page of the list of leagues."""

    leagues = LeagueSummarySerializer(many=True)
    after = serializers.CharField(allow_blank=True, help_text="The cursor of those behind them; empty at the end.")


@extend_schema_serializer(component_name="League")
class LeagueSerializer(LeagueSummarySerializer):
    """One league with its settings (`terms`) and its current state."""

    PLAIN = (
        *("slug", "name", "game", "season", "status", "round", "rounds", "entries", "entries_until"),
        *("cancelled", "logo_path", "paused", "waits", "seal", "anchor", "header"),
    )
    paused = serializers.BooleanField()
    waits = serializers.CharField(allow_blank=True, help_text="What it waits for, if it does.")
    seal = serializers.CharField(allow_blank=True, help_text="The seal of the secret that its deals are made from.")
    anchor = serializers.CharField(allow_blank=True, help_text="Where the public luck comes from.")
    terms = LeagueSettingsSerializer(source="header")


class StandingSerializer(serializers.Serializer[Any]):
    """One bot in the standings of a league."""

    place = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry_id")
    name = serializers.CharField()
    bot = serializers.SlugField(source="bot_slug")
    version = serializers.IntegerField()
    points = serializers.CharField()
    played = serializers.IntegerField()
    byes = serializers.IntegerField()
    tiebreaks = serializers.ListField(child=serializers.CharField())
    decided = serializers.CharField(help_text="Tie-break or criterion that ranks it below the row above.")


class StandingsSerializer(serializers.Serializer[Any]):
    """One page of the standings of a league."""

    rows = StandingSerializer(many=True)
    tiebreaks = serializers.SerializerMethodField(help_text="The names of the tie-breaks, in their order.")
    of = serializers.IntegerField(help_text="How many lines there are.")
    after = serializers.CharField(allow_blank=True)

    def get_tiebreaks(self, value: Any) -> list[str]:
        """Return the names of the league's tie-breaks, in the order in which they apply."""
        return [name for name, _ in value.tiebreaks]


class TableSeatSerializer(serializers.Serializer[Any]):
    """One bot in a match, with its place once the match has ended."""

    name = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)


@extend_schema_serializer(component_name="Table")
class RoundMatchSerializer(serializers.Serializer[Any]):
    """One match of a round."""

    table = serializers.IntegerField(source="number")
    group = serializers.IntegerField()
    game = serializers.IntegerField(help_text="Which of the table's matches it is.")
    match = serializers.CharField(source="match_id")
    status = serializers.CharField()
    seats = TableSeatSerializer(many=True)


@extend_schema_serializer(component_name="Rest")
class ByeSerializer(serializers.Serializer[Any]):
    """Bots that have no match in a round, all for the same reason, with the points that each of them gets."""

    why = serializers.CharField()
    points = serializers.CharField()
    names = serializers.ListField(child=serializers.CharField(), source="names.shown")
    more = serializers.IntegerField(source="names.more", help_text="How many others.")


class RoundSerializer(serializers.Serializer[Any]):
    """One round of a league with its matches."""

    number = serializers.IntegerField()
    stage = serializers.CharField(allow_blank=True)
    tables = RoundMatchSerializer(many=True)
    rests = ByeSerializer(many=True)
    after = serializers.CharField(allow_blank=True)


@extend_schema_serializer(component_name="ActRow")
class ActionSummarySerializer(serializers.Serializer[Any]):
    """One action of an organiser on a league, or one automatic change.

    A change is automatic if the league's settings decide a match without a result, or if an entry switches to a newer
    version of its bot.
    """

    what = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField(allow_null=True)
    why = serializers.CharField(allow_blank=True)
    match = serializers.CharField(allow_blank=True)
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


@extend_schema_serializer(component_name="Acts")
class ActionListSerializer(serializers.Serializer[Any]):
    """One page of the organisers' actions on a league."""

    rows = ActionSummarySerializer(many=True)
    after = serializers.CharField(allow_blank=True)


@extend_schema_serializer(component_name="Outlook")
class ForecastSerializer(serializers.Serializer[Any]):
    """Forecast of a league, computed from several simulations of it."""

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
