"""Summaries of the seats of reviewed matches, for the pages of bots."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Adds the table."""

    dependencies = [("bots", "0023_hand_over_rate_limits"), ("replays", "0025_failed_work")]

    operations = [
        migrations.CreateModel(
            name="ReviewedSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seat", models.PositiveSmallIntegerField()),
                ("summary", models.JSONField()),
                (
                    "bot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reviewed_seats",
                        to="bots.bot",
                    ),
                ),
                (
                    "review",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="replays.review"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["bot", "-id"], name="reviewed_seats_of_a_bot")],
                "constraints": [
                    models.UniqueConstraint(fields=("review", "seat"), name="one_summary_of_a_reviewed_seat")
                ],
            },
        ),
    ]
