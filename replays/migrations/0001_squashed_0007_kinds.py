"""Create matches, their seats, event streams and the archive; the next migration adds triggers and renames a table."""

from __future__ import annotations

from datetime import UTC, datetime

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models.functions import Coalesce

import replays.models
from foundation.random_seeds import new_seed

USER = settings.AUTH_USER_MODEL
UNENDED = models.Value(datetime(9999, 12, 31, tzinfo=UTC))


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("replays", "0001_initial"),
        ("replays", "0002_append_only"),
        ("replays", "0003_options_and_roles"),
        ("replays", "0004_audited"),
        ("replays", "0005_pace"),
        ("replays", "0006_reproducible"),
        ("replays", "0007_kinds"),
    ]
    dependencies = [migrations.swappable_dependency(USER), ("bots", "0001_squashed_0023_hand_over_rate_limits")]
    operations = [
        migrations.CreateModel(
            name="Match",
            fields=[
                (
                    "id",
                    models.CharField(default=replays.models.new_id, max_length=12, primary_key=True, serialize=False),
                ),
                ("game", models.CharField(max_length=40)),
                ("seed", models.BinaryField(default=new_seed)),
                ("move_ms", models.PositiveIntegerField(default=1000)),
                ("bank_ms", models.PositiveIntegerField(default=10000)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("playing", "playing"),
                            ("adjourned", "adjourned"),
                            ("closed", "closed"),
                            ("void", "void"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("opened_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("holder", models.CharField(blank=True, max_length=80)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("reason", models.TextField(blank=True)),
                ("options", models.TextField(blank=True)),
                ("pace_ms", models.PositiveIntegerField(default=0)),
                ("asked_by", models.ForeignKey(USER, models.SET_NULL, db_index=False, null=True, related_name="+")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("league", "of a league"),
                            ("friendly", "friendly"),
                            ("ladder", "of a continuous ladder"),
                        ],
                        default="league",
                        max_length=10,
                    ),
                ),
                ("released", models.BooleanField(default=True)),
                ("hand_ms", models.PositiveIntegerField(null=True)),
                ("outside", models.BooleanField(db_default=False, default=False)),
                ("resume_at", models.DateTimeField(null=True)),
                ("build", models.CharField(blank=True, db_default="", default="", max_length=80)),
                ("counted", models.BooleanField(db_default=False, default=False)),
                ("version", models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("counted", False), ("status", "closed")),
                        fields=["released", "id"],
                        name="matches_not_counted",
                    ),
                    models.Index(condition=models.Q(("status", "void")), fields=["-closed_at"], name="void_matches"),
                    models.Index(condition=models.Q(("attempts__gt", 1)), fields=["id"], name="resumed_matches"),
                    models.Index(
                        condition=models.Q(("status__in", ("waiting", "playing", "adjourned"))),
                        fields=["status"],
                        name="matches_that_go_on",
                    ),
                    models.Index(
                        condition=models.Q(("asked_by__isnull", False)), fields=["asked_by"], name="matches_asked_for"
                    ),
                    models.Index(fields=["game", "-closed_at"], name="ended_matches_of_a_game"),
                    models.Index(fields=["-closed_at"], name="ended_matches"),
                    models.Index(fields=["-created_at"], name="created_matches"),
                ],
                "verbose_name_plural": "matches",
            },
        ),
        migrations.CreateModel(
            name="Stream",
            fields=[
                ("id", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("length", models.PositiveIntegerField(default=0)),
                ("head", models.BinaryField(default=bytes(32))),
                ("fence", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Page",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "stream_id", "first", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("first", models.PositiveIntegerField()),
                ("last", models.PositiveIntegerField()),
                ("body", models.BinaryField()),
                ("head", models.BinaryField()),
                ("stream", models.ForeignKey("replays.stream", models.PROTECT, related_name="pages")),
            ],
        ),
        migrations.CreateModel(
            name="MatchSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("score", models.IntegerField(null=True)),
                ("excuses", models.PositiveIntegerField(default=0)),
                ("faults", ArrayField(models.TextField(), default=list)),
                ("notes", ArrayField(models.TextField(), default=list)),
                ("stderr", models.TextField(blank=True)),
                ("match", models.ForeignKey("replays.match", models.CASCADE, db_index=False, related_name="seats")),
                (
                    "version",
                    models.ForeignKey("bots.botversion", models.PROTECT, db_index=False, related_name="match_seats"),
                ),
                ("role", models.CharField(blank=True, max_length=20)),
                ("reproducible", models.BooleanField(default=True)),
                ("missed", models.JSONField(null=True)),
                ("spent", models.FloatField(null=True)),
                ("memory", models.PositiveBigIntegerField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                ("bot", models.ForeignKey("bots.bot", models.PROTECT, db_index=False, related_name="match_seats")),
            ],
            options={
                "ordering": ("match", "seat"),
                "constraints": [models.UniqueConstraint(fields=("match", "seat"), name="one_bot_per_seat")],
                "indexes": [
                    models.Index(fields=["version", "-closed_at"], name="ended_seats_of_a_version"),
                    models.Index(
                        models.F("bot"),
                        models.OrderBy(
                            Coalesce("closed_at", UNENDED, output_field=models.DateTimeField()), descending=True
                        ),
                        name="seats_of_a_bot",
                    ),
                ],
            },
        ),
        # the indexes and constraints of the table keep these names
        migrations.CreateModel(
            name="MatchAudit",
            fields=[
                (
                    "match",
                    models.OneToOneField(
                        "replays.match", models.CASCADE, primary_key=True, related_name="audited", serialize=False
                    ),
                ),
                ("build", models.CharField(max_length=80)),
                ("at", models.DateTimeField(auto_now=True)),
                ("found", models.TextField(blank=True)),
            ],
            options={"db_table": "replays_audited"},
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                ("stream_id", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=64)),
                ("size", models.PositiveIntegerField()),
                ("length", models.PositiveIntegerField()),
                ("head", models.BinaryField()),
                ("root", models.BinaryField()),
                ("excuses", ArrayField(models.CharField(max_length=10), default=list)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
    ]
