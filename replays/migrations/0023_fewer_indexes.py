"""Leave out the indexes that others serve as well, and those of columns that only matches that go on are found by.

An index in the order of time does not need the id behind it: what ended in the same moment is little to sort.
"""

import datetime

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Coalesce

UNENDED = models.Value(datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC))
GOING = ("waiting", "playing", "adjourned")
DROP = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT index.indexrelid::regclass FROM pg_index AS index
        JOIN pg_attribute AS field ON field.attrelid = index.indrelid AND field.attnum = index.indkey[0]
        WHERE index.indnkeyatts = 1 AND NOT index.indisunique AND index.indpred IS NULL AND index.indexprs IS NULL
        AND (index.indrelid, field.attname) IN (
            ('replays_match'::regclass, 'id'), ('replays_match'::regclass, 'game'),
            ('replays_match'::regclass, 'status'), ('replays_match'::regclass, 'closed_at'),
            ('replays_match'::regclass, 'asked_by_id'), ('replays_matchseat'::regclass, 'match_id'))
    LOOP EXECUTE 'DROP INDEX ' || name; END LOOP;
END $$
"""
"""Django has two indexes of a column that is a text, one of them for LIKE, and also of a key."""
AGAIN = """
CREATE INDEX ON replays_match (game); CREATE INDEX ON replays_match (status);
CREATE INDEX ON replays_match (closed_at); CREATE INDEX ON replays_match (asked_by_id);
CREATE INDEX ON replays_matchseat (match_id)
"""


class Migration(migrations.Migration):
    """Leaves them out."""

    dependencies = [
        ("replays", "0022_traces"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex("match", "newest_matches_of_a_game"),
        migrations.RemoveIndex("match", "newest_matches"),
        migrations.RemoveIndex("match", "matches_by_creation"),
        migrations.RemoveIndex("matchseat", "newest_seats_of_a_version"),
        migrations.RemoveIndex("matchseat", "newest_seats_of_a_bot"),
        migrations.RemoveIndex("matchseat", "all_seats_of_a_bot"),
        migrations.RunSQL(
            DROP,
            AGAIN,
            state_operations=[
                migrations.AlterField(
                    "match",
                    "asked_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                migrations.AlterField("match", "closed_at", models.DateTimeField(null=True)),
                migrations.AlterField("match", "game", models.CharField(max_length=40)),
                migrations.AlterField(
                    "match",
                    "status",
                    models.CharField(
                        choices=[(status, status) for status in (*GOING, "closed", "void")], default="waiting", max_length=10
                    ),
                ),
                migrations.AlterField(
                    "matchseat",
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="replays.match",
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            "match",
            models.Index(condition=models.Q(("status__in", GOING)), fields=["status"], name="matches_that_go_on"),
        ),
        migrations.AddIndex(
            "match",
            models.Index(
                condition=models.Q(("asked_by__isnull", False)), fields=["asked_by"], name="matches_asked_for"
            ),
        ),
        migrations.AddIndex("match", models.Index(fields=["game", "-closed_at"], name="ended_matches_of_a_game")),
        migrations.AddIndex("match", models.Index(fields=["-closed_at"], name="ended_matches")),
        migrations.AddIndex("match", models.Index(fields=["-created_at"], name="created_matches")),
        migrations.AddIndex(
            "matchseat", models.Index(fields=["version", "-closed_at"], name="ended_seats_of_a_version")
        ),
        migrations.AddIndex(
            "matchseat",
            models.Index(
                models.F("bot"),
                Coalesce("closed_at", UNENDED, output_field=models.DateTimeField()).desc(),
                name="seats_of_a_bot",
            ),
        ),
    ]
