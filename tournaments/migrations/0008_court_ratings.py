"""The court ratings, and of which matches each ladder's were fitted."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = (
        ("bots", "0006_names_end"),
        ("tournaments", "0007_one_word_each"),
    )
    operations = (
        migrations.CreateModel(
            name="CourtFit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(max_length=40)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("head", models.BinaryField(default=bytes)),
                ("matches", models.PositiveIntegerField(default=0)),
                ("bound", models.FloatField(default=0)),
                ("seats", models.JSONField(default=list)),
            ],
            options={
                "constraints": (models.UniqueConstraint(fields=("game", "season"), name="one_court_fit_per_season"),),
            },
        ),
        migrations.CreateModel(
            name="CourtRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(db_index=True, max_length=40)),
                ("season", models.CharField(blank=True, default="", max_length=20)),
                ("version", models.PositiveIntegerField()),
                ("value", models.IntegerField()),
                ("low", models.IntegerField()),
                ("high", models.IntegerField()),
                ("provisional", models.BooleanField()),
                ("ahead", models.FloatField(null=True)),
                (
                    "bot",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="court_ratings", to="bots.bot"
                    ),
                ),
            ],
            options={
                "constraints": (
                    models.UniqueConstraint(fields=("bot", "season"), name="one_court_rating_per_season"),
                ),
            },
        ),
    )
