"""Create the table of rate limits, which earlier migrations of `bots` created."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [("ratelimits", "0001_take_over")]
    dependencies = []
    operations = [
        migrations.CreateModel(
            name="Allowance",
            fields=[
                ("key", models.CharField(max_length=120, primary_key=True, serialize=False)),
                ("until", models.DateTimeField()),
                ("failures", models.PositiveIntegerField(default=0)),
            ],
            options={"db_table": "bots_allowance"},
        ),
        # a crash of the database may lose rate limits, which saves the write-ahead log
        migrations.RunSQL("ALTER TABLE bots_allowance SET UNLOGGED", migrations.RunSQL.noop),
    ]
