"""Create leagues, their entrants and matches, and ratings, with the first names of their tables and columns."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models

from foundation.random_seeds import new_seed

YEARS = (datetime(2000, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC))


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("tournaments", "0001_initial"),
        ("tournaments", "0002_seasons"),
        ("tournaments", "0003_season_ladders"),
        ("tournaments", "0004_entries_until"),
        ("tournaments", "0005_sound_leagues"),
        ("tournaments", "0006_tiebreaks_in_a_list"),
    ]
    dependencies = [
        ("bots", "0001_squashed_0023_hand_over_rate_limits"),
        ("replays", "0008_squashed_0026_reviewed_seats"),
    ]
    operations = [
        # indexes and constraints keep these names when the next migration renames tables and columns
        migrations.CreateModel(
            name="League",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("game", models.CharField(db_index=True, max_length=40)),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "open for entries"), ("running", "running"), ("closed", "closed")],
                        db_index=True,
                        default="open",
                        max_length=10,
                    ),
                ),
                ("secret", models.BinaryField(default=new_seed)),
                ("rounds", models.PositiveSmallIntegerField()),
                ("round", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("entries_until", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "db_table": "tournaments_tournament",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("rounds__range", (1, 1000)), ("round__lte", models.F("rounds"))),
                        name="leagues_have_rounds",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(db_index=True, max_length=40)),
                ("value", models.IntegerField()),
                ("matches", models.PositiveIntegerField(default=0, db_column="games")),
                ("wins", models.PositiveIntegerField(default=0)),
                ("last_delta", models.IntegerField(default=0)),
                ("bot", models.ForeignKey("bots.bot", models.CASCADE, related_name="ratings")),
                ("season", models.CharField(blank=True, default="", max_length=20)),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("bot", "season"), name="one_rating_per_season")]},
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("name", models.CharField(max_length=60)),
                ("withdrawn", models.BooleanField(default=False)),
                ("place", models.PositiveIntegerField(default=0)),
                ("points", models.CharField(default="0", max_length=40)),
                ("played", models.PositiveIntegerField(default=0)),
                ("byes", models.PositiveIntegerField(default=0)),
                ("version", models.ForeignKey("bots.botversion", models.PROTECT, related_name="entrants")),
                (
                    "league",
                    models.ForeignKey(
                        "tournaments.league", models.CASCADE, related_name="entrants", db_column="tournament_id"
                    ),
                ),
                ("tiebreaks", ArrayField(models.TextField(), default=list)),
            ],
            options={
                "db_table": "tournaments_entry",
                "constraints": [models.UniqueConstraint(fields=("league", "number"), name="entrants_are_numbered")],
            },
        ),
        migrations.CreateModel(
            name="TableMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("round", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                ("game", models.PositiveSmallIntegerField(default=0)),
                ("recorded", models.BooleanField(default=False)),
                ("match", models.OneToOneField("replays.match", models.PROTECT, related_name="table")),
                (
                    "league",
                    models.ForeignKey(
                        "tournaments.league",
                        models.CASCADE,
                        db_index=False,
                        related_name="tables",
                        db_column="tournament_id",
                    ),
                ),
            ],
            options={
                "db_table": "tournaments_table",
                "ordering": ("league", "round", "number", "game"),
                "constraints": [
                    models.UniqueConstraint(fields=("league", "round", "number", "game"), name="one_match_per_table")
                ],
            },
        ),
        AddConstraintNotValid(
            "League",
            models.CheckConstraint(
                condition=models.Q(("slug__regex", "^[-a-zA-Z0-9_]{1,60}$")), name="leagues_have_slugs"
            ),
        ),
        AddConstraintNotValid(
            "League", models.CheckConstraint(condition=models.Q(("name__regex", "\\S")), name="leagues_have_names")
        ),
        AddConstraintNotValid(
            "League",
            models.CheckConstraint(condition=models.Q(("game__regex", "^[a-z0-9_]+$")), name="leagues_have_games"),
        ),
        AddConstraintNotValid(
            "League",
            models.CheckConstraint(
                condition=models.Q(("season", ""), ("season__regex", "^[a-z0-9-]{1,20}$"), _connector="OR"),
                name="leagues_have_seasons",
            ),
        ),
        AddConstraintNotValid(
            "League",
            models.CheckConstraint(
                condition=models.Q(("status__in", ("open", "running", "closed"))), name="leagues_have_a_status"
            ),
        ),
        AddConstraintNotValid(
            "League",
            models.CheckConstraint(
                condition=models.Q(
                    ("created_at__range", YEARS),
                    models.Q(("entries_until__isnull", True), ("entries_until__range", YEARS), _connector="OR"),
                ),
                name="leagues_have_their_times",
            ),
        ),
    ]
