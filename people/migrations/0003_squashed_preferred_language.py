"""Rename the table of sign-ins; create stored languages, and the cache that all processes share."""

from __future__ import annotations

from django.conf import settings
from django.db import migrations, models

CACHE = """
    CREATE UNLOGGED TABLE people_cache (
        cache_key varchar(255) NOT NULL PRIMARY KEY, value text NOT NULL, expires timestamp with time zone NOT NULL
    );
    CREATE INDEX people_cache_expires ON people_cache (expires);
"""


class Migration(migrations.Migration):
    replaces = [("people", "0003_kept_tongue")]
    dependencies = [("people", "0001_squashed_0002_bans_and_acts")]
    operations = [
        migrations.AlterModelTable("SignIn", None),
        migrations.AddField(
            "SignIn", "way", models.CharField(blank=True, default="", max_length=60), preserve_default=False
        ),
        migrations.CreateModel(
            name="KeptTongue",
            fields=[
                (
                    "person",
                    models.OneToOneField(
                        settings.AUTH_USER_MODEL,
                        models.CASCADE,
                        primary_key=True,
                        related_name="kept_tongue",
                        serialize=False,
                    ),
                ),
                ("tongue", models.CharField(max_length=10)),
            ],
        ),
        migrations.RunSQL(CACHE, "DROP TABLE people_cache"),
    ]
