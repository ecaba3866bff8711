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
PATTERNS = """
DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT indexname FROM pg_indexes
        WHERE tablename = 'replays_match' AND indexname LIKE 'replays\\_match\\_id\\_%\\_like' AND schemaname = 'public'
    LOOP EXECUTE format('DROP INDEX %I', name); END LOOP;
END $$
"""
"""Django makes an index for LIKE with each key that is a text; nobody looks for a match by how its id begins."""


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
        migrations.RunSQL(PATTERNS, migrations.RunSQL.noop),
    ]
