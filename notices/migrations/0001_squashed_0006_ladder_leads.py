"""Create notices, webhooks, follows, and the positions up to which events are read."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

USER = settings.AUTH_USER_MODEL


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("notices", "0001_initial"),
        ("notices", "0002_from_now_on"),
        ("notices", "0003_said_in_tongues"),
        ("notices", "0004_withheld_events"),
        ("notices", "0005_follows"),
        ("notices", "0006_ladder_leads"),
    ]
    dependencies = [migrations.swappable_dependency(USER), ("tournaments", "0007_squashed_0027_comments")]
    operations = [
        migrations.CreateModel(
            name="Cursor",
            fields=[
                ("name", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("length", models.PositiveBigIntegerField(default=0)),
                ("ahead", ArrayField(models.BigIntegerField(), default=list)),
            ],
        ),
        migrations.CreateModel(
            name="Endpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("url", models.CharField(max_length=500)),
                ("kinds", ArrayField(models.CharField(max_length=20))),
                ("secret", models.CharField(max_length=80)),
                ("old_secret", models.CharField(blank=True, max_length=80)),
                ("old_until", models.DateTimeField(null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("sequence", models.PositiveBigIntegerField(default=0)),
                ("disabled_at", models.DateTimeField(null=True)),
                ("disabled_why", models.CharField(blank=True, max_length=200)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(null=True)),
                ("tried_at", models.DateTimeField(null=True)),
                ("held_until", models.DateTimeField(null=True)),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, null=True, related_name="+")),
                ("owner", models.ForeignKey(USER, models.CASCADE, related_name="endpoints")),
            ],
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sequence", models.PositiveBigIntegerField()),
                ("key", models.CharField(max_length=40, unique=True)),
                ("kind", models.CharField(max_length=20)),
                ("told", models.JSONField()),
                ("at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("arrived", "arrived")], default="waiting", max_length=10
                    ),
                ),
                ("tries", models.PositiveIntegerField(default=0)),
                ("tried_at", models.DateTimeField(null=True)),
                ("code", models.PositiveSmallIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=100)),
                (
                    "endpoint",
                    models.ForeignKey("notices.endpoint", models.CASCADE, db_index=False, related_name="deliveries"),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "waiting")),
                        fields=["endpoint", "sequence"],
                        name="deliveries_that_wait",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("endpoint", "sequence"), name="deliveries_are_numbered")
                ],
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=120)),
                ("text", models.CharField(max_length=300)),
                ("link", models.CharField(max_length=200)),
                ("at", models.DateTimeField()),
                ("on_web", models.BooleanField()),
                ("read_at", models.DateTimeField(null=True)),
                ("to_mail", models.BooleanField(default=False)),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="notices")),
                ("pattern", models.CharField(db_default="", default="", max_length=300)),
                ("words", models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["person", "-at"], name="notices_of_a_person"),
                    models.Index(
                        condition=models.Q(("to_mail", True)), fields=["person", "kind"], name="notices_to_mail"
                    ),
                ],
                "constraints": [models.UniqueConstraint(fields=("person", "kind", "key"), name="nobody_is_told_twice")],
            },
        ),
        migrations.CreateModel(
            name="Wish",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("web", models.BooleanField()),
                ("mail", models.BooleanField()),
                ("mailed_at", models.DateTimeField(null=True)),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="wishes")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("person", "kind"), name="one_wish_of_a_kind")]},
        ),
        migrations.CreateModel(
            name="WithheldEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("match", models.CharField(max_length=12)),
                ("kind", models.CharField(max_length=20)),
                ("at", models.DateTimeField()),
                ("data", models.JSONField()),
                ("entries", ArrayField(models.PositiveIntegerField())),
                ("league", models.ForeignKey("tournaments.league", models.CASCADE, related_name="+")),
            ],
        ),
        migrations.CreateModel(
            name="Follow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=10)),
                ("subject", models.CharField(max_length=80)),
                ("since", models.DateTimeField(auto_now_add=True)),
                ("person", models.ForeignKey(USER, models.CASCADE, related_name="follows")),
            ],
            options={
                "indexes": [models.Index(fields=["kind", "subject"], name="followers_of_a_subject")],
                "constraints": [models.UniqueConstraint(fields=("person", "kind", "subject"), name="followed_once")],
            },
        ),
        migrations.CreateModel(
            name="LadderLead",
            fields=[
                ("game", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("bot", models.CharField(max_length=80)),
                ("head", models.BinaryField()),
            ],
        ),
    ]
